"""The generator's items through the independent reader, scorer and explainer: they all agree."""

import re

import pytest

from hansproof.generators.answering.scorer import Reading
from hansproof.generators.knights_knaves.dataset import DATASET, PLANS
from hansproof.generators.knights_knaves.explaining import explain, explained
from hansproof.generators.knights_knaves.formula import parse, solutions, table
from hansproof.generators.knights_knaves.puzzle import OUTCOMES
from hansproof.generators.knights_knaves.reasoning_errors import QuotationReader, proven_errors
from hansproof.generators.styles.exemplars import examples_for
from hansproof.generators.styles.style import STYLES

SCORER = DATASET.scorer
EXPLAINED = [name for name in DATASET.subsets if name != "logicians"]  # these have explanations of their own


def right(item, reply):
    return SCORER.score(item, SCORER.read(item, reply)).right


@pytest.mark.parametrize("subset", [subset for subset in PLANS if subset != "logicians"])
def test_the_english_of_a_prompt_says_what_the_notation_says(subset):
    for index in range(3):
        item = DATASET.item(subset, 5, index)
        names = item.metadata["names"]
        reader = QuotationReader(names, item.metadata["terms"])
        lines = item.prompt.split("\n\n")[1].split("\n")
        assert len(lines) == len(names)
        for speaker, (line, notation) in enumerate(zip(lines, item.metadata["statements"], strict=True)):
            said = re.fullmatch(r"(\S+): (.*)\.", line)
            assert said is not None
            assert said[1] == names[speaker]
            read = reader.read(said[2], speaker)
            assert read is not None, line
            if len(names) <= 12:
                assert table(read, len(names)) == table(parse(notation, names), len(names)), line


@pytest.mark.parametrize("subset", EXPLAINED)
def test_an_exemplar_with_reasoning_is_sound_right_and_free_of_errors(subset, faults_of_steps, faults_of_text):
    form = DATASET.subsets[subset].form
    for index in (0, 1, 2) if subset == "ladder" else (0, 1, 4) if subset == "memorisation" else (0, 1):
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


@pytest.mark.slow
def test_a_puzzle_whose_explanation_would_be_too_long_is_no_example_with_reasoning():
    form = DATASET.subsets["ladder"].form
    rows = [DATASET.item("ladder", 6, 3 * index) for index in range(8)]
    assert [row.metadata["n"] for row in rows] == [10, 15, 20, 30, 40, 60, 80, 100]
    assert [bool(form.reasoning(row)) for row in rows] == [True] + [False] * 7
    shown = examples_for(STYLES["few-shot-cot"], DATASET, "ladder", 6, 1)
    assert max(row.metadata["n"] for row in shown) == 10
    assert max(row.metadata["n"] for row in examples_for(STYLES["few-shot"], DATASET, "ladder", 6, 1)) > 12


@pytest.mark.parametrize("subset", list(PLANS))
def test_the_canonical_answer_and_the_form_of_answer_both_score_as_right(subset):
    item = DATASET.item(subset, 8, 1)
    form = DATASET.subsets[subset].form
    assert SCORER.score(item, Reading(item.answer)).right
    assert right(item, form.solution(item))
    asked = item.metadata.get("asked")
    assert right(item, f"{asked}: {item.answer}" if asked else item.answer)


def test_each_form_has_its_lines_under_the_heading():
    def solution(subset, index):
        item = DATASET.item(subset, 8, index)
        request = DATASET.subsets[subset].form.request(item)
        assert request.startswith("Answer with the heading `CONCLUSION:` and, below it, one ")
        assert wanted(item) in request
        return item, DATASET.subsets[subset].form.solution(item)

    def wanted(item):
        truthful, lying = item.metadata["terms"]
        who = item.metadata.get("asked", "NAME")
        return "`none`, `one` or `several`" if item.choices == OUTCOMES else f"`{who}: {truthful}` or `{who}: {lying}`"

    assert re.fullmatch(r"CONCLUSION:\nA: kn\w+\nB: kn\w+\nC: kn\w+", solution("set-S", 1)[1])
    for index in range(3):
        item, text = solution("solutions", index)
        worlds = item.metadata["solutions"]
        assert text.count("\n\n") == max(0, len(worlds) - 1)
        assert ("no solution" in text) == (not worlds)
    item, text = solution("character", 1)
    assert text == f"CONCLUSION:\n{item.metadata['asked']}: {item.answer}"
    assert solution("number", 1)[1] == f"CONCLUSION:\n{DATASET.item('number', 8, 1).answer}"
