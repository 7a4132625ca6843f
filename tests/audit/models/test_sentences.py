"""What is said below a comparison."""

import numpy as np
import pytest

from hansproof.audit.models.comparison import compare_sides
from hansproof.audit.models.planning import measured_design, plan
from hansproof.audit.models.sides import Balanced, Side
from hansproof.audit.replies.grid import Series
from hansproof.audit.report.comparison_words import notes, sentence
from hansproof.audit.report.plan_words import Planned


def test_the_error_of_miller_is_named_where_it_is_much_smaller(grid_of):
    # Twelve items that stand alone differ, and none of three groups of 20, which is not to say that none ever does.
    groups = np.repeat(np.arange(63), [1] * 60 + [20] * 3)
    first, second = np.ones(120, dtype=int), (groups >= 12).astype(int)
    compared = compare_sides(grid_of(first, second, groups=groups), Side("a", (0,)), Side("b", (1,)))
    measured = compared.whole.difference
    assert measured.se > 1.25 * measured.se_miller
    (said,) = (note for note in notes(compared) if "Miller" in note)
    assert said.startswith(f"se of Miller (2024): {100 * measured.se_miller:.1f}. It takes")
    alone = compare_sides(grid_of(first, second), Side("a", (0,)), Side("b", (1,)))
    assert not any("Miller" in note for note in notes(alone))


def test_rows_of_a_plan_in_unequal_groups_say_both_sizes():
    sizes = np.array([1] * 30 + [10] * 3)
    design = measured_design(Balanced([np.tile([1.0, -1, 0], 20)], 1, True), np.repeat(np.arange(33), sizes), 0.5)
    made = Planned((plan(design, difference=0.1),), (), "measured on 60 items", ("a", "b"), 60)
    assert any(
        note.startswith("groups of 1.82 items on average, a random item in one of 5.5, intra") for note in made.notes()
    )
    header, row = made.table()
    cells = dict(zip(header, row, strict=True))
    assert (cells["group_size"], cells["mean_group_size"]) == pytest.approx((330 / 60, 60 / 33))
    assert cells["groups"] == np.ceil(cells["items"] * 33 / 60)


A, B = Side("a", (0,)), Side("b", (1,))


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([1] * 58, ", and no answers to so few items could rule it out. a is right"),
        ([1] * 60 + [20], ", and no answers in groups so few, or so large, could rule it out. a is right"),
        ([1] * 120, ". a is right"),
        ([2] * 80, ". a is right"),
    ],
)
def test_equivalence_that_no_answers_could_show_is_said_to_be_out_of_reach(grid_of, sizes, said):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    first = np.ones(len(groups), dtype=int)
    second = first.copy()
    second[:4] = 0
    compared = compare_sides(grid_of(first, second, groups=groups), A, B)
    assert sentence(compared).startswith(f"No difference shown, but one of 5 points is not ruled out{said}")
    assert sentence(compared).endswith(" points would have been found about 80 % of the time.")
    # The second way: not even two that never differ are equivalent.
    alike = compare_sides(grid_of(first, first, groups=groups), A, B)
    assert (alike.whole.verdict == "equivalent") is said.startswith(".")


def test_that_equal_accuracies_can_be_called_different_is_said_of_means_of_runs_too(grid_of):
    random = np.random.default_rng(1)
    columns = [(random.random(60) < 0.7).astype(int) for _ in range(4)]
    grid = grid_of(*columns, series=[Series(model, run=str(run)) for model in "ab" for run in range(2)])
    several = notes(compare_sides(grid, Side("a", (0, 1)), Side("b", (2, 3))))
    words = "equal accuracies can be called different where one side is a little ahead on many items and far behind on"
    assert any(words in note for note in several)
    # Of copies, and of a run against two, or one, each is right or wrong on each item, as the other one is.
    same = grid_of(columns[0], columns[0], *columns[2:], series=grid.series)
    copied = notes(compare_sides(same, Side("a", (0, 1)), Side("b", (2, 3))))
    assert any(note.startswith("the 2 runs of the first side are alike and count as one") for note in copied)
    assert not any(words in note for note in copied)
    assert not any(words in note for note in notes(compare_sides(grid, Side("a", (0,)), Side("b", (2, 3)))))
    assert not any(words in note for note in notes(compare_sides(grid, Side("a", (0,)), Side("b", (2,)))))


def test_the_error_of_miller_is_of_means_of_all_runs_where_runs_count_as_one(grid_of):
    random = np.random.default_rng(3)
    columns = [np.ones(60, dtype=int)] * 10 + [(random.random(60) < 0.9).astype(int) for _ in range(10)]
    grid = grid_of(*columns, series=[Series(model, run=str(run)) for model in "ab" for run in range(10)])
    compared = compare_sides(grid, Side("a", tuple(range(10))), Side("b", tuple(range(10, 20))))
    (said,) = (note for note in notes(compared) if "Miller" in note)
    apart = np.mean(columns[:10], axis=0) - np.mean(columns[10:], axis=0)
    assert said == (
        f"se of Miller (2024): {100 * apart.std(ddof=1) / 60**0.5:.1f}. It is that of means of all runs; se is that of "
        "comparisons with equal numbers of runs"
    )


def test_the_whole_is_the_answer_wherever_parts_stand_below_it(grid_of):
    words = "the verdict on all items is the answer, and p is not corrected for looking at others beside it"
    first, second = np.tile([1, 0], 60), np.tile([1, 1, 0], 40)
    parted = compare_sides(grid_of(first, second, subsets=["s", "t"] * 60), A, B)
    assert any(note.startswith(words) for note in notes(parted))
    assert not any(note.startswith(words) for note in notes(compare_sides(grid_of(first, second), A, B)))


@pytest.mark.slow
def test_of_equal_models_the_whole_and_each_cut_are_called_different_in_at_most_5_of_100(grid_of):
    # Six subsets and two conditions: each cut keeps its level by itself, and all of them together do not.
    random = np.random.default_rng(2)
    called = {"all": 0, "subset": 0, "condition": 0}
    for _ in range(60):
        first, second = (random.random((2, 240)) < 0.5).astype(int)
        subsets = [f"s{place % 6}" for place in range(240)]
        conditions = ["original" if place // 6 % 2 else "other" for place in range(240)]
        compared = compare_sides(grid_of(first, second, subsets=subsets, conditions=conditions), A, B)
        for by in {part.by for part in compared.parts if "better" in part.verdict}:
            called[by] += 1
    assert max(called.values()) <= 6  # more than that in 1 of 100 if the level is .05
