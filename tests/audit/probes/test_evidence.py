"""The evidence: numbers of each n-gram worked by hand, and weights from the model that scored the items."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.evidence import Evidence, cue_statistics, shown_model
from hansproof.audit.probes.logistic import PUBLISHED, REGULARISATIONS, TREES
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name

VECTOR = by_name("word-1-tf")
_, L1, L1_STRONG = REGULARISATIONS

# "usually" is in 8 of 20 texts, 6 of them with the answer yes (8 of 20); "rarely" is in 6 texts, all of them no.
TEXTS = (
    [f"usually it rains in town {n}" for n in "abcdefgh"]
    + [f"rarely it rains in town {n}" for n in "ijklmn"]
    + [f"it rains in town {n}" for n in "opqrst"]
)
Y = np.array([1] * 6 + [0] * 2 + [0] * 6 + [1] * 2 + [0] * 4)


@pytest.fixture(scope="module")
def table():
    return FeatureTable.build(TEXTS, levels=["word"], dense=())


def scores(y, gold_probability, regularisation=("L2 C=1",)):
    gold_probability = np.array(gold_probability)
    probabilities = np.empty((len(y), 2))
    probabilities[np.arange(len(y)), y] = gold_probability
    probabilities[np.arange(len(y)), 1 - y] = 1 - gold_probability
    return Scores(
        vector=VECTOR,
        units=np.arange(len(y)),
        predicted=probabilities.argmax(axis=1)[None].astype(np.int16),
        matched=probabilities.argmax(axis=1)[None].astype(np.int16),
        probabilities=probabilities,
        validation=0.5,
        regularisation=list(regularisation),
        features=3,
    )


def test_cue_statistics_of_two_balanced_answers():
    # 40 of 200 items, 30 with the answer: z = (.75 - .5) / sqrt(.25 / 40) = sqrt(10); PMI = log2(.75 / .5) = log2(1.5)
    numbers = cue_statistics(count=40, hits=30, n=200, share=0.5)
    assert numbers["z"] == pytest.approx(math.sqrt(10))
    assert numbers["pmi"] == pytest.approx(math.log2(1.5))
    assert numbers["productivity"] == 0.75
    assert numbers["coverage"] == 0.2


def test_z_and_pmi_compare_with_the_share_of_the_answer():
    # 36 of 90 items, 24 with an answer that 40 % have: z = (2/3 - .4) / sqrt(.24 / 36) = 1.6 / sqrt(.24);
    # PMI = log2((2/3) / .4) = log2(5/3)
    numbers = cue_statistics(count=36, hits=24, n=90, share=0.4)
    assert list(numbers) == ["z", "pmi", "productivity", "coverage"]
    assert list(numbers.values()) == pytest.approx([1.6 / math.sqrt(0.24), math.log2(5 / 3), 2 / 3, 0.4])


def test_an_ngram_that_never_goes_with_the_answer_counts_half_a_hit_in_pmi():
    # z = -.5 / sqrt(.25 / 16) = -4; PMI = log2(.5 / 16 / .5) = -4
    never = cue_statistics(count=16, hits=0, n=64, share=0.5)
    assert never == pytest.approx({"z": -4, "pmi": -4, "productivity": 0, "coverage": 0.25})


def test_cues_count_items_as_they_can_be_counted_by_hand(table):
    cues = {
        (cue.ngram, cue.label): cue
        for cue in Evidence(table, Y, ["no", "yes"], scores(Y, np.full(20, 0.5)), Fitting(42)).cues()
    }
    usually, rarely = cues["usually", "yes"], cues["rarely", "no"]
    assert (usually.count, usually.count_label) == (8, 6)
    assert usually.z == pytest.approx(0.35 / math.sqrt(0.24 / 8))
    assert usually.pmi == pytest.approx(math.log2(0.75 / 0.4))
    assert (usually.productivity, usually.coverage) == (0.75, 0.4)
    assert (rarely.count, rarely.count_label) == (6, 6)
    assert rarely.pmi == pytest.approx(math.log2(1 / 0.6))
    assert usually.coefficient > 0
    assert ("usually", "no") not in cues


def test_an_answer_of_fewer_than_five_items_has_no_cues(table):
    few = np.where(np.arange(len(Y)) < 4, 2, 0)
    assert {
        cue.label
        for cue in Evidence(table, few, ["no", "yes", "maybe"], scores(Y, np.full(20, 0.5)), Fitting(42)).cues()
    } == {"no"}


@pytest.mark.parametrize("chosen", ["L2 C=1", "L1 C=1"])
def test_the_weights_under_scikit_learn_are_those_of_scikit_learn(chosen):
    table, y = FeatureTable.build(TEXTS * 6, levels=["word"], dense=()), np.tile(Y, 6)
    design = table.parts(VECTOR, np.arange(120), np.arange(0), y)
    penalty = {} if chosen == "L2 C=1" else {"l1_ratio": 1, "solver": "liblinear", "random_state": 0}
    weights = LogisticRegression(C=1.0, **penalty).fit(design.train, y).coef_[0]
    expected = {
        table.ngram_text("word", int(column)): weight for column, weight in zip(design.columns, weights, strict=True)
    }

    def coefficients(candidates):
        chosen_in_folds = scores(y, np.full(120, 0.5), [chosen])
        evidence = Evidence(table, y, ["no", "yes"], chosen_in_folds, Fitting(42, candidates))
        return {cue.ngram: cue.coefficient for cue in evidence.cues() if cue.label == "yes"}

    shown = coefficients(PUBLISHED)
    assert shown["usually"] == expected["usually"]  # to the last bit: our own solver stops elsewhere
    assert coefficients(REGULARISATIONS)["usually"] != shown["usually"]
    assert coefficients(REGULARISATIONS)["usually"] == pytest.approx(shown["usually"], rel=0.05)


@pytest.mark.parametrize(
    ("folds", "candidates", "shown"),
    [
        (["L1 C=1", "L1 C=1", "L2 C=1"], REGULARISATIONS, L1),
        (["L1 C=0.1"], REGULARISATIONS, L1_STRONG),
        (["L1 C=1"], PUBLISHED, PUBLISHED[1]),
        (["trees", "trees", "L1 C=1"], (*REGULARISATIONS, TREES), L1),
        (["trees", "trees"], (*PUBLISHED, TREES), PUBLISHED[0]),
    ],
)
def test_the_weights_shown_are_those_of_the_regression_that_most_folds_chose(folds, candidates, shown):
    assert shown_model(folds, candidates) is shown


def test_giveaways_are_the_items_with_the_highest_out_of_fold_probability_of_the_gold_answer(table):
    gold = np.full(20, 0.4)
    gold[[3, 7, 12]] = [0.8, 0.9, 0.8]
    evidence = Evidence(table, Y, ["no", "yes"], scores(Y, np.full(20, 0.5)), Fitting(42))
    ids = [f"item {n}" for n in range(20)]
    giveaways = evidence.giveaways(scores(Y, gold), TEXTS, ids)
    assert [(item.id, item.probability) for item in giveaways[:4]] == [
        ("item 7", 0.9), ("item 3", 0.8), ("item 12", 0.8), ("item 0", 0.4),
    ]  # fmt: skip
    assert giveaways[1].cues[0].label == "yes"
    spans = [TEXTS[3][cue.start : cue.end] for cue in giveaways[1].cues]
    assert "usually" in spans
    assert giveaways[3].predicted == "no"  # its gold answer yes got .4


def test_a_number_of_occurrences_is_the_cue_where_every_item_has_the_ngram():
    texts = ["so so so it rains" if answer else "so so it rains" for answer in Y]
    table = FeatureTable.build(texts, levels=["word"], dense=())
    cue = next(
        cue
        for cue in Evidence(table, Y, ["no", "yes"], scores(Y, np.full(20, 0.5)), Fitting(42)).cues()
        if cue.ngram == "so"
    )
    # 8 of 20 items have the answer yes, and the same 8 the word three times.
    assert (cue.label, cue.times, cue.count, cue.count_label) == ("yes", 3, 8, 8)
    assert cue.z == pytest.approx(0.6 / math.sqrt(0.24 / 8))


def test_an_ngram_that_is_a_cue_by_itself_is_counted_once(table):
    texts = [f"{text} usually" if "usually" in text and text[-1] in "abc" else text for text in TEXTS]
    cues = Evidence(
        FeatureTable.build(texts, levels=["word"], dense=()), Y, ["no", "yes"], scores(Y, np.full(20, 0.5)), Fitting(42)
    ).cues()
    assert {cue.times for cue in cues} == {1}
