"""Every prompt is read back and solved; every change to an item is detected."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from slow_part import slow_but

from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.checking import check, solve
from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.forms import Problem, parse

EACH = 20_000 // len(PLANS) + 1


@pytest.mark.parametrize("count", slow_but([60, EACH], 60))
@pytest.mark.parametrize("subset", list(PLANS))
def test_all_of_20000_prompts_are_read_back_and_solved_to_the_gold_answer(subset: str, count: int) -> None:
    wrong = [
        (item.id, faults) for item in (DATASET.item(subset, 11, i) for i in range(count)) if (faults := check(item))
    ]
    assert wrong == []


def comparisons() -> list[Item]:
    return [DATASET.item(subset, 5, i) for subset in ("consistency", "counterbalanced-additive") for i in range(100)]


def test_a_changed_number_is_detected() -> None:
    for item in comparisons():
        prompt = re.sub(r"\d+", lambda match: str(int(match[0]) + 1), item.prompt, count=1)
        assert any("reads as" in fault for fault in check(replace(item, prompt=prompt)))


def test_swapped_names_are_detected() -> None:
    for item in comparisons():
        comparison = next(form for form in item.metadata["forms"] if form.startswith("comparison"))
        agent, other = re.findall(r"[A-Z][a-z]+", comparison)
        swapped = {agent: other, other: agent}
        prompt = re.sub(rf"\b({agent}|{other})\b", lambda match, to=swapped: to[match[0]], item.prompt)
        assert check(replace(item, prompt=prompt))


def test_a_swapped_keyword_is_detected() -> None:
    swapped = {"more": "fewer", "fewer": "more", "less": "more"}
    items = [DATASET.item("counterbalanced-additive", 5, i) for i in range(200)]
    for item in items:
        prompt = re.sub(r"\b(more|fewer|less)\b", lambda match: swapped[match[0]], item.prompt, count=1)
        assert prompt != item.prompt
        assert any("comparison(" in fault for fault in check(replace(item, prompt=prompt)))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"answer": "1000"}, "answer is 1000"),
        ({"prompt": "Who knows?"}, "^sentence 1, 'Who knows.': unknown words: knows$"),
        ({"condition": "inconsistent"}, "condition is"),
        ({"forms": ["nonsense"]}, "'nonsense' is not a logical form"),
        ({"forms": []}, "metadata has 0 forms"),
        ({"forms": None}, "wrong type in forms"),
        ({"steps": [3]}, "wrong type in steps"),
        ({"question": "container(Ann, 5, pen)"}, "metadata.question is not a question"),
        ({"forms": ["count(Ann, pen)"]}, "metadata.forms contains a question"),
        ({"n_steps": 9}, "n_steps is 9"),
        ({"operation": "guess"}, "operation is 'guess'"),
        ({"keyword": "none"}, "keyword is 'none'"),
        ({"carries": 7}, "carries is 7"),
        ({"trap": 1}, "trap is 1, the sentences give"),
        ({"steps": ["1 + 1 = 3"]}, "steps are 1 \\+ 1 = 3, the sentences give"),
        ({"idle_at": 1}, "idle_at is 1, the sentences give -1"),
        ({"answerable": "no"}, "answerable is 'no', the sentences give 'yes'"),
        ({"size": "huge"}, "size is 'huge'"),
    ],
)
def test_a_wrong_field_is_detected_and_named(changes: dict[str, Any], fault: str) -> None:
    item = DATASET.item("consistency", 5, 0)
    fields = {key: value for key, value in changes.items() if key in ("answer", "prompt", "condition")}
    metadata = {**item.metadata, **{key: value for key, value in changes.items() if key not in fields}}
    faults = check(replace(item, **fields, metadata=metadata))
    assert re.search(fault, " | ".join(faults))


@pytest.mark.parametrize(
    ("forms", "question", "fault"),
    [
        (
            ["comparison(Bob, +, Ann, 3, pen)"],
            "count(Bob, pen)",
            "sentence 1: has two unknowns or none, so it cannot be",
        ),
        (["container(Ann, 5, pen)", "container(Ann, 6, pen)"], "count(Ann, pen)", "sentence 2: repeats how many Ann"),
        (["container(Ann, 5, pen)"], "count(Bob, pen)", "question: the sentences do not say how much of 'pen' Bob has"),
    ],
)
def test_sentences_that_do_not_determine_the_answer_are_refused(forms: list[str], question: str, fault: str) -> None:
    problem = Problem(tuple(map(parse, forms)), parse(question))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=fault):
        solve(problem)


def test_a_missing_key_is_named() -> None:
    item = DATASET.item("carry", 5, 0)
    metadata = {key: value for key, value in item.metadata.items() if key != "steps"}
    assert check(replace(item, metadata=metadata)) == ["metadata lacks steps"]


def test_a_gap_that_matters_is_told_from_a_gap_that_does_not() -> None:
    for index in range(40):
        item = DATASET.item("unanswerable", 5, index)
        other = DATASET.item("unanswerable", 5, index ^ 1)
        faults = check(replace(item, prompt=other.prompt, metadata={**item.metadata, "forms": other.metadata["forms"]}))
        assert f"answer is {item.answer}, the sentences give {other.answer}" in faults


def test_a_remark_that_counts_is_none() -> None:
    item = DATASET.item("distractor", 5, 2)
    assert check(item) == []
    assert check(replace(item, prompt=DATASET.item("distractor", 5, 3).prompt))
    assert check(replace(item, condition="usable-number")) == [
        "condition is 'usable-number', the sentences are not of that kind"
    ]
