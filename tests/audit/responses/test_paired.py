"""Paired comparisons: a worked example, scipy and statsmodels as second methods, and simulated answerers."""

import doctest
from math import isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import TTestPower

from audit.responses import paired
from audit.responses.paired import FEW, compare, detectable_effect, mcnemar_p
from audit.responses.shares import cluster_interval
from generators.stream import Stream


def right(text):
    return np.array([mark == "1" for mark in text])


def test_a_worked_example_by_hand():
    # Differences: 1 0 1 1 0 -1 1 1 0 0: mean .4, sum of squares 6 - 10 * .16 = 4.4, sd = sqrt(4.4 / 9) = .6992,
    # t = .4 / (.6992 / sqrt 10) = 1.809; McNemar: 5 against 1 of 6: 2 * (1 + 6) / 64 = .21875.
    comparison = compare(right("1111101110"), right("0100110010"))
    assert (comparison.pairs, comparison.original, comparison.perturbed) == (10, 0.8, 0.4)
    assert comparison.effect == pytest.approx(0.4)
    assert (comparison.original_only, comparison.perturbed_only) == (5, 1)
    assert comparison.sd == pytest.approx(sqrt(4.4 / 9))
    assert comparison.t == pytest.approx(0.4 / sqrt(4.4 / 90))
    assert comparison.mcnemar_p == pytest.approx(0.21875)
    # t(.975, 9) = 2.262: .4 -+ 2.262 * .2211
    assert (comparison.low, comparison.high) == (pytest.approx(-0.1002, abs=1e-4), pytest.approx(0.9002, abs=1e-4))
    assert comparison.note == f"INCONCLUSIVE: fewer than {FEW} pairs"


def test_nothing_varies_and_nothing_is_there():
    same = compare(right("1" * 40), right("1" * 40))
    assert (same.effect, same.mcnemar_p, same.original_only, same.sd) == (0, 1, 0, 0)
    assert all(isnan(number) for number in (same.t, same.p, same.low, same.high, same.detectable))
    assert same.note == "every pair has the same difference: no t-test, no interval"
    always = compare(right("1" * 40), right("0" * 40))
    assert (always.effect, always.original_only) == (1, 40)
    assert always.mcnemar_p == pytest.approx(2 * 0.5**40)
    assert isnan(always.p)
    single = compare(right("1"), right("0"))
    assert single.note == "INCONCLUSIVE: fewer than 30 pairs; one pair has no spread: no t-test, no interval"
    none = compare(right(""), right(""))
    assert none.note == "INCONCLUSIVE: no pairs"
    assert isnan(none.effect)
    assert isnan(none.mcnemar_p)


def drawn(pairs, p_original, p_perturbed, *names):
    """Pairs whose two items share one number with probability 1/2: correlated, with the accuracies asked for."""
    stream = Stream(3, "simulated answerer", *names)
    at = np.array([stream.word() for _ in range(3 * pairs)], dtype=np.float64).reshape(3, pairs) / 2**64
    return at[0] < p_original, np.where(at[2] < 0.5, at[0], at[1]) < p_perturbed


def test_the_t_test_and_the_interval_agree_with_the_one_sample_ones():
    original, perturbed = drawn(200, 0.8, 0.6, "one sample")
    comparison = compare(original, perturbed)
    other = stats.ttest_1samp(original.astype(float) - perturbed.astype(float), 0)
    assert (comparison.t, comparison.p) == (pytest.approx(other.statistic), pytest.approx(other.pvalue))
    assert (comparison.low, comparison.high) == pytest.approx(tuple(other.confidence_interval()))


def test_mcnemar_agrees_with_statsmodels():
    for left, other in ((0, 0), (3, 9), (50, 20), (1, 0), (7, 7)):
        table = [[10, left], [other, 20]]
        assert mcnemar_p(left, other) == pytest.approx(mcnemar(table, exact=True).pvalue)


@pytest.mark.parametrize("size", [1, 3])
def test_the_interval_is_that_of_ols_with_clustered_errors(size):
    original, perturbed = drawn(120, 0.8, 0.5, "ols")
    differences, clusters = original.astype(float) - perturbed.astype(float), np.arange(120) // size * 7
    fit = OLS(differences, np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    assert cluster_interval(differences, clusters) == pytest.approx(tuple(fit.conf_int()[0]))
    if size == 1:
        assert cluster_interval(differences) == pytest.approx(tuple(fit.conf_int()[0]))


def test_items_doubled_in_their_clusters_are_no_more_certain():
    original, perturbed = drawn(60, 0.8, 0.5, "doubled")
    differences = original.astype(float) - perturbed.astype(float)
    twice = cluster_interval(np.repeat(differences, 2), np.repeat(np.arange(60), 2))
    assert twice == pytest.approx(cluster_interval(differences))
    assert all(isnan(number) for number in cluster_interval(differences, np.zeros(60, dtype=np.int64)))


@pytest.mark.parametrize("pairs", [2, 3, 10, 30, 500, 20_000])
def test_the_detectable_effect_agrees_with_statsmodels(pairs):
    smallest = detectable_effect(pairs, 1.0)
    # Student's t squared is F with one degree above: both tails at once.
    critical = stats.f.isf(0.05, 1, pairs - 1)
    assert stats.ncf.sf(critical, 1, pairs - 1, smallest**2 * pairs) == pytest.approx(0.8, abs=1e-9)
    if pairs > 3:  # below, statsmodels meets the same NaN as SciPy and has no answer
        other = TTestPower().power(smallest, pairs, 0.05, alternative="two-sided")
        assert other == pytest.approx(0.8, abs=1e-9)
    assert detectable_effect(pairs, 0.5) == pytest.approx(0.5 * detectable_effect(pairs, 1.0))


def test_nothing_is_detectable_without_spread():
    assert all(isnan(detectable_effect(pairs, sd)) for pairs, sd in ((1, 1.0), (500, 0.0), (500, nan)))


def test_the_example_of_the_docstring_is_true():
    assert doctest.testmod(paired).attempted == 1
    assert doctest.testmod(paired).failed == 0
