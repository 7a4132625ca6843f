"""Pairs needed for a shift, and the shift that pairs find, held against the power of the test itself."""

from math import inf, isnan

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.models.hypotheses import shift_test
from hansproof.audit.statistics.power import pairs_needed, shift_found


def power(pairs, shift, discordant, expects):
    """How often the test finds a shift, summed over all counts of discordant pairs."""
    total = 0.0
    after = (discordant + shift) / 2 / discordant
    for n in range(pairs + 1):
        weight = stats.binom.pmf(n, pairs, discordant)
        if weight > 1e-9:
            k = np.arange(n + 1)
            rejected = [shift_test([-1] * (n - int(each)) + [1] * int(each), expects).p <= 0.05 for each in k]
            total += weight * stats.binom.pmf(k[rejected], n, after).sum()
    return total


@pytest.mark.slow
@pytest.mark.parametrize("expects", ["better", "either"])
@pytest.mark.parametrize(
    ("shift", "discordant"), [(0.25, 0.4), (0.1, 0.2), (0.05, 0.1), (0.05, 0.06), (0.1, 0.1), (0.05, 0.0), (0.2, 0.02)]
)
def test_so_many_pairs_have_the_power_that_is_promised(shift, discordant, expects):
    pairs = pairs_needed(shift, discordant, two_sided=expects == "either")
    assert 0.75 < power(pairs, shift, max(shift, discordant), expects) < 0.84


def test_drawn_pairs_are_found_as_often_as_promised():
    # 70 % right before and 80 % after the change, independently: .3 * .8 + .7 * .2 = .38 are discordant.
    pairs = pairs_needed(0.1, 0.38, two_sided=False)
    rng = np.random.Generator(np.random.PCG64(3))
    before, after = rng.random((2_000, pairs)) < 0.7, rng.random((2_000, pairs)) < 0.8
    n12, n21 = (before & ~after).sum(1), (after & ~before).sum(1)
    p = [shift_test([-1] * int(a) + [1] * int(b), "better").p for a, b in zip(n12, n21, strict=True)]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.8, abs=0.03)


def test_the_worked_formula():
    # 1.6449 sqrt(.2) + .8416 sqrt(.2 - .0025) = 1.10963; (1.10963 / .05)^2 = 492.5
    assert pairs_needed(0.05, 0.2, two_sided=False) == 493
    assert pairs_needed(-0.05, 0.2, two_sided=False) == 493
    # 1.9600 instead of 1.6449: (1.25054 / .05)^2 = 625.5
    assert pairs_needed(0.05, 0.2, two_sided=True) == 626


def test_the_smallest_shift_is_the_inverse():
    for discordant in (0.3, 0.05, 0.0):
        for pairs, two_sided in ((100, True), (493, False), (10_000, True)):
            shift = shift_found(pairs, discordant, two_sided)
            assert pairs_needed(shift, discordant, two_sided) == pytest.approx(pairs, abs=1)


def test_a_model_that_is_always_right_could_have_shown_a_shift():
    # 134 pairs of which 5 % become discordant have five of them with 80 % power: P(X <= 4) = .195 for X ~ B(134, .05).
    assert pairs_needed(0.05, 0.0, two_sided=False) == 134
    assert stats.binom.cdf(4, 134, 0.05) <= 0.2 < stats.binom.cdf(4, 133, 0.05)
    assert shift_found(134, 0.0, two_sided=False) == pytest.approx(0.05, abs=1e-3)


def test_where_no_shift_can_be_found_nothing_is_invented():
    assert pairs_needed(0.0, 0.2, two_sided=False) == inf
    assert isnan(pairs_needed(0.3, float("nan"), two_sided=False))
    assert isnan(shift_found(4, 0.3, two_sided=False))  # four pairs one way: p = 1 / 16
    assert shift_found(5, 0.3, two_sided=False) > 0.9
    assert isnan(shift_found(5, 0.3, two_sided=True))
    assert isnan(shift_found(0, float("nan"), two_sided=True))


@pytest.mark.parametrize("discordant", [0.0, 0.05, 0.5, 0.9])
@pytest.mark.parametrize("pairs", [7, 10, 30, 78, 400])
def test_the_shift_that_is_found_is_the_smallest_one(pairs, discordant):
    shift = shift_found(pairs, discordant, two_sided=True)
    assert pairs_needed(shift * 1.0001, discordant, two_sided=True) <= pairs
    assert pairs_needed(shift * 0.999, discordant, two_sided=True) > pairs
