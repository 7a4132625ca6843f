"""Counting by groups: against plain loops, and Niven and Kao's numbers from their definition."""

from collections import defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hansproof.audit.shortcuts.single_ngrams import count_units, spread


def by_loops(X, y, groups, labels, telling):
    count, hits = np.zeros(X.shape[1]), np.zeros((labels, X.shape[1]))
    for group in set(groups.tolist()):
        rows = np.flatnonzero(groups == group)
        for t in range(X.shape[1]):
            having = [row for row in rows if X[row, t]]
            alike = len(set(y[rows].tolist())) == 1
            if not having or (telling and not alike and len(having) == len(rows)):
                continue
            count[t] += 1
            for row in having:
                hits[y[row], t] += 1 / len(having)
    return count, hits


@pytest.mark.parametrize("telling", [False, True])
def test_counts_are_those_of_plain_loops(telling):
    random = np.random.RandomState(3)
    X = (random.rand(120, 9) < [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 1.0, 0.0]) * random.randint(1, 4, (120, 9))
    y, groups = random.randint(0, 3, 120), np.unique(random.randint(0, 45, 120), return_inverse=True)[1]
    counted = count_units(csr_matrix(X), np.arange(9), y, groups, 3, telling=telling)
    count, hits = by_loops(X, y, groups, 3, telling)
    assert counted.count.tolist() == count.tolist()
    assert counted.hits == pytest.approx(hits)
    some = count_units(csr_matrix(X), np.array([6, 2]), y, groups, 3, telling=telling)
    assert some.count.tolist() == [count[6], count[2]]


def test_a_template_of_a_hundred_items_is_no_more_evidence_than_a_single_item():
    X = csr_matrix(np.ones((101, 1), dtype=np.int64))
    counted = count_units(X, np.zeros(1, np.int64), np.array([1] * 100 + [0]), np.array([0] * 100 + [1]), 2)
    assert (counted.count[0], counted.hits[:, 0].tolist()) == (2, [1, pytest.approx(1)])


def test_applicability_productivity_and_coverage_follow_from_niven_and_kao():
    # Four data points of two warrants, the right one first. "not" is in: the right one; the wrong one; both; the right.
    # Applicable: in one warrant, not in the other: 3 of 4 points, coverage 3/4. In 2 of the 3 it is the right one.
    not_in = [(1, 0), (0, 1), (1, 1), (1, 0)]
    X = csr_matrix(np.array(not_in).reshape(8, 1))
    right = np.tile([1, 0], 4)
    points = np.repeat(np.arange(4), 2)
    counted = count_units(X, np.zeros(1, np.int64), right, points, 2, telling=True)
    applicable = int(counted.count[0])
    assert (applicable, counted.hits[1, 0] / applicable, applicable / 4) == (3, pytest.approx(2 / 3), 0.75)
    assert by_definition(not_in) == (3, pytest.approx(2 / 3), 0.75)


def by_definition(contains):
    applicable = [(a, b) for a, b in contains if a != b]
    return len(applicable), sum(a for a, _ in applicable) / len(applicable), len(applicable) / len(contains)


def test_columns_of_the_same_rows_share_a_key_and_others_do_not():
    X = np.array([[1, 3, 0, 1], [0, 0, 1, 1], [2, 1, 0, 0], [0, 0, 0, 0]])
    units, keys = spread(csr_matrix(X), np.array([0, 1, 0, 2]))
    assert units.tolist() == [1, 1, 1, 2]
    assert keys[0] == keys[1]
    assert len(defaultdict(int, {int(key): 1 for key in keys})) == 3
