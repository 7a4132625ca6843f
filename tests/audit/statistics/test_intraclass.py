"""How alike items of a group are: pair by pair, by double entry, and as a design effect."""

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.statistics.effective_size import Alike, alike_items
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.statistics.shares import standard_error

VALUES = np.array([1.0, 0, -1, 0, 0, 1, 1, 1, -1, 0, 0, 1])
GROUPS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4])


def test_every_pair_of_a_group_counts_both_ways():
    residuals = VALUES - VALUES.mean()
    pairs = [(i, j) for i in range(12) for j in range(12) if i != j and GROUPS[i] == GROUPS[j]]
    alike = alike_items(VALUES, GROUPS)
    assert alike.products == pytest.approx(sum(residuals[i] * residuals[j] for i, j in pairs))
    assert alike.most == pytest.approx(sum(residuals[i] ** 2 for i, _ in pairs))
    assert alike.correlation() == pytest.approx(alike.products / alike.most)
    assert alike.correlation(seen=3.0) == pytest.approx((alike.products + 3) / (alike.most + 3))


def test_of_pairs_it_is_the_correlation_of_double_entry():
    # Fisher (1925): each pair is entered both ways.
    random = seeded(1, "double entry")
    first = random.normal(size=40)
    second = 0.6 * first + random.normal(size=40)
    double = stats.pearsonr(np.r_[first, second], np.r_[second, first]).statistic
    made = alike_items(np.c_[first, second].ravel(), np.repeat(np.arange(40), 2))
    assert made.correlation() == pytest.approx(double)


def test_of_groups_of_one_size_it_is_the_design_effect_of_the_clustered_error():
    random = seeded(2, "one size")
    groups = np.repeat(np.arange(50), 6)
    values = random.choice([-1.0, 0, 1], 300) + random.choice([0.0, 0.7], 50)[groups]
    effect = (standard_error(values, groups) / stats.sem(values)) ** 2
    assert 1 + 5 * alike_items(values, groups).correlation() == pytest.approx(effect, rel=0.02)  # n for n - 1


def test_the_ends_and_what_nothing_speaks_against():
    whole = np.repeat([1.0, 0, -1, 0], 3)
    assert alike_items(whole, np.repeat(np.arange(4), 3)).correlation() == pytest.approx(1)
    cancelled = np.tile([1.0, -1], 6)
    assert alike_items(cancelled, np.repeat(np.arange(6), 2)).correlation() == pytest.approx(-1)
    assert alike_items(np.zeros(6), np.repeat(np.arange(3), 2)).correlation() == 1
    assert alike_items(VALUES, np.arange(12)).correlation() == 1
    assert Alike(9.0, 8.0).correlation() == 1  # rounding
