"""Strategies that answer word problems without understanding them."""

from __future__ import annotations

from generators.blind import BlindStrategy, constant, copying, rule
from generators.item import Item
from generators.word_problems.forms import Question, parse

__all__ = ["BLIND"]


def _numbers(item: Item) -> list[int]:
    """The quantities of the text, in order; `twice` and `half` count as 2."""
    forms = [parse(text) for text in item.metadata["forms"]]
    return [form.quantity for form in forms if not isinstance(form, Question)]


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    copying("sum", "gives the sum of all numbers of the text", lambda item: str(sum(_numbers(item)))),
    copying("largest-number", "gives the largest number of the text", lambda item: str(max(_numbers(item)))),
    copying("last-number", "gives the last number of the text", lambda item: str(_numbers(item)[-1])),
    rule(
        "keyword-operation",
        "guesses the operation from the keyword of the comparison",
        lambda item: str(item.metadata["keyword"]),
        target="operation",
    ),
)
"""Best known first."""
