"""Matched predictions: each answer as often as it occurs, to the items that rank highest for it."""

import numpy as np
import pytest

from hansproof.audit.statistics.kappa import matched


def two(*second):
    """Probabilities of two answers from those of the second."""
    return np.column_stack([1 - np.array(second), second])


def test_of_two_answers_the_second_goes_to_the_items_that_rank_highest_for_it():
    # ranks .1 .3 .5 .7 .9; with a share of .2 an item needs a rank above .8, whatever its probability
    probabilities = two(0.1, 0.45, 0.3, 0.2, 0.05)
    assert matched(probabilities, np.array([0.8, 0.2])).tolist() == [0, 1, 0, 0, 0]
    assert matched(probabilities, np.array([0.6, 0.4])).tolist() == [0, 1, 1, 0, 0]
    assert matched(probabilities, np.array([0.2, 0.8])).tolist() == [1, 1, 1, 1, 0]
    assert probabilities.argmax(axis=1).tolist() == [0] * 5


def test_of_three_answers_each_goes_where_its_rank_exceeds_its_share_by_most():
    # ranks of the answers: (.625, .375, .125, .875), (.625, .125, .875, .375), (.25, .875, .625, .25);
    # less (.5, .75, .75): A .125 -.125 -.5, B -.125 -.625 .125, C -.375 .125 -.125, D .375 -.375 -.5
    probabilities = np.array([[0.6, 0.3, 0.1], [0.5, 0.1, 0.4], [0.4, 0.35, 0.25], [0.7, 0.2, 0.1]])
    assert matched(probabilities, np.array([0.5, 0.25, 0.25])).tolist() == [0, 2, 1, 0]
    assert probabilities.argmax(axis=1).tolist() == [0] * 4


@pytest.mark.parametrize(("share", "answer"), [(0.1, 0), (0.4, 0), (0.5, 0), (0.6, 1), (0.9, 1)])
def test_a_probe_that_knows_nothing_gives_the_most_common_answer_to_all(share, answer):
    assert matched(two(*[0.3] * 7), np.array([1 - share, share])).tolist() == [answer] * 7
    three = matched(np.full((7, 3), 1 / 3), np.array([(1 - share) * 0.45, (1 - share) * 0.55, share]))
    assert len(set(three)) == 1


def test_ties_share_their_mean_rank():
    # ranks .125 .5 .5 .875
    probabilities = two(0.1, 0.2, 0.2, 0.3)
    assert matched(probabilities, np.array([0.5, 0.5])).tolist() == [0, 0, 0, 1]
    assert matched(probabilities, np.array([0.49, 0.51])).tolist() == [0, 1, 1, 1]


def test_noise_of_the_last_bits_orders_nothing():
    noise = 1e-13 * np.arange(9)
    assert matched(two(*(0.3 + noise)), np.array([0.7, 0.3])).tolist() == [0] * 9


@pytest.mark.parametrize("shares", [(0.9, 0.1), (0.35, 0.65), (0.7, 0.2, 0.1), (0.4, 0.3, 0.2, 0.1)])
def test_the_shares_are_kept(shares):
    probabilities = np.random.default_rng(3).dirichlet(5 * np.array(shares), 1000)
    given = np.bincount(matched(probabilities, np.array(shares)), minlength=len(shares)) / 1000
    assert given == pytest.approx(np.array(shares), abs=0.0006 if len(shares) == 2 else 0.06)


def test_an_answer_that_training_never_saw_is_never_given():
    assert matched(two(0.1, 0.2, 0.3), np.array([1.0, 0.0])).tolist() == [0, 0, 0]
    assert matched(two(0.1, 0.2, 0.3), np.array([0.0, 1.0])).tolist() == [1, 1, 1]
    probabilities = np.random.default_rng(3).dirichlet([1, 1, 1], 200)
    assert set(matched(probabilities, np.array([0.5, 0.0, 0.5]))) == {0, 2}


def test_no_items_get_no_answers():
    assert matched(np.empty((0, 3)), np.array([0.5, 0.3, 0.2])).tolist() == []
