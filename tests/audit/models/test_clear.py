"""Differences without unclear and missing replies: the same numbers everywhere, and what is said where they differ."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models.comparison import compare_sides, differences
from hansproof.audit.models.contrast import Contrast, clear_notes, direction, lost_words, made_by_unclear, not_on_clear
from hansproof.audit.models.difference import Difference, difference_of
from hansproof.audit.models.sides import sides_of
from hansproof.audit.replies.grid import MISSING, NOT_ASKED, RIGHT, UNCLEAR, WRONG, Series
from hansproof.audit.report.comparison_words import notes, sentence

NAMES = ("items", "groups", "difference", "se", "low", "high", "p")


def by_format(items=120):
    """The first model is right on 9 in 10 of its clear replies, and clear in every third; the second on two thirds."""
    first = [(RIGHT if k % 10 else WRONG) if k % 3 == 0 else UNCLEAR for k in range(items)]
    return first, [WRONG if k % 6 == 0 or k % 6 == 1 else RIGHT for k in range(items)]


def numbers(made):
    return [getattr(made, name) for name in NAMES]


@pytest.mark.parametrize("groups", [None, [k // 3 for k in range(120)]])
def test_the_clear_difference_is_that_of_the_rest_of_the_items_and_that_of_compare(grid_of, groups):
    first, second = by_format()
    second[4] = MISSING
    grid = grid_of(first, second, [RIGHT] * 120, groups=groups)
    apart, *_ = differences(grid)
    rows = [k for k in range(120) if k % 3 == 0]
    left, right = (np.array([float(column[k] == RIGHT) for k in rows]) for column in (first, second))
    plain = difference_of(left, right, np.array(rows if groups is None else [groups[k] for k in rows]))
    assert numbers(apart.clear) == numbers(plain)
    assert apart.clear.difference == left.mean() - right.mean()
    a, b, _ = sides_of(grid.series)
    compared = compare_sides(grid, a, b)
    whole, clear = compared.parts
    assert (clear.by, numbers(clear.difference)) == ("clear", numbers(apart.clear))
    assert numbers(whole.clear) == numbers(apart.clear)
    assert (apart.unclear, apart.missing) == (whole.unclear, whole.missing) == ((80, 0), (0, 1))


def test_a_difference_that_only_unclear_replies_make_is_called_so(grid_of):
    first, second = by_format()
    (apart,) = differences(grid_of(first, second, series=[Series("terse"), Series("plain")]))
    assert direction(apart.difference.difference, apart.p_holm) == -1
    assert apart.clear.difference > 0
    assert not_on_clear(apart)
    assert made_by_unclear(apart)
    assert clear_notes([(apart.title, apart)]) == [
        "shown, but unclear replies make the difference: it is gone, or turned, on the items with clear replies only: "
        "terse - plain (-36.7 on all, +40.0 on 40 clear items; unclear: 80/0)"
    ]


def test_a_headline_says_who_is_better_where_clear_replies_turn_the_difference(grid_of):
    first, second = by_format()
    grid = grid_of(first, second, series=[Series("terse"), Series("plain")])
    said = sentence(compare_sides(grid, *sides_of(grid.series)))
    assert said.startswith(
        "B better, but unclear replies make the difference, as A is better on the items with clear replies only "
        "(unclear: A 80, B 0): terse is right on 30.0 %"
    )


def test_a_difference_that_fewer_items_do_not_show_is_no_work_of_the_unclear_ones(grid_of):
    # 64 items, the first clearly ahead by 20.3 points; on the 49 clear ones still by 16.3, which 49 do not show.
    first = [UNCLEAR] * 5 + [RIGHT] * 40 + [WRONG] * 19
    second = [RIGHT] * 2 + [WRONG] * 3 + [UNCLEAR] * 10 + [RIGHT] * 16 + [WRONG] * 14 + [RIGHT] * 6 + [WRONG] * 13
    grid = grid_of(first, second)
    (apart,) = differences(grid)
    assert (apart.difference.items, apart.clear.items, direction(apart.difference.difference, apart.difference.p)) == (
        64,
        49,
        1,
    )
    assert apart.clear.difference > 0.15
    assert direction(apart.clear.difference, apart.clear.p) == 0
    assert not_on_clear(apart)
    assert not made_by_unclear(apart)
    (note,) = clear_notes([(apart.title, apart)])
    assert note.startswith("shown, but not on the items with clear replies only: m0 - m1 (+25.0 on all, +16.3 on 49 ")
    said = sentence(compare_sides(grid, *sides_of(grid.series)))
    assert said.startswith("A better, but not shown on the items with clear replies only (unclear: A 5, B 10): m0 is ")
    for overclaimed in ("because", "missing", "make the difference"):
        assert overclaimed not in said
        assert overclaimed not in note


NONE = difference_of(np.array([]), np.array([]), np.array([], dtype=np.int64))


def plain(difference, items=100) -> Difference:
    return replace(NONE, items=items, groups=items, difference=difference)


def compared(all_, clear, items=50, p=0.9, unclear=(9, 0), missing=(0, 0)):
    return Contrast("a", "b", plain(all_), 0.001, 1.0, unclear, missing, plain(clear, items), p)


@pytest.mark.parametrize(
    ("on_all", "on_clear", "made"),
    [(0.2, 0.1, False), (0.2, 1e-3, False), (0.2, 0.0, True), (0.2, 1e-17, True), (0.2, -0.1, True),
     (-0.2, -0.1, False), (-0.2, 0.1, True), (-0.2, -1e-17, True)],
)  # fmt: skip
def test_unclear_replies_make_a_difference_to_which_the_clear_ones_add_nothing(on_all, on_clear, made):
    assert made_by_unclear(compared(on_all, on_clear)) is made
    # The sum over the clear items and that over the others are the whole: these others have more than all of it.
    items = 100
    others = items * on_all - 50 * on_clear
    assert (others / (items * on_all) >= 1 - 1e-9) is made


def test_of_no_clear_item_nothing_is_said_to_make_the_difference():
    none = compared(0.5, float("nan"), items=0, p=float("nan"))
    assert not_on_clear(none)
    assert not made_by_unclear(none)


@pytest.mark.parametrize(
    ("unclear", "missing", "said", "named"),
    [
        ((5, 11), (0, 0), "unclear: 5/11", "unclear: A 5, B 11"),
        ((0, 0), (0, 1000), "missing: 0/1,000", "missing: A 0, B 1,000"),
        ((1, 0), (2, 3), "unclear: 1/0; missing: 2/3", "unclear: A 1, B 0; missing: A 2, B 3"),
    ],
)
def test_only_what_there_is_of_lost_replies_is_named(unclear, missing, said, named):
    of = compared(0.2, -0.1, unclear=unclear, missing=missing)
    assert (lost_words(of), lost_words(of, ("A", "B"))) == (said, named)
    kind = "unclear and missing" if any(unclear) and any(missing) else "unclear" if any(unclear) else "missing"
    assert clear_notes([("a - b", of)])[0].startswith(f"shown, but {kind} replies make the difference: ")


def test_a_difference_that_unclear_replies_hide_and_one_that_they_turn_are_told_apart(grid_of):
    # Clear in half: right on all of these, as often as the other one on all items.
    hidden = [RIGHT if k % 2 else UNCLEAR for k in range(120)]
    other = [RIGHT if (k // 2) % 2 else WRONG for k in range(120)]
    (apart,) = differences(grid_of(hidden, other))
    assert (apart.difference.difference, apart.clear.difference) == (0.0, 0.5)
    assert clear_notes([(apart.title, apart)])[0].startswith(
        "shown on the items with clear replies only, but not on all, where unclear replies count as wrong: "
    )
    # Right on one item fewer, and on the clear ones on one more.
    little = [RIGHT] * 61 + [UNCLEAR] * 2 + [WRONG] * 57
    many = [WRONG] + [RIGHT] * 62 + [WRONG] * 57
    (turned,) = differences(grid_of(little, many))
    assert turned.difference.difference < 0 < turned.clear.difference
    (note,) = clear_notes([(turned.title, turned)])
    assert note.startswith("the other way round on the items with clear replies only, though neither is shown: ")


def test_without_unclear_replies_there_is_nothing_to_say(grid_of):
    first, second = [RIGHT] * 90 + [WRONG] * 30, [WRONG] * 60 + [RIGHT] * 60
    (apart,) = differences(grid_of(first, second))
    assert apart.p_holm < 0.05
    assert apart.clear is None
    assert not not_on_clear(apart)
    assert clear_notes([(apart.title, apart)]) == []


def test_where_no_item_is_clear_to_both_in_every_run_nothing_is_left_of_the_difference(grid_of):
    first = [UNCLEAR if k % 2 else RIGHT for k in range(100)]
    second = [WRONG if k % 2 else UNCLEAR for k in range(100)]
    # Each side has one run more, in which all replies are clear.
    runs = [Series(name, run=run) for name in "ab" for run in "12"]
    (apart,) = differences(grid_of(first, [RIGHT] * 100, second, [WRONG] * 100, series=runs))
    assert direction(apart.difference.difference, apart.p_holm) == 1
    assert (apart.clear.items, isnan(apart.clear.difference), isnan(apart.clear_p_holm)) == (0, True, True)
    assert "(+75.0 on all, no item is clear; unclear: 50/50)" in clear_notes([(apart.title, apart)])[0]


def test_clear_differences_are_corrected_over_those_that_have_a_test(grid_of):
    first, second = by_format()
    third = [UNCLEAR if k % 5 == 0 else RIGHT if k % 2 else WRONG for k in range(120)]
    never = [NOT_ASKED] * 100 + [UNCLEAR] * 20
    made = differences(grid_of(first, second, third, never))
    tested = [each for each in made if not isnan(each.clear.p)]
    assert [each.clear.items for each in made] == [40, 32, 0, 96, 0, 0]
    assert [each.clear_p_holm for each in tested] == pytest.approx(
        list(multipletests([each.clear.p for each in tested], method="holm")[1])
    )
    assert len(tested) == 3


def test_compare_says_of_a_subset_that_only_unclear_replies_make_its_difference(grid_of):
    first, second = by_format()
    honest = [RIGHT] * 60 + [WRONG] * 60, [WRONG] * 50 + [RIGHT] * 70
    grid = grid_of(
        first + honest[0], second + honest[1], subsets=["format"] * 120 + ["honest"] * 120,
        series=[Series("terse"), Series("plain")],
    )  # fmt: skip
    compared = compare_sides(grid, *sides_of(grid.series))
    parts = {part.name: part for part in compared.parts if part.by == "subset"}
    assert {name: part.verdict for name, part in parts.items()} == {
        "format": "B better", "honest": "no difference shown",
    }  # fmt: skip
    assert (parts["format"].clear.items, parts["honest"].clear) == (40, None)
    said = [note for note in notes(compared) if note.startswith("shown, but unclear replies make the difference")]
    assert len(said) == 1
    assert "format (-36.7 on all, +40.0 on 40 clear items; unclear: 80/0)" in said[0]
    assert (
        "but unclear replies make the difference, as B is not ahead on the items with clear replies only (unclear: "
        in (sentence(compared))
    )


def test_a_note_names_three_and_counts_the_others():
    every = [(f"pair {k}", compared(-0.5, 0.1, items=10)) for k in range(7)]
    (note,) = clear_notes(every)
    assert note.count("pair ") == 3
    assert note.endswith("; and 4 more")
