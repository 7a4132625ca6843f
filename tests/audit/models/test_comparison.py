"""A comparison as a whole: parts, Holm's correction, the items that changed, what is left out."""

import json

import numpy as np
import pytest
from simulated.pairs import two_models

from hansproof.audit.models.comparison import MARGIN, compare_sides
from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.planning import found_with, measured_design
from hansproof.audit.models.sides import Side, balanced, sides_of
from hansproof.audit.replies.grid import MISSING, NOT_ASKED, RIGHT, UNCLEAR, WRONG, Series
from hansproof.audit.report.comparison_words import notes, sentence
from hansproof.audit.result.record import json_bytes
from hansproof.audit.statistics.paired_tests import sign_flip_p
from hansproof.audit.statistics.permutation import holm, seeded
from hansproof.audit.statistics.power import shift_found
from hansproof.generators.errors import InputError

A, B = Side("old", (0,)), Side("new", (1,))


@pytest.fixture
def three(grid_of):
    """Three subsets of forty items: A better in the first, alike in the second, B slightly better in the third."""
    random = seeded(1, "three")
    parts = [two_models([1] * 40, gap, 0.5, random) for gap in (0.45, 0.0, -0.1)]
    columns = [np.concatenate([getattr(part, side) for part in parts]).astype(int) for side in ("a", "b")]
    subsets = [name for name in ("first", "second", "third") for _ in range(40)]
    conditions = ["original", "perturbed"] * 60
    return grid_of(*columns, subsets=subsets, conditions=conditions), columns


def test_all_items_come_first_then_subsets_then_conditions(three):
    compared = compare_sides(three[0], A, B)
    assert [(part.by, part.name, part.difference.items) for part in compared.parts] == [
        ("all", "", 120),
        ("subset", "first", 40),
        ("subset", "second", 40),
        ("subset", "third", 40),
        ("condition", "original", 60),
        ("condition", "perturbed", 60),
    ]
    assert (compared.a, compared.b, compared.benchmark, compared.runs, compared.margin) == (
        "old", "new", "bench", (1, 1), MARGIN,
    )  # fmt: skip


def test_a_part_is_the_difference_of_its_items_and_subsets_are_corrected_together(three):
    grid, (a, b) = three
    parts = compare_sides(grid, A, B, margin=0.1).parts
    thirds = np.split(np.arange(120), 3)
    every = [difference_of(a[rows] * 1.0, b[rows] * 1.0, np.arange(40), 0.1, tests=3) for rows in thirds]
    assert [part.difference for part in parts[1:4]] == every
    assert [part.p_holm for part in parts[1:4]] == holm(np.array([each.p for each in every])).tolist()
    assert [part.equivalent_p_holm for part in parts[1:4]] == pytest.approx(
        holm(np.array([each.equivalent_p for each in every]))
    )
    assert parts[0].p_holm == parts[0].difference.p
    assert [part.verdict for part in parts[1:4]] == ["A better", "no difference shown", "no difference shown"]


def design_of(a, b):
    return measured_design(balanced(a[:, None], b[:, None]), np.arange(len(a)), float(a.mean() + b.mean()) / 2)


def test_what_a_subset_could_have_shown_is_after_the_correction_of_those_that_have_a_test(grid_of):
    # Three subsets of 40 items, and one of 20 that has no test and takes no part in the correction.
    drawn = two_models([1] * 140, 0.1, 0.3, seeded(2, "after"))
    subsets = [name for name, count in (("x", 40), ("y", 40), ("z", 40), ("few", 20)) for _ in range(count)]
    parts = compare_sides(grid_of(drawn.a.astype(int), drawn.b.astype(int), subsets=subsets), A, B).parts
    whole, *cut = parts
    assert whole.difference.detectable == found_with(140, design_of(drawn.a, drawn.b))
    for number, part in enumerate(cut[:3]):
        rows = slice(40 * number, 40 * number + 40)
        design = design_of(drawn.a[rows], drawn.b[rows])
        assert part.difference.detectable == found_with(40, design, alpha=0.05 / 3)
        assert part.difference.detectable > found_with(40, design)
    assert np.isnan([cut[3].difference.detectable, cut[3].p_holm]).all()


