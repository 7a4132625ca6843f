"""Equal numbers of runs: every run of the side with more has its turn, and the test keeps its level."""

from dataclasses import replace

import numpy as np
import pytest
from numpy import nan
from simulated.pairs import several_runs

from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.sides import balanced
from hansproof.audit.statistics.paired_tests import sign_flip_p
from hansproof.audit.statistics.permutation import seeded


def test_as_many_runs_of_both_are_one_comparison_of_their_means():
    a, b = np.array([[1.0, 0, 1], [1, 1, 1]]), np.array([[0.0, 0, 0], [1, 1, 0]])
    made = balanced(a, b)
    assert [each.tolist() for each in made.choices] == [pytest.approx([2 / 3, 1 / 3])]
    assert (made.unit, made.single) == (3, False)
    alone = balanced(a[:, :1], b[:, :1])
    assert (alone.choices[0].tolist(), alone.unit, alone.single) == ([1, 0], 1, True)


def test_runs_of_the_side_with_more_take_turns():
    a, b = np.array([[1.0, 0, 0, 1, 1]]), np.array([[0.0, 1]])
    made = balanced(a, b)
    # Runs 1 and 2, 2 and 3, 3 and 4, 4 and 5, 5 and 1 of A against a mean of 1/2.
    assert [each[0] for each in made.choices] == [0, -0.5, 0, 0.5, 0.5]
    assert (made.unit, made.single) == (2, False)
    # So every run counts as often as the others, and the mean is the difference of all runs.
    assert np.mean([each[0] for each in made.choices]) == pytest.approx(3 / 5 - 1 / 2)
    back = balanced(b, a)
    assert [each[0] for each in back.choices] == [0, 0.5, 0, -0.5, -0.5]


def test_items_may_have_been_asked_in_different_runs():
    a = np.array([[1.0, 0, nan], [1, 0, 1]])
    b = np.array([[0.0, nan], [0, 1]])
    made = balanced(a, b)
    assert len(made.choices) == 6  # 2 against 1 on the first item, 3 against 2 on the second
    assert [each.tolist() for each in made.choices[:3]] == [[1, 0], [0, 0], [1, 0.5]]
    assert (made.unit, made.single) == (2, False)
    assert balanced(np.ones((3, 1)), np.array([[1.0, 1], [0, 1], [nan, 0]])).single


def test_very_many_runs_are_not_all_combined():
    random = seeded(4, "many")
    a, b = (np.rint(random.random((4, runs))) for runs in (100, 7))
    assert len(balanced(a, b).choices) == 60


def test_ten_copies_of_a_run_say_what_one_of_them_says():
    random = seeded(5, "copies")
    a, b = (random.random((60, 1)) < 0.7).astype(float), (random.random((60, 4)) < 0.5).astype(float)
    alone = difference_of(a, b[:, :1], np.arange(60))
    copied = difference_of(np.repeat(a, 10, axis=1), np.repeat(b[:, :1], 3, axis=1), np.arange(60))
    assert copied.note == "the runs of each side are alike and count as one"
    assert replace(copied, note="") == alone  # McNemar's p, too
    against = difference_of(np.repeat(a, 10, axis=1), b[:, :1], np.arange(60))
    assert against.note == "the 10 runs of the first side are alike and count as one"
    assert replace(against, note="") == alone
    # Against runs that differ they are 1 run against 4.
    turns = difference_of(np.repeat(a, 10, axis=1), b, np.arange(60))
    assert turns.note == (
        "the 10 runs of the first side are alike and count as one: p is the median of 4 comparisons with equal "
        "numbers, and se and interval have their mean variance"
    )
    several = difference_of(a, b, np.arange(60))
    assert replace(turns, note=several.note, correlation=several.correlation) == several
    back = difference_of(b, np.repeat(a, 10, axis=1), np.arange(60))
    assert (back.p, back.difference) == (turns.p, pytest.approx(-turns.difference))
    assert "the 10 runs of the second side are alike" in back.note


def test_runs_that_were_not_all_asked_an_item_are_copies_too():
    a = np.array([[1.0, nan, 1], [nan, 0, 0], [nan, nan, 1]])
    made = balanced(a, np.array([[0.0], [0], [1]]))
    assert [each.tolist() for each in made.choices] == [[1, 0, 0]]
    assert made.note == "the 3 runs of the first side are alike and count as one"
    # Runs that no item was asked in twice are not compared: nobody knows whether they are alike.
    apart = np.array([[1.0, nan], [nan, 0], [nan, 1]])
    assert balanced(apart, np.array([[0.0], [0], [1]])).note == ""


