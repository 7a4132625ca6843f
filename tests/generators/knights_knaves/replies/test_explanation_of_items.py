"""The generator's items through the independent reader, scorer and explainer: one says what the other says."""

import re

import pytest

from generators.knights_knaves.replies.errors_in_traces import trace_errors
from generators.knights_knaves.replies.explanation import explain, render
from generators.knights_knaves.explanation_check import faults_of_steps, faults_of_text
from generators.knights_knaves.formula import parse, solutions, table
from generators.knights_knaves.puzzles.puzzle import make
from generators.knights_knaves.replies.quotation import QuotationReader
from generators.knights_knaves.replies.score import score
from generators.knights_knaves.subsets import PLANS

SMALL = [name for name, plan in PLANS.items() if plan.n <= 12]


@pytest.mark.parametrize("subset", list(PLANS))
def test_the_english_of_a_prompt_says_what_the_notation_says(subset: str) -> None:
    for index in range(3):
        item = make(subset, 5, index)
        names = item.metadata["names"]
        reader = QuotationReader(names, item.metadata["terms"])
        lines = item.prompt.split("\n\n")[1].split("\n")
        assert len(lines) == len(names)
        for speaker, (line, notation) in enumerate(zip(lines, item.metadata["statements"], strict=True)):
            said = re.fullmatch(r'(\S+)(?: says| claims)?: "?(.*?)\.?"?', line)
            assert said is not None
            assert said[1] == names[speaker]
            read = reader.read(said[2], speaker)
            assert read is not None, line
            if len(names) <= 12:
                assert table(read, len(names)) == table(parse(notation, names), len(names)), line


@pytest.mark.parametrize("subset", SMALL)
def test_items_are_solved_explained_and_scored_alike(subset: str) -> None:
    for index in range(2):
        item = make(subset, 6, index)
        assert solutions([parse(one, item.metadata["names"]) for one in item.metadata["statements"]]) == sorted(
            item.metadata["solutions"]
        )
        steps = explain(item)
        text = render(steps, item)
        assert faults_of_steps(item, steps) == []
        assert faults_of_text(item, text) == []
        assert score(item, text).right
        assert trace_errors(item, text) == []


@pytest.mark.parametrize("subset", list(PLANS))
def test_the_canonical_answer_of_an_item_scores_as_right(subset: str) -> None:
    item = make(subset, 8, 1)
    asked = item.metadata.get("asked")
    assert score(item, f"{asked}: {item.answer}" if asked else item.answer).right
