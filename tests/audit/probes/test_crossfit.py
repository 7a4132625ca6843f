"""Cross-fitting: nobody is predicted by a probe that saw its answer, its group or its fold."""

from dataclasses import replace

import numpy as np
import pytest

from hansproof.audit.probes import crossfit as module
from hansproof.audit.probes.crossfit import Fitting, crossfit, crossfit_folds
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.logistic import REGULARISATIONS, Training, fit, fit_all
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.kappa import matched
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name

VECTOR = by_name("word-1-presence")
WORDS = [f"{a}{b}" for a in "bcdfg" for b in "aeiou"]
FITTING = Fitting(7, workers=1)


def texts(n, seed=1, size=8):
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, size, replace=False)) for _ in range(n)]


@pytest.fixture(scope="module")
def weak():
    """120 texts, a table of their words, and answers that follow one word in two thirds of the items."""
    prompts = texts(120)
    random = np.random.default_rng(2)
    y = np.array([(WORDS[0] in text.split()) ^ (random.random() < 0.3) for text in prompts]).astype(np.int64)
    return FeatureTable.build(prompts, levels=["word"], dense=()), y


def kappa_of(y, predicted):
    return float(kappa.cohen(kappa.confusion(y, predicted.astype(np.int64), 2)))


@pytest.mark.parametrize("folds", [2, 3, 4, 5])
def test_a_fold_is_predicted_as_if_by_hand(weak, folds):
    table, y = weak
    fold = np.arange(120) % folds
    # Fits may start from others, so they agree as far as they converge.
    exact = tuple(replace(how, tolerance=1e-9) for how in REGULARISATIONS)
    (scores,) = crossfit_folds(LabelTask.of(table, y, 2), [VECTOR], replace(FITTING, candidates=exact), [fold])
    choices, validation = [], []
    for outer in range(folds):
        # Folds validate each other in pairs; an odd last one pairs with the first.
        partner = 0 if folds % 2 and outer == folds - 1 else outer ^ 1
        best, right = 0, float("nan")
        if folds > 2:
            seen, held = np.flatnonzero((fold != outer) & (fold != partner)), np.flatnonzero(fold == partner)
            parts = table.parts(VECTOR, seen, held, y[seen])
            shares = np.bincount(y[seen], minlength=2) / len(seen)
            kappas = [
                kappa_of(
                    y[held], matched(fit(Training(parts.train, y[seen]), how).probabilities(parts.held, 2), shares)
                )
                for how in REGULARISATIONS
            ]
            best = int(np.argmax(kappas))
            right = kappas[best]
        choices.append(exact[best].name)
        validation.append(right)
        train, test = np.flatnonzero(fold != outer), np.flatnonzero(fold == outer)
        parts = table.parts(VECTOR, train, test, y[train])
        expected = fit(Training(parts.train, y[train]), exact[best]).probabilities(parts.held, 2)
        assert scores.probabilities[test] == pytest.approx(expected, abs=1e-4)
        shares = np.bincount(y[train], minlength=2) / len(train)
        assert np.array_equal(scores.matched[0, test], matched(expected, shares))
        assert np.array_equal(scores.predicted[0, test], expected.argmax(axis=1))
    assert scores.regularisation == choices
    assert scores.validation == pytest.approx(np.mean(validation), nan_ok=True)


@pytest.mark.parametrize("folds", [2, 3, 4, 5])
def test_the_answers_of_a_fold_change_neither_its_predictions_nor_its_model(weak, folds):
    table, y = weak
    fold = np.arange(120) % folds
    (before,) = crossfit_folds(LabelTask.of(table, y, 2), [VECTOR], FITTING, [fold])
    for outer in range(folds):
        own = fold == outer
        (after,) = crossfit_folds(LabelTask.of(table, np.where(own, 1 - y, y), 2), [VECTOR], FITTING, [fold])
        assert np.array_equal(after.probabilities[own], before.probabilities[own])
        assert np.array_equal(after.matched[0, own], before.matched[0, own])
        assert after.regularisation[outer] == before.regularisation[outer]
        assert not np.array_equal(after.probabilities[~own], before.probabilities[~own])


