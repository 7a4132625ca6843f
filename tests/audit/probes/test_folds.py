"""Folds never part a group, spread labels evenly, and do not look at names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedGroupKFold

from hansproof.audit.probes.folds import fold_numbers, paper_split
from hansproof.audit.statistics.permutation import seeded


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=8, max_size=80), st.integers(0, 99))
def test_no_group_is_ever_parted(pairs, seed):
    y, groups = (np.unique(column, return_inverse=True)[1] for column in np.array(pairs).T)
    folds = fold_numbers(y, groups, 4, seeded(seed, "folds"))
    assert set(folds) <= set(range(4))
    for group in np.unique(groups):
        assert len(set(folds[groups == group])) == 1


def test_single_items_are_spread_to_within_one_a_label_and_fold():
    y = np.array([0] * 101 + [1] * 57 + [2] * 3)
    folds = fold_numbers(y, np.arange(len(y)), 5, seeded(7, "folds"))
    for label in range(3):
        counts = np.bincount(folds[y == label], minlength=5)
        assert counts.max() - counts.min() <= 1
    sizes = np.bincount(folds, minlength=5)
    assert sizes.max() - sizes.min() <= 2


def test_groups_of_mixed_sizes_are_spread_about_as_evenly_as_scikit_learn_does():
    random = np.random.default_rng(5)
    groups = np.repeat(np.arange(120), random.integers(1, 14, 120))
    y = (random.random(len(groups)) < np.repeat(random.random(120), np.bincount(groups))).astype(int)

    def unevenness(folds):
        table = np.array([[((folds == f) & (y == c)).sum() for c in (0, 1)] for f in range(5)])
        return (table / table.sum(axis=0)).std(axis=0).max()

    ours = unevenness(fold_numbers(y, groups, 5, seeded(0, "folds")))
    splitter = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    theirs = np.empty(len(y), dtype=int)
    for f, (_, test) in enumerate(splitter.split(y, y, groups)):
        theirs[test] = f
    assert ours <= max(unevenness(theirs) * 1.5, 0.01)


def test_the_seed_changes_the_folds_and_nothing_else_does():
    y, groups = np.tile([0, 1], 100), np.repeat(np.arange(50), 4)
    first = fold_numbers(y, groups, 5, seeded(1, "folds"))
    assert np.array_equal(first, fold_numbers(y, groups, 5, seeded(1, "folds")))
    assert not np.array_equal(first, fold_numbers(y, groups, 5, seeded(2, "folds")))


def test_the_papers_split_is_60_20_20_and_parts_the_items():
    train, validation, test = paper_split(101)
    assert [len(train), len(validation), len(test)] == [60, 20, 21]
    assert sorted(np.concatenate([train, validation, test])) == list(range(101))


def test_the_papers_split_is_the_shuffle_of_a_pandas_frame_with_seed_42():
    pandas = pytest.importorskip("pandas")
    shuffled = pandas.DataFrame({"row": range(50)}).sample(frac=1, random_state=42)["row"].to_numpy()
    assert np.array_equal(np.concatenate(paper_split(50)), shuffled)
