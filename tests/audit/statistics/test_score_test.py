"""Tango's interval and test: published tables, constrained likelihood maximised numerically, McNemar, coverage."""

from math import sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from hansproof.audit.statistics.paired_tests import score_interval, score_statistic

Z = stats.norm.isf(0.025)


def by_likelihood(b, c, n, true):
    """The statistic, its variance from the share of c that maximises the likelihood under the `true` difference."""

    def unlikely(q):
        p, rest = q + true, 1 - 2 * q - true
        return -sum(count * np.log(max(share, 1e-300)) for count, share in ((b, p), (c, q), (n - b - c, rest)))

    low, high = max(0.0, -true), (1 - true) / 2
    best = optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    return (b - c - n * true) / sqrt(n * (2 * best + true - true**2))


@pytest.mark.parametrize(("b", "c", "n"), [(9, 4, 40), (1, 7, 21), (40, 20, 160), (3, 3, 30), (12, 0, 30)])
@pytest.mark.parametrize("true", [-0.6, -0.2, -0.05, 0.05, 0.3])
def test_the_variance_is_that_of_the_most_likely_shares(b, c, n, true):
    assert score_statistic((b - c) / n, (b + c) / n, n, true) == pytest.approx(by_likelihood(b, c, n, true), rel=1e-4)


@pytest.mark.parametrize(
    ("b", "c", "n", "low", "high"),
    [
        # Published tables as the tests of the R package ratesci (P. Laud, tests/testthat/test3.R) give them:
        # airway hyper-responsiveness before and after stem cell transplantation (Bentur et al. 2009), in Fagerland,
        # Lydersen and Laake (2014),
        (1, 7, 21, -0.517, -0.026),
        # Tango (1998),
        (9, 3, 32, -0.027, 0.390),
        # Agresti and Min (2005),
        (16, 8, 86, -0.020, 0.207),
        # Tang et al. (2010),
        (3, 1, 14, -0.1670, 0.4327),
        # and Chang et al. (2024).
        (25, 2, 102, 0.139, 0.321),
        # Where no pair differs, q is 0 beyond 0 and D (1 - D) / n the variance: z^2 / (n + z^2) either way.
        (0, 0, 100, -(Z**2) / (100 + Z**2), Z**2 / (100 + Z**2)),
    ],
)
def test_known_intervals(b, c, n, low, high):
    assert score_interval((b - c) / n, (b + c) / n, n, Z) == pytest.approx((low, high), abs=5e-4)


def test_the_example_of_tango_at_90_per_cent():
    # 44 pairs, of which one differs: -.096 to .037 (Tango 1998, by way of the same tests).
    low, high = score_interval(-1 / 44, 1 / 44, 44, stats.norm.isf(0.05))
    assert (low, high) == pytest.approx((-0.096, 0.037), abs=5e-4)


@pytest.mark.parametrize(("b", "c", "n"), [(9, 3, 32), (1, 7, 21), (0, 1, 44), (16, 8, 86), (4, 0, 100)])
def test_the_ends_are_where_the_constrained_likelihood_puts_them(b, c, n):
    low, high = score_interval((b - c) / n, (b + c) / n, n, Z)
    for end, sign in ((low, 1), (high, -1)):
        assert by_likelihood(b, c, n, end) == pytest.approx(sign * Z, abs=1e-3)


@pytest.mark.parametrize(("b", "c", "n"), [(9, 4, 40), (0, 7, 21), (0, 0, 30), (30, 0, 30), (2, 2, 500)])
def test_the_ends_are_the_differences_that_the_test_just_keeps(b, c, n):
    difference, discordant = (b - c) / n, (b + c) / n
    low, high = score_interval(difference, discordant, n, Z)
    assert -1 <= low < high <= 1
    assert low <= difference <= high
    if difference > -1:
        assert score_statistic(difference, discordant, n, low) == pytest.approx(Z, abs=1e-6)
    if difference < 1:
        assert score_statistic(difference, discordant, n, high) == pytest.approx(-Z, abs=1e-6)
    back = score_interval(-difference, discordant, n, Z)
    assert back == pytest.approx((-high, -low))


def test_without_a_difference_it_is_mcnemars_z_and_the_ends_rule_out():
    assert score_statistic(5 / 40, 13 / 40, 40, 0) == pytest.approx((9 - 4) / sqrt(9 + 4))
    assert score_statistic(0.2, 0.2, 40, 0.2) == 0
    assert score_statistic(0.2, 0.2, 40, 1.0) == -np.inf
    assert score_statistic(0.2, 0.2, 40, -1.0) == np.inf


def test_the_exact_p_of_mcnemar_is_at_most_5_per_cent_only_where_the_interval_leaves_out_0():
    for discordant in range(1, 120):
        for b in range(discordant // 2 + 1, discordant + 1):
            if stats.binomtest(b, discordant).pvalue <= 0.05:
                low, _ = score_interval((2 * b - discordant) / 200, discordant / 200, 200, Z)
                assert low > 0


@pytest.mark.parametrize(("n", "true"), [(30, 0.0), (100, 0.05), (300, 0.02)])
def test_intervals_hold_the_truth_counted_over_all_tables(n, true):
    # All tables with at most 40 discordant pairs are nearly all there are.
    for discordant in (true + 0.02, 0.1):
        shares = [(discordant + true) / 2, (discordant - true) / 2, 1 - discordant]
        held = 0.0
        for b in range(40):
            for c in range(min(40, n - b + 1)):
                chance = stats.multinomial.pmf([b, c, n - b - c], n, shares)
                if chance > 1e-7:
                    low, high = score_interval((b - c) / n, (b + c) / n, n, Z)
                    held += chance * (low <= true <= high)
        assert 0.93 < held <= 1
