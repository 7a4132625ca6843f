"""Permutation p-values: their floor, the correction for many vectors, the combination over splits."""

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.permutation import Null, relabelled, seeded

EVERY = np.array([True])


def null(y, predicted, groups=None, times=199, labels=2, seed=1):
    """`predicted` is (vectors, splits, n)."""
    groups = np.arange(len(y)) if groups is None else groups
    return Null.of(y, np.asarray(predicted, dtype=np.int16), groups, labels, times, seeded(seed, "test"))


def kappa_of(y, predicted):
    return float(kappa.cohen(kappa.confusion(y, predicted, 2)))


def noisy(y, right, random):
    """Predictions of two labels that are right with probability `right`."""
    return np.where(random.random(len(y)) < right, y, 1 - y)


@pytest.mark.parametrize(("splits", "floor"), [(1, 1 / 100), (2, 2 / 100), (5, 2 / 100)])
def test_a_perfect_probe_reaches_the_floor_and_never_zero(splits, floor):
    y = np.tile([0, 1], 40)
    tested = null(y, [[y] * splits], times=99).test(EVERY, alpha=0.05)
    assert (tested.p[0], tested.corrected[0], tested.floor) == (floor, floor, floor)


def test_p_of_single_items_agrees_with_the_exact_hypergeometric_tail():
    y = np.repeat([0, 1], [30, 30])
    predicted = y.copy()
    predicted[[*range(11), *range(30, 41)]] ^= 1  # 38 of 60 agree, both margins 30 / 30
    fixed = null(y, [[predicted]], times=9999)
    exact = stats.hypergeom(60, 30, 30).sf(18)  # at least 19 of 30 zeros predicted zero
    assert fixed.test(EVERY, alpha=0.05).p[0] == pytest.approx(exact, abs=0.006)
    assert fixed.sd(0) == pytest.approx(1 / np.sqrt(59), rel=0.03)


def test_pure_groups_make_the_null_as_wide_as_that_of_so_many_items():
    # 10 groups of 20 with one label each carry the evidence of 10 items, not of 200.
    y = np.repeat([0, 1] * 5, 20)
    apart, whole = (null(y, [[y]], groups, 499) for groups in (None, np.repeat(np.arange(10), 20)))
    assert whole.sd(0) == pytest.approx(1 / np.sqrt(9), rel=0.1)
    assert whole.sd(0) > 4 * apart.sd(0)
    p = whole.test(EVERY, alpha=0.05).p[0]
    assert p == pytest.approx(1 / 252, abs=0.006)  # 10 over 5 arrangements, one as good


def test_matched_pairs_that_a_probe_tells_apart_are_significant():
    # Every pair holds both labels: moving whole pairs alone would leave every labelling as it was.
    y = np.tile([0, 1], 30)
    assert null(y, [[y]], np.repeat(np.arange(30), 2)).test(EVERY, alpha=0.05).p[0] == 1 / 200


def test_the_corrected_p_is_that_of_a_loop_over_the_largest_standardised_kappa():
    random = np.random.default_rng(4)
    y = np.repeat([0, 1], [50, 30])
    predicted = np.stack([[noisy(y, right, random) for _ in range(3)] for right in (0.5, 0.62, 0.7, 0.95)])
    groups = np.arange(80)
    counted = np.array([True, True, True, False])
    tested = null(y, predicted, groups, 99).test(counted, alpha=0.05)

    draws = list(relabelled(y, groups, 99, seeded(1, "test")))
    p, corrected = np.empty((4, 3)), np.empty((4, 3))
    for s in range(3):
        kappas = np.array([[kappa_of(z, predicted[v, s]) for v in range(4)] for z in draws])
        mean, sd = kappas.mean(axis=0), kappas.std(axis=0)
        t = (kappas - mean) / sd
        for v in range(4):
            observed = (kappa_of(y, predicted[v, s]) - mean[v]) / sd[v]
            p[v, s] = (1 + sum(t[b, v] >= observed - 1e-9 for b in range(99))) / 100
            corrected[v, s] = (1 + sum(max(t[b, :3]) >= observed - 1e-9 for b in range(99))) / 100
    assert tested.p == pytest.approx(np.minimum(1, 2 * np.median(p, axis=1)))
    assert tested.corrected[:3] == pytest.approx(np.minimum(1, 2 * np.median(corrected[:3], axis=1)))
    assert np.isnan(tested.corrected[3])
    assert (tested.corrected[:3] >= tested.p[:3]).all()
    assert tested.corrected[1] > tested.p[1]


