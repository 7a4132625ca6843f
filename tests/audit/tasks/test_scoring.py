"""The probes of a published split: against a scikit-learn pipeline fitted on the same parts."""

import numpy as np
import pytest
from made_parts import rows
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.tasks.split_probes import SplitRows, cut_validation, score_parts
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name

VECTOR = by_name("word-1-tfidf")
MADE = rows(900, 4, cue=0.5)
TEXTS = [row["prompt"] for row in MADE]
Y = np.array([row["answer"] == "yes" for row in MADE], dtype=np.int64)
TRAIN, VALIDATION, TEST = np.arange(500), np.arange(500, 650), np.arange(650, 900)


@pytest.fixture(scope="module")
def table():
    return FeatureTable.build(TEXTS, levels=["word"], dense=())


def ranked(probabilities, share):
    """Predictions that give the second label to its share of the items, the likeliest first."""
    given = np.zeros(len(probabilities), dtype=int)
    given[np.argsort(-probabilities)[: round(share * len(probabilities))]] = 1
    return given


def by_scikit_learn(train, validation, test, refit):
    """(kappa on the test rows, name of the model with the best kappa on the validation rows)."""
    models = {
        "L2 C=1": LogisticRegression(),
        "L1 C=1": LogisticRegression(l1_ratio=1, solver="liblinear", random_state=0),
        "L1 C=0.1": LogisticRegression(C=0.1, l1_ratio=1, solver="liblinear", random_state=0),
    }
    learnt = np.concatenate([train, validation]) if refit else train
    share = Y[learnt].mean()

    def fitted(model, rows):
        words = TfidfVectorizer(min_df=2, strip_accents="unicode")
        return words, model.fit(words.fit_transform([TEXTS[k] for k in rows]), Y[rows])

    def probabilities(words, model, rows):
        return model.predict_proba(words.transform([TEXTS[k] for k in rows]))[:, 1]

    kappas = {
        name: cohen_kappa_score(Y[validation], ranked(probabilities(*fitted(model, train), validation), share))
        for name, model in models.items()
    }
    name = max(kappas, key=lambda each: kappas[each])
    words, model = fitted(models[name], learnt)
    return cohen_kappa_score(Y[test], ranked(probabilities(words, model, test), share)), name


@pytest.mark.parametrize("cut", [False, True])
def test_kappa_is_that_of_a_scikit_learn_pipeline_on_the_same_parts(table, cut):
    (scores,) = score_parts(LabelTask.of(table, Y, 2), SplitRows(TRAIN, VALIDATION, TEST, cut), [VECTOR], Fitting(42))
    expected, name = by_scikit_learn(TRAIN, VALIDATION, TEST, refit=cut)
    assert scores.regularisation == [name]
    assert cohen_kappa_score(Y[TEST], scores.matched[0]) == pytest.approx(expected, abs=0.02)
    assert expected > 0.3
    assert scores.units.tolist() == TEST.tolist()


def test_a_validation_part_of_its_own_is_never_learnt_from(table):
    parts = SplitRows(TRAIN, VALIDATION, TEST, False)
    (scores,) = score_parts(LabelTask.of(table, Y, 2), parts, [VECTOR], Fitting(42))
    turned = Y.copy()
    turned[VALIDATION[:3]] = 1 - turned[VALIDATION[:3]]  # too few to change the choice
    (again,) = score_parts(LabelTask.of(table, turned, 2), parts, [VECTOR], Fitting(42))
    assert (again.probabilities == scores.probabilities).all()
    cut = SplitRows(TRAIN, VALIDATION, TEST, True)
    (learnt,), (learnt_anew,) = (
        score_parts(LabelTask.of(table, y, 2), cut, [VECTOR], Fitting(42)) for y in (Y, turned)
    )
    assert (learnt.probabilities != learnt_anew.probabilities).any()


def test_answers_of_the_test_part_change_no_prediction(table):
    turned = Y.copy()
    turned[TEST] = 1 - turned[TEST]
    parts = SplitRows(TRAIN, VALIDATION, TEST, False)
    (scores,), (again,) = (score_parts(LabelTask.of(table, y, 2), parts, [VECTOR], Fitting(42)) for y in (Y, turned))
    assert (scores.matched == again.matched).all()


def test_a_validation_part_is_cut_off_by_whole_groups():
    groups = np.repeat(np.arange(60), 10)
    train, validation = cut_validation(np.arange(0, 600), Y[:600], groups, 5, 42)
    assert set(groups[train]).isdisjoint(groups[validation])
    assert len(train) + len(validation) == 600
    assert 90 <= len(validation) <= 150


def test_a_training_part_of_one_group_cannot_be_cut_and_takes_the_first_model(table):
    train, validation = cut_validation(TRAIN, Y, np.zeros(900, int), 5, 42)
    assert (len(train), len(validation)) == (500, 0)
    (scores,) = score_parts(LabelTask.of(table, Y, 2), SplitRows(train, validation, TEST, True), [VECTOR], Fitting(42))
    assert scores.regularisation == ["L2 C=1"]
