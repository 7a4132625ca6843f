"""One option per item, shared where options tie; kappa of items of different sizes; its error, by two ways."""

from types import SimpleNamespace

import numpy as np
import pytest

from hansproof.audit.statistics.intervals import errors_of
from hansproof.audit.tasks.options.option_crossfit import OptionTask, chance_of, choice_kappa, chosen, influence


def test_the_highest_score_is_chosen_and_ties_share_the_choice():
    scores = np.array([0.1, 0.9, 0.3, 0.3, 0.2, 0.5, 0.5, 0.5])
    assert chosen(scores, np.array([0, 2, 5, 8])).tolist() == [0, 1, 0.5, 0.5, 0, 1 / 3, 1 / 3, 1 / 3]


def test_noise_of_the_last_bits_breaks_no_tie():
    assert chosen(np.array([0.3, 0.1 + 0.2]), np.array([0, 2])).tolist() == [0.5, 0.5]


def test_kappa_with_unequal_numbers_of_options_by_hand():
    # Chance is (1/2 + 1/4 + 1/4 + 1/5) / 4 = .3, accuracy 3/4: (.75 - .3) / .7.
    assert choice_kappa([1, 1, 0, 1], np.array([2, 4, 4, 5])) == pytest.approx(0.45 / 0.7)
    assert choice_kappa([0, 0], np.array([2, 3])) == pytest.approx(-(5 / 12) / (7 / 12))
    assert choice_kappa([1 / 2, 1 / 3], np.array([2, 3])) == pytest.approx(0)
    assert np.isnan(choice_kappa([], np.array([], dtype=int)))


def test_the_error_of_kappa_is_that_of_a_bootstrap():
    random = np.random.Generator(np.random.PCG64(1))
    size = random.choice([2, 4, 5], 800)
    hits = (random.random(800) < 0.2 + 0.8 / size).astype(float)
    value = choice_kappa(hits, size)
    se = errors_of([influence(hits, size)[None]], np.arange(800), np.array([[value]]), chance_of(size)).se[0]
    again = [choice_kappa(hits[pick], size[pick]) for pick in (random.integers(0, 800, 800) for _ in range(3000))]
    assert se == pytest.approx(np.std(again), rel=0.05)
    assert influence(hits, size).mean() == pytest.approx(0, abs=1e-12)


def test_the_expected_error_is_that_of_simulated_items():
    random = np.random.Generator(np.random.PCG64(2))
    size = random.choice([2, 3, 4], 300)
    drawn = [choice_kappa((random.random(300) < 0.3 + 0.7 / size).astype(float), size) for _ in range(4000)]
    task = OptionTask({}, SimpleNamespace(size=size))
    assert task.expected_error(0.3, np.arange(len(size))) == pytest.approx(np.std(drawn), rel=0.05)
    assert np.mean(drawn) == pytest.approx(0.3, abs=0.01)
