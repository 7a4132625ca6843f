"""A number with what every group of items adds to its error: among like items, and by proxies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.reliance.reliance_records import RobustDifference

__all__ = [
    "MEASURABLE",
    "GroupedEstimate",
    "Rows",
    "Side",
    "average",
    "combined",
    "contrast",
    "crossed",
    "difference",
    "effect_beyond",
    "effective_degrees",
    "of_items",
    "shared",
    "stratified",
    "within",
]

# Numbers of one benchmark share its items: their errors go together, and the error of their mean is not that of
# independent numbers. Contributions that are averaged group by group keep this.

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


# With strata, it is the Mantel-Haenszel difference of shares, each stratum weighted by n1 n0 / (n1 + n0) (Mantel and
# Haenszel 1959; Cochran 1954): what least squares gives with a constant per stratum. The error is robust within groups.


def within(values: Floats, strata: Ints) -> Floats:
    """`values` (n,) less their means within `strata` (n,)."""
    held = np.unique(strata, return_inverse=True)[1]
    return np.asarray(values - (np.bincount(held, values) / np.bincount(held))[held])


def crossed(first: Ints, second: Ints) -> Ints:
    """Strata (n,) of items that are alike in both."""
    held = np.unique(second, return_inverse=True)[1]
    return np.asarray(np.unique(first, return_inverse=True)[1] * (int(held.max(initial=0)) + 1) + held)


def stratified(right: Floats, probe_right: Floats, groups: Ints, strata: Ints | None = None) -> GroupedEstimate | None:
    """Accuracy where the probe is right less accuracy where it is wrong, within `strata` (n,); all (n,).

    `right` are 0 and 1, or chance-corrected. Strata in which the probe is always right, or always wrong, say nothing.
    None if all do, and with too few groups for an error.
    """
    same = np.zeros(len(right), dtype=np.int64) if strata is None else np.unique(strata, return_inverse=True)[1]
    contrast = within(probe_right, same)
    squares = float(contrast @ contrast)
    if squares < 1e-9:
        return None
    value = float(contrast @ right) / squares
    # A stratum's own mean is estimated from its n items, which makes its residuals too small by (n - 1) / n.
    size = np.bincount(same)[same]
    residual = (within(right, same) - value * contrast) * np.sqrt(size / np.maximum(size - 1, 1))
    return of_items(value, contrast * residual / squares, groups, contrast**2)


#     response = effect * contrast + s1 a + s2 a^2 + a constant for each stratum + noise
#
# is fitted by two-stage least squares, with b and b^2 as instruments for a and a^2: a and b are proxies of what nobody
# sees itself, here means over two halves of the other models (Miao, Geng and Tchetgen Tchetgen 2018), both ways round.
#
# The error of this ratio of determinants is that of the numerator, by leaving out one group of items at a time: the
# denominator is small where the halves happen to agree little, and a test with the error of the ratio then accuses too
# many. That of the numerator holds however little they agree (Anderson and Rubin 1949; Fieller 1954).

MEASURABLE = 2.0
"""Standard errors by which what the halves have in common must stand out from noise."""
_AFFORDABLE = 1.5
"""Times the error of a straight line that a curve may have: it mends a bias, which only matters where errors are
small."""

_DOUBT = 0.5
"""Of what is taken off: its standard error, as a share of it. In simulated studies in which it is large (parts that
differ by three logits), 7 to 8 % of the models without an advantage would be above the 5 % point without it."""


@dataclass(frozen=True)
class Rows:
    """What is to be explained, and by what; all (n,)."""

    response: Floats
    contrast: Floats
    strata: Ints
    groups: Ints


@dataclass(frozen=True)
class Side:
    """One way round of one halving."""

    use: Ints
    """(m,) the rows on which both halves say something."""
    proxy: Floats
    """(m,)"""
    instrument: Floats
    """(m,)"""
    several: bool
    """Whether both halves are of several models: else the square of a proxy says nothing new, and is left out."""


def effect_beyond(
    rows: Rows, sides: Sequence[Side], without: Callable[[int], float] = lambda power: 0.0
) -> GroupedEstimate | None:
    """The effect with what each group of items adds to its error; None where it is not determined.

    `without` says what a fit up to each power of the proxies shows where there is no effect; it is taken off, and half
    of it counts as an error more.
    """
    present, held = np.unique(rows.groups, return_inverse=True)
    degrees = effective_degrees(within(rows.contrast, rows.strata), held)
    if degrees < 1:
        return None
    line, curve = (_less(_fitted(rows, sides, held, power), without, power) for power in (1, 2))
    fit = curve if curve is not None and (line is None or _se(curve) <= _AFFORDABLE * _se(line)) else line
    if fit is None:
        return None
    value, contributions = fit
    spread = np.zeros(int(present.max()) + 1)
    spread[present] = contributions
    return GroupedEstimate(value, spread, degrees)


def effective_degrees(contrast: Floats, held: Ints) -> float:
    """The effective number of groups (Kish 1965) less one; 0 if one of them has half of the contrast or more."""
    heavy = np.bincount(held, weights=contrast**2)
    share = heavy / heavy.sum()
    return 0.0 if share.max() >= 0.5 else 1 / float(share @ share) - 1


def shared(rows: Rows, sides: Sequence[Side]) -> float:
    """Mean covariance of proxy and instrument beyond contrast and strata, in standard errors over groups."""
    product = np.zeros(len(rows.contrast))
    for side in sides:
        strata = rows.strata[side.use]
        contrast = within(rows.contrast[side.use], strata)
        squares = max(float(contrast @ contrast), 1e-12)
        halves = [within(half, strata) for half in (side.proxy, side.instrument)]
        first, second = (half - float(contrast @ half) / squares * contrast for half in halves)
        product[side.use] += first * second
    held = np.unique(rows.groups, return_inverse=True)[1]
    spread = float(np.sqrt(np.square(np.bincount(held, weights=product - product.mean())).sum()))
    return float(product.sum()) / spread if spread > 0 else 0.0


def _fitted(rows: Rows, sides: Sequence[Side], held: Ints, power: int) -> tuple[float, Floats, Floats] | None:
    """The mean over `sides`, what each group contributes to its error, and how that grows; None if not determined."""
    count = int(held.max()) + 1
    whole, without, below = 0.0, np.zeros(count), np.zeros(count)
    for side in sides:
        strata, own = rows.strata[side.use], held[side.use]
        contrast, response = (within(values[side.use], strata) for values in (rows.contrast, rows.response))
        powers = range(1, (power if side.several else 1) + 1)
        given = np.stack([contrast, *(within(side.proxy**k, strata) for k in powers)], axis=1)
        stands = np.stack([contrast, *(within(side.instrument**k, strata) for k in powers)], axis=1)
        products, targets = _by_group(stands, given, own, count), _by_group(stands, response[:, None], own, count)
        sums, aims = products.sum(axis=0), targets.sum(axis=0)
        size = float(np.abs(sums).max())
        denominator = float(np.linalg.det(sums / size)) if size > 0 else 0.0
        if abs(denominator) < 1e-12:
            return None
        # Means, not sums, so that what is left after a group is taken away is of the same scale.
        rest = len(own) - np.bincount(own, minlength=count)
        scale = (len(own) / np.maximum(rest, 1))[:, None, None] / size
        whole += float(_numerator(sums / size, aims / size)) / denominator / len(sides)
        left = (sums - products) * scale
        without += _numerator(left, (aims - targets) * scale) / denominator / len(sides)
        # An effect that is larger by 1 adds the denominator to the numerator.
        below += np.linalg.det(left) / denominator / len(sides)
    factor = np.sqrt((count - 1) / count)
    return whole, factor * (without.mean() - without), factor * (below.mean() - below)


def _less(
    fit: tuple[float, Floats, Floats] | None, without: Callable[[int], float], power: int
) -> tuple[float, Floats] | None:
    if fit is None:
        return None
    value, contributions, growth = fit
    less = without(power)
    own = contributions - less * growth
    squares = float(own @ own)
    wider = sqrt(1 + (_DOUBT * less) ** 2 / squares) if squares > 0 else 1.0
    return value - less, own * wider


def _numerator(products: Floats, targets: Floats) -> Floats:
    """Of the first unknown, by Cramer's rule: (..., p, p) and (..., p, 1) to (...)."""
    replaced = products.copy()
    replaced[..., :, 0] = targets[..., :, 0]
    return np.asarray(np.linalg.det(replaced))


def _by_group(first: Floats, second: Floats, held: Ints, count: int) -> Floats:
    """(G, p, q): the sums over each group of the products of the columns of (n, p) and (n, q)."""
    products = first[:, :, None] * second[:, None, :]
    sums = np.zeros((count, *products.shape[1:]))
    np.add.at(sums, held, products)
    return sums


def _se(fit: tuple[float, Floats]) -> float:
    return float(np.sqrt(np.square(fit[1]).sum()))
