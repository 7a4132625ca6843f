"""The ladder of whole audits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hansproof
from audit.report.document import decode, encode

SAMPLE = Path(__file__).resolve().parents[3] / "datasets" / "planted-cues" / "1.0.0"
QUICK = {"permutations": 199, "splits": 2, "folds": 3}


def rows(name, n):
    lines = (SAMPLE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"prompt": row["prompt"], "answer": row["answer"]} for row in map(json.loads, lines[:n])]


def test_a_planted_word_is_the_simplest_shortcut():
    result = hansproof.audit(rows("unigram", 240), **QUICK)
    ladder = result.ladder
    assert [rung.name for rung in ladder.rungs] == [
        "constant", "length", "ngram", "format", "readability", "unigrams", "bigrams",
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
    assert ladder.sentence.startswith("No simple cue was shown: of 6 kinds")


def test_trees_are_a_rung_of_their_own_and_leave_the_others_as_they_are():
    plain, grown = (
        hansproof.audit(rows("unigram", 90), trees=trees, **QUICK | {"splits": 1}) for trees in (False, True)
    )
    assert [rung.name for rung in grown.ladder.rungs][-1] == "trees"
    kappas = [[(rung.name, rung.kappa) for rung in result.ladder.rungs] for result in (plain, grown)]
    assert kappas[1][:-1] == kappas[0]


@pytest.mark.parametrize("change", [{"protocol": "paper"}, {"task": "auto"}])
def test_the_papers_protocol_and_what_is_not_assessed_have_no_ladder(change):
    few = rows("unigram", 60 if "protocol" in change else 29)
    assert hansproof.audit(few, **QUICK | change | {"splits": 1}).ladder is None
