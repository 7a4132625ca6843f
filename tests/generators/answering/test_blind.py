"""Blind strategies, on items small enough to count by hand."""

import pytest

from hansproof.generators.answering.scorer import constant, copying, option, rule, target_of
from hansproof.generators.item import Item


def item(number, answer, prompt="?", choices=None, **metadata):
    about = {"dataset": "d", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c", **metadata}
    return Item(f"d/1.0.0/s/{number:06d}", prompt, choices, answer, f"g{number}", "base", about)


LEARNED = [
    item(0, "yes", "one two", kind="x"),
    item(1, "yes", "one two three", kind="x"),
    item(2, "no", "one two three", kind="y"),
    item(3, "no", "one two three", kind="y"),
    item(4, "no", "one", kind="x"),
]


def test_the_constant_is_the_most_common_answer_of_what_it_learned_from():
    assert constant().answers(LEARNED, LEARNED[:2]) == ["no", "no"]
    assert constant("kind").answers(LEARNED, LEARNED[:1]) == ["x"]
    assert constant().description == "always gives the most common answer"
    assert constant("kind").description == "always gives the most common `kind`"


def test_ties_go_to_the_first_answer_in_sorted_order_whatever_the_order_of_items():
    even = [item(0, "b"), item(1, "a")]
    assert constant().answers(even, even[:1]) == constant().answers(even[::-1], even[:1]) == ["a"]


def test_a_rule_gives_the_most_common_answer_by_its_feature_and_the_constant_where_it_is_new():
    by_length = rule("length", "by length", lambda asked: str(len(asked.prompt.split())))
    asked = [item(9, "?", "a b"), item(10, "?", "a b c"), item(11, "?", "a b c d")]
    assert by_length.answers(LEARNED, asked) == ["yes", "no", "no"]
    assert by_length.learns


def test_a_rule_about_another_target_learns_that_target():
    assert rule("answer", "by answer", lambda asked: asked.answer, target="kind").answers(LEARNED, LEARNED) == [
        "x", "x", "y", "y", "y",
    ]  # fmt: skip


def test_copying_and_options_look_at_the_item_alone():
    last = copying("last-word", "the last word", lambda asked: asked.prompt.split()[-1])
    assert last.answers([], LEARNED[:2]) == ["two", "three"]
    assert not last.learns
    longest = option("longest", "the longest option", lambda choices: choices.index(max(choices, key=len)))
    assert longest.answers([], [item(0, "aaa", choices=("b", "aaa", "cc")), item(1, "free")]) == ["aaa", None]


def test_items_without_answers_teach_nothing():
    assert constant().answers([item(0, None)], LEARNED[:2]) == [None, None]
    assert rule("x", "x", lambda asked: "same").answers([item(0, None)], LEARNED[:1]) == [None]


def test_a_target_is_told_as_text_and_a_missing_one_is_an_error():
    assert target_of(item(0, "8", n=3), "n") == "3"
    assert target_of(item(0, "8", n=None), "n") is None
    with pytest.raises(KeyError, match="operation"):
        target_of(item(0, "8"), "operation")
