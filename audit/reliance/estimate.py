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

__all__ = ["LEVEL", "POWER", "GroupedEstimate", "average", "combined", "contrast", "difference", "of_items"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVEL = 0.05
"""Of each one-sided test, and of each end of an interval, so that the two never disagree."""
POWER = 0.9
"""With which a difference is reckoned to be found, so that simulated studies (`benchmarks/reliance`) find it 80 %
of the time or more: errors differ from study to study, and with .85 it is 79 % in one of six worlds."""


@dataclass(frozen=True)
class GroupedEstimate:
    """One number of one benchmark with G groups."""

    value: float
    contributions: Floats
    """(G,): what each group adds to the error; their squares add up to the variance."""
    degrees: float
    """Of freedom: the effective number of groups less one."""
    growth: Floats | float = 0.0
    """(G,): by how much more each group adds for each unit by which the true number is larger; mostly it does not."""
    until: Floats | float = math.inf
    """(G,): the true number from which on a simpler fit is made of the group's benchmark."""
    after: Floats | None = None
    """(G,): the growth of that fit, whose error grows less; None where there is no other."""

    @property
    def se(self) -> float:
        """The standard error, if only groups are independent."""
        return float(np.sqrt(np.square(self.contributions).sum()))

    def widened(self, groups: int) -> GroupedEstimate:
        """The same with zeros for groups beyond its own G, up to `groups`."""
        contributions, *others = (np.pad(part, (0, groups - len(self.contributions))) for part in _parts(self))
        return GroupedEstimate(self.value, contributions, self.degrees, *others)

    def detectable(self, critical: float, power: float) -> float | None:
        """The true number that is found: its estimate lies `power` errors above `critical` errors of the test.

        The test divides by the error of a numerator, which grows with the true number; the estimate varies as it does
        where the true number is 0, because what else the numerator does, the denominator does too. From `until` on they
        grow as those of the simpler fit. None where no number, however large, is found.
        """
        contributions, growth, until, after = _parts(self)
        without = contributions - self.value * growth  # as they are where the true number is 0
        bounds = np.unique([0.0, *until[np.isfinite(until)]])
        for start, end in zip(bounds, [*bounds[1:], math.inf], strict=True):
            number = _first_found(without, np.where(until > start, growth, after), critical, power)
            if number is not None and number < end:
                return max(number, float(start))
        return None


def _first_found(without: Floats, growth: Floats, critical: float, power: float) -> float | None:
    squares = float(without @ without)
    spread = power * math.sqrt(squares)
    # (number - spread)^2 = critical^2 |without + number growth|^2
    first = 1 - critical**2 * float(growth @ growth)
    second = spread + critical**2 * float(growth @ without)
    third = spread**2 - critical**2 * squares
    if first <= 0 or second**2 < first * third:
        return None
    return (second + math.sqrt(second**2 - first * third)) / first


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
    contributions, growth, until, after = (np.stack(part) for part in zip(*map(_parts, estimates)))
    return GroupedEstimate(
        float(np.mean([estimate.value for estimate in estimates])),
        contributions.mean(axis=0),
        min(estimate.degrees for estimate in estimates),
        growth.mean(axis=0),
        until.max(axis=0),
        after.mean(axis=0),
    )


def contrast(estimates: Sequence[GroupedEstimate], weights: Sequence[float]) -> GroupedEstimate:
    """The sum of estimates of one benchmark, each times its weight, with the error of the items that they share.

    How that grows with the true numbers is not told: what is detectable takes it to stay as it is.
    """
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
    contributions, growth, until, after = zip(*map(_parts, estimates))
    return GroupedEstimate(
        float(share @ [estimate.value for estimate in estimates]),
        np.concatenate([part * own for part, own in zip(share, contributions)]),
        total**2 / below if below > 0 else min(estimate.degrees for estimate in estimates),
        np.concatenate([part * own for part, own in zip(share, growth)]),
        np.concatenate(until),
        np.concatenate([part * own for part, own in zip(share, after)]),
    )


def _parts(estimate: GroupedEstimate) -> tuple[Floats, Floats, Floats, Floats]:
    """Contributions, growth, `until` and `after`, each (G,)."""
    shape = estimate.contributions.shape
    growth, until = np.broadcast_to(estimate.growth, shape), np.broadcast_to(estimate.until, shape)
    return estimate.contributions, growth, until, growth if estimate.after is None else estimate.after


def difference(estimate: GroupedEstimate | None, reason: str = "", level: float = LEVEL) -> RobustDifference:
    """The record of an estimate; undefined, with a reason, for None and where nothing varies.

    `level` is that of the test by which `detectable` must be found: of several tests, the level that is left for each.
    """
    from scipy.stats import t

    if estimate is None or not estimate.se > 0:
        value = None if estimate is None else estimate.value
        return RobustDifference(estimate=value, reason=reason or "too few groups of items for an interval")
    half = float(t.isf(LEVEL, estimate.degrees)) * estimate.se
    return RobustDifference(
        estimate=estimate.value,
        se=estimate.se,
        low=estimate.value - half,
        high=estimate.value + half,
        p=float(t.sf(estimate.value / estimate.se, estimate.degrees)),
        degrees=estimate.degrees,
        detectable=estimate.detectable(*(float(t.ppf(at, estimate.degrees)) for at in (1 - level, POWER))),
    )
