"""Shares and weighted means with their 95 % intervals, and whether one of them beats chance.

Coverage of the cluster-robust interval in simulations (1,000 samples per cell; groups of 2, 4, 10 and mixed sizes, 5
to 100 groups, the answers of a group independent, correlated .3 or all alike, true means .1, .5, .9): in 144 cells of
shares median 97 %, 2 below 90 %; in 144 cells of weighted measures median 96 %, 3 below 90 %; lowest 88 % in both.
Wilson's interval covers 95 to 96 % on average over all shares; at the worst share it covers 79 % with 1 item, 84 %
with 10 and 93 % with 800.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

__all__ = ["LEVEL", "Estimate", "beyond_chance", "clustered", "mean", "spread", "standard_error"]
LEVEL = 0.95
_Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A share of successes, or a weighted mean of numbers, with an interval."""

    hits: float
    """Successes, a whole number; of a mean the weighted sum."""
    total: float
    """Trials, a whole number; of a mean the sum of the weights."""
    share: float
    """hits / total; NaN where total is 0."""
    low: float
    """NaN where no interval can be given."""
    high: float
    interval: Literal["Wilson", "cluster-robust"] = "Wilson"
    """Wilson's takes the trials for independent; the cluster-robust one only the groups of items."""
    reason: str = ""
    """Why the share or its interval is undefined; empty where both are defined."""


class ClusteredMean(NamedTuple):
    """A weighted mean and how far it strays, if only whole clusters are independent."""

    centre: float
    variance: float
    """Of the mean, by leaving out one cluster at a time; NaN with fewer than two clusters."""
    clusters: float
    """Kish's effective number, (sum of weights)^2 / sum of squares; their number where they weigh the same."""
    alike: bool
    """Whether all values are the same, which tells nothing about the variance."""


def clustered(right: NDArray[np.bool_], clusters: Ints, inflation: float = 1.0) -> Estimate:
    """The share of `right` (n,): Wilson's interval where each item is its own cluster, else the cluster-robust one.

    Wilson's score interval has its centre at (p + z^2/2n) / (1 + z^2/n), for n trials (Wilson 1927). The robust one is
    Wilson's for as many independent trials as have the variance between clusters, at most n, fewer by (z / t)^2 for the
    degrees of freedom (Korn and Graubard 1998; Dean and Pagano 2015). Where all are right or all are wrong, clusters
    have no spread to go by; it is then Wilson's for as many trials as there are clusters, which holds however strongly
    the items of a cluster depend on each other. `inflation` multiplies the variance. Share and interval NaN for no
    items.
    """
    hits, total = int(right.sum()), len(right)
    if total == 0:
        return Estimate(0, 0, nan, nan, nan, reason=_NOTHING)
    by_cluster = spread(right.astype(np.float64), np.ones(total), clusters)
    robust = len(np.unique(clusters)) < total
    trials = _trials(by_cluster, total) if robust else total
    low, high = _score_interval(hits / total, trials / inflation)
    return Estimate(hits, total, hits / total, low, high, "cluster-robust" if robust else "Wilson")


def mean(values: Floats, weights: Floats, clusters: Ints, inflation: float = 1.0) -> Estimate:
    """The weighted mean of `values` (n,) and its cluster-robust interval.

    Values between 0 and 1 have that of `clustered`, without its limit of n trials. Others have the t interval: variance
    by leaving out one cluster at a time, quantile of t with as many degrees as the effective number of clusters less
    one; see `spread`. It is NaN with fewer than two clusters, and where all clusters have the same mean, which tells no
    width: even if values differ within clusters, as -1 and 1 in each. Share and interval NaN for no values and for
    weights that add up to 0. `inflation` multiplies the variance.
    """
    total = float(weights.sum())
    if not total > 0:
        return Estimate(0, 0, nan, nan, nan, "cluster-robust", _NOTHING)
    # A sum of negative zeros is one too; JSON would show it.
    hits = float(values @ weights) + 0.0
    by_cluster, low, high = spread(values, weights, clusters), nan, nan
    if values.min() >= 0 and values.max() <= 1:
        low, high = _score_interval(hits / total, _trials(by_cluster) / inflation)
    elif by_cluster.variance > 0:
        half = _quantile(by_cluster) * sqrt(inflation * by_cluster.variance)
        low, high = by_cluster.centre - half, by_cluster.centre + half
    return Estimate(hits, total, hits / total, low, high, "cluster-robust", _NO_SPREAD if low != low else "")


def standard_error(values: Floats, clusters: Ints) -> float:
    """The clustered standard error of the mean of `values` (n,) that Miller (2024) asks evaluations to report.

    SE^2 = s^2 / n + (sum over clusters of r_i r_j for all i != j of a cluster) / n^2, where r are the residuals and
    s^2 their sum of squares over n - 1. Clusters of one give the ordinary standard error. NaN with fewer than two
    clusters, which tell nothing; nearly 0 where residuals cancel in every cluster. With few or unequal clusters it is
    too small: intervals are not made of it but of the jackknife, see `spread`.
    """
    count = len(values)
    held = np.unique(clusters, return_inverse=True)[1]
    if count == 0 or int(held.max()) == 0:
        return nan
    residuals = values - values.mean()
    squares = float(residuals @ residuals)
    together = float(np.square(np.bincount(held, weights=residuals)).sum())
    variance = squares / (count - 1) / count + (together - squares) / count**2
    return sqrt(variance) if variance > 1e-24 else 0.0


