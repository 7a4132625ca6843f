"""Differences between series on the items that both were asked: paired, because the items are the same.

Pairing takes out what the items share: their difficulty (Miller 2024). Matched items lean on each other, so only whole
groups count as independent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from audit.answers.grid import Grid
from audit.responses.shares import cluster_interval, spread, standard_error
from audit.statistics.resampling import holm

__all__ = ["Difference", "differences"]


@dataclass(frozen=True)
class Difference:
    """The first series less the second; shares from 0 to 1."""

    first: str
    """The title of the series: model, style and run."""
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
    """Its clustered standard error after Miller (2024), `shares.standard_error`."""
    low: float
    """Lower end of the cluster-robust 95 % interval (jackknife over groups, t); NaN where it is undefined."""
    high: float
    p: float
    """Two-sided p of the t-test with the same variance; NaN where it is undefined."""
    p_holm: float
    """p after Holm's correction (1979) over all pairs of series."""
    first_only: int
    """Items that the first alone has right."""
    second_only: int
    note: str
    """Why something is undefined; empty where all is well."""


def differences(grid: Grid) -> list[Difference]:
    """Every pair of series, in the order of the grid; none where there are fewer than two."""
    right, groups = grid.right(), grid.groups()
    made = []
    for first, second in combinations(range(len(grid.series)), 2):
        common = ~np.isnan(right[:, first]) & ~np.isnan(right[:, second])
        titles = grid.series[first].title or "replies", grid.series[second].title or "replies"
        made.append(_difference(*titles, right[common, first], right[common, second], groups[common]))
    corrected = holm(np.array([each.p for each in made]))
    return [replace(each, p_holm=float(p)) for each, p in zip(made, corrected, strict=True)]


def _difference(
    first: str, second: str, left: NDArray[np.float64], right: NDArray[np.float64], groups: NDArray[np.int64]
) -> Difference:
    count = len(left)
    if not count:
        return Difference(
            first, second, 0, 0, nan, nan, nan, nan, nan, nan, nan, nan, 0, 0, "no item was asked of both"
        )
    values = left - right
    low, high = cluster_interval(values, groups)
    p, note = nan, ""
    if bool((values == values[0]).all()):
        note = "no test: the difference is the same on every item"
    else:
        by_cluster = spread(values, np.ones(count), groups)
        if not by_cluster.variance > 0:
            low = high = nan  # an interval without width would claim certainty
            note = "no test: fewer than two groups, or differences that cancel in every group"
        else:
            t = by_cluster.centre / sqrt(by_cluster.variance)
            p = float(2 * stats.t.sf(abs(t), max(by_cluster.clusters - 1, 1)))
    return Difference(
        first=first,
        second=second,
        items=count,
        groups=len(np.unique(groups)),
        first_right=float(left.mean()),
        second_right=float(right.mean()),
        difference=float(values.mean()),
        se=standard_error(values, groups),
        low=low,
        high=high,
        p=p,
        p_holm=nan,
        first_only=int((values > 0).sum()),
        second_only=int((values < 0).sum()),
        note=note,
    )
