"""Pairs needed for a shift, and the shift that pairs find, held against the power of the test itself."""

from math import inf, isnan

import numpy as np
import pytest
from scipy import stats

from audit.responses.hypotheses.mcnemar import shift_test
from audit.responses.hypotheses.power import pairs_needed, shift_found


def power(pairs, shift, discordant, expects):
    """How often the test finds a shift, summed over all counts of discordant pairs."""
    total = 0.0
    after = (discordant + shift) / 2 / discordant
    for n in range(pairs + 1):
        weight = stats.binom.pmf(n, pairs, discordant)
        if weight > 1e-9:
            k = np.arange(n + 1)
            rejected = [shift_test(n - int(each), int(each), expects).p <= 0.05 for each in k]
            total += weight * stats.binom.pmf(k[rejected], n, after).sum()
    return total


@pytest.mark.parametrize(("shift", "discordant", "expects"), [(0.25, 0.4, "better"), (0.25, 0.4, "either")])
def test_so_many_pairs_have_the_power_that_is_promised(shift, discordant, expects):
    pairs = pairs_needed(shift, discordant, two_sided=expects == "either")
    assert power(pairs, shift, discordant, expects) == pytest.approx(0.8, abs=0.04)


def test_the_worked_formula():
    # 1.6449 sqrt(.2) + .8416 sqrt(.2 - .0025) = 1.10963; (1.10963 / .05)^2 = 492.5
    assert pairs_needed(0.05, 0.2, two_sided=False) == 493
    assert pairs_needed(-0.05, 0.2, two_sided=False) == 493
    # 1.9600 instead of 1.6449: (1.25054 / .05)^2 = 625.5
    assert pairs_needed(0.05, 0.2, two_sided=True) == 626


def test_the_smallest_shift_is_the_inverse():
    for pairs, two_sided in ((100, True), (493, False), (10_000, True)):
        shift = shift_found(pairs, 0.3, two_sided)
        assert pairs_needed(shift, 0.3, two_sided) == pytest.approx(pairs, abs=1)


def test_where_no_shift_can_be_found_nothing_is_invented():
    assert pairs_needed(0.0, 0.2, two_sided=False) == inf
    assert isnan(pairs_needed(0.3, 0.2, two_sided=False))  # 20 % of discordant pairs cannot shift 30 points
    assert isnan(shift_found(3, 0.3, two_sided=True))
    assert isnan(shift_found(100, 0.0, two_sided=True))
    assert isnan(shift_found(0, float("nan"), two_sided=True))
