"""Logical forms: what each sentence says, and the vocabulary that designs draw from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from hansproof.generators.errors import InputError

__all__ = [
    "Comparison",
    "Container",
    "Form",
    "Problem",
    "Question",
    "Remark",
    "Stock",
    "Thing",
    "Transfer",
    "Vocabulary",
    "notation",
    "parse",
]

# One sentence each (Opedal et al. 2024). Agents are names; entities, attributes and units are keys of the vocabulary.
# `metadata` carries forms in a notation with one string per sentence.


class Thing(NamedTuple):
    """What is counted: `apple`, `apple/red`, `flour//kilogram` (entity, attribute, unit; "" for none)."""

    entity: str
    attribute: str = ""
    unit: str = ""


class Container(NamedTuple):
    """The agent has `quantity` of the thing: the only form that is not an equation."""

    agent: str
    quantity: int | None
    """None where the text says no more than `some`; so in the other forms."""
    thing: Thing


class Comparison(NamedTuple):
    """agent = other (relation) quantity; `agent` is the subject of the sentence.

    `relation`: "+" more than, "-" fewer than, "*" times as many as, "/" one quantity-th of. The form does not say which
    of the two agents is already known. The sentence is consistent if `agent` is the new one, else inconsistent.
    """

    agent: str
    relation: str
    other: str
    quantity: int | None
    thing: Thing


class Transfer(NamedTuple):
    """`receiver` gets `quantity` of the thing from `sender`; one of the two may be "", which names nobody."""

    receiver: str
    sender: str
    quantity: int | None
    thing: Thing


class Remark(NamedTuple):
    """Something about the agent that says nothing about amounts; it may have a number, such as that of a house."""

    agent: str
    quantity: int | None


class Question(NamedTuple):
    """How many of `thing`: `count` of agents[0], `total` of both, or `difference` (agents[0] minus agents[1])."""

    kind: str
    agents: tuple[str, ...]
    thing: Thing


Form = Container | Comparison | Transfer | Remark


class Problem(NamedTuple):
    """A problem as the text presents it: one form per sentence, in order, then the question."""

    forms: tuple[Form, ...]
    question: Question


_CALL = re.compile(r"([a-z]+)\(([^()]*)\)")
_SOME = "some"


def notation(form: Form | Question) -> str:
    """The form or question as a string, which `parse` reads back.

    `container(Ann, 5, apple/red)`, `comparison(Bob, -, Ann, 3, apple)`, `transfer(Ann, _, 3, apple)`,
    `remark(Ann, _)`, `count(Bob, apple)`, `total(Bob, Dan, apple)`, `difference(Bob, Dan, apple)`; where the text says
    only that it is some, `some` stands for the number.
    """
    if isinstance(form, Transfer):
        receiver, sender, number, thing = form
        amount = _SOME if number is None else number
        return f"transfer({receiver or '_'}, {sender or '_'}, {amount}, {_thing_text(thing)})"
    if isinstance(form, Comparison):
        agent, relation, other, number, thing = form
        return f"comparison({agent}, {relation}, {other}, {_SOME if number is None else number}, {_thing_text(thing)})"
    if isinstance(form, Question):
        return f"{form.kind}({', '.join(form.agents)}, {_thing_text(form.thing)})"
    if isinstance(form, Remark):
        return f"remark({form.agent}, {'_' if form.quantity is None else form.quantity})"
    agent, number, thing = form
    return f"container({agent}, {_SOME if number is None else number}, {_thing_text(thing)})"


@lru_cache(4096)
def _thing_text(thing: Thing) -> str:
    entity, attribute, unit = thing
    return f"{entity}/{attribute}/{unit}" if unit else f"{entity}/{attribute}" if attribute else entity


def parse(text: str) -> Form | Question:
    """The form or question that a string describes. Raises InputError if it describes none."""
    match = _CALL.fullmatch(text)
    parts = match[2].split(", ") if match else []
    try:
        match match[1] if match else "", parts:
            case "container", [agent, number, thing]:
                return Container(agent, _number(number), _thing(thing))
            case "comparison", [agent, ("+" | "-" | "*" | "/") as relation, other, number, thing]:
                return Comparison(agent, relation, other, _number(number), _thing(thing))
            case "transfer", [receiver, sender, number, thing]:
                return Transfer(receiver.strip("_"), sender.strip("_"), _number(number), _thing(thing))
            case "remark", [agent, number]:
                return Remark(agent, None if number == "_" else int(number))
            case "count", [agent, thing]:
                return Question("count", (agent,), _thing(thing))
            case ("total" | "difference") as kind, [agent, other, thing]:
                return Question(kind, (agent, other), _thing(thing))
    except ValueError:
        pass
    raise InputError(f"{text!r} is not a logical form, such as container(Ann, 5, apple)")


def _number(text: str) -> int | None:
    return None if text == _SOME else int(text)


def _thing(text: str) -> Thing:
    return Thing(*text.split("/")) if text.count("/") <= 2 else Thing(text)


class Stock(NamedTuple):
    """A thing that people in stories have, and how much of it one person may plausibly have."""

    thing: Thing
    """Without an attribute."""
    least: int
    most: int
    attributes: tuple[str, ...] = ()
    """What it may be besides: `red`."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What a design may draw, as keys. The order of the lists determines every item made from them."""

    names: tuple[str, ...]
    """Agents, as the text writes them."""
    stock: tuple[Stock, ...]

    def fitting(self, low: int, high: int) -> tuple[Stock, ...]:
        """What one person may plausibly have from `low` to `high` of, at any moment of a problem."""
        # Amounts that the same stock suits share an entry: there are few bounds, but many amounts.
        mosts, leasts = self._bounds()
        return self._fitting(bisect_left(mosts, high), bisect_right(leasts, low))

    @cache  # noqa: B019 - there is one vocabulary, for ever
    def _bounds(self) -> tuple[list[int], list[int]]:
        """The most and the least that anybody has of anything, each sorted, without repetitions."""
        return sorted({stock.most for stock in self.stock}), sorted({stock.least for stock in self.stock})

    @cache  # noqa: B019
    def _fitting(self, below: int, up_to: int) -> tuple[Stock, ...]:
        mosts, leasts = self._bounds()
        most, least = {*mosts[below:]}, {*leasts[:up_to]}
        return tuple(stock for stock in self.stock if stock.least in least and stock.most in most)
