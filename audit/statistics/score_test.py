"""The score test and interval of a difference between paired shares, after Nam (1997) and Tango (1998).

Of T pairs, a share b has only the first right and a share c only the second. If the true difference is D, the shares
that fit best have q with only the second right,

    q = (sqrt(B^2 - 8 C) - B) / 4    where B = (2 - b + c) D - (b + c) and C = -c D (1 - D)

and b - c has the variance (2 q + D (1 - D)) / T, which is never 0 for a D between -1 and 1. So intervals have a width
even where the two never differ, and none reaches beyond 1: the t interval does neither. At D = 0 the statistic is the
z of McNemar's test. Groups that answer alike, and means of runs, count as so many pairs T as have their variance.
"""

from __future__ import annotations

from math import inf, sqrt

from scipy import optimize

__all__ = ["score_interval", "score_statistic"]


def score_statistic(difference: float, discordant: float, trials: float, true: float) -> float:
    """How many standard errors the `difference` b - c lies above the `true` one, if `discordant` is b + c.

    All but `trials` (T) are shares. 0 at the difference itself, infinite where the true one rules it out.

    One of 44 pairs differs; the difference is 1/44, and z of McNemar's test is 1:

    >>> score_statistic(1 / 44, 1 / 44, 44, 0.0)
    1.0
    """
    if difference == true:
        return 0.0
    if true < 0:  # The same by symmetry; the algebra loses fewer digits on this side.
        return -score_statistic(-difference, discordant, trials, -true)
    first, second = (discordant + difference) / 2, max((discordant - difference) / 2, 0.0)
    b = (2 - first + second) * true - discordant
    q = (sqrt(b * b + 8 * second * true * (1 - true)) - b) / 4
    variance = 2 * q + true * (1 - true)
    if variance <= 0:
        return inf if difference > true else -inf
    return (difference - true) * sqrt(trials / variance)


def score_interval(difference: float, discordant: float, trials: float, quantile: float) -> tuple[float, float]:
    """The true differences whose `score_statistic` is at most `quantile` either way: Tango's interval.

    Of 160 pairs, 40 have only the first right and 20 only the second:

    >>> low, high = score_interval(20 / 160, 60 / 160, 160, 1.959964)
    >>> round(low, 4), round(high, 4)
    (0.0309, 0.2181)
    """
    return -_upper(-difference, discordant, trials, quantile), _upper(difference, discordant, trials, quantile)


def _upper(difference: float, discordant: float, trials: float, quantile: float) -> float:
    if difference >= 1:
        return 1.0

    def beyond(true: float) -> float:
        return max(score_statistic(difference, discordant, trials, true), -1e9) + quantile

    return float(optimize.brentq(beyond, difference, 1.0, xtol=1e-12))
