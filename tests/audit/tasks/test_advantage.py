"""The advantage over the best constant: its value, interval, bound and p, confirmed by a second way."""

import numpy as np
import pytest
from scipy.stats import binomtest
from scipy.stats import t as student

from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.attempts import advantages, refitted


def measured(right, constant, groups=None, stretch=None, seed=1):
    right, constant = np.atleast_2d(np.array(right, dtype=float)), np.array(constant, dtype=float)
    groups = np.arange(len(constant)) if groups is None else groups
    stretch = np.ones(len(right)) if stretch is None else stretch
    return advantages(right, constant, groups, stretch, leak_alpha=0.025, random=seeded(seed, "d"))


def answers(n, a, c, seed=0):
    random = np.random.RandomState(seed)
    return (random.rand(n) < a).astype(float), (random.rand(n) < c).astype(float)


def test_the_advantage_is_kappa_with_the_constant_for_chance():
    # 60 of 100 against 20 of 100: (.6 - .2) / (1 - .2) = .5
    beyond = measured(np.arange(100) < 60, np.arange(100) >= 80)
    assert beyond.value == pytest.approx([0.5])
    assert measured(np.ones(50), np.ones(50)).value == pytest.approx([np.nan], nan_ok=True)


def test_the_interval_is_that_of_the_bootstrap():
    right, constant = answers(400, 0.5, 0.2)
    beyond = measured(right, constant)
    random = np.random.RandomState(1)
    draws = random.randint(0, 400, (4000, 400))
    boot = (right[draws].mean(1) - constant[draws].mean(1)) / (1 - constant[draws].mean(1))
    assert [beyond.low[0], beyond.high[0]] == pytest.approx(np.quantile(boot, [0.025, 0.975]), abs=0.012)


def test_items_of_one_group_count_once():
    right, constant = answers(100, 0.5, 0.2)
    alone = measured(right, constant)
    copies = measured(np.repeat(right, 9), np.repeat(constant, 9), np.repeat(np.arange(100), 9))
    assert copies.value == pytest.approx(alone.value)
    assert copies.high - copies.low == pytest.approx(alone.high - alone.low, rel=0.03)
    apart = measured(np.repeat(right, 9), np.repeat(constant, 9))
    assert (apart.high - apart.low)[0] < 0.4 * (alone.high - alone.low)[0]


def unequal_groups(seed=5, count=150):
    """Groups of 1 to 8 items whose items mostly agree, and a constant that is right for a tenth."""
    random = np.random.RandomState(seed)
    size = random.randint(1, 9, count)
    groups = np.repeat(np.arange(count), size)
    right = np.where(random.rand(len(groups)) < 0.8, (random.rand(count) < 0.4)[groups], random.rand(len(groups)) < 0.4)
    return right.astype(float), (random.rand(len(groups)) < 0.1).astype(float), groups


def test_the_interval_over_groups_is_that_of_the_bootstrap_of_groups():
    right, constant, groups = unequal_groups()
    beyond = measured(right, constant, groups)
    random = np.random.RandomState(1)
    sums = np.stack([np.bincount(groups, weights=row) for row in (right, constant, np.ones(len(groups)))])
    drawn = sums[:, random.randint(0, 150, (4000, 150))].sum(axis=2)
    boot = (drawn[0] - drawn[1]) / (drawn[2] - drawn[1])
    assert [beyond.low[0], beyond.high[0]] == pytest.approx(np.quantile(boot, [0.025, 0.975]), abs=0.015)
    alone = measured(right, constant)
    assert (alone.high - alone.low)[0] < 0.75 * (beyond.high - beyond.low)[0]


def test_the_error_over_groups_is_that_of_a_cluster_robust_regression():
    import statsmodels.api as sm

    right, _, groups = unequal_groups()
    beyond = measured(right, np.zeros(len(right)), groups)  # the constant is never right: the advantage is the share
    fit = sm.OLS(right, np.ones(len(right))).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    degrees = 150 - 1
    half = (beyond.value - beyond.low)[0]
    # The t of somewhat fewer degrees of freedom (groups of unequal sizes), and G / (G - 1) for the mean of the groups.
    assert half == pytest.approx(fit.bse[0] * np.sqrt(150 / 149) * student.ppf(0.975, degrees), rel=0.02)


