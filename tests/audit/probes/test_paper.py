"""The paper's protocol, repeated step by step with scikit-learn."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from hansproof.audit.probes.crossfit import Fitting, single_split
from hansproof.audit.probes.logistic import PUBLISHED, TREES
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name
from hansproof.generators.jsonl import read_bytes

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0"
VECTORS = [by_name(name) for name in ("word-1-presence", "word-1-tf", "readability")]


@pytest.fixture(scope="module")
def unigram():
    lines = read_bytes(SAMPLE / "unigram.jsonl.gz").decode().splitlines()[:300]
    items = [json.loads(line) for line in lines]
    y = np.array([item["answer"] == "yes" for item in items]).astype(np.int64)
    return FeatureTable.build([item["prompt"] for item in items], levels=["word"]), y


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_vectors_scores_are_those_of_the_regression_that_is_best_on_the_validation_part(unigram, vector):
    table, y = unigram
    order = np.random.RandomState(7).permutation(300)
    train, validation, test = order[:180], order[180:240], np.sort(order[240:])
    X = table.parts(vector, train, np.arange(300), y[train]).held
    peers = {
        "L2 C=1": LogisticRegression(C=1.0),
        "L1 C=1": LogisticRegression(C=1.0, l1_ratio=1, solver="liblinear", random_state=0),
        "L1 C=0.1": LogisticRegression(C=0.1, l1_ratio=1, solver="liblinear", random_state=0),
    }
    right = {name: peer.fit(X[train], y[train]).score(X[validation], y[validation]) for name, peer in peers.items()}
    best = max(right, key=right.get)  # the first of equals

    (scores,) = single_split(LabelTask.of(table, y, 2), [vector], Fitting(7, PUBLISHED))
    assert np.array_equal(scores.units, test)
    assert scores.regularisation == [best]
    assert scores.validation == pytest.approx(right[best])
    assert scores.probabilities == pytest.approx(peers[best].predict_proba(X[test]), abs=1e-9)
    assert np.array_equal(scores.predicted[0], peers[best].predict(X[test]))
    assert np.array_equal(scores.matched, scores.predicted)
    assert scores.features == X.shape[1]


def test_the_three_vectors_do_not_all_choose_the_same_regression(unigram):
    table, y = unigram
    chosen = {
        scores.regularisation[0] for scores in single_split(LabelTask.of(table, y, 2), VECTORS, Fitting(7, PUBLISHED))
    }
    assert len(chosen) > 1


def test_a_tie_in_validation_accuracy_goes_to_the_first_regression():
    table = FeatureTable.build(["left one", "right two"] * 50, levels=["word"], dense=())
    y = np.tile([0, 1], 50)
    (scores,) = single_split(LabelTask.of(table, y, 2), [by_name("word-1-presence")], Fitting(1))
    assert scores.validation == 1.0
    assert scores.regularisation == ["L2 C=1"]


def test_vectors_come_back_in_their_order_whatever_the_number_of_threads(unigram):
    table, y = unigram
    ticks = []
    alone = single_split(LabelTask.of(table, y, 2), VECTORS, Fitting(7, workers=1, progress=ticks.append))
    together = single_split(LabelTask.of(table, y, 2), VECTORS, Fitting(7, workers=3))
    assert [scores.vector for scores in together] == VECTORS
    assert ticks == [1, 1, 1]
    for mine, other in zip(alone, together, strict=True):
        assert np.array_equal(mine.probabilities, other.probabilities)


def test_trees_win_where_no_regression_can():
    # The answer is an exclusive or of two words, which no weighted sum of them expresses.
    texts = [f"a {colour} {thing}" for colour in ("red", "blue") for thing in ("ball", "cube")] * 30
    y = np.tile([0, 1, 1, 0], 30)
    table = FeatureTable.build(texts, levels=["word"], dense=())
    linear, best = (
        single_split(LabelTask.of(table, y, 2), [by_name("word-1-presence")], Fitting(1, candidates))[0]
        for candidates in (PUBLISHED, (*PUBLISHED, TREES))
    )
    assert (best.regularisation, best.validation) == (["trees"], 1.0)
    assert linear.validation < 0.8
    assert np.array_equal(best.predicted, y[best.units][None])