@pytest.mark.slow
def test_what_a_subset_could_have_shown_is_found_about_80_times_in_100_after_the_correction(grid_of):
    random, times = seeded(3, "found"), 150
    subsets = [name for name in "xyzw" for _ in range(60)]
    better = 0
    for _ in range(times):
        # One subset differs and the other three do not; 23 points are what 60 items find at 5 % / 4, where 30 % differ.
        drawn = [two_models([1] * 60, gap, 0.3, random) for gap in (0.23, 0, 0, 0)]
        columns = [np.concatenate([getattr(each, side) for each in drawn]).astype(int) for side in ("a", "b")]
        part = compare_sides(grid_of(*columns, subsets=subsets), A, B).parts[1]
        better += part.verdict == "A better"
    assert shift_found(60, 0.3, two_sided=True, alpha=0.05 / 4) == pytest.approx(0.23, abs=0.001)
    assert 0.7 < better / times < 0.92


def test_the_items_that_changed_are_listed_in_their_order(three):
    grid, (a, b) = three
    compared = compare_sides(grid, A, B)
    assert [change.id for change in compared.a_better] == [f"bench/{place}" for place in np.flatnonzero(a > b)]
    assert [change.id for change in compared.b_better] == [f"bench/{place}" for place in np.flatnonzero(a < b)]
    assert compared.whole.difference.a_only == len(compared.a_better)
    first = compared.a_better[0]
    place = int(first.id.partition("/")[2])
    assert (first.subset, first.condition, first.group) == (
        "first", ["original", "perturbed"][place % 2], f"g{place}",
    )  # fmt: skip
    assert (first.a, first.b) == (1, 0)


def test_one_subset_and_conditions_that_are_the_subsets_again_say_nothing_new(grid_of):
    answers = [RIGHT, WRONG] * 10
    alone = compare_sides(grid_of(answers, answers, subsets=["x"] * 20), A, B)
    assert [part.by for part in alone.parts] == ["all"]
    halves = ["x"] * 10 + ["y"] * 10
    twice = compare_sides(grid_of(answers, answers, subsets=halves, conditions=halves), A, B)
    assert [part.by for part in twice.parts] == ["all", "subset", "subset"]


def test_what_counts_as_wrong_and_what_is_left_out_is_counted(grid_of):
    first = [UNCLEAR, MISSING, RIGHT, RIGHT, NOT_ASKED]
    second = [RIGHT, RIGHT, MISSING, RIGHT, RIGHT]
    compared = compare_sides(grid_of(first, second), A, B)
    assert (compared.whole.unclear, compared.whole.missing, compared.left_out) == ((1, 0), (1, 1), (0, 1))
    without = compare_sides(grid_of(first, second), A, B, skip_missing=True)
    assert (without.whole.difference.items, without.skipped, without.whole.missing) == (2, 2, (0, 0))


def test_runs_are_averaged_and_the_exact_test_counts_their_fractions(grid_of):
    # Ten times items at 1/2, 0 and 1 against 1/3, 1 and 1. Two runs of y at a time: 1/2, 0 and 1/2 on the first.
    runs = [Series("x", run="1"), Series("x", run="2"), *(Series("y", run=str(run)) for run in range(3))]
    columns = [1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 1], [0, 1, 1]
    grid = grid_of(*(10 * column for column in columns), series=runs)
    a, b = sides_of(grid.series)
    compared = compare_sides(grid, a, b)
    assert (compared.a, compared.b, compared.runs) == ("x, 2 runs", "y, 3 runs", (2, 3))
    assert compared.whole.difference.difference == pytest.approx(-5 / 18)
    shifts = [1] * 10 + [-2] * 10  # halves, by the second and third run of y; by the others 0 and -2
    assert compared.whole.difference.p == sorted([sign_flip_p(shifts), 2 / 2**10, 2 / 2**10])[1]
    assert [(change.id, change.a, change.b) for change in compared.a_better] == [
        (f"bench/{3 * place}", 0.5, pytest.approx(1 / 3)) for place in range(10)
    ]


