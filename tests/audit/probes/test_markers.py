"""Markers agree with the answers as often as they should, and cues of two forms split the answers in halves."""

import numpy as np
import pytest

from hansproof.audit.probes.injected_cues import Draws, halves, reader_of_halves
from hansproof.audit.statistics import kappa

Y = np.random.default_rng(1).choice(3, 30_000, p=[0.5, 0.3, 0.2])


def cohen(y, marker):
    return float(kappa.cohen(kappa.confusion(y, marker, 3)))


@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_a_reader_of_the_marker_has_the_kappa_that_was_asked_for(strength):
    marker = Draws.draw(Y, np.random.default_rng(2)).markers(strength)
    assert cohen(Y, marker) == pytest.approx(strength, abs=0.02)
    assert np.bincount(marker) / len(Y) == pytest.approx(np.bincount(Y) / len(Y), abs=0.01)


def test_a_stronger_cue_only_adds_right_markers():
    draws = Draws.draw(Y, np.random.default_rng(2))
    weak, strong = draws.markers(0.2), draws.markers(0.4)
    assert (strong[weak == Y] == Y[weak == Y]).all()


def test_each_marker_has_its_own_words_all_equally_frequent():
    draws = Draws.draw(Y, np.random.default_rng(2))
    words = draws.columns(0.5, 10)
    assert (words // 10 == draws.markers(0.5)).all()
    share = np.bincount(words, minlength=30) / np.repeat(np.bincount(draws.markers(0.5)), 10)
    assert share == pytest.approx(np.full(30, 0.1), abs=0.02)


def test_halves_are_as_even_as_the_answers_allow():
    assert halves(np.array([0.4, 0.35, 0.25])).tolist() == [False, True, True]  # .4 against .35 + .25
    assert halves(np.full(4, 0.25)).sum() == 2
    assert halves(np.array([0.9, 0.1])).tolist() == [False, True]


def test_the_reader_of_two_forms_is_perfect_for_two_answers_only():
    assert reader_of_halves(np.array([0.9, 0.1]), np.array([False, True])) == pytest.approx(1)
    # Four equal answers: right for .5 of the items, by chance for .25, so kappa = .25 / .75.
    assert reader_of_halves(np.full(4, 0.25), np.array([True, True, False, False])) == pytest.approx(1 / 3)
