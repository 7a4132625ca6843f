"""The word of a comparison follows its written rule."""

import numpy as np
import pytest

from hansproof.audit.models.contrast import word_of
from hansproof.audit.models.difference import difference_of

MARGIN = 0.05


def measured(both, a_only, b_only, neither, size=1):
    a = np.array([1.0] * (both + a_only) + [0.0] * (b_only + neither))
    b = np.array([1.0] * both + [0.0] * a_only + [1.0] * b_only + [0.0] * neither)
    return difference_of(a, b, np.arange(len(a)) // size, MARGIN)


@pytest.mark.parametrize(
    ("counts", "word"),
    [
        ((60, 16, 4, 20), "A better"),  # p = .012
        ((60, 4, 16, 20), "B better"),
        ((60, 13, 7, 20), "no difference shown"),  # p = .26, and 6 points more or less are not ruled out
        ((950, 12, 10, 28), "equivalent"),
        ((900, 40, 10, 50), "A better"),  # by less than the margin: better and negligible, and better comes first
        ((0, 40, 0, 0), "A better"),  # p = 2 ** -39
        ((40, 0, 0, 19), "equivalent"),  # .95 ** 59
        ((40, 0, 0, 18), "no difference shown"),
        ((5, 24, 0, 0), "INCONCLUSIVE"),  # 29 items
        ((5, 25, 0, 0), "A better"),
    ],
)
def test_the_rule(counts, word):
    difference = measured(*counts)
    assert word_of(difference, difference.p, difference.equivalent_p) == word


def test_few_groups_are_inconclusive_however_many_items():
    # 5 groups of 20, A better in each; a sixth makes it 2 / 2 ** 6 = .03.
    five, six = (measured(0, 20 * groups, 0, 0, size=20) for groups in (5, 6))
    assert (np.isnan(five.p), six.p) == (True, 2 / 2**6)
    assert five.note.startswith("INCONCLUSIVE: fewer than 6 independent groups, so no test and no interval")
    assert word_of(five, five.p, five.equivalent_p) == "INCONCLUSIVE"
    assert word_of(six, six.p, six.equivalent_p) == "A better"
    assert 0 < six.low < 0.15


def test_the_corrected_p_decides():
    difference = measured(60, 16, 4, 20)
    assert word_of(difference, 0.051, difference.equivalent_p) == "no difference shown"
    near = measured(950, 12, 10, 28)
    assert word_of(near, near.p, 0.051) == "no difference shown"
