"""What is said below a comparison."""

from dataclasses import replace

import numpy as np
import pytest

from audit.paired.balance import Balanced
from audit.paired.comparison import compare_sides
from audit.paired.difference import difference_of
from audit.paired.planned import Planned
from audit.paired.planning import measured_design, plan
from audit.paired.sides import Side
from audit.paired.words import notes, strained, touching


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

    assert "leaves 0 out" in ended(1e-9, 0.03)
    assert ended(0.01, 0.03) == ended(-1e-9, 0.2) == ended(0.0, 0.2) == ""
    assert touching(replace(usual, low=float("nan"), high=float("nan"), p=float("nan"))) == ""


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
