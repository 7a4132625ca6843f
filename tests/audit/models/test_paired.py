"""Pairs of matched conditions: the exact test, and the paired t-test of the paper beside it."""

from math import isnan

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from hansproof.audit.models.difference import FEW, difference_of
from hansproof.generators.stream import Stream


def right(text):
    return np.array([mark == "1" for mark in text])


def drawn(pairs, p_original, p_perturbed, *names):
    """Pairs whose two items share one number with probability 1/2: correlated, with the accuracies asked for."""
    stream = Stream(3, "simulated answerer", *names)
    at = np.array([stream.word() for _ in range(3 * pairs)], dtype=np.float64).reshape(3, pairs) / 2**64
    return at[0] < p_original, np.where(at[2] < 0.5, at[0], at[1]) < p_perturbed


def compare(original, perturbed):
    return difference_of(original.astype(float), perturbed.astype(float), np.arange(len(original)))


def test_the_t_test_is_that_of_one_sample_and_p_is_mcnemars():
    original, perturbed = drawn(200, 0.8, 0.6, "one sample")
    effect = compare(original, perturbed)
    other = stats.ttest_1samp(original.astype(float) - perturbed.astype(float), 0)
    assert (effect.t, effect.t_p) == (pytest.approx(other.statistic), pytest.approx(other.pvalue))
    table = [[np.sum((original == i) & (perturbed == j)) for j in (True, False)] for i in (True, False)]
    assert effect.both_right == table[0][0] / 200
    assert effect.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert effect.se == pytest.approx(stats.sem(original.astype(float) - perturbed.astype(float)))


def test_nothing_varies_and_nothing_is_there():
    same = compare(right("1" * 40), right("1" * 40))
    assert (same.difference, same.p, same.a_only) == (0, 1, 0)
    assert same.low < 0 < same.high  # 40 pairs without a difference leave room for some
    assert all(isnan(number) for number in (same.t, same.t_p, same.se))
    always = compare(right("1" * 40), right("0" * 40))
    assert (always.difference, always.a_only, always.high) == (1, 40, 1)
    assert always.p == pytest.approx(2 * 0.5**40)
    assert always.low < 1


@pytest.mark.parametrize("pairs", [0, 1, FEW - 1])
def test_few_pairs_have_no_test_and_no_interval_and_say_why(pairs):
    few = compare(right("1" * pairs), right("01" * pairs)[:pairs])
    assert all(isnan(number) for number in (few.low, few.high, few.p, few.t, few.t_p, few.detectable))
    assert few.note.startswith(f"INCONCLUSIVE: {'no' if not pairs else f'fewer than {FEW}'} pairs of answers")
    assert isnan(few.difference) == (pairs == 0)
