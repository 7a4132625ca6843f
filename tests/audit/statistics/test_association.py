"""z, exact p, PMI and the curve of significance: worked by hand, and by scipy."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from hansproof.audit.statistics.association import binomial_tail, smoothed_pmi, z_scores


def test_z_compares_with_the_base_rate():
    # 36 events, 24 with a label that 40 % have: (2/3 - .4) / sqrt(.24 / 36) = 1.6 / sqrt(.24); with 1/2: 2
    assert z_scores(36, 24, 0.4) == pytest.approx(1.6 / math.sqrt(0.24))
    assert z_scores(36, 24, 0.5) == pytest.approx(2)


def test_z_is_undefined_where_every_item_has_the_label():
    assert np.isnan(z_scores([5, 5], [5, 0], [1.0, 0.0])).all()


@pytest.mark.parametrize(
    ("count", "hits", "rate"), [(5, 5, 0.5), (40, 30, 0.5), (7, 1, 0.03), (900, 560, 0.6), (3, 0, 0.2)]
)
def test_p_is_that_of_the_exact_test_of_scipy(count, hits, rate):
    assert binomial_tail(count, hits, rate) == pytest.approx(binomtest(hits, count, rate, "greater").pvalue, rel=1e-9)


def test_a_share_of_a_hit_lies_between_the_whole_ones():
    none, half, whole = binomial_tail(10, [7, 7.5, 8], 0.5)
    assert none > half > whole


def test_pmi_is_smoothed_by_ten_trials_at_the_base_rate():
    # (30 + 10 * .5) / (40 + 10) / .5 = 1.4; one hit of one is no clue: (1 + 5) / 11 / .5 = 12/11
    assert smoothed_pmi(40, 30, 0.5) == pytest.approx(math.log2(1.4))
    assert smoothed_pmi(1, 1, 0.5) == pytest.approx(math.log2(12 / 11))
    assert smoothed_pmi(40, 20, 0.5) == 0