def test_two_folds_that_validate_each_other_share_their_fits(weak, monkeypatch):
    table, y = weak
    sizes = []

    def counting(training, candidates):
        sizes.extend([len(training.coded)] * len(candidates))
        return fit_all(training, candidates)

    monkeypatch.setattr(module, "fit_all", counting)
    monkeypatch.setattr(module, "fit", lambda training, how: counting(training, [how])[0])
    for folds, pairs in ((2, 0), (3, 2), (4, 2), (5, 3), (6, 3)):
        sizes.clear()
        crossfit_folds(LabelTask.of(table, y, 2), [VECTOR], FITTING, [np.arange(120) % folds])
        assert sizes == [120 - 2 * 120 // folds] * 3 * pairs + [120 - 120 // folds] * folds


def test_items_of_fold_minus_1_take_no_part(weak):
    table, y = weak
    fold = np.where(np.arange(120) < 40, -1, np.arange(120) % 4)
    (scores,) = crossfit_folds(LabelTask.of(table, y, 2), [VECTOR], FITTING, [fold])
    assert scores.units.tolist() == list(range(40, 120))
    assert scores.matched.shape == scores.predicted.shape == (1, 80)
    (other,) = crossfit_folds(LabelTask.of(table, np.where(fold < 0, 1 - y, y), 2), [VECTOR], FITTING, [fold])
    assert np.array_equal(scores.probabilities, other.probabilities)


def test_every_split_has_folds_of_its_own_and_probabilities_are_averaged(weak):
    table, y = weak
    (three,) = crossfit(
        LabelTask.of(table, y, 2), np.arange(120), [VECTOR], FITTING, scheme="grouped", folds=3, splits=3
    )
    assert three.matched.shape == three.predicted.shape == (3, 120)
    assert len(three.regularisation) == 9
    assert len({row.tobytes() for row in three.matched}) == 3
    drawn = [fold_numbers(y, np.arange(120), 3, seeded(7, "grouped", "folds", split)) for split in range(3)]
    alone = [crossfit_folds(LabelTask.of(table, y, 2), [VECTOR], FITTING, [fold])[0] for fold in drawn]
    assert np.array_equal(three.matched, np.concatenate([scores.matched for scores in alone]))
    assert three.probabilities == pytest.approx(np.mean([scores.probabilities for scores in alone], axis=0))
    (first,) = crossfit(
        LabelTask.of(table, y, 2), np.arange(120), [VECTOR], FITTING, scheme="grouped", folds=3, splits=1
    )
    assert np.array_equal(first.matched[0], three.matched[0])  # more splits change none of the earlier ones


def test_whole_groups_are_held_out():
    # 30 templates of 4 items, each with one answer and a word of its own: only their own template tells the answer.
    groups = np.repeat(np.arange(30), 4)
    prompts = [f"{text} template{group}" for text, group in zip(texts(120, size=2), groups, strict=True)]
    y = np.random.default_rng(4).permutation(30)[groups] % 2
    table = FeatureTable.build(prompts, levels=["word"], dense=())
    apart, whole = (
        crossfit(LabelTask.of(table, y, 2), each, [VECTOR], FITTING, scheme="grouped", folds=5, splits=2)[0]
        for each in (np.arange(120), groups)
    )
    assert min(kappa_of(y, row) for row in apart.matched) > 0.7
    assert max(kappa_of(y, row) for row in whole.matched) < 0.4


def test_a_rare_answer_with_a_cue_counts_although_the_most_probable_answer_is_always_the_common_one():
    # 60 % of the rare items (10 %) have the word, and 7.8 % of the others: with it, 46 % are rare. Giving the rare
    # answer to the 13 % with the word agrees on 89 % of the items, where 80 % are expected: kappa .45.
    y = np.repeat([1, 0], [60, 540])
    cue = np.r_[np.arange(60) < 36, np.arange(540) < 42]
    prompts = [f"seldom {text}" if has else text for text, has in zip(texts(600, size=2), cue, strict=True)]
    table = FeatureTable.build(prompts, levels=["word"], dense=())
    (scores,) = crossfit(LabelTask.of(table, y, 2), np.arange(600), [VECTOR], FITTING, scheme="grouped", splits=3)
    assert max(kappa_of(y, row) for row in scores.predicted) < 0.05
    assert min(kappa_of(y, row) for row in scores.matched) > 0.25


def test_threads_and_the_company_of_other_vectors_change_nothing(weak):
    table, y = weak
    names = ["word-1-tf", "word-1-presence", "word-2-tf"]
    vectors, ticks = [by_name(name) for name in names], []
    options = {"scheme": "grouped", "folds": 3, "splits": 2}
    together = crossfit(
        LabelTask.of(table, y, 2), np.arange(120), vectors, Fitting(7, workers=3, progress=ticks.append), **options
    )
    assert [scores.vector.name for scores in together] == names
    assert sum(ticks) == 6
    for scores in together:
        (alone,) = crossfit(LabelTask.of(table, y, 2), np.arange(120), [scores.vector], FITTING, **options)
        assert np.array_equal(alone.probabilities, scores.probabilities)
        assert alone.regularisation == scores.regularisation
