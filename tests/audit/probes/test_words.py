"""Words injected into counts give the fits that counting the same words in the texts gives."""

import numpy as np
import pytest
import scipy.sparse as sp

from hansproof.audit.probes.injected_cues import Marked, WordBed
from hansproof.audit.probes.logistic import REGULARISATIONS, Training, fit
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name

RANDOM = np.random.default_rng(3)
N = 120
VOCABULARY = ["red", "green", "blue", "house", "tree", "river", "stone", "cloud", "bird", "lamp"]
TEXTS = ["go " + " ".join(RANDOM.choice(VOCABULARY, 4)) for _ in range(N)]
Y = RANDOM.integers(0, 3, N)
WORDS = np.where(RANDOM.random(N) < 0.6, Y, RANDOM.integers(0, 3, N)) * 2 + RANDOM.integers(0, 2, N)
FOLD = np.arange(N) % 4


def really_inserted(how):
    texts = [f"{text} zzword{chr(97 + word)}" for text, word in zip(TEXTS, WORDS.tolist(), strict=True)]
    table, out = FeatureTable.build(texts, levels=("word",), dense=()), np.empty((N, 3))
    for number in range(4):
        train, test = np.flatnonzero(number != FOLD), np.flatnonzero(number == FOLD)
        parts = table.parts(by_name("word-1-presence"), train, test, Y[train])
        out[test] = fit(Training(parts.train, Y[train]), how).probabilities(parts.held, 3)
    return out


@pytest.mark.parametrize("how", REGULARISATIONS, ids=lambda how: how.name)
def test_injected_words_predict_as_words_that_stand_in_the_texts(how):
    bed = WordBed(FeatureTable.build(TEXTS, levels=("word",), dense=()), Y, FOLD)
    assert bed.probabilities(WORDS, 6, how) == pytest.approx(really_inserted(how), abs=0.01)


def test_a_word_of_a_single_training_text_has_no_column():
    bed = WordBed(FeatureTable.build(TEXTS, levels=("word",), dense=()), Y, FOLD)
    alone = bed.probabilities(np.arange(N), N, REGULARISATIONS[0])
    none = bed.probabilities(np.zeros(N, dtype=np.int64), 1, REGULARISATIONS[0])  # a constant column says nothing
    assert alone == pytest.approx(none, abs=0.005)


def test_marked_rows_have_the_columns_of_the_words_first():
    X = sp.csr_matrix(np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]]))
    marked = Marked(Training(X, np.array([0, 1, 0])), np.array([1, -1, 0]), 2)
    assert marked.scaled.toarray().tolist() == [[0, 1, 1, 0, 2], [0, 0, 0, 0, 0], [1, 0, 0, 3, 0]]
    assert marked.merged.toarray().tolist() == [[0, 1, 1, 0, 2, 1], [0, 0, 0, 0, 0, 1], [1, 0, 0, 3, 0, 1]]
    weights = np.arange(12.0).reshape(6, 2)
    assert marked.expand_l1(weights).tolist() == marked.expand_l2(weights).tolist() == weights.tolist()
