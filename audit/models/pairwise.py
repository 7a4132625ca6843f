"""Every two models of a grid on the items that both were asked, and each over its runs: what `score` reports.

The numbers of two models are those of `difference`, so that `compare` says the same of the same two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan

import numpy as np

from hansproof.audit.models.contrast import Compared, Contrast, between, contrast_of, corrected
from hansproof.audit.models.sides import scores_of, sides_of
from hansproof.audit.notation import NO_REPLY
from hansproof.audit.replies.grid import SKIPPED, Grid
from hansproof.audit.replies.scorers import places_by_subset
from hansproof.audit.statistics.shares import mean, standard_error
from hansproof.generators.errors import Progress, unwatched

__all__ = ["OverRuns", "differences", "foremost", "over_runs"]


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
                    note="" if len(own) else NO_REPLY,
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
