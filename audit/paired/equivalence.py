"""Is a difference negligible? Two one-sided tests, so that "no difference" is a claim and not a lack of evidence."""

from __future__ import annotations

from math import isnan, nan, sqrt

from scipy import stats

__all__ = ["equivalence_p"]


def equivalence_p(difference: float, se: float, clusters: float, margin: float, trials: float = 0) -> float:
    """The p of "the true difference is `margin` or more, either way"; small where it is nearer to 0. Schuirmann (1987).

    The larger of two one-sided p, from Student's t with `clusters` - 1 degrees of freedom; at most .05 where the 90 %
    interval lies within the margin. Without any difference in any of the clusters there is no spread to go by
    (`se` is 0): a true difference of the margin would show in a cluster with at least that chance, so that
    p = (1 - margin) ** clusters. NaN with fewer than two clusters.

    Where scores are right and wrong, a true difference of the margin means that the two differ on at least that share
    of the items, so that with `trials` independent ones the variance of the mean is margin (1 - margin) / trials or
    more, and no smaller one is used: otherwise two that differ rarely would be called equivalent too often. Items that
    belong together may be answered alike, so that groups are the trials. 0 `trials`: no such floor.
    """
    if isnan(difference) or clusters < 2 or isnan(se):
        return nan
    if se == 0:
        return float((1 - margin) ** clusters) if difference == 0 else float(abs(difference) >= margin)
    if trials:
        se = max(se, sqrt(margin * (1 - margin) / trials))
    degrees = clusters - 1
    above = float(stats.t.sf((difference + margin) / se, degrees))  # of "it is -margin or less"
    below = float(stats.t.cdf((difference - margin) / se, degrees))  # of "it is margin or more"
    return max(above, below)
