"""Strategies that answer without weighing what the statements say: by place, by length, by single words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from generators.answering.blind import BlindStrategy, Guess, constant, copying, option, rule
from generators.item import Item

__all__ = ["BLIND", "statements"]

_OPTION = re.compile(r"^(\([a-z]\)) (.*)$", re.MULTILINE)


def statements(item: Item) -> list[tuple[str, str]]:
    """The options of the prompt in order: (label, statement); empty where the prompt lists none."""
    return [(label, text) for label, text in _OPTION.findall(item.prompt)]


def _picking(pick: Callable[[Sequence[str]], int | None]) -> Callable[[Item], Guess]:
    """The label of the statement at the place that `pick` gives; no guess without options."""

    def guess(item: Item) -> Guess:
        listed = statements(item)
        place = pick([text for _, text in listed]) if listed else None
        return None if place is None else listed[place][0]

    return guess


def _extreme(choose: Callable[..., int]) -> Callable[[Sequence[str]], int | None]:
    return lambda texts: choose(range(len(texts)), key=lambda place: len(texts[place]))


def _with(word: str) -> Callable[[Sequence[str]], int | None]:
    return lambda texts: next((place for place, text in enumerate(texts) if f" {word} " in text), 0)


def _question(item: Item) -> str:
    return "less" if " less " in item.prompt.rpartition("\n(a)")[0].rpartition("\n")[2] else "more"


def _shorter(item: Item) -> str:
    return _picking(_extreme(min))(item) or ""


def _connective(item: Item) -> str:
    texts = [text for _, text in statements(item)]
    return "or" if any(" or " in text for text in texts) else "and" if any(" and " in text for text in texts) else ""


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    option("first-option", "always chooses the first option", lambda choices: 0),
    option("last-option", "always chooses the last option", lambda choices: len(choices) - 1),
    copying("shorter", "chooses the shortest statement", _picking(_extreme(min))),
    copying("longer", "chooses the longest statement", _picking(_extreme(max))),
    copying("contains-and", "chooses the first statement with `and`, else the first", _picking(_with("and"))),
    copying("contains-or", "chooses the first statement with `or`, else the first", _picking(_with("or"))),
    rule("question-word", "answers by `more` or `less` in the question alone", _question),
    rule("connective", "answers by which of `and` and `or` occurs", _connective),
    rule(
        "question-and-length",
        "answers by `more` or `less` and by which statement is shorter",
        lambda item: f"{_question(item)} {_shorter(item)}",
    ),
    rule(
        "connective-and-length",
        "answers by `and` or `or` and by which statement is shorter",
        lambda item: f"{_connective(item)} {_shorter(item)}",
    ),
    rule(
        "prompt-length",
        "gives the most common answer among prompts with the same number of words",
        lambda item: str(len(item.prompt.split())),
    ),
)
"""Each is right more often than chance only where a subset says so as its `exploit`."""
