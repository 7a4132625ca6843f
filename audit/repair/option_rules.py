"""What can be done to items with options: reorder them, or remove items until a cue is as good as chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec
import numpy as np
import scipy.sparse as sp

from hansproof.audit.benchmark import MOST
from hansproof.audit.notation import drawn
from hansproof.audit.probes.kappas import RefitWidening
from hansproof.audit.repair.records import StepKind
from hansproof.audit.repair.removal import Floats, Ints, by_part, cap_of, levelled, score_bins, thin, without_the_surest
from hansproof.audit.repair.search import Bools, Named
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.tasks import OptionRule as RuleReading
from hansproof.audit.shortcuts.short_rules import FEWEST_ITEMS, LEVELS
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import (
    OptionsDesign,
    ViewScores,
    choice_kappa,
    chosen,
    largest_within,
)
from hansproof.audit.tasks.options.option_kappas import measure
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.option_shortcuts import within_items
from hansproof.audit.tasks.options.simple_rules import COMMON_POSITION, rules_of, rules_on
from hansproof.audit.tasks.options.views import CUES, View

__all__ = ["BalancePositions", "Filter", "Match", "OptionRule", "Reorder", "position_reading", "strongest_choices"]

# Items go at random among those in which the cue is right: to remove just the most predictable ones would turn it
# round.


class RuleItems(Protocol):
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
    def pool(self) -> OptionPool:
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


def _gain(items: RuleItems, scores: Floats) -> Floats:
    """(N,) by how much the option with the highest score is right beyond chance."""
    return np.asarray(chosen(scores, items.pool.start)[items.pool.gold] - 1 / items.pool.size)


def _cut(items: RuleItems, rows: Bools, gain: Floats, cells: Callable[[Ints], Ints], step: int) -> Bools:
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

    def kept(self, items: RuleItems, rows: Bools, step: int) -> Bools:
        """(N,) the items of `rows` that stay. `rows` are in both parts, each of which is treated alone."""


@dataclass(frozen=True)
class Reorder:
    """The options of every item are put into an order drawn from their texts and the seed; no item goes."""

    kind: StepKind = "positions"
    words: str = "reorder the options"

    def kept(self, items: RuleItems, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        return rows


@dataclass(frozen=True)
class BalancePositions:
    """The most common positions of right options lose items until always choosing one has half the threshold."""

    kind: StepKind = "positions"
    words: str = "balance the positions of the right options"

    def kept(self, items: RuleItems, rows: Bools, step: int) -> Bools:
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

    def kept(self, items: RuleItems, rows: Bools, step: int) -> Bools:
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

    def kept(self, items: RuleItems, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        scores = items.scored(rows, self.view)[0]
        total = np.add.reduceat(scores, items.pool.start[:-1])
        certain = largest_within(scores, items.pool.start) / np.where(total > 0, total, 1.0)
        return _cut(items, rows, _gain(items, scores), lambda used: score_bins(certain[used]), step)


@dataclass(frozen=True)
class Filter:
    """The groups that are predicted right most reliably go, until as many are left as chance would predict right.

    It stops there for the reason that `audit.repair.label_rules.Filter` gives.
    """

    view: View
    kind: StepKind = "filter"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"remove the groups that {self.view.label} predict best"

    def kept(self, items: RuleItems, rows: Bools, step: int) -> Bools:
        """As `OptionRule` says."""
        right, stays = items.scored(rows, self.view)[1], rows.copy()
        for name, part in by_part(items.chosen, rows):
            random = seeded(items.settings.seed, "harden", step, "filter", name)
            chance = float((1 / items.pool.size[part]).mean())
            stays &= without_the_surest(right, items.groups, part, chance, random)
        return stays


_PERMUTATIONS = 199


def position_reading(bed: OptionsDesign, groups: Ints, fold: Ints) -> RuleReading | None:
    """How far the most common position goes among some items, learnt outside the `fold` (n,) of each."""
    rules = rules_of(bed.pool, _values(bed), groups, fold, ordered=True)
    return next((rule for rule in rules if rule.rule.startswith(COMMON_POSITION)), None)


def strongest_choices(bed: OptionsDesign, items: Ints, groups: Ints, settings: Settings) -> list[BalanceChoice]:
    """What chooses the right option among `items` significantly more often than chance, with the largest kappa first.

    `groups` (n,) are those of all items. Rules that are learnt, and positions, are not among them; p is corrected for
    all rules (max-T), and that of an n-gram for all n-grams (Bonferroni). Chosen on `items`, each holds for all items.
    """
    own = bed.of(items)
    part = np.asarray(np.unique(groups[items], return_inverse=True)[1], dtype=np.int64)
    known = rules_on(bed.pool, _values(bed), np.zeros(bed.pool.n, dtype=np.int64), ordered=False)
    choices = [BalanceChoice(rule.name, rule.scores) for rule in known if not rule.learnt]
    rows = bed.pool.rows_of(items)
    scores = [_as_view(choice, chosen(choice.scores[rows], own.pool.start)) for choice in choices]
    judged = measure(
        "grouped", own.pool, part, scores, msgspec.structs.replace(settings, permutations=_PERMUTATIONS), None,
        lambda strongest, null_sd: RefitWidening(),
    )  # fmt: skip
    guilty = [
        choice for choice, of in zip(choices, judged.result.vectors, strict=True) if of.significant(settings.alpha)
    ]
    ngram = _strongest_ngram(bed, items, part, settings.alpha)
    guilty += [ngram] if ngram is not None else []

    def reach(choice: BalanceChoice) -> float:
        return choice_kappa(chosen(choice.scores[rows], own.pool.start)[own.pool.gold], own.pool.size)

    return sorted((choice for choice in guilty if reach(choice) > 0), key=lambda choice: -reach(choice))


def _values(bed: OptionsDesign) -> Floats:
    return bed.tables["question"].numbers["question-cues"]


def _as_view(choice: BalanceChoice, shares: Floats) -> ViewScores:
    view = View(choice.name, choice.name, "option", CUES, False)
    return ViewScores(view, shares[None].astype(np.float32), np.zeros(len(shares)), float("nan"), [], 1)


def _strongest_ngram(bed: OptionsDesign, items: Ints, groups: Ints, alpha: float) -> BalanceChoice | None:
    """To look for the n-gram with the largest |z| within items, or to avoid it; None unless it is significant.

    Items count by the inverse of the size of their group, so that a template of a hundred items is one observation.
    `groups` (m,) are those of the m `items`.
    """
    pool = bed.pool.taken(items)
    rows, table = bed.pool.rows_of(items), bed.tables["option"]
    weight = sp.csr_matrix(1.0 / np.bincount(groups)[groups])
    best: tuple[float, str, int] | None = None
    tests = 0
    for level in LEVELS:
        presence = table.presence(level)
        off, variance = within_items(presence[rows].astype(np.float64), pool)
        telling = np.flatnonzero(
            np.bincount(variance.indices[variance.data > 1e-12], minlength=presence.shape[1]) >= FEWEST_ITEMS
        )
        if not len(telling):
            continue
        tests += len(telling)
        moved = (weight @ off[:, telling]).toarray()[0]
        spread = (weight.multiply(weight) @ variance[:, telling]).toarray()[0]
        z = np.round(moved / np.sqrt(spread), 8)
        at = int(np.abs(z).argmax())
        if best is None or abs(z[at]) > abs(best[0]):
            best = float(z[at]), level, int(telling[at])
    if best is None:
        return None
    from scipy.stats import norm

    z_best, level, column = best
    if 2 * float(norm.sf(abs(z_best))) * tests >= alpha:
        return None
    having = table.presence(level)[:, [column]].toarray().ravel() > 0
    name = f"an option {'with' if z_best > 0 else 'without'} “{drawn(table.ngram_text(level, column))}”"
    return BalanceChoice(name, np.where(having, np.sign(z_best), 0.0))
