"""A number with what every group of items contributes to its error, so that several numbers can be averaged.

Numbers of one benchmark share its items: their errors go together, and the error of their mean is not that of
independent numbers. Contributions that are averaged group by group keep this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.reliance.records import RobustDifference

__all__ = ["GroupedEstimate", "average", "combined", "contrast", "difference", "of_items"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEVEL = 0.05
"""Of each one-sided test, and of each end of an interval, so that the two never disagree."""


@dataclass(frozen=True)
class GroupedEstimate:
    """One number of one benchmark with G groups."""

    value: float
    contributions: Floats
    """(G,): what each group adds to the error; their squares add up to the variance."""
    degrees: float
    """Of freedom: the effective number of groups less one."""

    @property
    def se(self) -> float:
        """The standard error, if only groups are independent."""
        return float(np.sqrt(np.square(self.contributions).sum()))

    def widened(self, groups: int) -> GroupedEstimate:
        """The same with zeros for groups beyond its own G, up to `groups`."""
        contributions = np.pad(self.contributions, (0, groups - len(self.contributions)))
        return GroupedEstimate(self.value, contributions, self.degrees)


def of_items(value: float, influence: Floats, groups: Ints, weight: Floats) -> GroupedEstimate | None:
    """The estimate from what each item (n,) contributes; `weight` (n,) says how much each item counts for it.

    Groups with a share h of the weight are scaled by 1 / (1 - h), because the fit follows them: the jackknife of
    MacKinnon, Nielsen and Webb (2023), to first order. Their effective number is Kish's (1965). None with fewer than
    two groups that count, where no error can be told.
    """
    count = int(groups.max()) + 1 if len(groups) else 0
    heavy = np.bincount(groups, weights=weight, minlength=count)
    total = float(heavy.sum())
    if total <= 0 or not math.isfinite(value):
        return None
    share = heavy / total
    effective = 1 / float(share @ share)
    if effective < 2 or share.max() > 0.5:
        return None
    sums = np.bincount(groups, weights=influence, minlength=count) / (1 - share)
    return GroupedEstimate(value, sums, effective - 1)


def average(estimates: Sequence[GroupedEstimate]) -> GroupedEstimate:
    """The plain mean of estimates on the same groups of one benchmark."""
    return GroupedEstimate(
        float(np.mean([estimate.value for estimate in estimates])),
        np.stack([estimate.contributions for estimate in estimates]).mean(axis=0),
        min(estimate.degrees for estimate in estimates),
    )


def contrast(estimates: Sequence[GroupedEstimate], weights: Sequence[float]) -> GroupedEstimate:
    """The sum of estimates of one benchmark, each times its weight, with the error of the items that they share."""
    longest = max(len(estimate.contributions) for estimate in estimates)
    contributions = np.stack([estimate.widened(longest).contributions for estimate in estimates])
    own = np.asarray(weights, dtype=np.float64)
    value = float(own @ [estimate.value for estimate in estimates])
    return GroupedEstimate(value, own @ contributions, min(estimate.degrees for estimate in estimates))


def combined(estimates: Sequence[GroupedEstimate], weights: Sequence[float]) -> GroupedEstimate:
    """The weighted mean of estimates of different benchmarks, which share no item.

    Degrees of freedom as Welch and Satterthwaite have them.
    """
    share = np.asarray(weights, dtype=np.float64) / sum(weights)
    variances = np.array([(part * estimate.se) ** 2 for part, estimate in zip(share, estimates)])
    total = float(variances.sum())
    below = float((variances**2 / np.array([estimate.degrees for estimate in estimates])).sum())
    return GroupedEstimate(
        float(share @ [estimate.value for estimate in estimates]),
        np.concatenate([part * estimate.contributions for part, estimate in zip(share, estimates)]),
        total**2 / below if below > 0 else min(estimate.degrees for estimate in estimates),
    )


def difference(estimate: GroupedEstimate | None, reason: str = "") -> RobustDifference:
    """The record of an estimate; undefined, with a reason, for None and where nothing varies."""
    from scipy.stats import t

    if estimate is None or not estimate.se > 0:
        value = None if estimate is None else estimate.value
        return RobustDifference(estimate=value, reason=reason or "too few groups of items for an interval")
    half = float(t.isf(_LEVEL, estimate.degrees)) * estimate.se
    return RobustDifference(
        estimate=estimate.value,
        se=estimate.se,
        low=estimate.value - half,
        high=estimate.value + half,
        p=float(t.sf(estimate.value / estimate.se, estimate.degrees)),
        degrees=estimate.degrees,
    )
