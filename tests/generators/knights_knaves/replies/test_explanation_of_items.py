"""The generator's items through the independent reader, scorer and explainer: they all agree."""

import re

import pytest

from generators.answering.scorer import Reading
from generators.knights_knaves.dataset import DATASET
from generators.knights_knaves.formula import parse, solutions, table
from generators.knights_knaves.replies.errors_in_traces import proven_errors
from generators.knights_knaves.replies.explanation import explain
from generators.knights_knaves.replies.explanation_text import explained
from generators.knights_knaves.replies.quotation import QuotationReader
from generators.knights_knaves.subsets import PLANS

SCORER = DATASET.scorer
EXPLAINED = [name for name, subset in DATASET.subsets.items() if subset.form.reasoning]


def right(item, reply):
    return SCORER.score(item, SCORER.read(item, reply)).right


def test_all_but_the_large_puzzles_have_worked_reasoning():
    assert set(DATASET.subsets) - set(EXPLAINED) == {"large-10", "large-30"}
    assert DATASET.subsets["large-30"].form.name == "identities of 30 characters"


@pytest.mark.parametrize("subset", list(PLANS))
def test_the_english_of_a_prompt_says_what_the_notation_says(subset):
    for index in range(3):
        item = DATASET.item(subset, 5, index)
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


@pytest.mark.parametrize("subset", EXPLAINED)
def test_an_exemplar_with_reasoning_is_sound_right_and_free_of_errors(subset, faults_of_steps, faults_of_text):
    form = DATASET.subsets[subset].form
    for index in range(2):
        item = DATASET.item(subset, 6, index)
        parsed = [parse(said, item.metadata["names"]) for said in item.metadata["statements"]]
        assert solutions(parsed) == item.metadata["solutions"]
        text = form.reasoning(item)
        assert text == explained(item)
        assert faults_of_steps(item, explain(item)) == []
        assert faults_of_text(item, text) == []
        reply = f"{text}\n\n{form.solution(item)}"
        assert right(item, reply)
        assert proven_errors(item, reply) == []


@pytest.mark.parametrize("subset", list(PLANS))
def test_the_canonical_answer_and_the_form_of_answer_both_score_as_right(subset):
    item = DATASET.item(subset, 8, 1)
    form = DATASET.subsets[subset].form
    assert SCORER.score(item, Reading(item.answer)).right
    assert right(item, form.solution(item))
    asked = item.metadata.get("asked")
    assert right(item, f"{asked}: {item.answer}" if asked else item.answer)


def test_each_form_requests_the_lines_that_its_solution_has():
    item = DATASET.item("S-3-knights", 8, 1)
    form = DATASET.subsets["S-3-knights"].form
    assert form.request(item).startswith("Answer with one line per character, `NAME: knight` or `NAME: knave`")
    assert re.fullmatch(r"A: kn\w+\nB: kn\w+\nC: kn\w+", form.solution(item))
    several = DATASET.item("several-3", 8, 1)
    assert "no solution" in DATASET.subsets["several-3"].form.request(several)
    assert DATASET.subsets["several-3"].form.solution(several).count("\n\n") == len(several.metadata["solutions"]) - 1
    identity = DATASET.item("identity-3", 8, 1)
    who = identity.metadata["asked"]
    assert f"`{who}: jabba` or `{who}: tette`" in DATASET.subsets["identity-3"].form.request(identity)
    assert DATASET.subsets["number-3"].form.request(item) == (
        "Answer with one word, `none`, `one` or `several`, and nothing else."
    )