def test_equal_vectors_cost_no_correction_and_different_ones_do():
    random = np.random.default_rng(7)
    y = np.tile([0, 1], 60)
    weak = noisy(y, 0.6, random)
    others = [[noisy(y, 0.5, random)] for _ in range(11)]
    alike = null(y, [[weak]] * 12, times=999).test(np.ones(12, bool), alpha=0.05)
    unlike = null(y, [[weak], *others], times=999).test(np.ones(12, bool), alpha=0.05)
    assert alike.corrected[0] == alike.p[0]
    assert unlike.corrected[0] > 3 * unlike.p[0]


def test_over_splits_p_is_twice_the_median():
    random = np.random.default_rng(8)
    y = np.tile([0, 1], 40)
    splits = [noisy(y, right, random) for right in (0.55, 0.6, 0.65)]
    single = sorted(null(y, [[split]]).test(EVERY, alpha=0.05).p[0] for split in splits)
    together = null(y, [splits]).test(EVERY, alpha=0.05).p[0]
    assert 0.01 < single[1] < 0.4
    assert together == pytest.approx(min(1, 2 * single[1]))


def test_p_is_never_more_than_1():
    y = np.tile([0, 1], 40)
    tested = null(y, [[1 - y, 1 - y]]).test(EVERY, alpha=0.05)
    assert (tested.p[0], tested.corrected[0]) == (1, 1)


def test_stretching_the_null_raises_p_and_the_critical_kappa():
    y = np.tile([0, 1], 60)
    fixed = null(y, [[noisy(y, 0.62, np.random.default_rng(3))]], times=999)
    plain, wide = (fixed.test(EVERY, alpha=0.05, stretch=stretch) for stretch in (1.0, 1.5))
    assert wide.p[0] > 2 * plain.p[0]
    assert wide.critical[0] == pytest.approx(1.5 * plain.critical[0])


def test_the_critical_kappa_is_where_the_corrected_p_reaches_alpha():
    random = np.random.default_rng(3)
    y = np.tile([0, 1], 100)
    fixed = null(y, [[noisy(y, 0.5, random)]], times=1999)
    critical = fixed.test(EVERY, alpha=0.05).critical[0]
    assert critical == pytest.approx(stats.norm.ppf(0.95) / np.sqrt(199), rel=0.12)
    three = null(y, [[noisy(y, 0.5, random)] for _ in range(3)], times=1999)
    tested = three.test(np.array([True, True, False]), alpha=0.05)
    assert tested.critical[0] > critical
    assert tested.critical[2] == np.inf
    # Over splits the median p must be alpha / 2.
    twice = null(y, [[noisy(y, 0.5, random)] * 2], times=1999).test(EVERY, alpha=0.2)
    assert twice.critical[0] == pytest.approx(stats.norm.ppf(0.9) / np.sqrt(199), rel=0.15)


def test_predictions_that_never_vary_have_p_1_and_cannot_become_significant():
    y = np.tile([0, 1], 40)
    constant = np.zeros(80, int)
    fixed = null(y, [[constant], [y]])
    tested = fixed.test(np.array([True, True]), alpha=0.05)
    assert (tested.p[0], tested.corrected[0], tested.critical[0]) == (1, 1, np.inf)
    assert np.isnan(fixed.sd(0))
    assert tested.corrected[1] == 1 / 200  # the constant takes nothing from the others


def test_a_single_answer_leaves_no_null():
    y = np.zeros(30, int)
    tested = null(y, [[y]]).test(EVERY, alpha=0.05)
    assert (tested.p[0], tested.critical[0]) == (1, np.inf)


def test_under_the_null_fixed_predictions_give_p_values_that_keep_their_level():
    # 200 benchmarks of 40 groups of 3 with one answer per group, 4 probes that know nothing each.
    random = np.random.default_rng(9)
    groups = np.repeat(np.arange(40), 3)
    single, least = [], []
    for trial in range(200):
        y = np.repeat(random.permutation(40) % 2, 3)
        predicted = np.repeat(random.integers(0, 2, (4, 1, 40)), 3, axis=2)
        tested = null(y, predicted, groups, 99, seed=trial).test(np.ones(4, bool), alpha=0.05)
        single.append(tested.p[0])
        least.append(tested.corrected.min())
    assert np.mean(np.array(single) <= 0.5) == pytest.approx(0.5, abs=0.12)
    assert np.mean(np.array(single) <= 0.1) < 0.16
    assert np.mean(np.array(least) <= 0.1) == pytest.approx(0.1, abs=0.055)  # 4 * .1 without a correction
