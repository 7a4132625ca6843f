"""How two vectors of scores on the same items differ: interval, tests and what the comparison could have shown.

After Miller (2024): the questions are a sample of all that could have been asked, so the paired difference has a
standard error, and questions that share a group count together. The test beside it is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from audit.paired.equivalence import equivalence_p
from audit.responses.paired import detectable_effect, mcnemar_p
from audit.responses.shares import cluster_interval, spread
from audit.statistics.flips import sign_flip_p

__all__ = ["Difference", "difference_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ROUGH = 10
"""With fewer groups than this in which the two differ, the interval is rough, and its note says so."""


@dataclass(frozen=True)
class Difference:
    """A and B on the same items; accuracies and differences are shares from 0 to 1, A less B."""

    items: int
    groups: int
    """Groups of items that belong together; as many as items where each is its own."""
    effective_groups: float
    """Kish's number: how many groups of one size tell as much about the mean. NaN without items."""
    a: float
    """Accuracy of A; NaN without items."""
    b: float
    difference: float
    """a - b."""
    se: float
    """Standard error of the difference, paired, robust to groups (jackknife over groups); NaN with a single group."""
    low: float
    """Lower end of the 95 % interval: Student's t over groups. NaN where every item has the same difference."""
    high: float
    a_only: int
    """Items on which A does better: with one run a side, right where B is wrong."""
    b_only: int
    p: float
    """Two-sided, exact: the sign-flip test over groups, in each of which A and B could as well have changed places.
    Where each item is its own group, and right or wrong, that is McNemar's. 1 where the two never differ."""
    mcnemar_p: float
    """McNemar's exact p, which takes the items for independent; NaN where scores are means of runs that disagree."""
    correlation: float
    """Pearson's, of the two vectors; NaN where a side has the same score on every item."""
    equivalent_p: float
    """Of "the difference is the margin or more": see `equivalence`."""
    detectable: float
    """The smallest true difference that as many such groups show with 80 % power (5 %, two-sided)."""
    note: str
    """Why something is undefined or rough, in words; empty where all is well."""


def difference_of(a: Floats, b: Floats, groups: Ints, margin: float, unit: int = 1) -> Difference:
    """The difference between the scores `a` and `b` (n,), each from 0 to 1 and row by row of the same item.

    `groups` (n,) numbers what belongs together. Scores are whole multiples of 1 / `unit`: means of several runs have
    fractions. `margin` is the share from which on a difference matters.
    """
    n = len(a)
    if n == 0:
        return Difference(0, 0, nan, nan, nan, nan, nan, nan, nan, 0, 0, nan, nan, nan, nan, nan, "no items in common")
    apart = a - b
    held = np.unique(groups, return_inverse=True)[1]
    count = int(held.max()) + 1
    by_group = spread(apart, np.ones(n), held)
    se = sqrt(by_group.variance) if not isnan(by_group.variance) else nan
    low, high = cluster_interval(apart, held)
    a_only, b_only = int((apart > 0).sum()), int((apart < 0).sum())
    binary = bool(np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all())
    shifts = np.rint(np.bincount(held, weights=apart * unit, minlength=count)).astype(np.int64)
    notes = _notes(apart, count, int((shifts != 0).sum()))
    varied = bool(a.std() > 0) and bool(b.std() > 0)
    if not varied:
        notes.append("no correlation: a side has the same score on every item")
    if not binary:
        notes.append("McNemar's test is for right and wrong, not for means of runs")
    clusters = by_group.clusters
    return Difference(
        items=n,
        groups=count,
        effective_groups=clusters,
        a=float(a.mean()),
        b=float(b.mean()),
        difference=float(apart.mean()),
        se=se,
        low=low,
        high=high,
        a_only=a_only,
        b_only=b_only,
        p=sign_flip_p(shifts.tolist()),
        mcnemar_p=mcnemar_p(a_only, b_only) if binary else nan,
        correlation=float(np.corrcoef(a, b)[0, 1]) if varied else nan,
        equivalent_p=equivalence_p(float(apart.mean()), se, clusters, margin, clusters),
        detectable=detectable_effect(clusters, se * sqrt(clusters)),
        note="; ".join(notes),
    )


def _notes(apart: Floats, groups: int, moved: int) -> list[str]:
    if groups < 2:
        return ["a single group has no spread: no standard error, no interval"]
    if bool((apart == apart[0]).all()):
        return ["no interval: the difference is the same on every item"]
    if moved < _ROUGH:
        return [f"the interval is rough: A and B differ in fewer than {_ROUGH} groups"]
    return []
