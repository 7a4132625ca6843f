"""The exact sign-flip test against counting all signs, McNemar's exact test and drawn signs."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.statistics.paired_tests import MANY_FLIPS, sign_flip_p
from hansproof.audit.statistics.permutation import seeded

SAMPLES = [
    [1],
    [1, 1, 1, 1, 1, 1],
    [2, 2, -1],
    [3, -3, 1, 1, 0, 0],
    [5, 1, 1, 1, -2, -2, 4],
    [-7, 3, 3, 3, 1, 1, 1, 1],
    [6, 6, 9, -3],
]


@pytest.mark.parametrize("shifts", SAMPLES)
def test_all_signs_counted_one_by_one(shifts):
    sums = [sum(sign * size for sign, size in zip(signs, shifts)) for signs in product((-1, 1), repeat=len(shifts))]
    total = sum(shifts)
    assert sign_flip_p(shifts) == pytest.approx(np.mean([abs(each) >= abs(total) for each in sums]))
    assert sign_flip_p(shifts, "greater") == pytest.approx(np.mean([each >= total for each in sums]))
    assert sign_flip_p(shifts, "less") == pytest.approx(np.mean([each <= total for each in sums]))


@pytest.mark.parametrize(("up", "down"), [(7, 1), (64, 423), (3, 3), (30, 12)])
def test_numbers_of_1_are_the_exact_test_of_mcnemar(up, down):
    shifts = [1] * up + [-1] * down + [0] * 9
    assert sign_flip_p(shifts) == pytest.approx(stats.binomtest(up, up + down).pvalue, rel=1e-9)
    greater = stats.binomtest(up, up + down, alternative="greater").pvalue
    assert sign_flip_p(shifts, "greater") == pytest.approx(greater, rel=1e-9)


def test_drawn_signs_agree():
    random = seeded(1, "flips")
    shifts = random.integers(-4, 6, 300)
    signs = random.choice([-1, 1], (20_000, 300))
    drawn = np.mean(np.abs(signs @ shifts) >= abs(shifts.sum()))
    assert sign_flip_p(shifts.tolist()) == pytest.approx(drawn, abs=4 * np.sqrt(drawn * (1 - drawn) / 20_000))


def test_nothing_that_moved_is_1_and_many_flips_are_normal():
    assert sign_flip_p([]) == sign_flip_p([0, 0]) == sign_flip_p([2, -2]) == 1
    shifts = [1] * (MANY_FLIPS // 2 + 60) + [-1] * (MANY_FLIPS // 2 - 60)
    exact, normal = sign_flip_p(shifts), sign_flip_p([*shifts, 1, -1])
    assert exact != normal
    assert exact == pytest.approx(normal, rel=0.05)


def test_numbers_that_are_large_and_all_different_take_no_time():
    shifts = [(-1) ** (place % 5 == 0) * (1_000 + place) for place in range(400)]
    random = seeded(2, "flips")
    signs = random.choice([-1, 1], (5_000, 400))
    total = sum(shifts[:60]) - sum(shifts[60:120])
    few = [*shifts[:60], *(-each for each in shifts[60:120])]
    assert sign_flip_p(few) == pytest.approx(np.mean(np.abs(signs[:, :120] @ few) >= abs(total)), abs=0.03)
