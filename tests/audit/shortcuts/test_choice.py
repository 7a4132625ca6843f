"""One prediction from several vectors: in each fold the one that training preferred."""

from __future__ import annotations

import numpy as np

from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.shortcuts.shared_folds import chosen_in_training
from hansproof.audit.texts.vectors import by_name

FOLD = np.array([0, 0, 1, 1, 2, 2])
TASK = LabelTask({}, np.array([0, 1] * 3), 2)


def made(name, given, validations):
    rows = np.full((1, 6), given, dtype=np.int16)
    return Scores(by_name(name), np.arange(6), rows, rows, np.zeros((6, 2)), 0.0, ["L2 C=1"] * 3, 7, validations)


def test_each_fold_is_predicted_by_the_vector_that_was_best_on_its_validation_part():
    first, second = made("word-1-tf", 0, (0.5, 0.1, 0.2)), made("word-2-tf", 1, (0.4, 0.3, 0.2))
    combined, often = chosen_in_training(TASK, "bigrams", [first, second], [FOLD])
    assert combined.matched.tolist() == [[0, 0, 1, 1, 0, 0]]  # a tie goes to the first
    assert combined.regularisation == ["word-1-tf", "word-2-tf", "word-1-tf"]
    assert often.name == "word-1-tf"
    assert combined.vector.name == "bigrams"
    assert first.matched.tolist() == [[0] * 6]


def test_without_validation_parts_the_first_vector_predicts():
    nan = float("nan")
    combined, often = chosen_in_training(
        TASK, "x", [made("word-1-tf", 0, (nan,) * 3), made("word-2-tf", 1, (nan,) * 3)], [FOLD]
    )
    assert combined.matched.sum() == 0
    assert often.name == "word-1-tf"


def test_only_the_splits_that_all_vectors_have_are_used():
    first = made("word-1-tf", 0, (0.0,) * 6)
    longer = np.zeros((2, 6), dtype=np.int16)
    twice = Scores(first.vector, first.units, longer, longer, first.probabilities, 0.0, [], 7, (0.5,) * 6)
    combined, _ = chosen_in_training(TASK, "x", [first, twice], [FOLD, FOLD])
    assert combined.matched.shape == (1, 6)
