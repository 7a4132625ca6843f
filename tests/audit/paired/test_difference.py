"""The numbers of one difference, each by a second way: statsmodels, SciPy, leaving out groups, a published example."""

from math import isnan, nan, sqrt

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.weightstats import DescrStatsW

from audit.paired.difference import difference_of
from audit.paired.equivalence import equivalence_p
from audit.responses.paired import compare
from audit.statistics.resampling import seeded
from benchmarks.paired.simulated import two_models

MARGIN = 0.05


@pytest.fixture
def alone():
    return two_models([1] * 300, 0.08, 0.3, seeded(3, "alone"))


@pytest.fixture
def clustered():
    return two_models([1, 2, 3, 6] * 25, 0.08, 0.3, seeded(4, "clustered"), icc=0.5)


def vectors(both, a_only, b_only, neither):
    a = [1.0] * (both + a_only) + [0.0] * (b_only + neither)
    b = [1.0] * both + [0.0] * a_only + [1.0] * b_only + [0.0] * neither
    return np.array(a), np.array(b), np.arange(len(a))


def test_the_worked_example_of_miller():
    # 5,000 questions of MATH, 65.5 % against 63.0 %: the interval is 1.2 to 3.8 points. The correlation of .50 is what
    # makes it so wide (.49 to .55 round to the same ends); it was not looked up in the paper.
    measured = difference_of(*vectors(2637, 638, 513, 1212), MARGIN)
    assert (measured.a, measured.b) == (0.655, 0.63)
    assert measured.correlation == pytest.approx(0.5, abs=0.002)
    assert (round(100 * measured.low, 1), round(100 * measured.high, 1)) == (1.2, 3.8)


def test_items_of_their_own_are_the_paired_test_that_effects_have(alone):
    measured = difference_of(*alone, MARGIN)
    known = compare(alone.a == 1, alone.b == 1)
    assert (measured.items, measured.groups, measured.effective_groups) == (300, 300, 300)
    assert (measured.a, measured.b) == (known.original, known.perturbed)
    assert (measured.a_only, measured.b_only) == (known.original_only, known.perturbed_only)
    assert (measured.low, measured.high) == pytest.approx((known.low, known.high))
    assert measured.se == pytest.approx(known.sd / sqrt(300))
    assert measured.detectable == pytest.approx(known.detectable)
    assert measured.p == pytest.approx(known.mcnemar_p)
    assert measured.mcnemar_p == known.mcnemar_p


def test_mcnemar_and_the_correlation_are_those_of_the_libraries(alone):
    measured = difference_of(*alone, MARGIN)
    table = [[np.sum((alone.a == i) & (alone.b == j)) for j in (1, 0)] for i in (1, 0)]
    assert measured.mcnemar_p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert measured.correlation == pytest.approx(stats.pearsonr(alone.a, alone.b).statistic)


def test_groups_of_one_size_have_the_sandwich_of_statsmodels():
    drawn = two_models([4] * 60, 0.05, 0.3, seeded(5, "equal"), icc=0.4)
    fitted = sm.OLS(drawn.a - drawn.b, np.ones(240)).fit(cov_type="cluster", cov_kwds={"groups": drawn.groups})
    measured = difference_of(*drawn, MARGIN)
    assert measured.se == pytest.approx(fitted.bse[0], rel=1e-9)
    low, high = fitted.params[0] + np.array([-1, 1]) * stats.t.ppf(0.975, 59) * fitted.bse[0]
    assert (measured.low, measured.high) == pytest.approx((low, high))


def test_groups_of_any_size_are_left_out_one_at_a_time(clustered):
    measured = difference_of(*clustered, MARGIN)
    apart, groups = clustered.a - clustered.b, clustered.groups
    without = np.array([apart[groups != group].mean() for group in range(100)])
    # CV3 centres on the mean of all items, not on the mean of the jackknife.
    assert measured.se == pytest.approx(sqrt(99 / 100 * np.sum((without - apart.mean()) ** 2)))
    assert measured.effective_groups == pytest.approx(300**2 / (25 * (1 + 4 + 9 + 36)))


def test_groups_that_answer_alike_count_as_one_and_mcnemar_does_not_know(clustered):
    measured = difference_of(*clustered, MARGIN)
    random = seeded(6, "signs")
    shifts = np.bincount(clustered.groups, weights=clustered.a - clustered.b)
    signs = random.choice([-1, 1], (20_000, 100))
    drawn = np.mean(np.abs(signs @ shifts) >= abs(shifts.sum()))
    assert measured.p == pytest.approx(drawn, abs=4 * sqrt(drawn * (1 - drawn) / 20_000))
    # Obuchowski (1998): (K - 1) / K (sum of shifts)^2 / sum of squared shifts, a chi-square with one degree of freedom.
    chi2 = 99 / 100 * shifts.sum() ** 2 / np.sum(shifts**2)
    assert measured.p == pytest.approx(stats.chi2.sf(chi2, 1), rel=0.15)
    assert measured.mcnemar_p < measured.p


