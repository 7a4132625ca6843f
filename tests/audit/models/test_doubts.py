"""What is said of intervals that look odd, and where: the same words on the screen and on the pages."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.models.comparison import compare_sides, differences
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.difference import UNSEEN, difference_of
from hansproof.audit.models.sides import Side
from hansproof.audit.notation import points_within
from hansproof.audit.report.comparison_words import (
    difference_notes,
    doubts,
    ends,
    notes,
    strained,
    touching,
    where_said,
)
from hansproof.audit.statistics.effective_size import largest_groups

ROUNDED = "the interval leaves 0 out: its end at 0.0 is rounded"


def test_a_usual_interval_needs_no_word():
    a, b = np.repeat([1.0, 0.0], [60, 40]), np.tile([1.0, 0.0], 50)
    assert strained(difference_of(a, b, np.arange(100))) == ""


@pytest.mark.parametrize(("half", "said"), [(0.25, False), (0.28, True), (0.34, True), (0.12, True), (0.196, False)])
def test_an_interval_far_from_two_standard_errors_is_explained(half, said):
    usual = difference_of(np.repeat([1.0, 0.0], 50), np.tile([1.0, 0.0], 50), np.arange(100))
    rough = replace(usual, se=0.1, low=-half, high=half)
    assert ("go by the interval" in strained(rough)) is said
    assert strained(replace(rough, se=float("nan"))) == strained(replace(rough, low=float("nan"))) == ""


@pytest.mark.parametrize("way", [1, -1])
def test_an_end_at_0_is_said_to_leave_0_out(way):
    usual = difference_of(np.repeat([1.0, 0.0], 50), np.tile([1.0, 0.0], 50), np.arange(100))

    def ended(near, p):
        low, high = sorted((way * near, way * 0.2))
        return touching(replace(usual, low=low, high=high, p=p))

    assert "ends at 0.0 and leaves 0 out: the exact p is surer" in ended(1e-9, 0.03)
    assert ended(1e-9, 0.03).endswith(
        "The end stands where p leaves it: how small the difference may be is not known better"
    )
    assert ended(2e-6, 0.03) == ended(0.00049, 0.05) == ROUNDED
    assert ended(0.00051, 0.03) == ended(0.01, 0.03) == ended(-1e-9, 0.2) == ended(-0.0004, 0.06) == ""
    assert touching(replace(usual, low=float("nan"), high=float("nan"), p=float("nan"))) == ""


def test_what_a_sample_may_miss_is_said_once_for_all_differences(grid_of):
    # Three models on 180 items that are their own groups, and 20 groups of 10; the numbers are in each note, too.
    groups = np.r_[np.arange(180), 180 + np.repeat(np.arange(20), 10)]
    models = [np.ones(380, dtype=int) for _ in range(3)]
    models[1][:12] = models[2][:30] = 0
    made = differences(grid_of(*models, groups=groups))
    assert all(each.difference.p <= 0.05 for each in made)
    (said,) = (line for line in difference_notes(made) if line.startswith(UNSEEN))
    assert said == (
        f"{UNSEEN}large groups could cancel the difference, and a sample may miss them all: "
        "m0 − m1 (3.1 % of the items are enough, missed with a chance of 31 %); "
        "m0 − m2 (7.3 % of the items are enough, missed with a chance of 6 %); "
        "m1 − m2 (4.5 % of the items are enough, missed with a chance of 17 %)"
    )
    for each in made:
        share = each.difference.difference / (1 + each.difference.difference)
        chance = (1 - share) ** (largest_groups(np.bincount(groups), share) / share)
        assert f"({100 * share:.1f} % of the items are enough, missed with a chance of {100 * chance:.0f} %)" in said
        assert chance > 0.05
    # Of a single difference the note stands as it is, and other doubts of the same stand by themselves.
    compared = compare_sides(grid_of(*models[:2], groups=groups), Side("a", (0,)), Side("b", (1,)))
    assert made[0].difference.note in notes(compared)
    named = where_said([("x", [f"rough; {made[0].difference.note}"]), ("y", ["rough"])])
    assert list(named.items()) == [
        ("rough", ["x", "y"]),
        (said.partition(": m0")[0], ["x (3.1 % of the items are enough, missed with a chance of 31 %)"]),
    ]


def pairs(b, c, n):
    """Right and wrong of two sides on n items: b with only the first right, c with only the second."""
    return np.repeat([1.0, 0.0, 1.0], [b, c, n - b - c]), np.repeat([0.0, 1.0, 1.0], [b, c, n - b - c])


def test_a_word_is_said_exactly_where_an_end_is_printed_as_0_beside_a_small_p():
    # The second way: SciPy's binomial test, and the very text that stands in the table.
    said = set()
    for b, c, n in product(range(4, 60, 4), range(0, 40, 4), (90, 6000)):
        first, second = pairs(b, c, n) if b + c <= n else pairs(b, 0, n)
        measured = difference_of(first, second, np.arange(n), brief=True)
        only = int((first > second).sum()), int((first < second).sum())
        printed = points_within(measured.difference, measured.low, measured.high, "+")
        at_zero = "0.0" in printed[printed.index("[") + 1 : -1].split(", ")
        small = bool(stats.binomtest(only[0], sum(only)).pvalue <= 0.05)
        assert bool(touching(measured)) is (at_zero and small), (b, c, n)
        said.add((touching(measured), at_zero, small))
    assert {(ROUNDED, True, True), ("", True, False), ("", False, True)} <= said


def test_the_interval_of_clear_replies_has_its_own_word():
    first, second = pairs(36, 20, 6000)
    usual = difference_of(*pairs(60, 10, 6000), np.arange(6000))
    clear = difference_of(first[:5990], second[:5990], np.arange(5990), brief=True)
    assert points_within(clear.difference, clear.low, clear.high) == "0.3 [0.0, 0.5]"
    assert clear.p <= 0.05
    assert clear.low > 1e-5
    each = Contrast("a", "b", usual, usual.p, usual.equivalent_p, (10, 0), (0, 0), clear, clear.p)
    assert ends(each, clear=False) == ends(replace(each, clear=replace(clear, p=0.2))) == []
    assert ends(each) == doubts(each) == [f"where both replies are clear, {ROUNDED}"]


def test_each_place_of_a_difference_says_the_same(grid_of):
    first, second = (each.astype(int) for each in pairs(36, 20, 6000))
    grid = grid_of(first, second)
    (between,) = differences(grid)
    assert between.difference.p <= 0.05
    assert 1e-6 < between.difference.low < 0.0005
    assert difference_notes([between]) == [f"{ROUNDED}: m0 − m1"]
    assert difference_notes([between] * 5) == [f"{ROUNDED}: m0 − m1; m0 − m1; m0 − m1; and 2 more"]
    assert ROUNDED in notes(compare_sides(grid, Side("a", (0,)), Side("b", (1,))))
    assert ends(between) == [ROUNDED]
