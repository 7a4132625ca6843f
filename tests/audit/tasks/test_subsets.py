"""Kappa on some of the test items, and how clear its fall is."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.probes.task import LabelTask
from hansproof.audit.tasks.split_probes import Subsets

PRIOR = np.array([0.5, 0.5])


def probe(n, right, seed=0):
    """Gold labels, and probabilities that favour the right one in a share `right` (n,) of cases."""
    random = np.random.RandomState(seed)
    gold = np.arange(n) % 2
    favoured = np.where(random.rand(n) < right, gold, 1 - gold)
    second = np.where(favoured == 1, 0.6, 0.4) + random.uniform(-0.05, 0.05, n)
    return gold, np.stack([1 - second, second], axis=1)


def test_predictions_are_matched_anew_within_a_subset():
    gold, probabilities = probe(200, np.full(200, 0.7))
    kept = np.arange(200) < 80
    subset = Subsets(LabelTask({}, gold, 2), np.arange(200), probabilities, PRIOR)
    second = probabilities[kept, 1]
    given = (second > np.median(second)).astype(int)
    assert subset.kappa("no near-duplicate", kept).kappa == pytest.approx(cohen_kappa_score(gold[kept], given))
    assert subset.all().items == 200
    assert subset.all().fall_low is None


def test_the_interval_of_a_fall_knows_that_most_items_are_the_same():
    # About 100 of 500 are copies, which are always right, the others in .62 of the cases: kappas of 1 and .24.
    falls = []
    for seed in range(200):
        copied = np.random.RandomState(seed + 1000).rand(500) < 0.2
        gold, probabilities = probe(500, np.where(copied, 1.0, 0.62), seed)
        subset = Subsets(LabelTask({}, gold, 2), np.arange(500), probabilities, PRIOR)
        of = subset.kappa("no near-duplicate", ~copied)
        falls.append((subset.all().kappa - of.kappa, of.fall_low))
    spread = np.std([fall for fall, _ in falls])
    half = np.mean([fall - low for fall, low in falls]) / 1.96
    assert half == pytest.approx(spread, rel=0.25)
    assert np.mean([low > 0 for _, low in falls]) > 0.9


def test_leaving_out_items_like_the_others_is_no_fall():
    clear = 0
    for seed in range(200):
        gold, probabilities = probe(400, np.full(400, 0.65), seed)
        kept = np.random.RandomState(seed + 1000).rand(400) < 0.7
        clear += (
            Subsets(LabelTask({}, gold, 2), np.arange(400), probabilities, PRIOR).kappa("new template", kept).fall_low
            > 0
        )
    assert clear <= 12  # 2.5 % of 200 are 5


def test_a_subset_of_one_answer_or_none_has_no_kappa():
    gold, probabilities = probe(60, np.full(60, 0.7))
    subset = Subsets(LabelTask({}, gold, 2), np.arange(60), probabilities, PRIOR)
    for kept in (gold == 1, np.zeros(60, bool)):
        of = subset.kappa("new template", kept)
        assert (of.kappa, of.low, of.fall_low, of.items) == (None, None, None, int(kept.sum()))
