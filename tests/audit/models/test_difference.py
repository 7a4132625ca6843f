"""The numbers of one difference, each by a second way: statsmodels, SciPy, leaving out groups, a published example."""

from math import isnan, nan, sqrt

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from simulated.pairs import two_models
from statsmodels.stats.contingency_tables import mcnemar

from hansproof.audit.models.contrast import word_of
from hansproof.audit.models.difference import difference_of, sufficient
from hansproof.audit.models.planning import Design, Seen, plan
from hansproof.audit.statistics.paired_tests import score_interval
from hansproof.audit.statistics.permutation import seeded

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
    # Miller (2024), tables 2 and 5: 5,000 questions of MATH, 65.5 % against 63.0 % with a correlation of .50; the
    # difference is 2.5 (0.7) points, and its interval 1.2 to 3.8.
    measured = difference_of(*vectors(2637, 638, 513, 1212), MARGIN)
    assert (measured.a, measured.b) == (0.655, 0.63)
    assert measured.correlation == pytest.approx(0.5, abs=0.002)
    assert (round(100 * measured.low, 1), round(100 * measured.high, 1)) == (1.2, 3.8)
    assert round(100 * measured.se, 1) == 0.7


def test_items_of_their_own_have_tangos_interval_and_mcnemars_p(alone):
    measured = difference_of(*alone, MARGIN)
    b, c = int(np.sum(alone.a > alone.b)), int(np.sum(alone.a < alone.b))
    assert (measured.items, measured.groups, measured.effective_groups) == (300, 300, 300)
    assert (measured.a, measured.b) == (alone.a.mean(), alone.b.mean())
    assert (measured.a_only, measured.b_only) == (b, c)
    assert (measured.low, measured.high) == pytest.approx(score_interval((b - c) / 300, (b + c) / 300, 300, 1.959964))
    assert measured.se == pytest.approx(stats.sem(alone.a - alone.b))
    assert measured.p == pytest.approx(stats.binomtest(b, b + c).pvalue)
    assert measured.mcnemar_p == pytest.approx(measured.p)
    assert (measured.note, measured.aside) == ("", "")


