"""The interval of a difference that says of 0 what the exact test says.

The test is exact; Tango's interval is nearly so, and with few groups a careful estimate. Where they disagree about 0,
the nearer end moves. If the test says less, it is the end of the score interval for as many pairs as make the score
test at 0 as sure as the exact test. If the test says more, it moves to 0 and no farther: the test supposes that A and B
could change places in every group, which says nothing of other differences than 0. (Moved as far as the test is sure,
intervals held the truth in only 70 % where a single giant group carries a part of the difference.)
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
"""An end that leaves out 0 and no more is so far from it: rounding must not put it there."""

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
    begins below 0. It is made to begin just above 0:

    >>> score_interval(1.0, 1.0, 6, 2.57)[0] < 0 < agreeing_interval(1.0, 1.0, 6, 2.57, 2 / 2**6)[0] < 1e-6
    True
    """
    if difference < 0:
        low, high = agreeing_interval(-difference, discordant, trials, quantile, p)
        return -high, -low
    low, high = score_interval(difference, discordant, trials, quantile)
    excluded = p <= ALPHA
    if difference == 0 or (low > 0) == excluded:
        return low, high
    if excluded:
        return _NEAREST, high
    sure = -float(special.ndtri(p / 2))
    # At 0 the statistic is D sqrt(T / psi): so many pairs make it as large as the exact test is sure.
    alike = discordant * (sure / difference) ** 2
    low, _ = score_interval(difference, discordant, alike, _Z)
    return min(low, 0.0), high
