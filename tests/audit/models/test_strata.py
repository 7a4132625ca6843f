"""The difference between the parts, overall and among like items, beside least squares and by hand."""

import numpy as np
import pytest
import statsmodels.api as statsmodels

from hansproof.audit.models.reliance.estimate import (
    GroupedEstimate,
    average,
    contrast,
    crossed,
    difference,
    of_items,
    stratified,
    within,
)


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
    assert stratified(right, probe, groups).value == pytest.approx(expected)


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
    once = stratified(right, probe, np.arange(len(right)))
    copied = stratified(np.repeat(right, 5), np.repeat(probe, 5), np.repeat(np.arange(len(right)), 5))
    assert copied.value == pytest.approx(once.value)
    assert copied.se == pytest.approx(once.se, rel=0.01)
    assert copied.degrees == pytest.approx(once.degrees)


def test_a_mean_has_the_error_of_leaving_out_one_group_at_a_time():
    values, groups = np.array([0.3, 0.1, 0.9, 0.4, 0.7, 0.2]), np.array([0, 1, 2, 2, 2, 3])
    estimate = of_items(values.mean(), (values - values.mean()) / 6, groups, np.ones(6))
    without = [values[groups != group].mean() for group in range(4)]
    assert estimate.contributions == pytest.approx(values.mean() - np.array(without))
    assert estimate.degrees == pytest.approx(6**2 / (1 + 1 + 9 + 1) - 1)


def test_a_mean_of_estimates_has_the_degrees_of_the_worst_of_them():
    worse, better = (GroupedEstimate(value, np.array([value, 0.2]), 4 * value) for value in (1.0, 3.0))
    for estimate in (average([worse, better]), contrast([better, worse], [0.5, 0.5])):
        assert (estimate.value, estimate.degrees, estimate.contributions.tolist()) == (2.0, 4.0, [2.0, 0.2])


def test_a_part_without_items_gives_nothing():
    right, probe, groups, _ = made()
    assert stratified(right, np.ones_like(probe), groups) is None
    undefined = difference(None, "why")
    assert (undefined.estimate, undefined.p, undefined.reason) == (None, None, "why")


def test_one_large_group_gives_no_error():
    right, probe, _, _ = made()
    assert stratified(right, probe, np.zeros(len(right), dtype=int)) is None


def test_crossed_strata_tell_all_pairs_apart():
    assert len(np.unique(crossed(np.array([0, 0, 1, 1]), np.array([5, 9, 5, 9])))) == 4
    assert within(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 7])).tolist() == [-1.0, 1.0, 0.0]
