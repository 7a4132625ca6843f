"""Probes of parts: a planted cue of the hypothesis shows in it, and a cue of the combination in no part."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score

import hansproof
from hansproof.audit.probes.crossfit import draw_folds
from hansproof.audit.result.shortcuts import PartialInputs
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.label_advice import advise_on_parts
from hansproof.generators.errors import UsageError

QUICK = {"permutations": 199, "splits": 2, "folds": 3, "groups": "none"}
WORDS = [f"{a}{b}{c}o" for a in "bdfgklm" for b in "aeiou" for c in "nprst"]


def pairs(cue, n=400, seed=2):
    """Premises and hypotheses of random words, with a cue of one kind.

    `hypothesis`: `nary` stands in 70 % of the hypotheses with the answer no, and in 10 % of the others. `both`: the
    answer is yes if premise and hypothesis both say `today` or both say `tomorrow`, equally often.
    """
    random = np.random.default_rng(seed)
    rows = []
    for cell in random.permutation(np.arange(n) % 4).tolist():
        y, day = cell % 2, cell // 2
        premise, hypothesis = (" ".join(random.choice(WORDS, 7)) for _ in range(2))
        if cue == "hypothesis" and random.random() < (0.1, 0.7)[y]:
            hypothesis = f"{hypothesis[:-4]}nary"
        if cue == "both":
            premise += (" today", " tomorrow")[day]
            hypothesis += (" today", " tomorrow")[day ^ y]
        rows.append({"premise": premise, "hypothesis": hypothesis, "label": ("yes", "no")[y]})
    return rows


@pytest.fixture(scope="module")
def planted():
    return hansproof.audit(pairs("hypothesis"), **QUICK)


def by_name(result):
    return {entry.name: entry for entry in result.partial.inputs}


def test_a_cue_of_the_hypothesis_shows_in_the_hypothesis_alone(planted):
    known = by_name(planted)
    assert list(known) == ["premise only", "hypothesis only"]
    assert known["hypothesis only"].kappa == pytest.approx(0.6, abs=0.1)
    assert known["hypothesis only"].p <= 0.011
    assert abs(known["premise only"].kappa) < 0.15
    assert known["premise only"].p > 0.05
    assert planted.partial.whole == pytest.approx(known["hypothesis only"].kappa, abs=0.12)


def test_it_is_a_rung_of_the_ladder_and_a_piece_of_advice(planted):
    rung = next(rung for rung in planted.ladder.rungs if rung.name == "partial")
    assert rung.sees == "the hypothesis alone"
    assert rung.kappa == pytest.approx(by_name(planted)["hypothesis only"].kappa, abs=0.1)
    assert planted.ladder.enough == "ngram"
    assert planted.advice[-1].startswith("The hypothesis alone predicts the answers, kappa .")
    assert planted.advice[-1].endswith("(Gururangan et al. 2018; Poliak et al. 2018).")


def test_a_cue_of_the_combination_shows_in_no_part():
    result = hansproof.audit(pairs("both"), **QUICK)
    assert result.partial.whole > 0.5
    for entry in result.partial.inputs:
        assert abs(entry.kappa) < 0.15
        assert entry.p > 0.05
    assert not any("alone predicts" in sentence for sentence in result.advice)


def test_scikit_learn_reaches_the_same_with_the_hypotheses_alone(planted):
    rows = pairs("hypothesis")
    y = np.array([int(row["label"] == "no") for row in rows])
    (fold,) = draw_folds(y, np.arange(len(y)), 7, "theirs", 3, 1)
    texts = np.array([row["hypothesis"] for row in rows])
    given = np.zeros(len(y), dtype=int)
    for number in range(3):
        train, test = fold != number, fold == number
        count = CountVectorizer(binary=True, ngram_range=(1, 2), min_df=2)
        model = LogisticRegression(C=0.1, l1_ratio=1, solver="liblinear")
        given[test] = model.fit(count.fit_transform(texts[train]), y[train]).predict(count.transform(texts[test]))
    theirs = cohen_kappa_score(y, given)
    assert by_name(planted)["hypothesis only"].kappa == pytest.approx(theirs, abs=0.08)


def test_parts_change_no_verdict_and_no_number_of_the_whole(planted):
    plain = [
        {"prompt": f"{row['premise']}\n{row['hypothesis']}", "answer": row["label"]} for row in pairs("hypothesis")
    ]
    whole = hansproof.audit(plain, **QUICK)
    assert whole.schemes == planted.schemes
    assert (whole.verdict, whole.reason) == (planted.verdict, planted.reason)


def test_the_fuller_set_uses_all_splits_and_more_vectors():
    rows = pairs("hypothesis", 120)
    for row in rows:
        row["premise"] = f"Here is a tale. {row['premise'].capitalize()}."
    plain, fuller = (hansproof.audit(rows, partial=partial, **QUICK | {"splits": 4}) for partial in (False, True))
    assert (plain.partial.splits, fuller.partial.splits) == (2, 4)
    assert len(plain.partial.vectors) < len(fuller.partial.vectors)
    assert len(plain.partial.inputs) < len(fuller.partial.inputs) + len(fuller.partial.left_out)
    with pytest.raises(UsageError, match="protocol 'paper' does not know"):
        make_settings(partial=True, protocol="paper")


def test_single_sentences_have_a_reason_and_no_rung():
    rows = [{"prompt": row["premise"], "answer": row["label"]} for row in pairs("none", 60)]
    result = hansproof.audit(rows, **QUICK)
    assert result.partial.inputs == []
    assert result.partial.whole is None
    assert len(result.partial.left_out) == 3
    assert "partial" not in [rung.name for rung in result.ladder.rungs]


def test_advice_is_for_strong_parts_with_a_name(planted):
    settings = make_settings()

    def said(*more, **changes):
        entries = [msgspec.structs.replace(by_name(planted)["hypothesis only"], **changes), *more]
        partial = PartialInputs(how="", whole=0.6, splits=2, vectors=[], inputs=entries, left_out=[])
        return advise_on_parts(partial, settings)

    assert len(said()) == 1
    stronger = msgspec.structs.replace(by_name(planted)["hypothesis only"], sees="a stronger part", kappa=0.95)
    assert [line.partition(" predicts")[0] for line in said(stronger, sees="a weaker part", kappa=0.15)] == [
        "A stronger part", "A weaker part"
    ]  # fmt: skip
    assert said(named=False) == said(kappa=0.09) == said(p=0.06) == said(p=None) == said(kappa=None) == []
    assert advise_on_parts(None, settings) == []
