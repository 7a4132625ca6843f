"""Blind strategies on word problems: worked numbers, and that none beats chance where balance is promised."""

import pytest
from slow_part import slow_but

from hansproof.audit.models.blind import measure_blind
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.blind import BLIND, numbers
from hansproof.generators.word_problems.dataset import DATASET, PLANS

STRATEGIES = {(strategy.name, strategy.target): strategy for strategy in BLIND}


def item(answer, forms, keyword="more", operation="add", steps=1, words=6):
    about = {
        "forms": forms,
        "question": "count(Bob, pen)",
        "keyword": keyword,
        "operation": operation,
        "n_steps": steps,
    }
    prompt = " ".join(["word"] * words)
    return Item("word-problems/2.1.0/mini/000000", prompt, None, str(answer), "mini-000000", "easy", about)


def comparison(first, relation, second):
    return [f"container(Ann, {first}, pen)", f"comparison(Bob, {relation}, Ann, {second}, pen)"]


def guesses(name, items, target=""):
    return list(STRATEGIES[name, target].answers(items, items))


def test_strategies_compute_with_the_numbers_at_face_value():
    items = [item(8, comparison(5, "+", 3)), item(2, [*comparison(4, "*", 2), "transfer(Bob, _, 6, pen)"], "times")]
    assert numbers(items[1]) == [4, 2, 6]
    assert guesses("sum", items) == ["8", "12"]
    assert guesses("largest-number", items) == ["5", "6"]
    assert guesses("first-number", items) == ["5", "4"]
    assert guesses("difference", items) == ["2", "-4"]
    assert guesses("product", items) == ["15", "48"]
    assert guesses("last-number", items) == ["3", "6"]


@pytest.mark.parametrize(
    ("keyword", "given", "answer"),
    [
        ("more", (5, 3), "8"),
        ("fewer", (5, 3), "2"),
        ("fewer", (3, 5), "-2"),
        ("times", (5, 3), "15"),
        ("part", (6, 3), "2"),
        ("part", (3, 9), None),
        ("none", (5, 3), None),
    ],
)
def test_keyword_arithmetic_applies_the_operation_that_the_keyword_names(keyword, given, answer):
    assert guesses("keyword-arithmetic", [item(0, comparison(given[0], "+", given[1]), keyword)]) == [answer]


def test_operations_are_guessed_from_keyword_length_and_last_number():
    items = [
        item(8, comparison(5, "+", 3), "more", "add", 1, 10),
        item(2, comparison(5, "-", 3), "fewer", "subtract", 2, 20),
        item(2, comparison(5, "-", 3), "fewer", "subtract", 2, 20),
    ]
    assert guesses("keyword-operation", items, "operation") == ["add", "subtract", "subtract"]
    assert guesses("length-operation", items, "operation") == ["add", "subtract", "subtract"]
    assert guesses("number-operation", items, "operation") == ["subtract"] * 3
    assert guesses("constant", items, "operation") == ["subtract"] * 3


@pytest.mark.parametrize(
    ("forms", "guess"),
    [
        (["container(Ann, 5, pen)", "comparison(Bob, +, Ann, 3, pen)"], "8"),
        (["container(Ann, 5, pen)", "comparison(Ann, -, Bob, 3, pen)"], "2"),  # it is 8
        (["container(Ann, 5, pen)", "comparison(Ann, /, Bob, 3, pen)"], None),  # 5 / 3
        (["container(Bob, 5, pen)", "transfer(Bob, _, 2, pen)"], None),
        (["container(Ann, some, pen)", "comparison(Bob, +, Ann, 3, pen)"], None),
        (["container(Ann, 6, pen)", "comparison(Ann, +, Bob, 2, pen)", "transfer(Bob, _, 1, pen)"], "9"),
    ],
)
def test_at_its_word_takes_the_new_agent_for_the_subject(forms, guess):
    assert guesses("at-its-word", [item(0, forms)]) == [guess]


@pytest.mark.parametrize("subset", slow_but([name for name, plan in PLANS.items() if plan.subset.balanced], "carry"))
def test_no_strategy_beats_chance_in_balanced_subsets(subset):
    rows = [DATASET.item(subset, DATASET.seed, index) for index in range(DATASET.subsets[subset].rows)]
    results = [result for result in measure_blind(rows, DATASET.scorer) if result.part not in DATASET.scorer.measures]
    assert {result.part for result in results} >= {"answer", PLANS[subset].subset.audit_target or "operation"}
    assert all(result.p_holm >= 0.01 for result in results if result.chance == result.chance)


def test_a_text_that_is_not_a_logical_form_is_refused():
    with pytest.raises(InputError, match=r"^item 'word-problems/2\.1\.0/mini/000000': 'Ann has 5' is not a logical"):
        numbers(item(5, ["Ann has 5"]))
