"""What groups are worth in independent pairs."""

import doctest

import numpy as np
import pytest

from audit.paired import effective
from audit.paired.difference import MARGIN, difference_of
from audit.paired.effective import independent_pairs, kish, largest_groups
from audit.statistics.intraclass import Alike, alike_items
from audit.statistics.resampling import seeded
from benchmarks.paired.simulated import moved_groups, two_models

NOTHING = Alike(0.0, 0.0)
UNLIKE = Alike(0.0, 1e9)
ALIKE = Alike(1e9, 1e9)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.35, 0.99, 1.0])
def test_the_largest_groups_are_counted_item_by_item(share):
    sizes = np.array([3, 1, 10, 2, 4, 10, 1, 1])
    wanted, count = share * sizes.sum(), 0.0
    for size in sorted(sizes.tolist(), reverse=True):
        part = min(1.0, wanted / size)
        wanted, count = wanted - part * size, count + part
    assert largest_groups(sizes, share) == pytest.approx(count)


def test_without_a_moved_group_there_are_as_many_pairs_as_large_groups():
    assert independent_pairs(0.0, 0.0, 0.0, 1.0, np.full(20, 5), single=True) == pytest.approx(20)
    # 38 groups of ten would hold as many items as these 380; a tenth of them sits in groups of ten.
    assert independent_pairs(0.0, 0.0, 0.0, 1.0, np.array([10] * 20 + [1] * 180), single=True) == pytest.approx(38)


def test_groups_that_move_as_a_whole_are_worth_one_pair_each_and_single_items_all_of_theirs():
    # k of 40 groups of 5 moved, in both directions: psi = k / 40 and V = k / 40^2.
    for moved in (2, 10, 30):
        pairs = independent_pairs(0.0, moved / 40, moved / 40**2, 1.0, np.full(40, 5), single=True)
        assert pairs == pytest.approx(40)
    # One item each, in both directions: V = k / 200^2, and with more groups nearer to 200 of 200 pairs.
    for moved, expected in ((2, (2 / 200 + 1 / 40) / (2 / 200**2 + 1 / 40**2)), (2000, 200)):
        pairs = independent_pairs(0.0, moved / 200, moved / 200**2, 1.0, np.full(40, 5), single=False)
        assert pairs == pytest.approx(expected, rel=0.05)


def test_items_that_cancel_are_worth_no_more_than_themselves_and_means_of_runs_may_be():
    assert independent_pairs(0.0, 1.0, 0.0, 1.0, np.full(40, 2), single=True) == 80
    assert independent_pairs(0.0, 1.0, 0.0, 1.0, np.full(40, 2), single=False) > 80
    assert np.isnan(independent_pairs(0.1, 0.1, np.nan, 1.0, np.array([30]), single=True))


def test_the_examples_of_the_docstrings_are_true():
    assert doctest.testmod(effective) == (0, 4)


def test_a_small_p_that_unseen_groups_could_undo_says_so():
    # 180 items that are their own groups, and 20 groups of 10: A is ahead on 18 single items. If B were right alone in
    # 1.8 of 20 large groups, nobody would be ahead.
    groups = np.r_[np.arange(180), 180 + np.repeat(np.arange(20), 10)]
    a, b = np.ones(380), np.ones(380)
    b[:18] = 0
    measured = difference_of(a, b, groups, MARGIN)
    assert measured.p == 2 / 2**18
    assert "large groups that hold 4.5 % of all could cancel the difference" in measured.note
    assert f"a chance of {100 * (1 - 18 / 398) ** (380 / 10):.0f} %" in measured.note
    # As many single items, and no groups: what could cancel is a share of items like any other.
    assert difference_of(a, b, np.arange(380), MARGIN).note == ""
    # A hundred groups of which 60 move leave no room.
    many = np.repeat(np.arange(100), 4)
    ahead = np.where(np.arange(400) % 4 == 0, 1.0, 0.0) * (many < 60)
    assert difference_of(ahead, np.zeros(400), many, MARGIN).note == ""
    # Without a difference that is shown, there is nothing to undo.
    b[1:18] = 1
    assert "cancel" not in difference_of(a, b, groups, MARGIN).note


def test_means_of_runs_on_single_items_say_it_too():
    a = np.zeros((100, 10))
    a[:20, :1] = 1
    measured = difference_of(a, np.zeros((100, 10)), np.arange(100), MARGIN)
    assert measured.p < 0.05
    assert "opposite items, 2.0 % of all, could" in measured.note
    assert f"{100 * (1 - 0.02 / 1.02) ** 100:.0f} %" in measured.note
