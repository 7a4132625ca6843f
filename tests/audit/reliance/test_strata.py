"""The difference between the parts, overall and among like items, beside least squares and by hand."""

import numpy as np
import pytest
import statsmodels.api as statsmodels

from audit.reliance.estimate import GroupedEstimate, combined, difference
from audit.reliance.strata import crossed, stratified, within


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


def test_a_part_without_items_gives_nothing():
    right, probe, groups, _ = made()
    assert stratified(right, np.ones_like(probe), groups) is None
    undefined = difference(None, "why")
    assert (undefined.estimate, undefined.p, undefined.reason) == (None, None, "why")


def test_one_large_group_gives_no_error():
    right, probe, _, _ = made()
    assert stratified(right, probe, np.zeros(len(right), dtype=int)) is None


def test_detectable_is_reckoned_with_nine_times_in_ten():
    from scipy.stats import t

    right, probe, groups, _ = made()
    record = difference(stratified(right, probe, groups))
    critical = t.ppf(0.95, record.degrees) * record.se
    # Shifted by `detectable`, the estimate exceeds the critical value with 90 %: simulated studies find a little less.
    assert t.sf((critical - record.detectable) / record.se, record.degrees) == pytest.approx(0.9)


def test_crossed_strata_tell_all_pairs_apart():
    assert len(np.unique(crossed(np.array([0, 0, 1, 1]), np.array([5, 9, 5, 9])))) == 4
    assert within(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 7])).tolist() == [-1.0, 1.0, 0.0]


@pytest.mark.parametrize("until", [0.0, 0.2, 0.3, 0.4, np.inf])
def test_detectable_is_the_first_number_that_is_found_step_by_step(until):
    random = np.random.default_rng(3)
    halves = [random.normal(0, 0.012, (4, 40)) for _ in range(2)]
    estimates = [
        GroupedEstimate(0.05, contributions, 39, steep + 0.07, until, flat + 0.01)
        for contributions, steep, flat, _ in halves
    ]
    both = combined(estimates, [2, 1])
    shares = [2 / 3, 1 / 3]
    without = np.concatenate(
        [share * (each.contributions - 0.05 * each.growth) for share, each in zip(shares, estimates, strict=True)]
    )
    steps = np.arange(0, 1, 1e-4)
    growths = [
        np.concatenate([share * each for share, each in zip(shares, of, strict=True)])
        for of in ([each.growth for each in estimates], [each.after for each in estimates])
    ]
    lies = [
        step - 1.3 * np.linalg.norm(without) >= 2.5 * np.linalg.norm(without + step * growths[int(step >= until)])
        for step in steps
    ]
    assert both.detectable(2.5, 1.3) == pytest.approx(steps[np.argmax(lies)], abs=2e-4)
