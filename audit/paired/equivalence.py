"""Is a difference negligible? Two one-sided tests, so that "no difference" is a claim and not a lack of evidence."""

from __future__ import annotations

from math import inf, isinf, sqrt

from scipy import stats

from audit.statistics.score_test import score_statistic

__all__ = ["equivalence_p", "least_equivalence_p"]


def equivalence_p(
    difference: float,
    discordant: float,
    margin: float,
    trials: float,
    coins: float,
    degrees: float = inf,
    variance: float = 0.0,
) -> float:
    """The p of "the true difference is `margin` or more, either way"; small where it is nearer to 0.

    The larger of two one-sided p (Schuirmann 1987) of the score test (Nam 1997; see `statistics.score_test` for
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