def test_95_percent_intervals_over_groups_hold_the_truth_about_95_times_in_100():
    held = 0
    for seed in range(300):
        right, constant, groups = unequal_groups(seed, 60)
        beyond = measured(right, constant, groups)
        held += beyond.low[0] <= (0.4 - 0.1) / 0.9 <= beyond.high[0]
    assert 0.91 <= held / 300 <= 0.985


def test_what_learns_has_a_wider_interval():
    right, constant = answers(200, 0.5, 0.2)
    both = measured([right, right], constant, stretch=np.array([1.0, refitted(5)]))
    assert refitted(5) == pytest.approx(1.5)
    assert (both.high - both.value)[1] == pytest.approx(1.5 * (both.high - both.value)[0])


def test_without_a_hit_the_upper_end_is_that_of_the_score_interval():
    beyond = measured(np.zeros(100), np.zeros(100))
    assert beyond.high[0] == pytest.approx(binomtest(0, 100).proportion_ci(method="wilson").high)  # .037
    exact = binomtest(0, 100).proportion_ci(method="exact").high  # .036
    assert beyond.high[0] == pytest.approx(exact, abs=0.002)


def test_without_an_error_the_lower_end_is_the_exact_one():
    beyond = measured(np.ones(50), np.zeros(50))
    assert beyond.low[0] == pytest.approx(binomtest(50, 50).proportion_ci(method="exact").low)  # .929
    assert beyond.high[0] == 1.0


def test_p_is_that_of_a_cluster_robust_regression_of_the_differences():
    import statsmodels.api as sm

    right, constant, groups = unequal_groups(count=60)
    constant = np.maximum(constant, right * (groups % 2))  # a small difference
    beyond = measured(right, constant, groups)
    fit = sm.OLS(right - constant, np.ones(len(right))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    assert 0.01 < fit.pvalues[0] < 0.2
    assert beyond.p[0] == pytest.approx(fit.pvalues[0], rel=0.25)


@pytest.mark.parametrize("seed", range(12))
def test_p_is_below_5_percent_exactly_where_the_bound_is_above_0_and_then_the_interval_is_too(seed):
    random = np.random.RandomState(seed)
    right = random.rand(6, 80) < np.linspace(0.1, 0.35, 6)[:, None]
    beyond = measured(right, random.rand(80) < 0.1, np.arange(80) // 2, np.repeat([1.0, 1.5], 3), seed)
    assert np.array_equal(beyond.p < 0.05, beyond.bound > 0)
    assert (beyond.low[beyond.p < 0.05] > 0).all()


def test_few_groups_show_little_however_often_a_strategy_is_right_in_them():
    right = np.repeat([1.0, 1.0, 1.0, 0.0], 10)
    few, many = (measured(right, np.zeros(40), groups) for groups in (np.arange(40) // 10, np.arange(40)))
    assert few.p[0] == pytest.approx(2 * student.sf(3, 3), abs=0.003)  # t = .75 / .25 with 3 degrees: .058
    assert few.p[0] > 0.05 > many.p[0]
    assert few.low[0] < 0 < many.low[0]


def test_no_number_is_below_minus_one():
    # The constant is right for 80 of 100, the strategy for none: (0 - .8) / .2 = -4
    beyond = measured(np.zeros(100), np.arange(100) < 80)
    assert (beyond.value[0], beyond.low[0], beyond.bound[0], beyond.p[0]) == (-1, -1, -1, 1)
    assert beyond.high[0] == -1


def test_the_best_of_many_useless_strategies_is_not_significant():
    # 40 strategies and a constant that are right for 5 % each, 200 audits: at most 5 % may be significant
    random = np.random.RandomState(3)
    false = 0
    for audit in range(200):
        right = (random.rand(40, 150) < 0.05).astype(float)
        constant = (random.rand(150) < 0.05).astype(float)
        false += measured(right, constant, seed=audit).p.min() < 0.05
    assert false <= 18  # 10 are expected; 18 or more come up once in a hundred


def test_the_bound_allows_for_the_number_of_strategies():
    pairs = [answers(300, 0.35, 0.1, seed) for seed in range(20)]
    alone = measured(pairs[0][0], pairs[0][1])
    many = measured([right for right, _ in pairs], pairs[0][1])
    assert many.bound[0] < alone.bound[0] < alone.value[0]


def test_one_group_has_no_interval():
    beyond = measured(np.ones(40), np.zeros(40), np.zeros(40, dtype=np.int64))
    assert beyond.value[0] == beyond.p[0] == 1
    assert not np.isfinite([beyond.low[0], beyond.high[0], beyond.bound[0]]).any()