@pytest.mark.parametrize("size", [1, 4])
def test_what_could_have_been_found_is_what_a_plan_of_as_many_items_says(size):
    drawn = two_models([size] * (240 // size), 0.03, 0.1, seeded(12, "found"), icc=0.4)
    apart, groups = drawn.a - drawn.b, drawn.groups
    accuracy = float(drawn.a.mean() + drawn.b.mean()) / 2
    seen = Seen(accuracy, float(apart.mean()), float(np.mean(apart != 0)), 1.0)
    unlike = np.mean(apart != 0) - np.mean(apart) ** 2
    pairs, icc = 240 * unlike * (size - 1) / 2, 0.0
    if size > 1:
        error = sm.OLS(apart, np.ones(240)).fit(cov_type="cluster", cov_kwds={"groups": groups}).bse[0]
        icc = (240 * error**2 / unlike - 1) / (size - 1)
        icc = (pairs * max(icc, 0.0) + 1) / (pairs + 1)  # and a pair more, whose items differ alike
    planned = plan(Design(float(np.mean(apart != 0)), nan, nan, size, icc, seen), items=240)
    assert difference_of(*drawn, MARGIN).detectable == pytest.approx(planned.difference)


def test_few_that_differ_could_not_have_shown_a_difference_of_4_points():
    # 2 of 100 items differ. From their spread alone it was 4.0 points, but six items at least have to go one way.
    measured = difference_of(*vectors(60, 1, 1, 38), MARGIN)
    assert measured.detectable == pytest.approx(0.078, abs=0.0005)
    random = seeded(13, "few")
    p = [difference_of(*two_models([1] * 100, 0.078, 0.078, random), MARGIN).p for _ in range(300)]
    assert 0.7 < np.mean(np.array(p) <= 0.05) < 0.9


def test_mcnemar_and_the_correlation_are_those_of_the_libraries(alone):
    measured = difference_of(*alone, MARGIN)
    table = [[np.sum((alone.a == i) & (alone.b == j)) for j in (1, 0)] for i in (1, 0)]
    assert measured.mcnemar_p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert measured.correlation == pytest.approx(stats.pearsonr(alone.a, alone.b).statistic)


def worth(discordant, difference, se, large, items):
    """Pairs that groups are worth: their variance, and that of one group more of `large` items that all differ."""
    return (discordant - difference**2 + large / items) / (se**2 + (large / items) ** 2)


def test_groups_of_one_size_have_the_sandwich_of_statsmodels():
    drawn = two_models([4] * 60, 0.05, 0.3, seeded(5, "equal"), icc=0.4)
    fitted = sm.OLS(drawn.a - drawn.b, np.ones(240)).fit(cov_type="cluster", cov_kwds={"groups": drawn.groups})
    measured = difference_of(*drawn, MARGIN)
    share, mean = float(np.mean(drawn.a != drawn.b)), fitted.params[0]
    trials = worth(share, mean, fitted.bse[0], 4, 240)
    assert measured.se == pytest.approx(sqrt((share - mean**2) / trials))
    assert fitted.bse[0] < measured.se < 1.1 * fitted.bse[0]
    # Tango's interval of so many independent pairs; the t interval is nearly the same here.
    t = stats.t.ppf(0.975, 59)
    assert (measured.low, measured.high) == pytest.approx(score_interval(mean, share, trials, t))
    assert (measured.low, measured.high) == pytest.approx(mean + np.array([-1, 1]) * t * measured.se, abs=0.003)


def test_the_error_of_miller_stands_beside_and_is_the_sandwich(clustered):
    measured = difference_of(*clustered, MARGIN)
    fitted = sm.OLS(clustered.a - clustered.b, np.ones(300)).fit(
        cov_type="cluster", cov_kwds={"groups": clustered.groups, "use_correction": False}
    )
    assert measured.se_miller == pytest.approx(fitted.bse[0], rel=0.003)  # n - 1 for the items, and n for the pairs
    assert measured.se_miller < measured.se
    assert isnan(difference_of(*clustered, MARGIN, brief=True).se_miller)
    assert isnan(difference_of(np.array([]), np.array([]), np.array([], dtype=np.int64)).se_miller)


def test_groups_of_any_size_are_left_out_one_at_a_time(clustered):
    measured = difference_of(*clustered, MARGIN)
    apart, groups = clustered.a - clustered.b, clustered.groups
    without = np.array([apart[groups != group].mean() for group in range(100)])
    # CV3 centres on the mean of all items, not on the mean of the jackknife.
    jackknife = sqrt(99 / 100 * np.sum((without - apart.mean()) ** 2))
    share, mean = np.abs(apart).mean(), apart.mean()
    # A tenth of the 300 items is in five groups of six.
    assert measured.se == pytest.approx(sqrt((share - mean**2) / worth(share, mean, jackknife, 6, 300)))
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
    assert twice.p == once.p
    assert (twice.se, twice.low, twice.high) == pytest.approx((once.se, once.low, once.high), abs=0.001)
    assert twice.equivalent_p >= once.equivalent_p  # what one more group may hide is not known of groups
    assert twice.mcnemar_p < once.mcnemar_p


def test_means_of_runs_are_tested_by_signs_too():
    # Of 32 groups, two runs each, three differ: +1/2, +1 and -1/2 are 1, 2 and -1 halves.
    a, b = np.ones((32, 2)), np.ones((32, 2))
    b[0, 0] = b[1, 0] = b[1, 1] = a[2, 1] = 0
    measured = difference_of(a, b, np.arange(32), MARGIN)
    sums = [abs(x + 2 * y + z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    assert measured.p == np.mean([each >= 2 for each in sums])
    assert isnan(measured.mcnemar_p)
    assert "McNemar's test is for right and wrong, not for means of runs" in measured.aside
    # And one item more that differs by (1/4 + 1 + 1/4) / 2 = 3/4, the mean size of a difference by its weight.
    apart = (a - b).mean(axis=1)
    trials = (2 / 32 - 1 / 32**2 + 0.75 / 32) / (stats.sem(apart) ** 2 + (0.75 / 32) ** 2)
    expected = score_interval(1 / 32, 2 / 32, trials, stats.t.ppf(0.975, 31))
    assert (measured.low, measured.high) == pytest.approx(expected)


def test_groups_without_spread_have_no_interval_without_width_and_no_p_of_0():
    # Every group has one item that A alone has right and three that neither has: the difference is always 1/4.
    a = np.tile([1.0, 0, 0, 0], 20)
    measured = difference_of(a, np.zeros(80), np.repeat(np.arange(20), 4), 0.3)
    # 80 items of which 20 differ, and 4 more: (1/4 - 1/16 + 1/20) / (1/20)^2 = 95 pairs, which is more than 80.
    assert (measured.difference, measured.se) == (0.25, pytest.approx(sqrt(3 / 16 / 80)))
    assert (measured.low, measured.high) == pytest.approx(score_interval(0.25, 0.25, 80, stats.t.ppf(0.975, 19)))
    assert measured.equivalent_p > 0.2
    assert measured.note == ""
    cancelled = difference_of(np.tile([1.0, 0], 40), np.tile([0.0, 1], 40), np.repeat(np.arange(40), 2), MARGIN)
    assert (cancelled.difference, cancelled.p) == (0, 1)
    assert cancelled.low < -0.1 < 0.1 < cancelled.high
    assert cancelled.equivalent_p > 0.05
    assert cancelled.note.startswith("wide interval: fewer than 10 groups moved")
    same = difference_of(np.ones(80), np.ones(80), np.repeat(np.arange(20), 4), MARGIN)
    assert (same.difference, same.p, isnan(same.se)) == (0, 1, True)
    assert same.high == pytest.approx(-same.low)
    assert same.high > 0.15  # as 20 pairs that do not differ, and not 80
    assert same.note.endswith("no standard error: every item has the same difference")


def test_one_more_item_right_in_each_of_twenty_groups_is_better_by_every_number():
    # p was 2e-6 beside an interval from -1.6 to 43.2 points, with a standard error of 4.1.
    measured = difference_of(np.tile([1.0, 0, 0, 0, 0], 20), np.zeros(100), np.repeat(np.arange(20), 5), MARGIN)
    assert measured.p == 2 / 2**20
    # (.16 + .05) / .05^2 = 84 of 100 pairs.
    assert (measured.low, measured.high) == pytest.approx(score_interval(0.2, 0.2, 84, stats.t.ppf(0.975, 19)))
    assert 0.1 < measured.low < measured.high < 0.35
    assert measured.high - measured.low == pytest.approx(2 * stats.t.ppf(0.975, 19) * measured.se, rel=0.05)
    assert word_of(measured, measured.p, measured.equivalent_p) == "A better"


def small_designs():
    """Answers of groups that are few, unequal, hardly move, or move alike; some with several runs."""
    random = seeded(14, "small designs")
    while True:
        sizes = random.choice([1, 1, 2, 5, 10, 30], random.integers(6, 40)) * random.choice([1, 2, 5])
        groups = np.repeat(np.arange(len(sizes)), sizes)
        if not sufficient(groups):
            continue
        moved = (random.random(len(sizes)) < random.choice([0, 0.2, 0.5, 1]))[groups]
        way = random.choice([1, -1], len(sizes), p=[0.9, 0.1])[groups] * moved
        way *= random.random(len(groups)) < random.choice([0.2, 0.5, 1])
        runs = random.choice([1, 2, 3], 2, p=[0.8, 0.1, 0.1])
        noise = random.choice([0, 0.1])
        yield (
            *((np.tile(way[:, None] == sign, count) ^ (random.random((len(way), count)) < noise)).astype(np.float64)
              for sign, count in zip((1, -1), runs, strict=True)),
            groups,
        )  # fmt: skip


@pytest.mark.slow
def test_no_number_contradicts_another():
    words = {}
    for answers, _ in zip(small_designs(), range(400), strict=False):
        measured = difference_of(*answers, MARGIN)
        word = word_of(measured, measured.p, measured.equivalent_p)
        words[word] = words.get(word, 0) + 1
        assert -1 <= measured.low <= measured.difference <= measured.high <= 1
        assert measured.low < measured.high
        assert (measured.p <= 0.05) == (not measured.low <= 0 <= measured.high)
        assert (word in ("A better", "B better")) == (measured.p <= 0.05)
        if measured.p <= 0.05:
            assert word == ("A better" if measured.low > 0 else "B better")
        if not isnan(measured.se):
            width = stats.t.ppf(0.975, measured.effective_groups - 1) * measured.se
            assert max(measured.high - measured.difference, measured.difference - measured.low) > 0.45 * width
        back = difference_of(answers[1], answers[0], answers[2], MARGIN)
        assert (back.low, back.high, back.p) == pytest.approx((-measured.high, -measured.low, measured.p))
    assert words["A better"] > 100
    assert words["no difference shown"] > 50


def test_choices_of_runs_that_point_the_other_way_are_no_evidence():
    # Of two runs of A, one is better than B on half of the items, and the other as much worse: no difference.
    a = np.repeat([[1.0, 0.0]], 40, axis=0)
    b = np.repeat([[1.0], [0.0]], 20, axis=0)
    measured = difference_of(a, b, np.arange(40), MARGIN)
    assert (measured.difference, measured.p) == (0, 1)
    assert measured.low < 0 < measured.high


def test_fewer_groups_than_the_corrected_test_needs_find_nothing():
    # Seven groups that all move one way are 2 / 2 ** 7 = .016, which is at most .05 and more than .05 / 5.
    drawn = two_models([20] * 7, 0.3, 0.4, seeded(15, "seven"))
    assert difference_of(*drawn, MARGIN).detectable < 1
    assert isnan(difference_of(*drawn, MARGIN, tests=5).detectable)


def test_what_is_undefined_is_nan_with_its_reason():
    empty = difference_of(*vectors(0, 0, 0, 0), MARGIN)
    assert (empty.items, empty.note) == (0, "INCONCLUSIVE: no pairs of answers")
    assert all(isnan(value) for value in (empty.a, empty.p, empty.se, empty.equivalent_p))
    five = difference_of(*vectors(0, 4, 1, 0), MARGIN)
    assert (five.items, five.difference, five.se) == (5, pytest.approx(0.6), pytest.approx(0.4))
    undefined = (five.low, five.high, five.p, five.mcnemar_p, five.equivalent_p, five.detectable)
    assert all(isnan(value) for value in undefined)  # a t interval would reach to 171 points
    assert five.note == "INCONCLUSIVE: fewer than 30 pairs of answers, so no test and no interval"
    a, b, _ = vectors(30, 5, 1, 0)
    single = difference_of(a, b, np.zeros(36, dtype=np.int64), MARGIN)
    assert all(isnan(value) for value in (single.se, single.low, single.p, single.equivalent_p, single.detectable))
    assert single.note.startswith("INCONCLUSIVE: fewer than 6 independent groups")
    perfect = difference_of(*vectors(36, 4, 0, 0), MARGIN)
    assert isnan(perfect.correlation)
    assert (perfect.note, perfect.aside) == ("", "no correlation: a side has the same score on every item")
    always = difference_of(*vectors(0, 40, 0, 0), MARGIN)
    assert (always.difference, always.equivalent_p, always.high) == (1, 1, 1)
    assert 0.8 < always.low < 1


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
