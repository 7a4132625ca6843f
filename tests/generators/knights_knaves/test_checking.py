"""The family: sizes of the release, the card, and a check that sees every injected fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generators.card_prose import prose
from generators.knights_knaves.checking import check
from generators.knights_knaves.dataset import DATASET


def test_the_release_has_the_paper_s_2400_rows_and_more():
    sizes = {name: subset.rows for name, subset in DATASET.subsets.items()}
    paper = [f"{letter}-{n}" for letter in "SIE" for n in (3, 4, 5, 6)]
    assert list(sizes)[:12] == paper
    assert sum(sizes[name] for name in paper) == 2400
    assert all(subset.limit is None or subset.rows <= subset.limit for subset in DATASET.subsets.values())


def test_subsets_with_labels_face_the_audit():
    assessed = [name for name, subset in DATASET.subsets.items() if subset.labels]
    assert assessed == [f"{kind}-{n}" for kind in ("identity", "number") for n in (3, 4, 5, 6)]
    assert all(not DATASET.subsets[name].exploit for name in assessed)


def test_every_key_of_metadata_is_explained():
    common = {"dataset", "version", "subset", "seed", "canary"}
    keys = {key for name in DATASET.subsets for key in DATASET.item(name, 1, 0).metadata}
    assert keys - common == set(prose(DATASET.name).fields)


@pytest.mark.parametrize("subset", DATASET.subsets)
def test_the_check_agrees_with_the_generator(subset):
    for index in range(12 if not subset.startswith("large") else 4):
        assert check(DATASET.item(subset, 23, index)) == []


@pytest.mark.parametrize("subset", ["S-3", "E-6", "several-4", "none-3", "number-3", "identity-3", "large-10"])
def test_a_wrong_answer_is_found(subset):
    item = DATASET.item(subset, 3, 4)
    other = {"jabba": "tette", "tette": "jabba", "none": "one", "one": "several", "several": "none"}
    wrong = other.get(item.answer, item.answer + "; Q: jabba")
    assert check(replace(item, answer=wrong)) == [f"the answer is {item.answer!r}, not {wrong!r}"]


def test_faults_of_prompt_notation_and_solutions_are_told_apart():
    item = DATASET.item("S-3", 3, 5)
    statements = item.metadata["statements"]
    swapped = replace(item, metadata={**item.metadata, "statements": [*statements[1:], statements[0]]})
    assert any("the prompt says" in fault for fault in check(swapped))
    solved = replace(item, metadata={**item.metadata, "solutions": ["KKK"]})
    assert [fault.split(" are ")[0] for fault in check(solved)] == ["the solutions"]
    renamed = replace(item, metadata={**item.metadata, "names": ["A", "C", "B"]})
    assert any("speak, not" in fault for fault in check(renamed))
    broken = replace(item, metadata={**item.metadata, "statements": ["(A &", "B", "C"]})
    assert len(check(broken)) == 1
    muddled = replace(item, prompt=item.prompt.replace("jabba", "wizard"))
    assert "cannot read" in check(muddled)[0]


def test_large_puzzles_are_solved_by_clauses_made_from_the_notation():
    item = DATASET.item("large-30", 3, 0)
    solution = item.metadata["solutions"][0]
    flipped = ("N" if solution[0] == "K" else "K") + solution[1:]
    wrong = replace(item, metadata={**item.metadata, "solutions": [flipped]})
    assert any("the solutions are" in fault for fault in check(wrong))
