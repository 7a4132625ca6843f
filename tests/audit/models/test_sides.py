"""Which columns are compared, and on which items."""

import numpy as np
import pytest

from hansproof.audit.models.sides import Side, in_common, side_of, sides_of
from hansproof.audit.replies.grid import MISSING, NOT_APPLICABLE, NOT_ASKED, RIGHT, UNCLEAR, WRONG, Series
from hansproof.generators.errors import InputError, UsageError

FOUR = (
    Series("gpt", "direct", "monday"),
    Series("gpt", "direct", "tuesday"),
    Series("gpt", "cot", "monday"),
    Series("llama", "direct", "monday"),
)


def test_runs_of_one_model_in_one_style_are_one_side():
    assert sides_of(FOUR) == [
        Side("gpt, direct, 2 runs", (0, 1)),
        Side("gpt, cot, monday", (2,)),
        Side("llama, direct, monday", (3,)),
    ]
    assert sides_of((Series(""), Series("", "cot"))) == [Side("answers 1", (0,)), Side("cot", (1,))]


@pytest.mark.parametrize(
    ("name", "columns"),
    [("llama", (3,)), ("cot", (2,)), ("gpt, direct, tuesday", (1,)), ("gpt, direct, 2 runs", (0, 1))],
)
def test_a_side_is_named_in_full_or_by_what_it_alone_has(name, columns):
    assert side_of(FOUR, name, "--a").columns == columns


def test_dates_of_one_model_are_sides_where_there_is_nothing_else():
    assert side_of(FOUR[:2], "tuesday", "--b") == Side("gpt, direct, tuesday", (1,))


def test_a_name_that_fits_several_or_none_is_refused():
    with pytest.raises(UsageError, match="--a: 'gpt' fits 2 series: 'gpt, direct, 2 runs'; 'gpt, cot, monday'; write"):
        side_of(FOUR, "gpt", "--a")
    with pytest.raises(
        UsageError, match=r"--b has no series 'llame'\. Did you mean 'llama'.*in full: 'gpt, direct, 2 "
    ):
        side_of(FOUR, "llame", "--b")


def test_items_count_where_both_were_asked_and_unclear_and_missing_are_wrong(grid_of):
    first = [RIGHT, UNCLEAR, MISSING, NOT_ASKED, RIGHT, NOT_APPLICABLE]
    second = [WRONG, RIGHT, RIGHT, RIGHT, NOT_ASKED, NOT_APPLICABLE]
    grid = grid_of(first, second)
    common = in_common(grid, Side("a", (0,)), Side("b", (1,)))
    assert [item.id for item in common.items] == ["bench/0", "bench/1", "bench/2"]
    assert common.a.values.tolist() == [1, 0, 0]
    assert common.b.values.tolist() == [0, 1, 1]
    assert (common.a.unclear.tolist(), common.a.missing.tolist()) == ([False, True, False], [False, False, True])
    assert (common.left_out, common.skipped) == ((1, 1), 0)
    without = in_common(grid, Side("a", (0,)), Side("b", (1,)), skip_missing=True)
    assert ([item.id for item in without.items], without.skipped) == (["bench/0", "bench/1"], 1)


def test_the_score_of_several_runs_is_their_mean_over_those_that_asked(grid_of):
    grid = grid_of([RIGHT, RIGHT], [WRONG, NOT_ASKED], [RIGHT, WRONG], series=[*FOUR[:2], FOUR[3]])
    common = in_common(grid, Side("a", (0, 1)), Side("b", (2,)))
    assert (common.a.values.tolist(), common.a.right.shape) == ([0.5, 1], (2, 2))


def test_groups_are_numbered_anew_among_the_items_in_common(grid_of):
    grid = grid_of([NOT_ASKED, RIGHT, RIGHT, WRONG], [RIGHT] * 4, groups=["x", "y", "z", "y"])
    assert in_common(grid, Side("a", (0,)), Side("b", (1,))).groups.tolist() == [0, 1, 0]
    assert np.unique(grid.groups()).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("first", "second", "skip", "message"),
    [
        ([RIGHT, NOT_ASKED], [NOT_ASKED, RIGHT], False, "bench: a and b have no item in common"),
        ([NOT_ASKED] * 2, [RIGHT] * 2, False, "bench: a: no reply to an item with a right answer"),
        ([NOT_APPLICABLE] * 2, [NOT_APPLICABLE] * 2, False, "bench: a and b: no reply to an item with a right answer"),
        ([MISSING] * 2, [RIGHT] * 2, True, "every item that a and b share lacks a reply"),
    ],
)
def test_nothing_in_common_says_why(grid_of, first, second, skip, message):
    grid = grid_of(first, second)
    with pytest.raises(InputError, match=message):
        in_common(grid, Side("a", (0,)), Side("b", (1,)), skip_missing=skip)


def test_a_model_and_a_style_name_all_their_runs():
    assert side_of(FOUR, "gpt, direct", "--a") == sides_of(FOUR)[0]
    assert len(sides_of(FOUR)[0].columns) == 2
