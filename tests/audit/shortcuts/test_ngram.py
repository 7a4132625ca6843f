"""The single best n-gram: chosen in training, scored out of fold, and the same as other libraries choose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.tree import DecisionTreeClassifier

from hansproof.audit.probes.crossfit import Fitting, draw_folds
from hansproof.audit.shortcuts.short_rules import FEWEST_ITEMS, best_ngram, single_ngram
from hansproof.audit.statistics.kappa import cohen, confusion
from hansproof.audit.texts.feature_table import FeatureTable

WORDS = [f"word{n:02}" for n in range(40)]


def benchmark(labels=2, n=300, seed=1, cue=0.8):
    """Random words, and `cue0`, `cue1` ... in a share `cue` of the items with that label and in 10 % of the others."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(n) % labels)
    texts = []
    for label in y.tolist():
        words = list(random.choice(WORDS, 6, replace=False))
        words += [f"cue{c}" for c in range(labels) if random.random() < (cue if c == label else 0.1)]
        texts.append(" ".join(random.permutation(words)))
    return texts, y


def scored(texts, y, labels=2, splits=2):
    table = FeatureTable.build(texts, dense=[])
    folds = draw_folds(y, np.arange(len(y)), 3, "grouped", 5, splits)
    return single_ngram(table, y, [f"label {c}" for c in range(labels)], folds, Fitting(3)), table, folds


def test_chi_square_is_that_of_scipy_and_the_largest_wins():
    counts = np.array([[30, 10], [25, 5], [3, 2]], dtype=np.int32)
    answers = np.array([60, 40])
    known = [chi2_contingency(np.stack([row, answers - row]), correction=False).statistic for row in counts]
    assert int(np.argmax(known)) == 1
    assert best_ngram(counts, answers)[1] == 1


def test_a_tie_goes_to_the_first_and_to_words_and_an_ngram_in_every_item_or_in_none_is_never_chosen():
    row = np.array([[30, 10]], dtype=np.int32)
    answers = np.array([60, 40])
    assert best_ngram(np.vstack([row, row]), answers)[1] == 0
    assert best_ngram(np.vstack([answers, np.zeros(2, dtype=np.int64), row[0]]), answers)[1] == 2
    assert best_ngram(np.array([[60, 40], [0, 0]]), answers)[0] == 0
    assert best_ngram(np.empty((0, 2), dtype=np.int32), answers) == (0, 0)
    texts = [("yes " if i % 2 else "no ") + WORDS[i % len(WORDS)] for i in range(60)]
    named = scored(texts, np.arange(60) % 2)[0].named
    assert named is not None
    assert (named.level, named.ngram) == ("word", "no")


def test_counting_one_ngram_at_a_time_changes_nothing(monkeypatch):
    texts, y = benchmark()
    whole = scored(texts, y)[0]
    monkeypatch.setattr("hansproof.audit.shortcuts.short_rules._BLOCK", 1)
    parted = scored(texts, y)[0]
    assert parted.named == whole.named
    assert np.array_equal(parted.scores.probabilities, whole.scores.probabilities)
    assert np.array_equal(parted.scores.matched, whole.scores.matched)


def test_a_decision_stump_of_scikit_learn_predicts_the_same_on_the_same_folds():
    texts, y = benchmark()
    chosen, table, folds = scored(texts, y)
    presence = np.hstack([table.presence(level).toarray() for level in ("word", "gpt2")])
    presence = presence[:, presence.sum(axis=0) >= FEWEST_ITEMS]
    for split, fold in enumerate(folds):
        for number in range(5):
            train, test = fold != number, fold == number
            # Of equal columns (a word and its token) a stump may take either: they predict the same.
            stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(presence[train], y[train])
            assert stump.predict(presence[test]).tolist() == chosen.scores.matched[split, test].tolist()


@pytest.mark.parametrize("labels", [2, 3, 5])
def test_select_k_best_of_scikit_learn_chooses_the_same_ngram(labels):
    texts, y = benchmark(labels)
    table = FeatureTable.build(texts, dense=[])
    presence = table.presence("word").toarray()
    picked = SelectKBest(f_classif, k=1).fit(presence, y).get_support(indices=True)[0]
    counts = np.stack([presence[y == c].sum(axis=0) for c in range(labels)], axis=1).astype(np.int32)
    assert best_ngram(counts, np.bincount(y))[1] == picked


def test_the_cue_is_named_with_its_answer_and_reaches_the_kappa_that_it_was_given():
    texts, y = benchmark(n=1000)
    chosen, table, _ = scored(texts, y)
    named = chosen.named
    assert (named.ngram, named.level, named.words) in [("cue0", "word", 1), ("cue1", "word", 1)]
    assert named.label == f"label {named.ngram[-1]}"
    column = table.levels["word"].words.index(named.ngram)
    has = table.presence("word")[:, [column]].toarray().ravel() == 1
    assert named.count == has.sum()
    assert named.count_label == (has & (y == int(named.ngram[-1]))).sum()
    by_hand = [cohen(confusion(y, row.astype(np.int64), 2)) for row in chosen.scores.matched]
    assert np.median(by_hand) == pytest.approx(0.7, abs=0.05)  # .8 - .1, balanced answers
    assert chosen.scores.predicted.shape == chosen.scores.matched.shape == (2, 1000)


def test_nothing_is_chosen_on_the_items_that_are_scored():
    # Chosen on all items, the best of thousands of n-grams of random texts has a kappa well above 0.
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice([f"w{n}x" for n in range(900)], 200)) for _ in range(300)]
    y = random.permutation(np.arange(300) % 2)
    chosen, table, _ = scored(texts, y, splits=4)
    presence = table.presence("word").toarray()
    counts = np.stack([presence[y == c].sum(axis=0) for c in (0, 1)], axis=1).astype(np.int32)
    _, column = best_ngram(counts, np.bincount(y))
    inside = presence[:, column] == 1
    told = np.where(inside, counts[column].argmax(), 1 - counts[column].argmax())
    assert abs(cohen(confusion(y, told, 2))) > 0.08
    out_of_fold = [float(cohen(confusion(y, row.astype(np.int64), 2))) for row in chosen.scores.matched]
    assert np.mean(out_of_fold) < 0.04
    assert chosen.named.chosen < 0.5


def test_texts_without_a_common_ngram_get_the_most_common_answer():
    texts = [f"only{n}" for n in range(40)]
    y = np.array([0, 0, 0, 1] * 10)
    table = FeatureTable.build(texts, levels=("word", "gpt2"), dense=[])
    table.levels["gpt2"] = table.levels["word"]
    folds = draw_folds(y, np.arange(40), 3, "grouped", 5, 1)
    chosen = single_ngram(table, y, ["a", "b"], folds, Fitting(3))
    assert chosen.named is None
    assert (chosen.scores.matched == 0).all()
