"""Does a share beat chance: exact tails, SciPy's t-test, and how often nothing is called something."""

from math import isnan

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.statistics.shares import beyond_chance


def tail(right, chance, clusters=None, **more):
    right = np.array(right, dtype=np.float64)
    held = np.arange(len(right)) if clusters is None else np.array(clusters)
    return beyond_chance(right, np.ones(len(right)), np.zeros(len(right)) + chance, held, **{"exact": True} | more)


def test_items_that_stand_alone_have_the_exact_binomial_tail():
    # 3 or 4 of 4 with 1/3 each: 4 * 1/27 * 2/3 + 1/81 = 9/81.
    assert tail([1, 1, 1, 0], 1 / 3) == pytest.approx(1 / 9)
    assert tail([1] * 60 + [0] * 40, 0.5) == pytest.approx(stats.binomtest(60, 100, 0.5, alternative="greater").pvalue)


def test_items_with_different_chances_have_the_tail_of_their_sum():
    # Both right of 1/2 and 1/4: 1/8. One or two: 1 - 1/2 * 3/4 = 5/8.
    assert tail([1, 1], np.array([0.5, 0.25])) == pytest.approx(1 / 8)
    assert tail([0, 1], np.array([0.5, 0.25])) == pytest.approx(5 / 8)


def test_measures_and_groups_have_students_t_of_the_group_means():
    random = np.random.Generator(np.random.PCG64(3))
    values = random.random(80)
    assert tail(values, 0.45, exact=False) == pytest.approx(
        stats.ttest_1samp(values, 0.45, alternative="greater").pvalue
    )
    right, groups = np.repeat(random.random(40) < 0.7, 2), np.arange(80) // 2
    expected = stats.ttest_1samp(right[::2].astype(float), 0.5, alternative="greater").pvalue
    assert tail(right, 0.5, groups) == pytest.approx(expected)


def test_few_items_in_groups_are_never_surer_than_their_binomial_tail():
    # Nine whole pairs and a half: t(9) = .45 / .05 = 9 has p = 4e-6, but 19 or 20 of 20 coins have 21 / 2^20 = 2e-5.
    assert tail([1] * 19 + [0], 0.5, np.arange(20) // 2) == pytest.approx(21 / 2**20)


def test_groups_without_spread_count_as_one_trial_each():
    assert tail([1] * 12, 0.25, np.arange(12) // 3) == pytest.approx(0.25**4)
    assert tail([1, 0] * 6, 0.5, np.arange(12) // 2) == 1  # every pair has one right: exactly chance
    assert tail([0.8] * 3, 0.4, exact=False) == pytest.approx(0.5**3)
    assert tail([1, 1], 0.5, [0, 0]) == 0.5


def test_what_cannot_be_tested_is_undefined():
    assert all(
        isnan(p) for p in (tail([], 0.5), tail([1, 0], np.array([0.5, np.nan])), tail([-1] * 3, -2, exact=False))
    )


@pytest.mark.parametrize(("size", "alike"), [(1, False), (2, False), (2, True), (5, True)])
def test_guesses_are_called_better_than_chance_no_more_often_than_promised(size, alike):
    random = np.random.Generator(np.random.PCG64(11))
    groups = np.arange(200) // size
    draws = [random.random(200) < 0.5 if not alike else (random.random(200 // size) < 0.5)[groups] for _ in range(1000)]
    called = sum(tail(right, 0.5, groups) < 0.01 for right in draws)
    assert called <= stats.binom.ppf(0.999, 1000, 0.01)
