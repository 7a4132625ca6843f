"""Two conditions answered in matched pairs: the effect original - perturbed, its tests, its interval, its power.

Plain arrays of right and wrong go in, one `Paired` comes out; `effects` finds the pairs in the items of a release. The
analysis follows Opedal et al. (2024), who report the mean difference and a paired t-test, and adds McNemar's exact
test, an interval that is robust to clusters, and the smallest effect that as many pairs could show.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from audit.responses.shares import cluster_interval

__all__ = ["FEW", "Paired", "compare", "detectable_effect", "mcnemar_p"]

FEW = 30
"""With fewer pairs than this the note says INCONCLUSIVE: neither the t-test nor its interval can be trusted."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Paired:
    """The difference between two conditions over matched pairs; accuracies and effects are shares from 0 to 1."""

    pairs: int
    original: float
    """Accuracy in the original condition; NaN without pairs."""
    perturbed: float
    effect: float
    """Mean over pairs of (original right - perturbed right): positive where the perturbed condition costs accuracy."""
    low: float
    """Lower end of the cluster-robust 95 % interval; NaN where every difference is the same."""
    high: float
    t: float
    """Student's t of the paired test; NaN where every difference is the same."""
    p: float
    """Two-sided p of the paired t-test."""
    original_only: int
    """Discordant pairs with only the original item right."""
    perturbed_only: int
    mcnemar_p: float
    """Two-sided exact p of McNemar's test; 1 without discordant pairs, NaN without pairs."""
    sd: float
    """Standard deviation of the differences, n - 1; NaN with fewer than two pairs."""
    detectable: float
    """Smallest true effect found with 80 % power (alpha .05, two-sided) with these pairs and this `sd`."""
    note: str
    """Why something is undefined or not to be relied on, in words; empty where all is well."""


def compare(original: Bools, perturbed: Bools, clusters: Ints | None = None) -> Paired:
    """The comparison of `original` (n,) and `perturbed` (n,), True where the item is right, row by row a pair.

    `clusters` (n,) numbers what belongs together, from 0; each pair is a cluster of its own where it is None. Fewer
    than two pairs and differences that are all the same have neither t-test nor interval, and `note` says so.
    """
    pairs = len(original)
    if pairs == 0:
        return Paired(0, nan, nan, nan, nan, nan, nan, nan, 0, 0, nan, nan, nan, "INCONCLUSIVE: no pairs")
    differences = original.astype(np.float64) - perturbed.astype(np.float64)
    original_only, perturbed_only = int((original & ~perturbed).sum()), int((perturbed & ~original).sum())
    notes = [f"INCONCLUSIVE: fewer than {FEW} pairs"] if pairs < FEW else []
    sd = float(differences.std(ddof=1)) if pairs > 1 else nan
    t = p = nan
    if pairs == 1:
        notes.append("one pair has no spread: no t-test, no interval")
    elif not sd > 0:
        notes.append("every pair has the same difference: no t-test, no interval")
    else:
        tested = stats.ttest_rel(original.astype(np.float64), perturbed.astype(np.float64))
        t, p = float(tested.statistic), float(tested.pvalue)
    low, high = cluster_interval(differences, clusters)
    return Paired(
        pairs=pairs,
        original=float(original.mean()),
        perturbed=float(perturbed.mean()),
        effect=float(differences.mean()),
        low=low,
        high=high,
        t=t,
        p=p,
        original_only=original_only,
        perturbed_only=perturbed_only,
        mcnemar_p=mcnemar_p(original_only, perturbed_only),
        sd=sd,
        detectable=detectable_effect(pairs, sd),
        note="; ".join(notes),
    )


def mcnemar_p(original_only: int, perturbed_only: int) -> float:
    """Two-sided exact p: are the discordant pairs a fair coin's? 1 where there are none. McNemar (1947)."""
    discordant = original_only + perturbed_only
    if discordant == 0:
        return 1.0
    return float(stats.binomtest(original_only, discordant, 0.5).pvalue)


def detectable_effect(pairs: float, sd: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true effect that the two-sided paired t-test finds with `power`, for a given `sd` of differences.

    Exact by the noncentral t: the effect at which P(|T| > t(1 - alpha / 2, n - 1)) = power, T having noncentrality
    effect / sd * sqrt(n). NaN with fewer than two pairs or without spread. It may exceed 1, which no effect can.

    With 500 pairs of which 30 % are discordant, sd is about sqrt(.3), and 6.9 points of accuracy can be found:

    >>> round(100 * detectable_effect(500, 0.3 ** 0.5), 1)
    6.9
    """
    if pairs < 2 or isnan(sd) or sd <= 0:
        return nan
    degrees = pairs - 1
    critical = float(stats.t.ppf(1 - alpha / 2, degrees))

    def lacking(shift: float) -> float:
        wrong_side = float(stats.nct.cdf(-critical, degrees, shift))
        # SciPy gives NaN for tails too small for a float; beside a power of .8, 1e-16 does not matter.
        return float(stats.nct.sf(critical, degrees, shift)) + (0 if isnan(wrong_side) else wrong_side) - power

    # Far above what is needed: 2.8 for many pairs, 16 for two, whose critical value is 12.7.
    highest = 3 * critical + 10
    return float(optimize.brentq(lacking, 1e-9, highest, xtol=1e-12)) * sd / sqrt(pairs)
