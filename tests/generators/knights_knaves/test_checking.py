"""The family: sizes of the release, the card, and a check that sees every injected fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from hansproof.generators.knights_knaves.checking import check
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.registry import prose


@cache
def released(subset):
    return [DATASET.item(subset, DATASET.seed, index) for index in range(DATASET.subsets[subset].rows)]


def test_the_release_has_200_puzzles_a_cell_of_the_paper_where_there_are_as_many():
    rows = [item for letter in "SIE" for item in released(f"set-{letter}")]
    cells = Counter((item.metadata["set"], item.metadata["n"], item.metadata["terminology"]) for item in rows)
    terms = ("jabbas", "knights", "truth-tellers")
    wanted = {(letter, n, words): 200 for letter in "SIE" for n in (3, 4, 5, 6) for words in terms}
    assert cells == wanted | {(letter, 3, words): few for letter, few in (("S", 42), ("I", 142)) for words in terms}


def test_subsets_with_labels_face_the_audit():
    assessed = [name for name, subset in DATASET.subsets.items() if subset.labels]
    assert assessed[:2] == ["character", "number"]
    assert all(not DATASET.subsets[name].exploit for name in assessed)


def test_every_key_of_metadata_is_explained():
    common = {"dataset", "version", "subset", "seed", "canary"}
    keys = {key for name in DATASET.subsets for key in DATASET.item(name, 1, 0).metadata}
    assert keys - common == set(prose(DATASET.name).fields)


@pytest.mark.parametrize("subset", DATASET.subsets)
def test_the_check_agrees_with_the_generator(subset):
    for index in range(12):
        assert DATASET.check(DATASET.item(subset, 23, index)) == []


@pytest.mark.parametrize("subset", ["set-S", "set-E", "balanced", "character", "number", "solutions"])
def test_a_wrong_answer_is_found(subset):
    item = DATASET.item(subset, 3, 4)
    other = {"jabba": "tette", "tette": "jabba", "none": "one", "one": "several", "several": "none"}
    wrong = other.get(item.answer, item.answer + "; Q: jabba")
    assert check(replace(item, answer=wrong)) == [f"the answer is {item.answer!r}, not {wrong!r}"]


def test_faults_of_prompt_notation_and_solutions_are_told_apart():
    item = DATASET.item("set-S", 3, 5)
    statements = item.metadata["statements"]
    swapped = replace(item, metadata={**item.metadata, "statements": [*statements[1:], statements[0]]})
    assert any("the prompt says" in fault for fault in check(swapped))
    n = len(item.metadata["names"])
    solved = replace(item, metadata={**item.metadata, "solutions": ["K" * n, "N" * n]})
    assert [fault.split(" are ")[0] for fault in check(solved)] == ["the solutions"]
    renamed = replace(item, metadata={**item.metadata, "names": item.metadata["names"][::-1]})
    assert any("speak, not" in fault for fault in check(renamed))
    broken = replace(item, metadata={**item.metadata, "statements": ["(A &", "B", "C"]})
    assert len(check(broken)) == 1
    truthful, lying = item.metadata["terms"]
    muddled = replace(item, prompt=item.prompt.replace(truthful, "wizard").replace(lying, "witch"))
    assert "cannot read" in check(muddled)[0]


def test_what_the_metadata_says_of_the_solution_is_checked_too():
    item = DATASET.item("balanced", 3, 5)
    first = "lying" if item.metadata["first"] == "truthful" else "truthful"
    wrong = replace(item, metadata={**item.metadata, "first": first})
    assert check(wrong) == [f"first is {first!r}, not {item.metadata['first']!r}"]
    counted = DATASET.item("number", 3, 0)
    other = "one" if counted.metadata["outcome"] == "none" else "none"
    wrong = replace(counted, metadata={**counted.metadata, "outcome": other})
    assert check(wrong) == [f"outcome is {other!r}, not {counted.metadata['outcome']!r}"]


def test_numbers_and_kinds_are_those_of_the_notation():
    item = DATASET.item("set-S", 3, 5)
    kinds = item.metadata["kinds"]
    wrong = replace(item, metadata={**item.metadata, "n": 9, "kinds": ["nested", *kinds[1:]]})
    assert check(wrong) == [f"n is 9, not {len(kinds)}", f"kinds is {['nested', *kinds[1:]]!r}, not {kinds!r}"]
    scene = DATASET.item("logicians", 3, 0)
    wrong = replace(scene, metadata={**scene.metadata, "n": 9, "terms": ["knight", "knave"], "first": "both"})
    assert [fault.partition(" is ")[0] for fault in DATASET.check(wrong)] == ["n", "terms", "first"]


def test_a_puzzle_of_thousands_of_statements_is_refused_at_once():
    item = DATASET.item("set-S", 3, 5)
    n = len(item.metadata["names"])
    told = f"{n} names, 5000 statements, and {n} speakers in the prompt"
    assert check(replace(item, metadata={**item.metadata, "statements": ["A"] * 5000})) == [told]
    assert check(replace(item, prompt="", metadata={**item.metadata, "names": [], "statements": []})) == [
        "0 names, 0 statements, and 0 speakers in the prompt"
    ]
