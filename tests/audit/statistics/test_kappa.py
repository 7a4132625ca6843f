"""Kappas against worked tables, scikit-learn and their own definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from hansproof.audit.statistics import kappa


def test_cohen_of_three_labels_worked_by_hand_is_negative_below_chance():
    # proportions .25 .13 .12 / .12 .02 .16 / .03 .15 .02 of 200:
    # p_o = .29, p_e = .5 * .4 + .3 * .3 + .2 * .3 = .35, kappa = -.06 / .65
    table = np.array([[50, 26, 24], [24, 4, 32], [6, 30, 4]])
    assert kappa.accuracy(table) == pytest.approx(0.29)
    assert kappa.cohen(table) == pytest.approx((0.29 - 0.35) / 0.65)


def test_cohen_matches_artstein_and_poesio_2008():
    # 100 items, p_o = 20 + 50 = .70, p_e = .4 * .3 + .6 * .7 = .54, kappa = .16 / .46
    assert kappa.cohen(np.array([[20, 20], [10, 50]])) == pytest.approx(0.16 / 0.46)


def test_always_the_majority_is_zero_by_cohen_and_not_by_uniform_chance():
    table = np.array([[745, 0], [255, 0]])
    assert kappa.cohen(table) == 0.0
    assert kappa.uniform(table) == pytest.approx(0.49)
    assert kappa.balanced_accuracy(table) == 0.5


def test_kappa_is_undefined_where_only_one_answer_occurs():
    assert np.isnan(kappa.cohen(np.array([[7, 0], [0, 0]])))
    assert np.isnan(kappa.uniform(np.array([[7]])))
    assert np.isnan(kappa.accuracy(np.zeros((2, 2))))


def test_a_stack_of_tables_is_the_same_as_one_at_a_time():
    tables = np.random.default_rng(1).integers(0, 20, (5, 4, 3, 3))
    for function in (kappa.cohen, kappa.uniform, kappa.accuracy, kappa.balanced_accuracy):
        whole = function(tables)
        assert whole.shape == (5, 4)
        assert whole[3, 2] == function(tables[3, 2])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=60))
def test_agrees_with_scikit_learn(pairs):
    gold, predicted = np.array(pairs).T
    table = kappa.confusion(gold, predicted, 4)
    assert table.sum() == len(pairs)
    assert kappa.accuracy(table) == pytest.approx((gold == predicted).mean())
    if len(np.unique(np.concatenate([gold, predicted]))) > 1:
        assert kappa.cohen(table) == pytest.approx(cohen_kappa_score(gold, predicted), abs=1e-12)
    if set(predicted) <= set(gold) and len(set(gold)) > 1:  # scikit-learn warns otherwise
        assert kappa.balanced_accuracy(table) == pytest.approx(balanced_accuracy_score(gold, predicted))
