"""Every line of the check of an item has an item that it alone refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.checking import calculated, check
from hansproof.generators.word_problems.dataset import DATASET
from hansproof.generators.word_problems.forms import parse


def changed(item: Item, **metadata: Any) -> list[str]:
    return check(replace(item, metadata={**item.metadata, **metadata}))


def told(*sentences: str, forms: list[str], question: str, answer: str, steps: list[str], **more: Any) -> Item:
    """An item without faults, but for those of its text."""
    about: dict[str, Any] = {
        "subset": "nonlinear", "setting": "none", "forms": forms, "question": question, "steps": steps,
        "n_steps": len(steps), "operation": "add", "keyword": "none",
    }  # fmt: skip
    return Item("word-problems/2.1.0/x/000000", " ".join(sentences), None, answer, "x", "original", about | more)


def pens(number: int, got: int, **more: Any) -> Item:
    return told(
        f"Alice had {number} pens.", f"She bought {got} pens.", "How many pens did she have?",
        forms=[f"container(Alice, {number}, pen)", f"transfer(Alice, _, {got}, pen)"],
        question="count(Alice, pen)", answer=str(number + got), steps=[f"{number} + {got} = {number + got}"], **more,
    )  # fmt: skip


def test_a_small_item_has_no_fault_at_all() -> None:
    assert check(pens(5, 3)) == []


@pytest.mark.parametrize("key", ["setting", "subset", "question"])
def test_a_text_that_is_none_is_refused(key: str) -> None:
    assert changed(pens(5, 3), **{key: 7}) == [f"metadata has a value of the wrong type in {key}"]


@pytest.mark.parametrize("key", ["forms", "steps"])
def test_a_list_that_is_none_is_refused(key: str) -> None:
    assert changed(pens(5, 3), **{key: "abc"}) == [f"metadata has a value of the wrong type in {key}"]


def test_an_unreadable_prompt_is_refused_and_nothing_else_is_said() -> None:
    assert check(replace(pens(5, 3), prompt="Alice had 5 dragons. How many did she have?")) == [
        "sentence 1, 'Alice had 5 dragons.': unknown words: dragons"
    ]


def test_a_sentence_too_many_and_a_sentence_too_few_are_refused() -> None:
    item = pens(5, 3)
    longer = item.prompt.replace("How", "Then she bought 2 pens. How")
    assert "3 sentences stand before the question, but metadata has 2 forms" in check(replace(item, prompt=longer))
    shorter = item.prompt.replace(" She bought 3 pens.", "")
    assert "1 sentences stand before the question, but metadata has 2 forms" in check(replace(item, prompt=shorter))


def test_metadata_that_agree_with_each_other_but_not_with_the_text_are_refused() -> None:
    faults = check(replace(pens(5, 4), prompt=pens(5, 3).prompt))
    assert faults[0] == "sentence 2 reads as transfer(Alice, _, 3, pen), metadata says transfer(Alice, _, 4, pen)"
    assert "answer is 9, the sentences give 8" in faults


def test_amounts_above_999_below_0_and_broken_ones_are_refused() -> None:
    assert check(pens(999, 3)) == ["1002 is not an integer from 0 to 999"]
    assert check(pens(1000, 3))[0] == "1000 is not an integer from 0 to 999"
    less = told(
        "Alice had 3 pens.", "She sold 5 pens.", "How many pens did she have?",
        forms=["container(Alice, 3, pen)", "transfer(_, Alice, 5, pen)"],
        question="count(Alice, pen)", answer="-2", steps=["3 - 5 = -2"], operation="subtract",
    )  # fmt: skip
    assert "-2 is not an integer from 0 to 999" in check(less)
    half = told(
        "Alice had 3 pens.", "Bob had half as many as Alice.", "He bought 2 pens.", "How many pens did Bob have?",
        forms=["container(Alice, 3, pen)", "comparison(Bob, /, Alice, 2, pen)", "transfer(Bob, _, 2, pen)"],
        question="count(Bob, pen)", answer="7/2", steps=["3 / 2 = 3/2", "3/2 + 2 = 7/2"],
    )  # fmt: skip
    assert "3/2 is not an integer from 0 to 999" in check(half)
    assert "7/2 is not an integer from 0 to 999" in check(half)


def test_a_step_may_add_nothing() -> None:
    assert check(pens(5, 0)) == []


def test_a_number_that_no_step_uses_must_be_in_range_too() -> None:
    idle = told(
        "Alice had 5 pens.", "Bob had 1000 pens.", "She bought 3 pens.", "How many pens did Alice have?",
        forms=["container(Alice, 5, pen)", "container(Bob, 1000, pen)", "transfer(Alice, _, 3, pen)"],
        question="count(Alice, pen)", answer="8", steps=["5 + 3 = 8"],
    )  # fmt: skip
    assert "1000 is not an integer from 0 to 999" in check(idle)


def test_each_way_in_which_steps_can_be_wrong_is_refused() -> None:
    item = pens(5, 3)
    assert changed(item, steps=["3 + 5 = 8"]) == ["steps are 3 + 5 = 8, the sentences give 5 + 3 = 8"]
    assert changed(item, steps=[]) == ["steps are , the sentences give 5 + 3 = 8"]
    assert changed(item, n_steps=2) == ["n_steps is 2, the sentences need 1"]


def test_a_wrong_answer_is_refused() -> None:
    assert "answer is 08, the sentences give 8" in check(replace(pens(5, 3), answer="08"))


@pytest.mark.parametrize(
    ("left", "sign", "right", "count"),
    [(95, "+", 7, 2), (99, "+", 901, 3), (555, "+", 444, 0), (102, "-", 7, 2), (995, "-", 444, 0), (30, "-", 9, 1)],
)
def test_carries_are_counted_column_by_column(left: int, sign: str, right: int, count: int) -> None:
    sold = sign == "-"
    result = left - right if sold else left + right
    item = told(
        f"Alice had {left} pens.", f"She {'sold' if sold else 'bought'} {right} pens.", "How many pens did she have?",
        forms=[f"container(Alice, {left}, pen)", f"transfer({'_, Alice' if sold else 'Alice, _'}, {right}, pen)"],
        question="count(Alice, pen)", answer=str(result), steps=[f"{left} {sign} {right} = {result}"],
        operation="subtract" if sold else "add", carries=count,
    )  # fmt: skip
    in_range = [fault for fault in check(item) if "integer from 0" not in fault]
    assert in_range == []
    assert f"carries is {count + 1}, the sentences give {count}" in changed(item, carries=count + 1)


def test_products_carry_nothing() -> None:
    item = told(
        "Alice had 13 pens.", "Bob had three times as many as Alice.", "How many pens did Bob have?",
        forms=["container(Alice, 13, pen)", "comparison(Bob, *, Alice, 3, pen)"], question="count(Bob, pen)",
        answer="39", steps=["13 * 3 = 39"], operation="multiply", keyword="times", carries=0,
    )  # fmt: skip
    assert check(item) == []


IDLE = {
    "forms": ["container(Alice, 5, pen)", "container(Bob, 7, pen)", "transfer(Alice, _, 3, pen)"],
    "question": "count(Alice, pen)", "answer": "8", "steps": ["5 + 3 = 8"], "idle_at": 1,
}  # fmt: skip


def idle(number: int, **more: Any) -> Item:
    forms = [IDLE["forms"][0], f"container(Bob, {number}, pen)", IDLE["forms"][2]]
    text = ("Alice had 5 pens.", f"Bob had {number} pens.", "Alice bought 3 pens.", "How many pens did Alice have?")
    return told(*text, **{**IDLE, "forms": forms, **more})


def test_the_number_of_a_distractor_may_be_no_result() -> None:
    assert check(idle(7)) == []
    assert check(idle(8)) == ["the distractor's number 8 is the answer or the result of a step"]
    # What a step starts from is another matter than what it gives.
    assert check(idle(3)) == []


@pytest.mark.parametrize("place", [2, -1, "x", 1.5, None, 99])
def test_a_wrong_place_of_a_distractor_is_refused_without_a_crash(place: object) -> None:
    assert changed(idle(7), idle_at=place) == [f"idle_at is {place!r}, the sentences give 1"]


@pytest.mark.parametrize(
    ("subset", "index", "condition"),
    [
        ("transfer-comparison", 0, "comparison"), ("transfer-comparison", 1, "transfer"),
        ("carry", 0, "carry"), ("carry", 1, "no-carry"), ("distractor", 0, "filler"),
        ("distractor", 1, "usable-number"),
        ("distractor", 2, "filler"), ("distractor", 3, "unusable-number"), ("unanswerable", 0, "unanswerable"),
        ("unanswerable", 1, "answerable"), ("consistency", 0, "inconsistent"),
        ("counterbalanced-additive", 1, "consistent"),
        ("nonlinear", 0, "difference"), ("nonlinear", 1, "total"),
    ],
)  # fmt: skip
def test_a_condition_that_the_sentences_do_not_have_is_refused(subset: str, index: int, condition: str) -> None:
    item = DATASET.item(subset, 5, index)
    assert check(item) == []
    assert check(replace(item, condition=condition)) == [
        f"condition is {condition!r}, the sentences are not of that kind"
    ]


def test_a_wrong_trap_operation_and_keyword_are_refused() -> None:
    item = DATASET.item("counterbalanced-additive", 5, 0)
    trap = item.metadata["trap"]
    assert changed(item, trap=trap + 1) == [f"trap is {trap + 1}, the sentences give {trap}"]
    assert "operation is 'divide', the sentences give" in " ".join(changed(item, operation="divide"))
    assert "keyword is 'part', the sentences give" in " ".join(changed(item, keyword="part"))


def test_a_trap_and_a_kind_of_comparison_need_a_comparison() -> None:
    fault = "condition is 'consistent', the sentences are not of that kind"
    assert changed(pens(5, 3), trap=2) == ["trap is 2, the sentences give None"]
    assert check(replace(pens(5, 3), condition="consistent")) == [fault]


@pytest.mark.parametrize(
    "text",
    [
        "", "count", "count()", "count(Ann)", "count(Ann, Bob, pen)", "total(Ann, pen)", "container(Ann, x, pen)",
        "container(Ann, 5)", "comparison(Bob, ^, Ann, 3, pen)", "rate(Ann, 4, pen, box)", "remark(Ann, some)",
        "transfer(Ann, 3, pen)",
        "CONTAINER(Ann, 5, pen)", "container(Ann, 5, pen) ",
    ],
)  # fmt: skip
def test_what_is_no_logical_form_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is not a logical form, such as container\(Ann, 5, apple\)$"):
        parse(text)


def test_nothing_is_divided_by_0() -> None:
    from fractions import Fraction

    with pytest.raises(InputError, match=r"^7 is divided by 0$"):
        calculated(Fraction(7), "/", Fraction(0))