def test_every_item_twice_in_one_group_leaves_the_exact_p_as_it_was(alone):
    twice = difference_of(np.repeat(alone.a, 2), np.repeat(alone.b, 2), np.repeat(alone.groups, 2), MARGIN)
    once = difference_of(*alone, MARGIN)
    assert (twice.p, twice.se, twice.equivalent_p) == pytest.approx((once.p, once.se, once.equivalent_p))
    assert twice.mcnemar_p < once.mcnemar_p


def test_equivalence_is_two_one_sided_t_tests(alone):
    measured = difference_of(*alone, MARGIN)
    p, _, _ = DescrStatsW(alone.a - alone.b).ttost_mean(-MARGIN, MARGIN)
    assert measured.equivalent_p == pytest.approx(p)
    # At most 5 % where the 90 % interval lies inside the margin, and only there.
    half = stats.t.ppf(0.95, 299) * measured.se
    assert equivalence_p(0.01, measured.se, 300, 0.01 + half + 1e-9) <= 0.05
    assert equivalence_p(0.01, measured.se, 300, 0.01 + half - 1e-9) > 0.05
    assert equivalence_p(-0.01, measured.se, 300, 0.02) == pytest.approx(equivalence_p(0.01, measured.se, 300, 0.02))


def test_a_difference_of_the_margin_cannot_have_less_variance_than_it_takes():
    # 1 of 200 items differs: se .005, but a difference of .05 has sqrt(.05 * .95 / 200) = .0154 at least.
    measured = difference_of(*vectors(150, 1, 0, 49), MARGIN)
    assert measured.se == pytest.approx(0.005)
    assert measured.equivalent_p == pytest.approx(stats.t.cdf((0.005 - 0.05) / 0.01541, 199), rel=1e-3)
    assert equivalence_p(0.005, 0.005, 200, MARGIN) < measured.equivalent_p


def test_two_that_never_differ_are_equivalent_once_there_are_enough_groups():
    # A difference of 5 points would leave 58 groups without any with .95 ** 58 = .051, and 59 with .0485.
    assert difference_of(*vectors(30, 0, 0, 28), MARGIN).equivalent_p == pytest.approx(0.95**58)
    same = difference_of(*vectors(30, 0, 0, 29), MARGIN)
    assert same.equivalent_p == pytest.approx(0.0485, abs=1e-4)
    assert (same.difference, same.p, same.mcnemar_p, same.correlation) == (0, 1, 1, pytest.approx(1))
    assert (isnan(same.low), isnan(same.detectable)) == (True, True)
    assert same.note == "no interval: the difference is the same on every item"


def test_means_of_runs_are_tested_by_signs_too():
    # Three groups: +1/2, +1 and -1/2 of two runs are 1, 2 and -1 halves: |sum| >= 2 in 1 + 2 + 1... of 8 signs.
    a, b = np.array([0.5, 1.0, 0.0]), np.array([0.0, 0.0, 0.5])
    measured = difference_of(a, b, np.arange(3), MARGIN, unit=2)
    sums = [abs(x + 2 * y + z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    assert measured.p == np.mean([each >= 2 for each in sums])
    assert isnan(measured.mcnemar_p)
    assert "McNemar's test is for right and wrong, not for means of runs" in measured.note
    assert difference_of(a, b, np.arange(3), MARGIN, unit=6).p == measured.p


def test_what_is_undefined_is_nan_with_its_reason():
    empty = difference_of(*vectors(0, 0, 0, 0), MARGIN)
    assert (empty.items, empty.note) == (0, "no items in common")
    assert all(isnan(value) for value in (empty.a, empty.p, empty.se, empty.equivalent_p))
    a, b, _ = vectors(3, 2, 1, 0)
    single = difference_of(a, b, np.zeros(6, dtype=np.int64), MARGIN)
    assert all(isnan(value) for value in (single.se, single.low, single.equivalent_p, single.detectable))
    assert single.note.startswith("a single group has no spread")
    perfect = difference_of(*vectors(10, 4, 0, 0), MARGIN)
    assert isnan(perfect.correlation)
    assert perfect.note == (
        "the interval is rough: A and B differ in fewer than 10 groups; "
        "no correlation: a side has the same score on every item"
    )
    assert isnan(equivalence_p(nan, nan, 0, MARGIN))
    always = difference_of(*vectors(0, 40, 0, 0), MARGIN)
    assert (always.difference, always.equivalent_p, isnan(always.low)) == (1, 1, True)


def test_sides_that_change_places_change_signs(clustered):
    forth = difference_of(clustered.a, clustered.b, clustered.groups, MARGIN)
    back = difference_of(clustered.b, clustered.a, clustered.groups, MARGIN)
    assert (back.difference, back.low, back.high) == pytest.approx((-forth.difference, -forth.high, -forth.low))
    assert (back.p, back.se, back.equivalent_p, back.a_only) == (
        forth.p,
        pytest.approx(forth.se),
        pytest.approx(forth.equivalent_p),
        forth.b_only,
    )
