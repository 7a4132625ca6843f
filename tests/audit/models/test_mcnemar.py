"""The test of a shift, against worked numbers, statsmodels and sums by hand."""

from itertools import product
from math import isnan

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models import hypotheses
from hansproof.audit.models.hypotheses import EXACT, benjamini_hochberg


def shift_test(before_only, after_only, expects):
    return hypotheses.shift_test([-1] * before_only + [1] * after_only, expects)


def clustered_p(shifts, expects):
    return hypotheses.shift_test(shifts, expects).p


def test_the_published_example_has_z_16_267843():
    test = shift_test(64, 423, "better")  # (423 - 64) / sqrt(487)
    assert (round(test.z, 6), test.method) == (16.267843, "normal")
    assert test.p == pytest.approx(stats.norm.sf(16.267843), rel=1e-4)
    assert shift_test(423, 64, "worse").p == test.p
    assert shift_test(423, 64, "better").p == 1.0


def test_there_is_no_continuity_correction():
    # 15 and 25: z = 10 / sqrt(40) = 1.581, chi-square 2.5; with the correction it would be 81 / 40.
    test = shift_test(15, 25, "either")
    uncorrected = mcnemar([[0, 15], [25, 0]], exact=False, correction=False)
    assert test.z**2 == pytest.approx(uncorrected.statistic) == pytest.approx(2.5)
    assert test.p == pytest.approx(uncorrected.pvalue)
    assert shift_test(15, 25, "better").p == pytest.approx(test.p / 2)
    assert shift_test(15, 25, "worse").p == pytest.approx(1 - test.p / 2)


def test_up_to_ten_discordant_pairs_the_p_is_exact():
    # 2 and 8: P(X >= 8) = (45 + 10 + 1) / 1024.
    assert shift_test(2, 8, "better").p == pytest.approx(56 / 1024)
    assert shift_test(2, 8, "worse").p == pytest.approx(1 - (10 + 1) / 1024)
    assert shift_test(2, 8, "either").p == pytest.approx(112 / 1024) == mcnemar([[0, 2], [8, 0]], exact=True).pvalue
    assert shift_test(2, 8, "either").method == "exact"
    assert shift_test(2, 9, "either").method == "normal"
    assert EXACT == 10


def test_without_discordant_pairs_nothing_is_shown():
    test = shift_test(0, 0, "worse")
    assert all(isnan(number) for number in (test.z, test.p, test.exact))
    assert test.method == ""


@pytest.mark.parametrize("expects", ["better", "worse", "either"])
def test_as_many_pairs_each_way_are_no_evidence(expects):
    assert shift_test(30, 30, expects).p >= 0.5
    assert shift_test(30, 30, expects).z == 0


def test_a_fair_coin_is_called_a_shift_in_five_of_a_hundred():
    draws = np.random.Generator(np.random.PCG64(1)).binomial(200, 0.5, 4_000)
    rejected = np.mean([shift_test(200 - int(k), int(k), "better").p <= 0.05 for k in draws])
    assert 0.035 < rejected < 0.065


def test_benjamini_and_hochberg_as_in_statsmodels():
    p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.6]
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1])
    assert benjamini_hochberg(p)[:2] == pytest.approx([0.009, 0.036])  # .001 * 9 / 1, .008 * 9 / 2
    assert benjamini_hochberg([]) == []
    # What has no p is no test: it stays without one, and is none of those that are corrected.
    corrected = benjamini_hochberg([*p[:4], float("nan"), *p[4:]])
    assert isnan(corrected.pop(4))
    assert corrected == benjamini_hochberg(p)
    assert benjamini_hochberg([0.04]) == [0.04]


def test_beside_the_normal_p_stands_the_exact_one():
    # 3 and 9: z = 6 / sqrt(12) has p = .0416, and P(X >= 9) = 299 / 4096.
    test = shift_test(3, 9, "better")
    assert (test.method, test.p) == ("normal", pytest.approx(stats.norm.sf(6 / 12**0.5)))
    assert test.exact == pytest.approx(299 / 4096)
    assert shift_test(3, 9, "either").exact == pytest.approx(mcnemar([[0, 3], [9, 0]], exact=True).pvalue)
    assert shift_test(2, 8, "worse").exact == shift_test(2, 8, "worse").p


@pytest.mark.parametrize("expects", ["better", "worse", "either"])
@pytest.mark.parametrize("counts", [(2, 3), (0, 9), (4, 14), (60, 30), (0, 0)])
def test_clusters_of_one_pair_give_the_test_of_pairs(counts, expects):
    before_only, after_only = counts
    shifts = [-1] * before_only + [0] * 20 + [1] * after_only
    assert clustered_p(shifts, expects) == pytest.approx(shift_test(before_only, after_only, expects).p, nan_ok=True)


@pytest.mark.parametrize("expects", ["better", "worse", "either"])
@pytest.mark.parametrize("shifts", [[3, -1, 2, 1], [-2, -2, 1], [3], [1, -1], [2, 2, 2, -1, 1, 1, 1, 3, -2, 1]])
def test_few_clusters_are_told_by_all_their_signs(shifts, expects):
    sums = [sum(sign * shift for sign, shift in zip(signs, shifts, strict=True))
            for signs in product((1, -1), repeat=len(shifts))]  # fmt: skip
    total = sum(shifts)
    far = {"better": [s >= total for s in sums], "worse": [s <= total for s in sums],
           "either": [abs(s) >= abs(total) for s in sums]}  # fmt: skip
    assert clustered_p(shifts, expects) == pytest.approx(np.mean(far[expects]))


def test_pairs_that_answer_alike_are_no_more_evidence_than_their_clusters():
    # 40 clusters of three equal pairs, a fair coin each: of the pairs alone, every fifth would be called a shift.
    rng = np.random.Generator(np.random.PCG64(2))
    draws = rng.choice([-3, 3], (1_500, 40))
    by_pairs = np.mean([shift_test(int((d < 0).sum()) * 3, int((d > 0).sum()) * 3, "better").p <= 0.05 for d in draws])
    by_clusters = np.mean([clustered_p(d.tolist(), "better") <= 0.05 for d in draws])
    assert by_pairs > 0.12
    assert 0.03 < by_clusters < 0.07