def test_the_order_of_runs_in_a_file_changes_nothing(grid_of):
    random = seeded(5, "order")
    columns = [(random.random(60) < share).astype(int) for share in (0.9, 0.8, 0.7, 0.8)]
    series = [Series("x", run=str(run)) for run in range(3)] + [Series("y")]
    forth = grid_of(*columns, series=series)
    back = grid_of(*(columns[place] for place in (2, 0, 1, 3)), series=[series[place] for place in (2, 0, 1, 3)])
    compared = [compare_sides(grid, *sides_of(grid.series)).parts for grid in (forth, back)]
    assert str(compared[0]) == str(compared[1])


def test_the_record_is_json_and_the_same_bytes_again(three):
    first, second = (json_bytes(compare_sides(three[0], A, B).record()) for _ in range(2))
    assert first == second
    record = json.loads(first)
    assert record["parts"][0]["difference"]["items"] == 120
    assert record["a_better"][0]["id"].startswith("bench/")


def test_sides_without_an_item_that_both_answered_are_inconclusive_however_far_they_are_apart(grid_of):
    first, second = [RIGHT] * 60 + [MISSING] * 60, [MISSING] * 60 + [RIGHT] * 20 + [WRONG] * 40
    compared = compare_sides(grid_of(first, second, subsets=["x"] * 70 + ["y"] * 50), A, B)
    assert [part.verdict for part in compared.parts] == ["INCONCLUSIVE"] * 3
    whole = compared.whole.difference
    assert (whole.a, whole.b, whole.a_only, whole.b_only) == (0.5, pytest.approx(1 / 6), 60, 20)
    assert np.isnan([whole.low, whole.high, whole.p, whole.mcnemar_p, whole.equivalent_p, whole.detectable]).all()
    assert sentence(compared).startswith("INCONCLUSIVE: no item has a clear reply of both. old is right on 50.0 %")
    assert "INCONCLUSIVE: no item has a clear reply of both, so no test and no interval: all, x, y" in notes(compared)
    # The same counts, but with replies: sixty against twenty is a difference.
    answered = [[WRONG if code == MISSING else code for code in side] for side in (first, second)]
    assert compare_sides(grid_of(*answered), A, B).whole.verdict == "A better"


def test_a_run_that_replied_is_a_reply_of_its_side(grid_of):
    series = [Series(name, run=run) for name in "xy" for run in "12"]
    silent, right, wrong = [MISSING] * 40, [RIGHT] * 40, [WRONG] * 40
    grid = grid_of(silent, right, wrong, [RIGHT] * 5 + [WRONG] * 35, series=series)
    assert compare_sides(grid, *sides_of(grid.series)).whole.verdict == "A better"
    grid = grid_of(silent, silent, right, right, series=series)
    assert compare_sides(grid, *sides_of(grid.series)).whole.verdict == "INCONCLUSIVE"


def test_where_every_reply_of_a_side_is_unclear_nothing_is_tested_however_far_they_are_apart(grid_of):
    compared = compare_sides(grid_of([RIGHT] * 40, [UNCLEAR] * 40), A, B)
    assert np.isnan([compared.whole.difference.p, compared.whole.p_holm, compared.whole.difference.low]).all()
    said = sentence(compared)
    assert said.startswith("INCONCLUSIVE: no item has a clear reply of both. old is right on 100.0 %")
    assert said.count("clear reply of both") == 1
    assert "unclear replies, counted as wrong: A 0, B 40" in notes(compared)
    # One item that is clear to both, and there is a test; that is not shown on the clear ones.
    compared = compare_sides(grid_of([RIGHT] * 40, [UNCLEAR] * 39 + [WRONG]), A, B)
    assert compared.whole.difference.p < 0.001
    assert sentence(compared).startswith("A better, but not shown on the items with clear replies only")
    clear = sentence(compare_sides(grid_of([RIGHT] * 40, [WRONG] * 40), A, B))
    assert "A better: " in clear
    assert "No item" not in clear


def test_sides_of_different_subsets_are_told_which(grid_of):
    halves = [RIGHT] * 40 + [NOT_ASKED] * 40, [NOT_ASKED] * 40 + [RIGHT] * 40
    with pytest.raises(InputError, match="no item in common: old was asked 'x', new was asked 'y'"):
        compare_sides(grid_of(*halves, subsets=["x"] * 40 + ["y"] * 40), A, B)
