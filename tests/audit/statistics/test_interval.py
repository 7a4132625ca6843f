"""Intervals that say of 0 what the exact test says."""

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.statistics.paired_tests import agreeing_interval, score_interval, score_statistic

Z = stats.norm.isf(0.025)


def test_where_both_agree_it_is_the_score_interval():
    assert agreeing_interval(0.1, 0.2, 100, Z, 0.04) == score_interval(0.1, 0.2, 100, Z)
    assert agreeing_interval(0.03, 0.2, 100, Z, 0.6) == score_interval(0.03, 0.2, 100, Z)
    assert agreeing_interval(0.0, 0.2, 100, Z, 1.0) == score_interval(0.0, 0.2, 100, Z)


@pytest.mark.parametrize(("p", "trials"), [(0.0501, 500), (0.2, 500), (1.0, 500)])
def test_an_end_that_p_does_not_bear_out_goes_as_far_as_p_is_unsure(p, trials):
    plain = score_interval(0.1, 0.2, trials, Z)
    low, high = agreeing_interval(0.1, 0.2, trials, Z, p)
    assert low <= 0 < plain[0]
    assert high == plain[1]
    assert agreeing_interval(-0.1, 0.2, trials, Z, p) == (-high, -low)
    if p < 1:
        # For so many pairs that the score test at 0 has this p, the end is where that of the end is .05.
        pairs = 0.2 * (stats.norm.isf(p / 2) / 0.1) ** 2
        assert 2 * stats.norm.sf(score_statistic(0.1, 0.2, pairs, 0.0)) == pytest.approx(p)
        assert score_statistic(0.1, 0.2, pairs, low) == pytest.approx(Z, abs=1e-6)


@pytest.mark.parametrize(("p", "trials"), [(0.03, 40), (0.0499, 40), (1e-6, 40), (0.0, 3)])
def test_an_end_that_p_leaves_out_goes_to_0_and_no_farther(p, trials):
    plain = score_interval(0.1, 0.2, trials, Z)
    low, high = agreeing_interval(0.1, 0.2, trials, Z, p)
    assert plain[0] < 0 < low < 1e-6
    assert high == plain[1]
    assert agreeing_interval(-0.1, 0.2, trials, Z, p) == (-high, -low)


def test_every_number_of_moved_groups_agrees():
    for total in range(1, 40):
        for ahead in range(total + 1):
            p = stats.binomtest(ahead, total).pvalue
            low, high = agreeing_interval((2 * ahead - total) / 60, total / 60, 25, stats.t.ppf(0.975, 24), p)
            assert (low > 0 or high < 0) == (p <= 0.05)
            assert low <= (2 * ahead - total) / 60 <= high
            assert np.isfinite([low, high]).all()
