"""The interval of a difference that says of 0 what the exact test says.

The test is exact; Tango's interval is nearly so, and with few groups a careful estimate. Where they disagree about 0,
the nearer end moves: it is the score interval for as many pairs as make the score test at 0 as sure as the exact test.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from scipy import special, stats

from audit.statistics.power import ALPHA
from audit.statistics.score_test import score_interval
from audit.statistics.shares import LEVEL

__all__ = ["agreeing_interval", "quantile_of"]

_NEAREST: Final = 1e-9
"""A nearer end that leaves out 0 is at least so far from it: rounding must not put it there."""

_SUREST: Final = 38.0
"""Standard errors beyond which p is 0 in floating point."""

_Z: Final = -float(special.ndtri(ALPHA / 2))


@lru_cache(maxsize=1024)
def quantile_of(degrees: float) -> float:
    """Student's quantile for a 95 % interval: that of the normal distribution where the `degrees` are infinite."""
    return float(stats.t.ppf(0.5 + LEVEL / 2, degrees))


def agreeing_interval(
    difference: float, discordant: float, trials: float, quantile: float, p: float
) -> tuple[float, float]:
    """The score interval for `trials` pairs, which leaves out 0 exactly where the two-sided `p` is at most .05.

    Six groups that all moved the same way are p = .031, but with Student's quantile for six groups the score interval
    begins below 0. It is made to begin where a score test that is as sure of 0 ends:

    >>> score_interval(1.0, 1.0, 6, 2.57)[0] < 0 < agreeing_interval(1.0, 1.0, 6, 2.57, 2 / 2**6)[0]
    True
    """
    if difference < 0:
        low, high = agreeing_interval(-difference, discordant, trials, quantile, p)
        return -high, -low
    low, high = score_interval(difference, discordant, trials, quantile)
    excluded = p <= ALPHA
    if difference == 0 or (low > 0) == excluded:
        return low, high
    sure = min(-float(special.ndtri(p / 2)), _SUREST)
    # At 0 the statistic is D sqrt(T / psi): so many pairs make it as large as the exact test is sure.
    alike = discordant * (sure / difference) ** 2
    low, _ = score_interval(difference, discordant, alike, _Z)
    return (max(low, _NEAREST) if excluded else min(low, 0.0)), high
