"""What two parts share: copies, conflicts, near-copies and templates, item by item."""

import numpy as np
import pytest

from hansproof.audit.tasks.overlap import examples, find_overlap
from hansproof.audit.tasks.split_measurement import label_shift

LONG = "the old captain of the ship told his crew that the storm would reach the harbour before midnight"
TEXTS = [
    "A question about cats", "a  QUESTION about cats", "Another one on dogs", "Another one on dogs",  # 0-3
    LONG, LONG.replace("crew", "men"), "nothing like this was ever asked", "w1 w2 w3 w4", "v1 v2 v3 v4", "u1 u2 u3",
]  # fmt: skip
Y = np.array([0, 0, 1, 0, 1, 1, 0, 0, 1, 1])
GROUPS = np.array([0, 0, 1, 1, 2, 3, 4, 5, 5, 6])
TRAIN, TEST = np.array([0, 2, 4, 7, 9]), np.array([1, 3, 5, 6, 8])


@pytest.fixture(scope="module")
def overlap():
    return find_overlap(TEXTS, Y, GROUPS, TRAIN, TEST)


def test_each_kind_names_the_training_item(overlap):
    assert overlap.duplicate.tolist() == [0, 2, -1, -1, -1]
    assert overlap.conflict.tolist() == [-1, 2, -1, -1, -1]
    assert overlap.near.tolist() == [-1, -1, 4, -1, -1]
    assert overlap.template.tolist() == [0, 2, -1, -1, 7]
    assert overlap.copied.tolist() == [True, True, True, False, False]
    assert overlap.shared.tolist() == [True, True, True, False, True]


def test_a_copy_with_the_same_answer_is_named_before_a_conflict():
    shared = find_overlap(["t"] * 3, np.array([0, 1, 1]), np.zeros(3, int), np.array([0, 1]), np.array([2]))
    assert (shared.duplicate.tolist(), shared.conflict.tolist()) == ([1], [0])


def test_examples_are_one_of_each_kind_with_an_extract_around_the_difference(overlap):
    ids, answers = [f"i{k}" for k in range(10)], [("no", "yes")[c] for c in Y]
    listed = examples(overlap, TEST, TEXTS, answers, ids, templates=True)
    assert [(item.kind, item.test, item.train) for item in listed] == [
        ("conflict", "i3", "i2"), ("duplicate", "i1", "i0"), ("near-duplicate", "i5", "i4"), ("template", "i8", "i7"),
    ]  # fmt: skip
    assert (listed[0].test_answer, listed[0].train_answer) == ("no", "yes")
    assert listed[2].similarity > 0.7
    assert "men" in listed[2].test_text
    assert [item.kind for item in examples(overlap, TEST, TEXTS, answers, ids, templates=False)][-1] == "near-duplicate"


def test_extracts_of_long_texts_begin_a_little_before_the_first_difference():
    same = "same words again and again " * 40
    texts = [f"{same}{LONG} cats", f"{same}{LONG} dogs", *(f"z{k} z{k + 1}" for k in range(20))]
    y = np.arange(22) % 2
    shared = find_overlap(texts, y, np.arange(22), np.arange(1, 22), np.array([0]))
    (item,) = examples(shared, np.array([0]), texts, ["a"] * 22, [str(k) for k in range(22)], templates=False)
    assert item.test_text.startswith("…")
    assert item.test_text.endswith("midnight cats")
    assert item.train_text.endswith("midnight dogs")


def test_shift_is_the_total_variation_distance():
    # Shares .75, .25 and .25, .75: half of (.5 + .5) = .5
    y, groups = np.array([0, 0, 0, 1] * 25 + [0, 1, 1, 1] * 25), np.arange(200)
    distance, p = label_shift(y, groups, np.arange(100), np.arange(100, 200), 2, 199, np.random.default_rng(1))
    assert (distance, p) == (pytest.approx(0.5), 1 / 200)


def test_equal_shares_are_no_shift_and_two_large_groups_are_no_evidence():
    y = np.array([0, 1] * 60)
    rows = np.arange(120)
    assert label_shift(y, rows, rows[:60], rows[60:], 2, 99, np.random.default_rng(1)) == (0, 1)
    # Each part is one group with one answer: exchanging them gives the same distance.
    blocks = np.repeat([0, 1], 60)
    assert label_shift(blocks, blocks, rows[:60], rows[60:], 2, 99, np.random.default_rng(1)) == (1, 1)
