"""Relabellings keep what the null hypothesis keeps, and nothing else; Holm against its own example and statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.permutation import holm, relabelled, seeded


def test_holm_matches_the_worked_example_of_holm_1979():
    # p = .01 .02 .04 -> .03 .04 .04
    assert holm(np.array([0.02, 0.01, 0.04])) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_agrees_with_statsmodels_and_leaves_undefined_ones_out():
    p = np.random.default_rng(2).random(13) ** 3
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    with_nan = np.insert(p, 4, np.nan)
    assert np.isnan(holm(with_nan)[4])
    assert np.delete(holm(with_nan), 4) == pytest.approx(holm(p))


def test_a_generator_depends_on_its_seed_and_on_every_part_of_its_name():
    names = [(1, "null"), (2, "null"), (1, "bounds"), (1, "null", 0), (1, "null", 1)]
    drawn = [seeded(*name).random() for name in names]
    assert len(set(drawn)) == len(names)
    assert drawn == [seeded(*name).random() for name in names]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), min_size=4, max_size=60), st.integers(0, 99))
def test_a_group_takes_as_many_labels_of_one_donor_as_it_has_items(pairs, seed):
    y, groups = (np.unique(column, return_inverse=True)[1] for column in np.array(pairs).T)
    size, labels = np.bincount(groups), int(y.max()) + 1
    held = np.array([np.bincount(y[groups == g], minlength=labels) for g in range(len(size))])
    for z in relabelled(y, groups, 3, seeded(seed, "test")):
        assert len(z) == len(y)
        for g in range(len(size)):
            taken = np.bincount(z[groups == g], minlength=labels)
            # A donor of d items gives each of them size // d times, and size % d of them once more.
            whole = [size[g] // size[d] * held[d] for d in range(len(size))]
            more = [size[g] % size[d] for d in range(len(size))]
            assert any(
                (taken >= whole[d]).all()
                and (taken - whole[d] <= held[d]).all()
                and (taken - whole[d]).sum() == more[d]
                for d in range(len(size))
            )


def test_groups_of_one_answer_stay_pure_whatever_their_sizes():
    size = np.array([1, 2, 3, 5, 8, 13, 21])
    groups, y = np.repeat(np.arange(7), size), np.repeat([0, 1, 1, 0, 1, 0, 1], size)
    for z in relabelled(y, groups, 50, seeded(3, "test")):
        assert [len(set(z[groups == g])) for g in range(7)] == [1] * 7
        assert sorted(z[groups == g][0] for g in range(7)) == [0, 0, 0, 1, 1, 1, 1]


def test_groups_of_equal_size_exchange_their_labels_as_blocks():
    y = np.array([0, 0, 1, 1, 1, 1, 0, 1, 2])
    groups = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2])
    before = sorted(tuple(sorted(y[groups == g])) for g in range(3))
    seen = set()
    for z in relabelled(y, groups, 60, seeded(3, "test")):
        assert sorted(tuple(sorted(z[groups == g])) for g in range(3)) == before
        seen.add(tuple(z))
    assert len(seen) > 6  # more than the 3! orders of the blocks: the members of a block change places too


def test_single_items_are_permuted():
    y = np.array([0] * 7 + [1] * 4 + [2])
    orders = [z.tolist() for z in relabelled(y, np.arange(12), 40, seeded(3, "test"))]
    assert {tuple(sorted(z)) for z in orders} == {tuple(y)}
    assert len({tuple(z) for z in orders}) > 30


def test_every_item_gets_each_answer_as_often_as_it_occurs():
    # Groups of 4 to 7 items are alike; each is equally often the donor, so its own composition counts once.
    random = np.random.default_rng(5)
    groups = np.repeat(np.arange(60), random.integers(4, 8, 60))
    y = (random.random(len(groups)) < 0.3).astype(np.int64)
    mean = np.mean(list(relabelled(y, groups, 4000, seeded(3, "test"))), axis=0)
    of_groups = np.mean([y[groups == g].mean() for g in range(60)])
    assert mean == pytest.approx(np.full(len(y), of_groups), abs=0.04)
    assert mean.mean() == pytest.approx(y.mean(), abs=0.05)


def test_the_seed_decides_the_relabellings():
    y, groups = np.tile([0, 1, 1], 20), np.repeat(np.arange(20), 3)
    first, again, other = (np.stack(list(relabelled(y, groups, 5, seeded(seed, "test")))) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert len({row.tobytes() for row in first}) == 5


def test_groups_change_places_with_groups_of_about_their_own_size():
    # 20 single items with answer 0, four groups of 6 and five of 10 with answer 1: 6 and 10 are alike, 1 is not.
    size = np.repeat([1, 6, 10], [20, 4, 5])
    groups, y = np.repeat(np.arange(29), size), np.repeat([0, 1, 2], [20, 24, 50])
    seen = np.stack(list(relabelled(y, groups, 40, seeded(3, "test"))))
    assert (seen[:, y == 0] == 0).all()
    assert (seen[:, y > 0] > 0).all()
    assert (seen[:, y > 0] != y[y > 0]).any()


def test_fewer_than_four_large_groups_change_places_with_smaller_ones():
    groups, y = np.repeat(np.arange(23), np.repeat([1, 6], [20, 3])), np.repeat([0, 1], [20, 18])
    seen = np.stack(list(relabelled(y, groups, 40, seeded(3, "test"))))
    assert (seen[:, :20] == 1).any()


def test_predictions_that_know_nothing_are_rarely_significant_although_large_groups_have_other_answers():
    size = np.repeat([1, 6, 60], [100, 10, 4])
    groups = np.repeat(np.arange(114), size)
    random, rejected = np.random.default_rng(9), 0
    for _ in range(300):
        y = (random.random(114) < np.where(size > 3, 0.85, 0.15)).astype(np.int64)[groups]
        score = random.normal(size=114)[groups] + 0.01 * random.random(400)
        predicted = (score.argsort().argsort() >= 400 - y.sum()).astype(np.int64)  # as often as the answer occurs
        counts = [kappa.confusion(z, predicted, 2) for z in (y, *relabelled(y, groups, 39, random))]
        kappas = np.nan_to_num(kappa.cohen(np.stack(counts)))
        rejected += (kappas >= kappas[0] - 1e-12).sum() <= 2  # p <= 2 / 40
    assert rejected <= 26  # .05 of 300, plus three standard errors; 34 with donors of any size