def spread(values: Floats, weights: Floats, clusters: Ints) -> ClusteredMean:
    """How far the weighted mean of `values` (n,) strays: the jackknife over `clusters` (n,), at least one of them.

    Variance = (G - 1) / G * sum over clusters of (weighted sum of residuals / (W - weight of the cluster))^2, W the sum
    of all weights: CV3 of MacKinnon, Nielsen and Webb (2023). With clusters of one weight it is the sandwich of Liang
    and Zeger (1986) times G / (G - 1); with unequal ones that sandwich is too small. Clusters count by Kish (1965).
    """
    held = np.unique(clusters, return_inverse=True)[1]
    count, total = int(held.max()) + 1, float(weights.sum())
    centre = float(values @ weights) / total
    sums = np.bincount(held, weights=weights * (values - centre), minlength=count)
    heavy = np.bincount(held, weights=weights, minlength=count)
    others = total - heavy
    variance = nan
    if count > 1 and bool((others > 0).all()):
        variance = (count - 1) / count * float(np.square(sums / others).sum())
        # Residuals that cancel in every cluster leave rounding errors behind.
        variance = 0.0 if variance < 1e-24 * max(1.0, centre * centre) else variance
    return ClusteredMean(centre, variance, total * total / float(heavy @ heavy), bool((values == values[0]).all()))


_NOTHING = "there is nothing to take a mean of"
_NO_SPREAD = "no interval: fewer than two groups, or groups that all have the same mean"


def _trials(by_cluster: ClusteredMean, most: float | None = None) -> float:
    """Independent trials with the variance of `by_cluster`, at most `most`; as many as clusters where it has none."""
    share, variance, clusters, alike = by_cluster
    if alike or variance != variance or share <= 0 or share >= 1 or (variance == 0 and most is None):
        return clusters
    shorter = (_Z / _quantile(by_cluster)) ** 2
    trials = most if variance == 0 else share * (1 - share) / variance
    return shorter * min(x for x in (trials, most) if x is not None)


def _quantile(by_cluster: ClusteredMean) -> float:
    return float(stats.t.ppf(0.5 + LEVEL / 2, max(by_cluster.clusters - 1, 1)))


def _score_interval(share: float, total: float) -> tuple[float, float]:
    scale = 1 + _Z * _Z / total
    centre = (share + _Z * _Z / (2 * total)) / scale
    half = _Z / scale * sqrt(share * (1 - share) / total + _Z * _Z / (4 * total * total))
    # At the ends the algebra gives exactly 0 and 1; floating point only nearly.
    return 0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half)


def beyond_chance(values: Floats, weights: Floats, chances: Floats, clusters: Ints, *, exact: bool) -> float:
    """One-sided p: is the weighted mean of `values` (n,) above that of `chances` (n,), what a guess is expected to get?

    It stays valid where answers of a group depend on each other.
    With `exact` the values are right (1) or wrong (0), and p is the exact binomial tail (Poisson-binomial where the
    chances differ; Hodges and Le Cam 1960). Where items share a cluster, and for measures, p is that of Student's t on
    the differences from chance, by the jackknife over clusters (`spread`); of shares it is the larger of the
    two, because t alone is too sure of a few items. Clusters that all differ from chance by the same amount tell no
    variance; by Markov's inequality a cluster exceeds chance by that much with a probability of at most
    chance / (chance + amount), and p is the product. It is 1 where such clusters are not above chance. NaN where there
    is nothing to take a mean of, where a chance is undefined, and where values or chances without variance are
    negative.
    """
    counted = weights > 0
    values, weights, chances, clusters = values[counted], weights[counted], chances[counted], clusters[counted]
    if not len(values) or bool(np.isnan(chances).any()):
        return nan
    if not exact:
        return _t_tail(values, weights, chances, clusters)
    hits = int(values.sum())
    if bool((chances == chances[0]).all()):
        tail = float(stats.binom.sf(hits - 1, len(chances), chances[0]))
    else:
        tail = min(1.0, max(0.0, float(stats.poisson_binom.sf(hits - 1, chances))))
    alone = len(np.unique(clusters)) == len(clusters)
    return tail if alone else max(tail, _t_tail(values, weights, chances, clusters))


def _t_tail(values: Floats, weights: Floats, chances: Floats, clusters: Ints) -> float:
    by_cluster = spread(values - chances, weights, clusters)
    if by_cluster.variance > 0:
        return float(stats.t.sf(by_cluster.centre / sqrt(by_cluster.variance), max(by_cluster.clusters - 1, 1)))
    # Rounding must not turn a mean at chance into one above it.
    if by_cluster.centre <= 1e-12:
        return 1.0
    if values.min() < 0 or chances.min() < 0:  # Markov's inequality is about what cannot be negative
        return nan
    held = np.unique(clusters, return_inverse=True)[1]
    by_chance = np.bincount(held, weights=weights * chances) / np.bincount(held, weights=weights)
    return float(np.prod(by_chance / (by_chance + by_cluster.centre)))