def test_runs_that_hardly_differ_beside_the_others_count_as_one():
    # On one item of 20, 2 of 10 runs are wrong, against 4 to 6 wrong ones on each of 10 items: 2 * 2 * 8 / 90 = .36
    # and 10 times 2 * 5 * 5 / 90 = .56, so that two runs differ a sixteenth as often.
    a, b = np.ones((20, 10)), np.ones((20, 10))
    a[0, :2] = 0
    b[:10, ::2] = 0
    made = balanced(a, b)
    assert made.note == "the 10 runs of the first side hardly differ, other than those of the second, and count as one"
    assert (made.single, made.unit, len(made.choices)) == (True, 1, 10)
    assert [each.tolist() for each in made.choices] == [(a[:, run] - b[:, run]).tolist() for run in range(10)]
    assert [len(balanced(b, a).choices), len(balanced(b[:, :5], a).choices)] == [10, 10]
    a[:3, :3] = 0  # now a fifth to a fourth as often: as alike as the others, for all that can be said
    assert balanced(a, b).note == ""
    assert len(balanced(a, b).choices) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("items", "runs", "before"), [(30, (10, 10), 0.15), (30, (5, 5), 0.12), (30, (10, 5), 0.08)])
@pytest.mark.parametrize(("alike", "at_most"), [((1.0, 0.0), 0.02), ((0.97, 0.4), 0.05)])
def test_a_model_at_temperature_0_is_not_called_better_than_an_equal_sampled_one(items, runs, before, alike, at_most):
    random = seeded(6, "copies", items, *runs)
    drawn = [several_runs([1] * items, runs, 0.95, 0.0, random, alike=alike) for _ in range(200)]
    p = [difference_of(*each, brief=True).p for each in drawn]
    assert np.mean(np.array(p) <= 0.05) <= at_most
    least = min(runs)
    if alike[0] == 1:  # as many runs of both, however alike they are
        means = [np.rint(least * (each.a[:, :least].mean(axis=1) - each.b[:, :least].mean(axis=1))) for each in drawn]
        assert np.mean([sign_flip_p(each.astype(int).tolist()) <= 0.05 for each in means]) > before


def test_p_is_the_upper_median_over_the_choices_and_the_spread_their_mean():
    random = seeded(1, "median")
    a, b = (random.random((60, runs)) < share for runs, share in ((4, 0.9), (1, 0.5)))
    a, b = a.astype(float), b.astype(float)
    measured = difference_of(a, b, np.arange(60))
    alone = [difference_of(a[:, run], b[:, 0], np.arange(60)) for run in range(4)]
    assert measured.p == sorted(each.p for each in alone)[2]
    assert measured.p == sorted(sign_flip_p((a[:, run] - b[:, 0]).astype(int).tolist()) for run in range(4))[2]
    assert measured.difference == pytest.approx(np.mean([each.difference for each in alone]))
    assert measured.se == pytest.approx(np.sqrt(np.mean([each.se**2 for each in alone])))
    assert measured.note.startswith("unequal numbers of runs: p is the median")
    assert np.isnan(measured.mcnemar_p)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [(10, 1), (5, 2), (3, 3), (1, 1)])
@pytest.mark.parametrize("sizes", [[1] * 30, [5] * 12])
def test_equal_models_are_called_different_in_at_most_5_of_100(runs, sizes):
    # Both right with .95: by signs of the means of 10 runs less 1, 19 to 21 % of 30 items were called different.
    random = seeded(2, "level", *runs)
    p = [difference_of(*several_runs(sizes, runs, 0.95, 0.0, random, alike=alike)).p
         for alike in (0.0, 1.0) for _ in range(200)]  # fmt: skip
    assert np.mean(np.array(p) <= 0.05) <= 0.05


def test_the_signs_of_unequal_numbers_of_runs_are_no_test():
    random = seeded(3, "wrong")
    p = []
    for _ in range(200):
        drawn = several_runs([1] * 30, (10, 1), 0.95, 0.0, random)
        shifts = np.rint(10 * (drawn.a.mean(axis=1) - drawn.b.mean(axis=1))).astype(int)
        p.append(sign_flip_p(shifts.tolist()))
    assert np.mean(np.array(p) <= 0.05) > 0.12
