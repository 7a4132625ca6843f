"""The ladder of whole audits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hansproof
from hansproof.audit.probes.crossfit import Fitting, crossfit
from hansproof.audit.probes.kappas import RefitWidening
from hansproof.audit.probes.logistic import REGULARISATIONS, TREES
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.result.document import decode, encode
from hansproof.audit.settings import make_settings
from hansproof.audit.shortcuts.ladder import measure_ladder
from hansproof.audit.shortcuts.shared_folds import SharedFolds
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name
from hansproof.generators.jsonl import read_bytes

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "2.0.0"
QUICK = {"permutations": 199, "splits": 2, "folds": 3}


def rows(name, n):
    lines = read_bytes(SAMPLE / f"{name}.jsonl.gz").decode().splitlines()
    return [{"prompt": row["prompt"], "answer": row["answer"]} for row in map(json.loads, lines[:n])]


def test_a_planted_word_is_the_simplest_shortcut():
    result = hansproof.audit(rows("unigram", 240), **QUICK)
    ladder = result.ladder
    assert [rung.name for rung in ladder.rungs] == [
        "constant", "length", "ngram", "format", "partial", "readability", "unigrams", "bigrams",
    ]  # fmt: skip
    assert ladder.enough == "ngram"
    assert ladder.ngram.ngram in ("often", "usually")
    assert ladder.sentence.startswith(f"One word is enough: “{ladder.ngram.ngram}” → “{ladder.ngram.label}”")
    length = result.scheme("grouped").find("length")
    assert (ladder.rungs[1].kappa, ladder.rungs[1].low) == (length.matched, length.matched_low)
    assert decode(encode(result)).ladder == ladder


def test_a_benchmark_without_a_cue_has_no_simple_shortcut():
    ladder = hansproof.audit(rows("none", 200), **QUICK).ladder
    assert ladder.enough is None
    assert ladder.sentence.startswith("No simple cue was shown: of 7 kinds")


def test_trees_are_a_rung_of_their_own_and_leave_the_others_as_they_are():
    texts = [row["prompt"] for row in rows("unigram", 60)]
    y = np.array([int(row["answer"] == "yes") for row in rows("unigram", 60)])
    alone, settings = np.arange(60), make_settings(permutations=99, splits=1, folds=3)
    task = LabelTask.of(FeatureTable.build(texts, dense=[]), y, 2)
    vectors = [by_name("word-1-tf"), by_name("word-2-tf")]
    ladders = []
    for candidates in (REGULARISATIONS, (*REGULARISATIONS, TREES)):
        fitting = Fitting(42, candidates)
        scores = crossfit(task, alone, vectors, fitting, scheme="grouped", folds=3, splits=1)
        on = SharedFolds(task, alone, scores, RefitWidening(), fitting, settings)
        ladders.append(measure_ladder(on, [], uniform=0.0))
    plain, grown = ([(rung.name, rung.kappa) for rung in ladder.rungs] for ladder in ladders)
    assert [name for name, _ in grown] == ["constant", "unigrams", "bigrams", "trees"]
    assert grown[:-1] == plain


@pytest.mark.parametrize("change", [{"protocol": "paper"}, {"task": "auto"}])
def test_the_papers_protocol_and_what_is_not_assessed_have_no_ladder(change):
    few = rows("unigram", 60 if "protocol" in change else 29)
    assert hansproof.audit(few, **QUICK | change | {"splits": 1}).ladder is None
