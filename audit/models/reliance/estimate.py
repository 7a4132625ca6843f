"""A number with what every group of items adds to its error, and the difference between the parts among like items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.reliance_records import ClusteredEstimate

__all__ = [
    "GroupedEstimate",
    "combined",
    "crossed",
    "never_varies",
    "of_items",
    "recorded",
    "stratified",
    "upper_p",
    "within",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEVEL = 0.025
"""Of each end of an interval."""
_NOTHING = 1e-9
"""Spread that is a rounding error."""


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
        """The standard error, if only groups are independent; above 0."""
        return float(np.sqrt(np.square(self.contributions).sum()))


def of_items(value: float, influence: Floats, groups: Ints, weight: Floats) -> GroupedEstimate | None:
    """The estimate from what each item (n,) contributes; `weight` (n,) says how much each item counts for it.

    Groups with a share h of the weight are scaled by 1 / (1 - h), because the fit follows them: the jackknife of
    MacKinnon, Nielsen and Webb (2023), to first order. Their effective number is Kish's (1965). None with fewer than
    two groups that count, where no error can be told, and where nothing varies.
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
    estimate = GroupedEstimate(
        value, np.bincount(groups, weights=influence, minlength=count) / (1 - share), effective - 1
    )
    return estimate if estimate.se > _NOTHING else None


def combined(estimates: Sequence[GroupedEstimate]) -> GroupedEstimate | None:
    """The mean of estimates of different benchmarks, which share no item, weighted by precision; None without any.

    Degrees of freedom as Welch and Satterthwaite have them.
    """
    if not estimates:
        return None
    precision = np.array([estimate.se**-2 for estimate in estimates])
    share = precision / precision.sum()
    variances = share**2 / precision
    below = float((variances**2 / np.array([estimate.degrees for estimate in estimates])).sum())
    return GroupedEstimate(
        float(share @ [estimate.value for estimate in estimates]),
        np.concatenate([part * estimate.contributions for part, estimate in zip(share, estimates)]),
        float(variances.sum()) ** 2 / below,
    )


def recorded(estimate: GroupedEstimate | None, reason: str = "") -> ClusteredEstimate:
    """The record of an estimate, which is a difference of shares; undefined, with a reason, for None."""
    from scipy.stats import t

    if estimate is None:
        return ClusteredEstimate(estimate=None, reason=reason or "too few groups of items for an interval")
    half = float(t.isf(_LEVEL, estimate.degrees)) * estimate.se
    return ClusteredEstimate(
        estimate=estimate.value,
        se=estimate.se,
        low=max(estimate.value - half, -1.0),
        high=min(estimate.value + half, 1.0),
        degrees=estimate.degrees,
    )


def upper_p(estimate: GroupedEstimate) -> float:
    """Twice the one-sided p of a number above 0, at most 1: it is below .05 just where the 95 % interval is above 0."""
    from scipy.stats import t

    return min(1.0, 2 * float(t.sf(estimate.value / estimate.se, estimate.degrees)))


# With strata, it is the Mantel-Haenszel difference of shares, each stratum weighted by n1 n0 / (n1 + n0) (Mantel and
# Haenszel 1959; Cochran 1954): what least squares gives with a constant per stratum. The error is robust within groups.


def within(values: Floats, strata: Ints) -> Floats:
    """`values` (n,) less their means within `strata` (n,)."""
    held = np.unique(strata, return_inverse=True)[1]
    return np.asarray(values - (np.bincount(held, values) / np.bincount(held))[held])


def never_varies(values: Floats, strata: Ints) -> bool:
    """Whether `values` (n,) are the same within each of the `strata` (n,)."""
    return not len(values) or float(np.abs(within(values, strata)).max()) < _NOTHING


def crossed(first: Ints, second: Ints) -> Ints:
    """Strata (n,) of items that are alike in both."""
    held = np.unique(second, return_inverse=True)[1]
    return np.asarray(np.unique(first, return_inverse=True)[1] * (int(held.max(initial=0)) + 1) + held)


def stratified(right: Floats, probe_right: Floats, groups: Ints, strata: Ints) -> GroupedEstimate | None:
    """Mean of `right` where `probe_right` is 1 less that where it is 0, within `strata`; all (n,).

    Strata in which the probe is always right, or always wrong, say nothing. None if all do, with too few groups for an
    error, and where nothing varies.
    """
    contrast = within(probe_right, strata)
    squares = float(contrast @ contrast)
    if squares < _NOTHING:
        return None
    value = float(contrast @ right) / squares
    # A stratum's own mean is estimated from its n items, which makes its residuals too small by (n - 1) / n.
    same = np.unique(strata, return_inverse=True)[1]
    size = np.bincount(same)[same]
    residual = (within(right, strata) - value * contrast) * np.sqrt(size / np.maximum(size - 1, 1))
    return of_items(value, contrast * residual / squares, groups, contrast**2)
