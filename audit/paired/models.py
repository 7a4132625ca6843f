"""Every two models of a grid on the items that both were asked, and each over its runs: what `score` reports.

The numbers of two models are those of `difference`, so that `compare` says the same of the same two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from audit.answers.grid import Grid
from audit.answers.third_party import subset_of
from audit.paired.comparison import difference_on
from audit.paired.sides import Side, both_asked, scores_of, sides_of
from audit.statistics.resampling import holm
from audit.statistics.shares import mean, standard_error

__all__ = ["ModelDifference", "OverRuns", "differences", "over_runs"]


@dataclass(frozen=True)
class ModelDifference:
    """The first model less the second; shares from 0 to 1."""

    first: str
    """What the side is called: model, style, and run or number of runs."""
    second: str
    items: int
    """Items with a right answer that both were asked."""
    groups: int
    """Groups of items that belong together."""
    first_right: float
    second_right: float
    difference: float
    """Mean over the items of (first right - second right); NaN without common items."""
    se: float
    """Its standard error: this and what follows is as in `difference.Difference`."""
    low: float
    """Lower end of the 95 % interval; NaN with too few items or groups."""
    high: float
    p: float
    """Two-sided, exact; NaN with too few items or groups."""
    p_holm: float
    """p after Holm's correction (1979) over all pairs of models."""
    first_better: int
    """Items on which the first does better: it alone is right, or with several runs right more often."""
    second_better: int
    runs: tuple[int, int]
    """How many runs of the first and of the second are averaged."""
    note: str
    """Why something is undefined or rough; empty where all is well."""


@dataclass(frozen=True)
class OverRuns:
    """The mean score of one model in one style over its runs; shares from 0 to 1."""

    title: str
    """What the side is called: model, style, and number of runs."""
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


def over_runs(grid: Grid) -> list[OverRuns]:
    """Every model in every style that has several runs, on all items and, if there are several, by subset."""
    groups, subsets = grid.groups(), np.array([subset_of(item) for item in grid.items])
    names = list(dict.fromkeys(subsets.tolist()))
    made = []
    for side in sides_of(grid.series):
        if len(side.columns) < 2:
            continue
        values = scores_of(grid, side).values
        for name in ("", *(names if len(names) > 1 else ())):
            places = np.flatnonzero(~np.isnan(values) & ((subsets == name) if name else True))
            if not len(places):
                continue
            own, held = values[places], groups[places]
            share = mean(own, np.ones(len(own)), held)
            made.append(
                OverRuns(
                    title=side.title,
                    subset=name,
                    runs=len(side.columns),
                    items=len(own),
                    groups=len(np.unique(held)),
                    right=share.share,
                    low=share.low,
                    high=share.high,
                    se=standard_error(own, held),
                )
            )
    return made


def differences(grid: Grid) -> list[ModelDifference]:
    """Every two sides, in the order of the grid: models in their styles, whose runs are averaged. None for one side.

    Where all columns are runs of one model in one style, every two of its runs.
    """
    sides = sides_of(grid.series)
    if len(sides) == 1:
        sides = sides_of(grid.series, apart=True)
    made = list(_every_two(grid, sides))
    corrected = holm(np.array([each.p for each in made]))
    return [replace(each, p_holm=float(p)) for each, p in zip(made, corrected, strict=True)]


def _every_two(grid: Grid, sides: list[Side]) -> Iterator[ModelDifference]:
    groups = grid.groups()
    for first, second in combinations(sides, 2):
        left, right, both = both_asked(grid, first, second)
        common = np.flatnonzero(both)
        apart = difference_on(left.on(common), right.on(common), groups[common])
        yield ModelDifference(
            first=first.title,
            second=second.title,
            items=apart.items,
            groups=apart.groups,
            first_right=apart.a,
            second_right=apart.b,
            difference=apart.difference,
            se=apart.se,
            low=apart.low,
            high=apart.high,
            p=apart.p,
            p_holm=apart.p,
            first_better=apart.a_only,
            second_better=apart.b_only,
            runs=(len(first.columns), len(second.columns)),
            note=apart.note,
        )
