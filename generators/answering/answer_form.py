"""Forms of answer: how a prompt wants its answer put, so that prompt styles can ask for exactly that.

An item of any source has a form (`form_of`); a family that asks for something else than one option, one number or a few
words brings a form of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from generators.item import Item

__all__ = ["NUMBER", "OPTION", "TEXT", "AnswerForm", "form_of", "gold"]


def gold(item: Item) -> str:
    """The gold answer in its canonical form; empty where nothing is right."""
    return item.answer or ""


@dataclass(frozen=True)
class AnswerForm:
    """How an answer is to be put."""

    name: str
    """`option`, `number`, `text`, `identities`: what messages call it."""
    request: Callable[[Item], str]
    """A sentence that asks for the answer alone: `Answer with one number in digits and nothing else.`"""
    solution: Callable[[Item], str] = gold
    """The gold answer as the prompt wants it put, for solved examples."""
    reasoning: Callable[[Item], str] | None = None
    """The steps to the gold answer in words, for solved examples with reasoning; None where nobody has written them.
    Empty for an item whose steps would be too long for an example."""
    closed: bool = False
    """Whether the answers of a subset are a few labels, so that the audit can try to predict them."""


def _options(item: Item) -> str:
    choices = item.choices or ()
    listed = ", ".join(choices[:-1]) + f" or {choices[-1]}" if len(choices) > 1 else "".join(choices)
    return f"Answer with {listed}, and nothing else."


OPTION = AnswerForm("option", _options, closed=True)
"""One of the item's choices, as written."""

NUMBER = AnswerForm("number", lambda item: "Answer with one number in digits, and nothing else.")
"""One number in digits."""

TEXT = AnswerForm("text", lambda item: "Give the answer alone, without any explanation.")
"""A few words."""


def form_of(item: Item) -> AnswerForm:
    """The form of an item whose family is unknown, told from its choices and its gold answer."""
    if item.choices:
        return OPTION
    return NUMBER if item.answer is not None and re.fullmatch(r"-?[0-9]+([.,/][0-9]+)*", item.answer) else TEXT
