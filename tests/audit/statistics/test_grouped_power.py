"""The power of the sign-flip test over few groups: by statsmodels, by all signs of normal numbers, and by counting."""

from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.statistics.power import Alternative, noncentrality, shift_of_groups


@pytest.mark.parametrize("groups", [60, 200])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_many_groups_need_what_the_t_test_needs(groups, alpha):
    needed = TTestPower().solve_power(nobs=groups, alpha=alpha, power=0.8) * sqrt(groups)
    assert noncentrality(groups, alpha) == pytest.approx(needed, abs=0.002)


@pytest.mark.parametrize(("groups", "alpha"), [(6, 0.05), (7, 0.05), (8, 0.05), (10, 0.05), (8, 0.01), (10, 0.01)])
def test_few_groups_find_it_80_times_in_100(groups, alpha):
    random = seeded(1, "few groups", groups)
    drawn = random.standard_normal((1500, groups)) + noncentrality(groups, alpha) / sqrt(groups)
    signs = 1 - 2 * ((np.arange(2**groups)[:, None] >> np.arange(groups)) & 1)
    sums = drawn @ signs.T
    p = 2 * np.mean(sums >= sums[:, :1] - 1e-9, axis=1)
    assert np.mean(p <= alpha) == pytest.approx(0.8, abs=0.05)


def test_too_few_groups_find_nothing():
    assert isnan(noncentrality(5.9, 0.05))
    assert isnan(noncentrality(7, 0.01))
    assert not isnan(noncentrality(6, 0.05))


def always(variance, differing, *, one_way=False, step=1.0):
    return lambda shift: Alternative(variance, max(differing, shift), one_way, step)


def test_the_variance_counts_times_the_design_effect():
    alone = shift_of_groups(3000, 1, 0.0, 0.05, always(0.2, 0.2, step=0.0))
    assert alone == pytest.approx(2.8 * sqrt(0.2 / 3000), rel=0.002)
    grouped = shift_of_groups(3000, 3, 0.5, 0.05, always(0.2, 0.2, step=0.0))
    assert grouped == pytest.approx(sqrt(2) * alone, rel=0.002)
    # A tie costs an item, and as many as move together.
    assert shift_of_groups(3000, 3, 0.5, 0.05, always(0.2, 0.2)) - grouped == pytest.approx(2 / 3000)


def test_as_many_groups_have_to_move_as_the_test_needs():
    # All one way: 10 coins of which 6 show heads in 80 of 100 throws, by the binomial distribution.
    share = shift_of_groups(10, 1, 0.0, 0.05, always(0.0, 0.0, one_way=True))
    assert stats.binom.sf(5, 10, share) == pytest.approx(0.8, abs=0.001)
    whole = shift_of_groups(100, 10, 1.0, 0.05, always(0.0, 0.0, one_way=True))
    assert whole == pytest.approx(share)
    # Items of a group that are independent move it if any of them differs.
    some = shift_of_groups(100, 10, 0.0, 0.05, always(0.0, 0.0, one_way=True))
    assert 1 - (1 - some) ** 10 == pytest.approx(share)
    # Between the two by the beta-binomial distribution.
    between = shift_of_groups(100, 10, 0.3, 0.05, always(0.0, 0.0, one_way=True))
    strength = 0.7 / 0.3
    assert stats.betabinom.pmf(0, 10, between * strength, (1 - between) * strength) == pytest.approx(1 - share)
    assert some < between < whole
