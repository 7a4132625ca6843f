"""What is said below a comparison."""

import numpy as np
import pytest

from audit.paired.balance import Balanced
from audit.paired.comparison import compare_sides
from audit.paired.planned import Planned
from audit.paired.planning import measured_design, plan
from audit.paired.sides import Side
from audit.paired.wording.sentences import notes


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
