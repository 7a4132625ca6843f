"""Comparisons: two sides on all items that both were asked, by subset and condition; and every two of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansproof.audit import notation
from hansproof.audit.models.contrast import Compared, Contrast, between, contrast_of, contrasts_of, corrected
from hansproof.audit.models.difference import MARGIN
from hansproof.audit.models.matching import cuts_by, slice_name
from hansproof.audit.models.sides import Side, in_common, scores_of, sides_of
from hansproof.audit.replies.grid import NOT_ASKED, SKIPPED, Grid
from hansproof.audit.replies.judged_reply import NO_REPLY, Read
from hansproof.audit.replies.scorers import accepted, places_by_subset, subset_of
from hansproof.audit.statistics.shares import mean, standard_error
from hansproof.generators.errors import Progress, unwatched

__all__ = ["MARGIN", "Change", "Comparison", "OverRuns", "compare_sides", "differences", "foremost", "over_runs"]


@dataclass(frozen=True)
class Change:
    """An item on which the two differ."""

    id: str
    subset: str
    condition: str
    group: str
    prompt: str
    answer: str
    """Every gold answer that counts, with ` | ` between two."""
    a: float
    """The score of A; 1 for right and 0 for wrong where A has one run."""
    b: float
    a_read: tuple[Read, ...]
    """What was read from the reply of A, run by run of those that were asked; empty where only right and wrong are
    known."""
    b_read: tuple[Read, ...]


@dataclass(frozen=True)
class Comparison:
    """Two sides of one benchmark."""

    benchmark: str
    a: str
    b: str
    runs: tuple[int, int]
    margin: float
    parts: tuple[Contrast, ...]
    """All items first, then those with a clear reply of both if some have none, then subsets, then conditions; a cut
    into one part, or like an earlier one, is left out."""
    a_better: tuple[Change, ...]
    """Items that A gets right and B wrong (of several runs, right more often), in the order of the items."""
    b_better: tuple[Change, ...]
    left_out: tuple[int, int]
    """Items that only A, only B was asked."""
    skipped: int
    """Items that were left out on request because a reply is missing."""

    @property
    def whole(self) -> Contrast:
        """All items."""
        return self.parts[0]

    def record(self) -> dict[str, Any]:
        """As a JSON object in which undefined numbers are still NaN."""
        return asdict(self) | {"parts": [asdict(part) | {"verdict": part.verdict} for part in self.parts]}


def compare_sides(grid: Grid, a: Side, b: Side, *, margin: float = MARGIN, skip_missing: bool = False) -> Comparison:
    """Compare sides `a` and `b` of `grid`; a `margin` is a share.

    Missing replies are wrong, as in every grid, unless `skip_missing` leaves out the items that lack one. Raises
    InputError where the two have no item in common.
    """
    common = in_common(grid, a, b, skip_missing=skip_missing)
    first, second = common.a.values, common.b.values

    def contrasts(by: str, cut: dict[str, NDArray[np.int64]]) -> list[Contrast]:
        """The parts of one cut, corrected together."""
        parts = [(rows, between(a, b) | {"by": by, "name": name}) for name, rows in cut.items()]
        return contrasts_of(
            [Compared(common.a.on(rows), common.b.on(rows), common.groups[rows], about) for rows, about in parts],
            margin,
        )

    parts = contrasts("all", {"": np.arange(len(common.items))})
    clear = np.flatnonzero(~(common.a.not_clear | common.b.not_clear))
    if 0 < len(clear) < len(common.items):
        parts += contrasts("clear", {"": clear})
    seen: list[list[list[int]]] = []
    for by, key in cuts_by().items():
        cut: dict[str, list[int]] = {}
        for place, item in enumerate(common.items):
            cut.setdefault(slice_name(key(item) or ()), []).append(place)
        if len(cut) > 1 and sorted(cut.values()) not in seen:
            seen.append(sorted(cut.values()))
            parts += contrasts(by, {name: np.array(places) for name, places in cut.items()})
    rows = {item.id: row for row, item in enumerate(grid.items)}

    def change(place: int) -> Change:
        item = common.items[place]
        row = rows[item.id]
        return Change(
            id=item.id,
            subset=subset_of(item),
            condition=item.condition,
            group=item.group,
            prompt=item.prompt,
            answer=" | ".join(accepted(item)),
            a=float(first[place]),
            b=float(second[place]),
            a_read=_read(grid, a, row),
            b_read=_read(grid, b, row),
        )

    return Comparison(
        benchmark=grid.benchmark,
        a=a.title,
        b=b.title,
        runs=(len(a.columns), len(b.columns)),
        margin=margin,
        parts=tuple(parts),
        a_better=tuple(map(change, np.flatnonzero(first > second).tolist())),
        b_better=tuple(map(change, np.flatnonzero(first < second).tolist())),
        left_out=common.left_out,
        skipped=common.skipped,
    )


def _read(grid: Grid, side: Side, row: int) -> tuple[Read, ...]:
    """What was read from the replies of a side to the item in `row`, run by run."""
    if not grid.read:
        return ()
    asked = (column for column in side.columns if grid.outcomes[row, column] not in (NOT_ASKED, SKIPPED))
    return tuple(grid.read[column][row] or NO_REPLY for column in asked)


# Every two models of a grid on the items that both were asked, and each over its runs: what `score` reports.


@dataclass(frozen=True)
class OverRuns:
    """The mean score of one model in one style over its runs; shares from 0 to 1."""

    title: str
    """What the side is called: model, style, and number of runs."""
    model: str
    family: str
    style: str
    subset: str
    """Empty for all items."""
    runs: int
    items: int
    """Items with a right answer that it was asked; the score of an item is the mean over the runs that asked it."""
    groups: int
    """Groups of items that belong together."""
    right: float
    low: float
    """Lower end of the 95 % interval, robust to dependence within groups; runs are no further items."""
    high: float
    se: float
    """Of the mean of the items' scores, clustered by group: Miller (2024), on resampling answers. NaN for one group."""
    note: str
    """Why there are no numbers; empty where there are."""


