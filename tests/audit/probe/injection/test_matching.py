"""Matched predictions have the marginals of the answers and lose as little probability as possible."""

import numpy as np
import pytest

from audit.probe.injection.matching import matched


def test_two_answers_are_cut_at_the_rank_of_the_rarer():
    # One answer in five is 1, and the probe is never above one half for it.
    p = np.array([0.1, 0.45, 0.2, 0.3, 0.05])
    assert matched(np.stack([1 - p, p], axis=1), np.array([0, 0, 0, 0, 1])).tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize("labels", [2, 3, 10])
def test_each_answer_is_predicted_exactly_as_often_as_it_occurs(labels):
    random = np.random.default_rng(labels)
    y = random.choice(labels, 500, p=np.arange(1, labels + 1) / np.arange(1, labels + 1).sum())
    for p in (random.dirichlet(np.full(labels, 0.3), 500), np.full((500, labels), 1 / labels)):
        assert np.bincount(matched(p, y), minlength=labels).tolist() == np.bincount(y, minlength=labels).tolist()


def test_a_rare_answer_with_a_cue_is_predicted_although_it_is_never_the_most_probable():
    y = np.repeat([0, 1, 2], [50, 40, 10])
    p = np.tile([0.5, 0.4, 0.1], (100, 1))
    p[90:] = [0.45, 0.35, 0.2]
    assert (matched(p, y)[90:] == 2).all()


def test_predictions_that_already_match_stay():
    y = np.arange(60) % 3
    p = np.full((60, 3), 0.1)
    p[np.arange(60), np.roll(y, 7)] = 0.8
    assert (matched(p, y) == np.roll(y, 7)).all()
