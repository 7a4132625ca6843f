"""Shares and weighted means with their 95 % intervals: what every score and every blind strategy is reported as."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from generators.errors import InputError

__all__ = ["LEVEL", "Estimate", "cluster_interval", "clustered", "mean", "wilson"]

LEVEL = 0.95

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


def wilson(hits: int, total: int, level: float = LEVEL) -> Estimate:
    """The share and its Wilson score interval: centre (p + z^2/2t) / (1 + z^2/t). Wilson (1927).

    Share NaN and interval 0 to 1 where total is 0. Raises InputError for counts or levels out of range.
    """
    if not 0 <= hits <= total or not 0 < level < 1:
        raise InputError(f"no interval of level {level} for {hits} of {total}; 0 <= hits <= total, 0 < level < 1")
    if total == 0:
        return Estimate(0, 0, nan, 0.0, 1.0)
    low, high = _score_interval(hits / total, total, level)
    return Estimate(hits, total, hits / total, low, high)


def mean(values: Floats, weights: Floats, clusters: Ints) -> Estimate:
    """The weighted mean of `values` (n,) and its cluster-robust interval; see `cluster_interval`.

    Share and interval NaN for no values and for weights that add up to 0.
    """
    total = float(weights.sum())
    if not total > 0:
        return Estimate(0, 0, nan, nan, nan, "cluster-robust")
    low, high = cluster_interval(values, clusters, weights=weights)
    hits = float(values @ weights)
    return Estimate(hits, total, hits / total, low, high, "cluster-robust")


def clustered(right: NDArray[np.bool_], clusters: Ints) -> Estimate:
    """The share of `right` (n,): Wilson's interval where each item is its own cluster, else the cluster-robust one.

    Where all are right or all are wrong, clusters have no spread to go by; the interval is then Wilson's for as many
    trials as there are clusters, which holds however strongly the items of one cluster depend on each other.
    """
    hits, total = int(right.sum()), len(right)
    count = len(np.unique(clusters))
    if count == total:
        return wilson(hits, total)
    low, high = cluster_interval(right.astype(np.float64), clusters)
    if isnan(low):
        low, high = _score_interval(hits / total, count, LEVEL)
    return Estimate(hits, total, hits / total, max(low, 0.0), min(high, 1.0), "cluster-robust")


def cluster_interval(
    values: Floats, clusters: Ints | None = None, level: float = LEVEL, weights: Floats | None = None
) -> tuple[float, float]:
    """The interval of the weighted mean of `values` (n,), robust to any dependence inside `clusters` (n,).

    Variance = G / (G - 1) * sum over clusters of (weighted sum of residuals)^2 / (sum of weights)^2, quantile of t with
    G - 1 degrees: the sandwich of Liang and Zeger (1986) for an intercept alone. Clusters of one and equal weights give
    the ordinary t interval. (NaN, NaN) with fewer than two clusters, and without spread, which tells no width.
    """
    held = np.arange(len(values)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    count = int(held.max()) + 1 if len(held) else 0
    if count < 2 or bool((values == values[0]).all()):
        return nan, nan
    heavy = np.ones(len(values)) if weights is None else weights
    centre = float(values @ heavy) / float(heavy.sum())
    sums = np.bincount(held, weights=heavy * (values - centre), minlength=count)
    error = sqrt(count / (count - 1) * float(sums @ sums)) / float(heavy.sum())
    half = float(stats.t.ppf(0.5 + level / 2, count - 1)) * error
    return centre - half, centre + half


def _score_interval(share: float, total: int, level: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf(0.5 + level / 2)
    scale = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / scale
    half = z / scale * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # At the ends the algebra gives exactly 0 and 1; floating point only nearly.
    return 0.0 if share == 0 else max(0.0, centre - half), 1.0 if share == 1 else min(1.0, centre + half)