def over_runs(grid: Grid) -> list[OverRuns]:
    """Every model in every style that has several runs, on all items and, if there are several, by subset."""
    groups, subsets = grid.groups(), places_by_subset(grid.items)
    made = []
    for side in sides_of(grid.series):
        if len(side.columns) < 2:
            continue
        scores, first = scores_of(grid, side), grid.series[side.columns[0]]
        skipped = (scores.codes == SKIPPED).any(axis=1)
        for name, inside in subsets.items():
            places = inside[~np.isnan(scores.values[inside])]
            if not len(places) and not skipped[inside].any():
                continue  # not asked, or nothing is right
            own, held = scores.values[places], groups[places]
            share = mean(own, np.ones(len(own)), held)
            made.append(
                OverRuns(
                    title=side.title,
                    model=first.model,
                    family=first.family,
                    style=first.style,
                    subset=name,
                    runs=len(side.columns),
                    items=len(own),
                    groups=len(np.unique(held)),
                    right=share.share,
                    low=share.low,
                    high=share.high,
                    se=standard_error(own, held),
                    note="" if len(own) else notation.NO_REPLY,
                )
            )
    return made


def differences(grid: Grid, progress: Progress = unwatched) -> list[Contrast]:
    """Every two sides, in the order of the grid: models in their styles, whose runs are averaged. None for one side.

    Where all columns are runs of one model in one style, every two of its runs.
    """
    sides = sides_of(grid.series)
    if len(sides) == 1:
        sides = sides_of(grid.series, apart=True)
    groups, scores = grid.groups(), [scores_of(grid, side) for side in sides]
    asked = [~np.isnan(each.values) for each in scores]
    everywhere = [bool(each.all()) for each in asked]
    made = []
    for done, (a, b) in enumerate(pairs := list(combinations(range(len(sides)), 2)), 1):
        left, right, held = scores[a], scores[b], groups
        if not (everywhere[a] and everywhere[b]):
            common = np.flatnonzero(asked[a] & asked[b])
            left, right, held = left.on(common), right.on(common), groups[common]
        made.append(contrast_of(Compared(left, right, held, between(sides[a], sides[b])), brief=True))
        progress("comparing models", done, len(pairs))
    return corrected(made)


def foremost(differences: Sequence[Contrast], models: int) -> list[Contrast]:
    """Those between so many `models` (or sides) that are right most often, in the order in which they stand.

    All, where there are no more sides. Of equal ones, the first. A table of every two of 300 is of no use to a person.
    """
    rates: dict[str, list[float]] = {}
    for each in differences:
        for name, rate in ((each.first, each.difference.a), (each.second, each.difference.b)):
            rates.setdefault(name, []).append(rate)
    if len(rates) <= models:
        return list(differences)

    def rank(name: str) -> float:
        known = [rate for rate in rates[name] if not isnan(rate)]  # on the items in common with each other side
        return -sum(known) / len(known) if known else 1.0

    best = set(sorted(rates, key=rank)[:models])
    return [each for each in differences if each.first in best and each.second in best]
