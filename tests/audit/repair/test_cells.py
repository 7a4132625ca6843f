"""How many items a cue costs at least, and which ones go."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from hansproof.audit.repair.items import cap_of, independent, levelled, thin, thin_to


def largest_by_linear_programmes(counts, cap=1.0):
    """The largest independent table below `counts` (2, Y): a linear programme for each share of the first form.

    Every answer keeps four fifths of its share.
    """
    answers, least = counts.shape[1], 0.8 * np.minimum(counts.sum(axis=0) / counts.sum(), cap)
    best = 0.0
    for share in np.linspace(0, 1, 101):
        rows = [[(1 - share) * (j == y) for j in range(answers)] + [-share * (j == y) for j in range(answers)]
                for y in range(answers)]  # fmt: skip
        limit = [[(j % answers == y) - cap for j in range(2 * answers)] for y in range(answers)]
        limit += [[least[y] - (j % answers == y) for j in range(2 * answers)] for y in range(answers)]
        done = linprog(
            -np.ones(2 * answers), A_ub=limit, b_ub=np.zeros(2 * answers), A_eq=rows, b_eq=np.zeros(answers),
            bounds=[(0, n) for n in counts.ravel()],
        )  # fmt: skip
        best = max(best, -done.fun if done.success else 0.0)
    return best


@pytest.mark.parametrize(
    ("counts", "cap"),
    [
        ([[240, 60], [60, 240]], 0.55),
        ([[240, 60], [60, 240]], 1.0),
        ([[50, 0], [450, 500]], 0.55),
        ([[30, 100], [50, 220]], 0.55),
        ([[30, 12, 4], [100, 90, 110]], 1.0),
        ([[7, 3, 9, 1], [5, 5, 5, 5]], 1.0),
    ],
)
def test_an_independent_table_keeps_nearly_as_many_as_the_linear_programmes(counts, cap):
    counts = np.array(counts)
    kept = independent(counts, cap)
    assert (kept <= counts).all()
    best = largest_by_linear_programmes(counts, cap)
    assert kept.sum() <= 1.02 * best + 1  # the programmes try a hundred shares only
    assert kept.sum() >= 0.9 * best - counts.size
    expected = np.outer(kept.sum(axis=1), kept.sum(axis=0)) / kept.sum()
    assert np.abs(kept - expected).max() <= 1.5


def test_worked_examples_of_what_a_cue_costs():
    # A cue that is right for 240 of 300 items with either answer (kappa .6) costs three fifths of the items.
    planted = np.array([[240, 60], [60, 240]])
    assert independent(planted, 0.5).sum() == pytest.approx(240, abs=3)
    # A cue that says nothing, but a common answer: only that answer loses items, with and without the cue.
    assert independent(np.array([[10, 40], [10, 40]]), 0.55).tolist() == [[10, 12], [10, 12]]
    # A word in 50 items of a thousand, all with one answer: delete these 50, nothing else.
    assert independent(np.array([[50, 0], [450, 500]]), 0.55).tolist() == [[0, 0], [450, 500]]
    # An answer of 45 in 300 that its bin tells: cheapest is to drop most of it, unless it must keep .8 of its share.
    told = np.array([[30, 20], [10, 90], [5, 145]])
    kept = independent(told)
    assert kept[:, 0].sum() / kept.sum() == pytest.approx(0.8 * 45 / 300, abs=0.02)
    # Many forms, two answers: the shares within every form become equal.
    bins = np.array([[10, 40], [20, 20], [40, 10]])
    assert independent(bins, 0.5).tolist() == [[10, 10], [20, 20], [10, 10]]


def test_an_independent_table_and_an_empty_one_lose_nothing():
    assert independent(np.array([[40, 60], [20, 30]])).tolist() == [[40, 60], [20, 30]]
    assert independent(np.zeros((2, 2), dtype=int)).tolist() == [[0, 0], [0, 0]]


def test_levelled_takes_the_surplus_of_the_common_answers_alone():
    # Uniform-chance kappa .1 for two answers is a share of .55: 24 of 44.
    assert cap_of(2, 0.1) == pytest.approx(0.55)
    assert levelled(np.array([80, 20]), 0.55).tolist() == [24, 20]
    assert levelled(np.array([90, 80, 10]), 0.47).tolist() == [78, 78, 10]
    assert levelled(np.array([5, 5]), 0.55).tolist() == [5, 5]


def test_thin_meets_its_numbers_and_keeps_matched_sets_whole():
    random = np.random.default_rng(1)
    cell = np.repeat([0, 1], [80, 20])
    stays = thin_to(np.array([20, 20]), np.array([80, 20]), cell, np.arange(100), random)
    assert np.bincount(cell[stays]).tolist() == [20, 20]
    assert not stays[:20].all()
    pairs = np.repeat(np.arange(50), 2)
    # Both members of every pair are in cells with too many, so 15 pairs go and 35 stay.
    stays = thin_to(np.array([35, 35]), np.array([50, 50]), np.tile([0, 1], 50), pairs, random)
    assert stays.reshape(50, 2).all(axis=1).sum() == 35
    # Only one member is in such a cell: the pair goes as a whole.
    stays = thin_to(np.array([35, 50]), np.array([50, 50]), np.tile([0, 1], 50), pairs, random)
    assert (stays[::2] == stays[1::2]).all()
    assert stays.sum() == 70


def test_a_choice_is_cut_to_chance_and_never_below():
    # Right in 70 of 100 items of 4 options: 30 wrong ones leave room for 10 right ones, so 60 go, the planted .6.
    def cut(gain, units):
        return thin(gain, np.array([gain.sum()]), np.zeros(100, dtype=int), units, np.random.default_rng(1))

    gain = np.where(np.arange(100) < 70, 0.75, -0.25)
    stays = cut(gain, np.arange(100))
    assert (stays[:70].sum(), stays[70:].sum()) == (10, 30)
    assert cut(-gain, np.arange(100)).all()
    pairs = cut(gain, np.arange(100) // 2)
    assert (pairs[::2] == pairs[1::2]).all()
