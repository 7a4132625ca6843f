"""The difference between the parts, overall and among like items, beside least squares and by hand."""

import numpy as np
import pytest
import statsmodels.api as statsmodels
from scipy import stats

from hansproof.audit.models.reliance.pairs import (
    GroupedEstimate,
    combined,
    crossed,
    never_varies,
    of_items,
    recorded,
    stratified,
    upper_p,
    within,
)

ONE = np.zeros(240, dtype=int)
"""A single stratum."""


def made(seed=0, n=240):
    random = np.random.default_rng(seed)
    groups = np.arange(n) // 3
    probe = (random.random(n) < 0.6).astype(float)
    strata = random.integers(0, 4, n)
    right = (random.random(n) < 0.3 + 0.2 * probe + 0.1 * strata).astype(float)
    return right, probe, groups, strata


def test_without_strata_it_is_the_plain_difference():
    right, probe, groups, _ = made()
    expected = right[probe == 1].mean() - right[probe == 0].mean()
    assert stratified(right, probe, groups, ONE).value == pytest.approx(expected)


def test_with_strata_it_is_mantel_and_haenszels_difference_of_shares():
    right, probe, groups, strata = made()
    weights, differences = [], []
    for stratum in range(4):
        of = strata == stratum
        ones, zeros = right[of & (probe == 1)], right[of & (probe == 0)]
        weights.append(len(ones) * len(zeros) / (len(ones) + len(zeros)))
        differences.append(ones.mean() - zeros.mean())
    assert stratified(right, probe, groups, strata).value == pytest.approx(np.average(differences, weights=weights))


def test_value_and_error_agree_with_least_squares_with_clusters():
    right, probe, groups, strata = made()
    design = np.column_stack([probe, np.eye(4)[strata]])
    fit = statsmodels.OLS(right, design).fit(cov_type="cluster", cov_kwds={"groups": groups})
    estimate = stratified(right, probe, groups, strata)
    assert estimate.value == pytest.approx(fit.params[0])
    assert estimate.se == pytest.approx(fit.bse[0], rel=0.03)


def test_items_of_a_group_count_as_one():
    right, probe, _, _ = made()
    once = stratified(right, probe, np.arange(len(right)), ONE)
    copied = stratified(
        np.repeat(right, 5), np.repeat(probe, 5), np.repeat(np.arange(len(right)), 5), np.repeat(ONE, 5)
    )
    assert copied.value == pytest.approx(once.value)
    assert copied.se == pytest.approx(once.se, rel=0.01)
    assert copied.degrees == pytest.approx(once.degrees)


def test_a_mean_has_the_error_of_leaving_out_one_group_at_a_time():
    values, groups = np.array([0.3, 0.1, 0.9, 0.4, 0.7, 0.2]), np.array([0, 1, 2, 2, 2, 3])
    estimate = of_items(values.mean(), (values - values.mean()) / 6, groups, np.ones(6))
    without = [values[groups != group].mean() for group in range(4)]
    assert estimate.contributions == pytest.approx(values.mean() - np.array(without))
    assert estimate.degrees == pytest.approx(6**2 / (1 + 1 + 9 + 1) - 1)


def test_benchmarks_are_weighted_by_precision_with_the_degrees_of_welch_and_satterthwaite():
    first, second = (GroupedEstimate(value, np.array([error, 0.0]), degrees) for value, error, degrees in
                     ((0.1, 0.01, 9.0), (0.4, 0.02, 4.0)))  # fmt: skip
    both = combined([first, second])
    assert both.value == pytest.approx((4 * 0.1 + 0.4) / 5)
    assert both.se == pytest.approx((1 / (1e4 + 2500)) ** 0.5)
    parts = [(0.8 * 0.01) ** 2, (0.2 * 0.02) ** 2]
    assert both.degrees == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 9 + parts[1] ** 2 / 4))
    assert combined([]) is None


def test_an_interval_is_students_and_its_p_agrees_with_it():
    estimate = GroupedEstimate(0.05, np.array([0.02, 0.01]), 7.0)
    record = recorded(estimate)
    assert (record.low, record.high) == pytest.approx(stats.t.interval(0.95, 7.0, 0.05, record.se))
    assert upper_p(estimate) == pytest.approx(2 * stats.t.sf(0.05 / record.se, 7.0))
    assert upper_p(GroupedEstimate(-0.05, estimate.contributions, 7.0)) == 1.0
    assert (recorded(GroupedEstimate(0.9, np.array([0.3]), 7.0)).high, record.reason) == (1.0, "")


def test_a_part_without_items_gives_nothing():
    right, probe, groups, strata = made()
    assert stratified(right, np.ones_like(probe), groups, strata) is None
    undefined = recorded(None, "why")
    assert (undefined.estimate, undefined.low, undefined.reason) == (None, None, "why")


def test_one_large_group_and_numbers_that_do_not_vary_give_no_error():
    right, probe, groups, strata = made()
    assert stratified(right, probe, np.zeros(len(right), dtype=int), strata) is None
    assert stratified(np.zeros(len(right)) + 0.1, probe, groups, strata) is None
    assert never_varies(strata.astype(float), strata)
    assert not never_varies(right, strata)


def test_crossed_strata_tell_all_pairs_apart():
    assert len(np.unique(crossed(np.array([0, 0, 1, 1]), np.array([5, 9, 5, 9])))) == 4
    assert within(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 7])).tolist() == [-1.0, 1.0, 0.0]
