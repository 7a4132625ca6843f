"""Forms of answer: what a prompt style asks for."""

import pytest

from hansproof.generators.dataset import NUMBER, OPTION, TEXT, form_of
from hansproof.generators.item import Item


def item(answer, choices=None):
    about = {"dataset": "d", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    return Item("d/1.0.0/s/000000", "?", choices, answer, "g", "base", about)


@pytest.mark.parametrize(
    ("answer", "choices", "form"),
    [
        ("yes", ("yes", "no"), OPTION),
        ("12", None, NUMBER),
        ("-3", None, NUMBER),
        ("1/2", None, NUMBER),
        ("2.5", None, NUMBER),
        ("Paris", None, TEXT),
        ("12 apples", None, TEXT),
        (None, None, TEXT),
        (None, ("A", "B"), OPTION),
    ],
)
def test_the_form_of_an_item_of_unknown_family(answer, choices, form):
    assert form_of(item(answer, choices)) is form


def test_a_form_asks_for_the_answer_alone_in_its_own_words():
    assert OPTION.request(item("b", ("a", "b", "c"))) == "Answer with a, b or c, and nothing else."
    assert OPTION.request(item("b", ("a", "b"))) == "Answer with a or b, and nothing else."
    assert NUMBER.request(item("8")) == "Answer with one number in digits, and nothing else."


def test_a_solved_example_gives_the_gold_answer():
    assert NUMBER.solution(item("8")) == "8"
    assert TEXT.solution(item(None)) == ""
