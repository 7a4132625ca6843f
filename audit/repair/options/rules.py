"""What can be done to items with options: reorder the options, or remove items until a cue is right as often as chance.

Items go at random among those in which the cue is right: to remove just the most predictable ones would turn it round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.benchmark import MOST
from audit.options.choosing import chosen, largest_within
from audit.options.items.pool import Pool
from audit.options.views import View
from audit.repair.cells import cap_of, levelled, thin
from audit.repair.records import StepKind
from audit.repair.removal import by_part, score_bins, without_the_surest
from audit.repair.subject import Bools, Named
from audit.result.audit_result import Settings
from audit.statistics.permutation import seeded

__all__ = [
    "BalanceChoice",
    "BalancePositions",
    "Filter",
    "Match",
    "OptionRule",
    "Parted",
    "Reorder",
    "to_chance",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Parted(Protocol):
    """What a rule must know of N items with options."""

    settings: Settings
    """Of the audit; the seed and the threshold are used."""
    groups: Ints
    """(N,) group numbers."""
    units: Ints
    """(N,) items with the same number are kept or removed together."""
    chosen: Bools
    """(N,) the items that rules are chosen on; the others are held out."""

    @property
    def pool(self) -> Pool:
        """The items and their options."""

    def scored(self, rows: Bools, view: View) -> tuple[Floats, Floats]:
        """How likely each option is to be right (R,), by models that never saw the item, and the share of splits in
        which the right one is the most likely (N,).
        """


def to_chance(gain: Floats, cell: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that in each cell a choice is right as often as chance, and not less often.

    `gain` (n,) is by how much the choice is right beyond chance in each item: 1 - 1 / k or -1 / k among k options; in a
    cell that has nothing left above chance, nothing goes. Items of one of the `units` (n,) stay or go together. Units
    with the largest gain per item go first, because then the fewest go; among equal ones the choice is random.
    """
    stays = np.ones(len(gain), dtype=np.bool_)
    excess = np.bincount(cell, gain)
    unit = np.unique(units, return_inverse=True)[1]
    total, size = np.bincount(unit, gain), np.bincount(unit)
    layout = np.argsort(unit, kind="stable")
    start = np.searchsorted(unit[layout], np.arange(len(size) + 1))
    for number in np.lexsort((random.permutation(len(size)), -np.round(total / np.maximum(size, 1), 10))).tolist():
        if total[number] <= 0:
            break
        members = layout[start[number] : start[number + 1]]
        change = np.bincount(cell[members], gain[members], minlength=len(excess))
        above = change > 0
        if (excess[above] >= change[above] / 2).all():  # as near to chance as whole units allow
            stays[members] = False
            excess -= change
    return stays


def _gain(items: Parted, scores: Floats) -> Floats:
    """(N,) by how much the option with the highest score is right beyond chance."""
    return np.asarray(chosen(scores, items.pool.start)[items.pool.gold] - 1 / items.pool.size)


def _cut(items: Parted, rows: Bools, gain: Floats, cells: Callable[[Ints], Ints], step: int) -> Bools:
    """`to_chance` in each part of `rows`; `cells` gives the cell of each of some items."""
    stays = rows.copy()
    for name, part in by_part(items.chosen, rows):
        used = np.flatnonzero(part)
        if len(used):
            random = seeded(items.settings.seed, "harden", step, name)
            stays[used] = to_chance(gain[used], cells(used), items.units[used], random)
    return stays


class OptionRule(Named, Protocol):
    """What is done and why."""

    def kept(self, items: Parted, rows: Bools, step: int) -> Bools:
        """(N,) the items of `rows` that stay. `rows` are in both parts, each of which is treated alone."""


@dataclass(frozen=True)
class Reorder:
    """The options of every item are put into an order drawn from their texts and the seed; no item goes."""

    kind: StepKind = "positions"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return "reorder the options"

    def kept(self, items: Parted, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        return rows


@dataclass(frozen=True)
class BalancePositions:
    """The most common positions of right options lose items until always choosing one has half the threshold."""

    kind: StepKind = "positions"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return "balance the positions of the right options"

    def kept(self, items: Parted, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        pool, stays = items.pool, rows.copy()
        place = pool.position[pool.gold]
        for name, part in by_part(items.chosen, rows):
            random = seeded(items.settings.seed, "harden", step, name)
            used = np.flatnonzero(part)
            sizes, of = np.unique(pool.size[used], return_inverse=True)
            cell = of * MOST + place[used]
            counts = np.bincount(cell, minlength=len(sizes) * MOST)
            wanted = [
                levelled(row[:size], cap_of(size, items.settings.margin))
                for size, row in zip(sizes.tolist(), counts.reshape(-1, MOST), strict=True)
            ]
            filled = np.concatenate([np.pad(row, (0, MOST - len(row))) for row in wanted]) if len(used) else counts
            stays[used] = thin(cell, counts, filled, items.units[used], random)
        return stays


@dataclass(frozen=True, eq=False)
class BalanceChoice:
    """A way to choose an option without the question is right as often as chance afterwards."""

    name: str
    """What it chooses: `the longest (characters)`."""
    scores: Floats
    """(R,) the option with the highest score of its item is chosen."""
    kind: StepKind = "cue"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"cut the choice of {self.name} down to chance"

    def kept(self, items: Parted, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        gain = _gain(items, self.scores)
        return _cut(items, rows, gain, lambda used: np.zeros(len(used), dtype=np.int64), step)


@dataclass(frozen=True)
class Match:
    """What a probe chooses is right as often as chance, however certain it is, by models that never saw the items.

    In the held-out part, the choices come from models of the chosen items alone.
    """

    view: View
    kind: StepKind = "match"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"match the items on the choice of {self.view.label}"

    def kept(self, items: Parted, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        scores = items.scored(rows, self.view)[0]
        total = np.add.reduceat(scores, items.pool.start[:-1])
        certain = largest_within(scores, items.pool.start) / np.where(total > 0, total, 1.0)
        return _cut(items, rows, _gain(items, scores), lambda used: score_bins(certain[used]), step)


@dataclass(frozen=True)
class Filter:
    """The groups that are predicted right most reliably go, until as many are left as chance would predict right.

    It stops there for the reason that `audit.repair.labels.rules.Filter` gives.
    """

    view: View
    kind: StepKind = "filter"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"remove the groups that {self.view.label} predict best"

    def kept(self, items: Parted, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        right, stays = items.scored(rows, self.view)[1], rows.copy()
        for name, part in by_part(items.chosen, rows):
            random = seeded(items.settings.seed, "harden", step, "filter", name)
            chance = float((1 / items.pool.size[part]).mean())
            stays &= without_the_surest(right, items.groups, part, chance, random)
        return stays
