"""Paired shares: the score test, interval and equivalence of their difference, and the sign-flip test."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import inf, isinf, sqrt
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from hansproof.audit.statistics.power import ALPHA
from hansproof.audit.statistics.shares import LEVEL

__all__ = ["agreeing_interval", "equivalence_p", "least_equivalence_p", "quantile_of", "sign_flip_p"]

# After Nam (1997) and Tango (1998). Of T pairs, a share b has only the first right and a share c only the second. If
# the true difference is D, the shares that fit best have q with only the second right,
#
#     q = (sqrt(B^2 - 8 C) - B) / 4    where B = (2 - b + c) D - (b + c) and C = -c D (1 - D)
#
# and b - c has the variance (2 q + D (1 - D)) / T, which is never 0 for a D between -1 and 1: intervals have a width
# even where the two never differ, and none reaches beyond 1. At D = 0 the statistic is the z of McNemar's test. Groups
# that answer alike, and means of runs, count as so many pairs T as have their variance.


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


# Tango's interval is nearly exact, the test exactly so. Where they disagree about 0, the nearer end moves: if the test
# says less, to that of the score interval for as many pairs as make the score test as sure; if it says more, to 0 and
# no farther, as the test supposes that A and B could change places in every group. (Moved as far as the test is sure,
# intervals held the truth in only 70 % where a single giant group carries a part of the difference.)

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


def equivalence_p(
    difference: float,
    discordant: float,
    margin: float,
    trials: float,
    coins: float,
    degrees: float = inf,
    variance: float = 0.0,
) -> float:
    """The p of "the true difference is `margin` or more, either way"; small where it is nearer to 0, so that "no
    difference" is a claim and not a lack of evidence.

    The larger of two one-sided p (Schuirmann 1987) of the score test (Nam 1997; see `score_statistic` for
    `discordant` and `trials`), from Student's t with so many `degrees` of freedom, or from the normal distribution: at
    most .05 where the 90 % interval lies within the margin.

    A true difference of the margin may sit in a few groups in which the two differ fully. Where none or few of them
    were drawn, there is no spread to go by, so p is at least the chance of as small a difference in so many independent
    `coins` with a share `margin` of heads: P(B <= coins * |difference|). Groups of one size are a coin each. Of unequal
    ones the worst case is that the difference sits in the largest: if k of them hold a share `margin` of the items,
    there are k / margin coins. For two that never differ p is (1 - margin) ** coins:

    >>> round(equivalence_p(0.0, 0.0, 0.05, 59, 59), 4)
    0.0485

    Other differences hide how few groups carry this one: items of groups differ in both directions, and means of runs
    differ on every item. For them `variance` is that of the difference, and what is lacking to the margin, d, is taken
    to sit in groups that were not drawn: a share d of the coins adds d (1 - d) / coins. 0 for single runs of items that
    are groups of their own, where every item that differs counts as much as one that was not drawn.
    """
    size = abs(difference)
    statistic = score_statistic(size, discordant, trials, margin)  # the nearer end of the two
    if variance and size < margin:
        lacking = margin - size
        statistic = max(statistic, -lacking / sqrt(variance + lacking * (1 - lacking) / coins))
    tested = float(stats.norm.cdf(statistic) if isinf(degrees) else stats.t.cdf(statistic, degrees))
    heads = coins * size
    if heads >= coins:
        return 1.0
    # The binomial distribution function by the beta distribution, which takes effective numbers as well.
    return max(tested, float(stats.beta.sf(margin, heads + 1, coins - heads)))


def least_equivalence_p(margin: float, coins: float) -> float:
    """What `equivalence_p` is at least: P(no heads) of so many `coins`, (1 - margin) ** coins.

    Groups of one size, or items, have to be 59 for a margin of 5 points. Of 60 single items and a group of 20, a
    difference of 4 of 80 items may sit in a fifth of the group, so that there are 4 coins:

    >>> round(least_equivalence_p(0.05, 59), 4), round(least_equivalence_p(0.05, 0.2 / 0.05), 2)
    (0.0485, 0.81)
    """
    return float((1 - margin) ** coins)


MANY_FLIPS: Final = 10_000
"""With more numbers than this the sum is as good as normal, and p is taken from there."""

_FARTHEST: Final = 20_000
"""The same, where numbers other than those of the commonest size add up to more: convolving would take seconds."""


def sign_flip_p(shifts: Iterable[int], side: Literal["two-sided", "greater", "less"] = "two-sided") -> float:
    """P(a sum is as far out as that of `shifts`), if each were as likely to have the opposite sign. Fisher (1935). With
    numbers that are all 1 or -1 it is the sign test, and of discordant pairs McNemar's exact test.

    Exact, and without a draw: numbers of one size s that occur m times add s (2 B - m) with B binomial, and the sizes
    are convolved. 1 where all are 0.

    Four groups that each moved by 1 in the same direction are 2 in 16; two that moved by 2 each, 2 in 4:

    >>> sign_flip_p([1, 1, 1, 1]), sign_flip_p([2, 2])
    (0.125, 0.5)
    """
    moved = np.array([shift for shift in shifts if shift], dtype=np.int64)
    total = int(moved.sum())
    if side != "greater":
        total = -total if side == "less" else abs(total)
    if not len(moved) or (side == "two-sided" and total == 0):
        return 1.0
    doubled = 2 if side == "two-sided" else 1
    step = int(np.gcd.reduce(moved))
    sizes, times = np.unique(np.abs(moved) // step, return_counts=True)
    commonest = int(times.argmax())
    size, count = int(sizes[commonest]), int(times[commonest])
    rest = [pair for pair in zip(sizes.tolist(), times.tolist(), strict=True) if pair[0] != size]
    if len(moved) > MANY_FLIPS or sum(other * often for other, often in rest) > _FARTHEST:
        return doubled * float(stats.norm.sf(total / sqrt(float(np.square(moved.astype(np.float64)).sum()))))
    # The distribution of the sum of all sizes but the commonest, whose tail is a binomial's.
    chances, reach = np.ones(1), 0
    for other, often in rest:
        signs = np.zeros(other * often + 1)
        signs[::other] = _coins(often)
        chances = np.convolve(chances, signs)
        reach += other * often
    sums = 2 * np.arange(len(chances)) - reach
    # (total - sums + size count) / (2 size), rounded up: so many of the commonest have to be positive.
    least = -((sums - total // step - size * count) // (2 * size))
    return min(doubled * float(chances @ _at_least(least, count)), 1.0)


@lru_cache(maxsize=512)
def _coins(count: int) -> NDArray[np.float64]:
    """(count + 1,): the chances of 0, 1, ... heads of so many coins."""
    return np.asarray(stats.binom.pmf(np.arange(count + 1), count, 0.5))


def _at_least(heads: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """The chance of so many `heads` or more of `count` coins.

    To the bit what `stats.binom.sf(heads - 1, count, 0.5)` is, in a fortieth of the time, which is all that 44,850
    comparisons take.
    """
    within = np.minimum(np.maximum(heads, 1), count)
    inside = special.betainc(within, count - within + 1, 0.5)
    return np.where(heads <= 0, 1.0, np.where(heads > count, 0.0, inside))
