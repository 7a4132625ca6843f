"""The advantage over the best constant: its value, interval, bound and p, confirmed by a second way."""

import numpy as np
import pytest
from scipy.stats import beta, binomtest
from scipy.stats import t as student
from statsmodels.stats.contingency_tables import mcnemar

from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.strategy_crossfit import advantages, refitted, sign_flips


def measured(right, constant, groups=None, stretch=None, flips=999):
    right, constant = np.atleast_2d(np.array(right, dtype=float)), np.array(constant, dtype=float)
    groups = np.arange(len(constant)) if groups is None else groups
    stretch = np.ones(len(right)) if stretch is None else stretch
    return advantages(
        right, constant, groups, stretch, leak_alpha=0.025, flips=flips, draws=seeded(1, "d"), signs=seeded(1, "s")
    )


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
    half = (beyond.high - beyond.value)[0]
    # The t of somewhat fewer degrees of freedom (groups of unequal sizes), and G / (G - 1) for the mean of the groups.
    assert half == pytest.approx(fit.bse[0] * np.sqrt(150 / 149) * student.ppf(0.975, degrees), rel=0.02)


def test_95_percent_intervals_over_groups_hold_the_truth_about_95_times_in_100():
    held = 0
    for seed in range(300):
        right, constant, groups = unequal_groups(seed, 60)
        beyond = measured(right, constant, groups, flips=1)
        held += beyond.low[0] <= (0.4 - 0.1) / 0.9 <= beyond.high[0]
    assert 0.91 <= held / 300 <= 0.985


def test_what_learns_has_a_wider_interval():
    right, constant = answers(200, 0.5, 0.2)
    both = measured([right, right], constant, stretch=np.array([1.0, refitted(5)]))
    assert refitted(5) == pytest.approx(1.5)
    assert (both.high - both.value)[1] == pytest.approx(1.5 * (both.high - both.value)[0])


def test_without_a_hit_the_upper_end_is_the_exact_one():
    beyond = measured(np.zeros(100), np.zeros(100))
    assert beyond.high[0] == pytest.approx(beta.ppf(0.975, 1, 100), abs=1e-6)  # .036
    assert beyond.high[0] == pytest.approx(binomtest(0, 100).proportion_ci(method="exact").high)


def test_without_an_error_the_lower_end_is_the_exact_one():
    beyond = measured(np.ones(50), np.zeros(50))
    assert beyond.low[0] == pytest.approx(binomtest(50, 50).proportion_ci(method="exact").low)  # .929
    assert beyond.high[0] == 1.0


def test_flipping_signs_is_mcnemars_exact_test():
    # 12 items that only the strategy gets right, 3 that only the constant does: one-sided p = P(B(15, 1/2) >= 12)
    right, constant = np.zeros(100), np.zeros(100)
    right[:12], constant[12:15] = 1, 1
    p, corrected = sign_flips(np.atleast_2d(right - constant), np.arange(100), [1.0], 20_000, seeded(2, "signs"))
    assert p[0] == corrected[0]
    assert p[0] == pytest.approx(binomtest(12, 15, alternative="greater").pvalue, abs=0.004)
    assert p[0] == pytest.approx(mcnemar([[0, 12], [3, 85]], exact=True).pvalue / 2, abs=0.004)


def test_four_groups_can_never_show_more_than_one_in_sixteen():
    p, _ = sign_flips(np.ones((1, 40)), np.repeat(np.arange(4), 10), [1.0], 9_999, seeded(2, "signs"))
    assert p[0] == pytest.approx(1 / 16, abs=0.01)


def test_the_best_of_many_useless_strategies_is_not_significant():
    # 40 strategies and a constant that are right for 5 % each, 200 audits: at most 5 % may be significant
    random = np.random.RandomState(3)
    false = 0
    for audit in range(200):
        right = (random.rand(40, 150) < 0.05).astype(float)
        constant = (random.rand(150) < 0.05).astype(float)
        _, corrected = sign_flips(right - constant, np.arange(150), np.ones(40), 199, seeded(audit, "signs"))
        false += corrected.min() < 0.05
    assert false <= 18  # 10 are expected; 18 or more come up once in a hundred


def test_the_bound_allows_for_the_number_of_strategies():
    pairs = [answers(300, 0.35, 0.1, seed) for seed in range(20)]
    alone = measured(pairs[0][0], pairs[0][1])
    many = measured([right for right, _ in pairs], pairs[0][1])
    assert many.bound[0] < alone.bound[0] < alone.value[0]


def test_one_group_has_no_interval():
    beyond = measured(np.ones(40), np.zeros(40), np.zeros(40, dtype=np.int64))
    assert not np.isfinite(beyond.bound).any()
