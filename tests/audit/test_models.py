"""Other models than the default: scikit-learn's fits, and trees; the evidence comes from the model that scored."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import hansproof
from hansproof.audit.notation import rounded
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.audit.texts.vectors import by_name
from hansproof.generators.jsonl import read_bytes

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "planted-cues" / "2.0.0"


def rows(name="unigram", n=200):
    lines = read_bytes(SAMPLE / f"{name}.jsonl.gz").decode().splitlines()
    return [{"prompt": row["prompt"], "answer": row["answer"]} for row in map(json.loads, lines[:n])]


@pytest.mark.parametrize("subset", ["unigram", "none"])
def test_scikit_learn_as_a_second_opinion_comes_to_the_same_kappas(subset):
    ours, theirs = (
        hansproof.audit(rows(subset, 400), protocol="paper", permutations=299, splits=2, solver=solver)
        for solver in ("compiled", "scikit-learn")
    )
    assert ours.verdict == theirs.verdict
    for mine, other in zip(ours.scheme("paper").vectors, theirs.scheme("paper").vectors, strict=True):
        if mine.regularisation == other.regularisation:
            assert mine.uniform == pytest.approx(other.uniform, abs=0.03), mine.vector  # 80 test items: .025 each


@pytest.mark.parametrize("solver", ["compiled", "scikit-learn"])
def test_the_ngrams_shown_are_weighted_by_the_solver_that_scored_the_items(solver):
    settings = make_settings(solver=solver, protocol="paper", permutations=299, splits=2)
    examination = examine(rows(n=400), settings=settings)
    result, table, y = examination.result, examination.measured.task.tables["text"], examination.measured.task.y
    vector = result.deciding_scheme.find(result.evidence_vector)
    assert vector.regularisation == {"L1 C=1": 1}
    design = table.parts(by_name(vector.vector), np.arange(400), np.arange(0), y)
    peer = LogisticRegression(C=1.0, l1_ratio=1, solver="liblinear", random_state=0).fit(design.train, y)
    weights = {
        table.ngram_text(by_name(vector.vector).level, int(column)): weight
        for column, weight in zip(design.columns, peer.coef_[0], strict=True)
    }
    second = [cue for cue in result.cues if cue.label == examination.measured.labels[1]]
    assert second
    same = [cue.coefficient == rounded(weights[cue.ngram]) for cue in second]
    assert all(same) if solver == "scikit-learn" else not any(same)


def exclusive_or():
    """120 items whose answer depends on two words together, so that no weighted sum of n-grams expresses it."""
    pairs = [(colour, thing) for colour in ("red", "blue") for thing in ("ball", "cube")] * 30
    return [
        {
            "prompt": f"The {colour} box on the shelf holds a {thing}.",
            "answer": str((colour == "red") != (thing == "ball")),
        }
        for colour, thing in pairs
    ]


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["grouped", "paper"])
def test_trees_compete_with_the_regressions_and_win_where_those_cannot(protocol):
    options = {"permutations": 99, "splits": 1, "folds": 3, "groups": "none", "protocol": protocol}
    without, with_trees = (hansproof.audit(exclusive_or(), trees=trees, **options) for trees in (False, True))
    linear, best = (result.schemes[0].find("word-1-tf") for result in (without, with_trees))
    assert linear.cohen < 0.2
    assert best.cohen == 1.0
    assert set(best.regularisation) == {"trees"}
    assert not any("trees" in note for note in without.notes)


@pytest.mark.slow
def test_evidence_beside_trees_says_that_it_is_that_of_a_regression():
    options = {"permutations": 99, "splits": 1, "folds": 3, "groups": "none"}
    result = hansproof.audit(exclusive_or(), trees=True, **options)
    assert result.evidence_vector == "word-1-tf"
    assert (
        "gradient-boosted trees scored word 1-grams, TF on 3 of 3 folds. Trees have no weight per n-gram, so the "
        "n-grams shown are those of the linear probe L2 C=1 on the same feature vector; the probabilities of the items "
        "are those of the models that scored them"
    ) in result.notes
    assert {item.probability > 0.9 for item in result.giveaways} == {True}  # the regression gives about .5
