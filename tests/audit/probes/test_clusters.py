"""A suspected leak is measured again with similar texts kept together: templates vanish, a word survives."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.probes.clusters import hold_apart, joined, kappa_together
from hansproof.audit.probes.crossfit import Fitting, crossfit
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.similarity import Partition
from hansproof.audit.texts.vectors import by_name

VECTOR = by_name("word-1-presence")
WORDS = [f"{a}{b}" for a in "bcdfgh" for b in "aeiou"]
TEMPLATE = np.repeat(np.arange(40), 6)


def prompts(extra):
    random = np.random.default_rng(1)
    return [
        f"{' '.join(random.choice(WORDS, 3, replace=False))} template{t} {extra[i]}" for i, t in enumerate(TEMPLATE)
    ]


@pytest.fixture(scope="module")
def templates():
    """40 templates of 6 items, each with one answer and a word of its own."""
    y = np.random.default_rng(2).permutation(40)[TEMPLATE] % 2
    return FeatureTable.build(prompts([""] * 240), levels=["word"], dense=()), y


@pytest.fixture(scope="module")
def cued():
    """The same texts with answers that a word gives away in 85 % of the items, in whatever template."""
    random = np.random.default_rng(3)
    y = random.permutation(240) % 2
    right = random.random(240) < 0.85
    words = np.where(right, y, 1 - y)
    return FeatureTable.build(prompts([("never", "always")[w] for w in words]), levels=["word"], dense=()), y


def check(table, y, partitions, observed, groups=None, margin=0.1):
    groups = np.arange(240) if groups is None else groups
    fitting = Fitting(7, workers=1)

    def kappa_of(name, together):
        assert name == VECTOR.name
        return kappa_together(LabelTask.of(table, y, 2), together, VECTOR, fitting, folds=4)

    parts = [Partition(alike, index, int(index.max()) + 1) for alike, index in partitions]
    return hold_apart([(VECTOR.name, observed)], groups, parts, kappa_of, margin)


def test_the_kappa_of_templates_is_not_held(templates):
    (whole,) = check(*templates, [("wording", np.arange(240)), ("frame", TEMPLATE)], observed=0.8)
    assert (whole.vector, whole.alike, whole.clusters, whole.largest) == ("word-1-presence", "frame", 40, 6)
    assert whole.kappa < 0.1
    assert not whole.held


def test_it_is_the_median_of_three_splits(templates):
    table, y = templates
    (apart,) = check(table, y, [("wording", np.arange(240) // 2)], observed=0.8)
    fitting = Fitting(7, workers=1)
    pairs = np.arange(240) // 2
    (scores,) = crossfit(LabelTask.of(table, y, 2), pairs, [VECTOR], fitting, scheme="clusters", folds=4, splits=3)
    first, *others = (cohen_kappa_score(y, row) for row in scores.matched)
    assert apart.kappa == pytest.approx(np.median([first, *others]))
    assert len({first, *others}) == 3


def test_the_kappa_of_a_word_is_held(cued):
    (whole,) = check(*cued, [("frame", TEMPLATE)], observed=0.7)
    assert whole.kappa > 0.5
    assert whole.held


def test_a_kappa_is_held_above_the_margin_and_at_half_of_what_it_was(cued):
    (first,) = check(*cued, [("frame", TEMPLATE)], observed=0.7)

    def held(observed, margin):
        return check(*cued, [("frame", TEMPLATE)], observed, margin=margin)[0].held

    assert held(2 * first.kappa, 0.1)
    assert not held(2 * first.kappa + 0.001, 0.1)
    assert held(0.7, first.kappa - 0.001)
    assert not held(0.7, first.kappa)


def test_groups_stay_together_within_every_partition(templates):
    pair = np.where(np.arange(240) % 40 < 2, 0, np.arange(240))
    pair = np.unique(pair, return_inverse=True)[1]
    (whole,) = check(*templates, [("wording", pair)], observed=0.8, groups=TEMPLATE)
    assert whole.clusters == len(np.unique(joined(TEMPLATE, pair))) < 40


def test_a_partition_that_joins_no_groups_is_not_tried(templates):
    assert check(*templates, [("wording", np.arange(240)), ("frame", TEMPLATE)], observed=0.8, groups=TEMPLATE) == []


def test_a_partition_that_leaves_nothing_to_compare_with_is_not_tried(templates):
    # Two halves can be held against each other; a huge cluster beside many small ones cannot.
    two = np.arange(240) // 120
    lopsided = np.where(np.arange(240) < 200, 0, np.arange(240))
    lopsided = np.unique(lopsided, return_inverse=True)[1]
    checks = check(*templates, [("wording", two), ("frame", lopsided)], observed=0.8)
    assert [entry.alike for entry in checks] == ["wording"]


def test_joined_keeps_together_what_either_partition_keeps_together():
    # 0-1 and 2-3 in the first, 1-2 in the second: 0 to 3 are one group by way of each other; 4 and 5 stay alone.
    together = joined(np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 1, 2, 3, 4]))
    assert together.tolist() == [0, 0, 0, 0, 1, 2]
    assert joined(np.arange(4), np.arange(4)).tolist() == [0, 1, 2, 3]
    assert joined(np.arange(4), np.zeros(4, dtype=np.int64)).tolist() == [0] * 4


def test_suspects_are_checked_until_one_holds_and_never_more_than_three():
    parts = [Partition("template", TEMPLATE, 40), Partition("wording", TEMPLATE, 40)]
    left = {"a": 0.2, "b": 0.3, "c": 0.15, "d": 0.5}

    def checked(*suspects):
        return hold_apart([(name, 0.5) for name in suspects], np.arange(240), parts, lambda name, _: left[name], 0.1)

    assert [(check.vector, check.held) for check in checked("a", "b", "c")] == [("a", False), ("b", True)]
    assert [check.vector for check in checked("a", "c", "a", "d")] == ["a", "c", "a"]
    assert {check.alike for check in checked("d")} == {"wording"}  # templates are another question
    assert checked() == []


def test_kappa_may_be_that_of_some_units_though_all_take_part(cued):
    table, y = cued
    task, fitting, tested = LabelTask.of(table, y, 2), Fitting(7, workers=1), np.arange(0, 240, 3)
    value = kappa_together(task, TEMPLATE, VECTOR, fitting, folds=4, splits=1, tested=tested)
    (scores,) = crossfit(task, TEMPLATE, [VECTOR], fitting, scheme="clusters", folds=4, splits=1)
    assert value == pytest.approx(cohen_kappa_score(y[tested], scores.matched[0][tested]))
