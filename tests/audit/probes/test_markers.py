"""Markers agree with the answers as often as they should."""

import numpy as np
import pytest

from hansproof.audit.probes.injected_cues import Draws
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
