"""Level 1, logical forms: what one sentence of a word problem says, without a word of any language.

A problem is a tuple of forms and a question (Opedal et al. 2024). Agents are names; entities, attributes, units and
containers are keys of a vocabulary. `metadata` carries forms in a notation with one string per sentence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from generators.errors import InputError

__all__ = ["Comparison", "Container", "Form", "Problem", "Question", "Rate", "Thing", "Transfer", "notation", "parse"]


class Thing(NamedTuple):
    """What is counted: `apple`, `apple/red`, `flour//kilogram` (entity, attribute, unit; "" for none)."""

    entity: str
    attribute: str = ""
    unit: str = ""


class Container(NamedTuple):
    """The agent has `quantity` of the thing; the only form that is not an equation."""

    agent: str
    quantity: int
    thing: Thing


class Comparison(NamedTuple):
    """agent = other (relation) quantity; `agent` is the subject of the sentence.

    `relation`: "+" more than, "-" fewer than, "*" times as many as, "/" one quantity-th of. The form does not say which
    of the two agents is already known. The sentence is consistent if `agent` is the new one, else inconsistent.
    """

    agent: str
    relation: str
    other: str
    quantity: int
    thing: Thing


class Transfer(NamedTuple):
    """`receiver` gets `quantity` of the thing from `sender`; one of the two may be "", which names nobody."""

    receiver: str
    sender: str
    quantity: int
    thing: Thing


class Rate(NamedTuple):
    """Each `per` (a container noun: box) of the agent holds `quantity` of the thing.

    It multiplies if the number of containers is known, and divides if the number of things is known.
    """

    agent: str
    quantity: int
    thing: Thing
    per: Thing


class Question(NamedTuple):
    """How many of `thing`: `count` of agents[0], `total` of both, or `difference` (agents[0] minus agents[1])."""

    kind: str
    agents: tuple[str, ...]
    thing: Thing


Form = Container | Comparison | Transfer | Rate


class Problem(NamedTuple):
    """A problem as the text presents it: one form per sentence, in order, then the question."""

    forms: tuple[Form, ...]
    question: Question


_CALL = re.compile(r"([a-z]+)\(([^()]*)\)")


def notation(form: Form | Question) -> str:
    """The form or question as a string, which `parse` reads back.

    `container(Ann, 5, apple/red)`, `comparison(Bob, -, Ann, 3, apple)`, `transfer(Ann, _, 3, apple)`,
    `rate(Ann, 4, pen, box)`, `count(Bob, apple)`, `total(Bob, Dan, apple)`, `difference(Bob, Dan, apple)`.
    """
    thing = _written(form.thing)
    if isinstance(form, Comparison):
        return f"comparison({form.agent}, {form.relation}, {form.other}, {form.quantity}, {thing})"
    if isinstance(form, Container):
        return f"container({form.agent}, {form.quantity}, {thing})"
    if isinstance(form, Transfer):
        return f"transfer({form.receiver or '_'}, {form.sender or '_'}, {form.quantity}, {thing})"
    if isinstance(form, Rate):
        return f"rate({form.agent}, {form.quantity}, {thing}, {_written(form.per)})"
    return f"{form.kind}({', '.join(form.agents)}, {thing})"


def parse(text: str) -> Form | Question:
    """The form or question that a string describes. Raises InputError if it describes none."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not a logical form, such as container(Ann, 5, apple)")
    kind, parts = match[1], match[2].split(", ")
    try:
        if kind == "container":
            agent, number, thing = parts
            return Container(agent, int(number), _thing(thing))
        if kind == "comparison":
            agent, relation, other, number, thing = parts
            if relation in ("+", "-", "*", "/"):
                return Comparison(agent, relation, other, int(number), _thing(thing))
        if kind == "transfer":
            receiver, sender, number, thing = parts
            return Transfer(receiver.strip("_"), sender.strip("_"), int(number), _thing(thing))
        if kind == "rate":
            agent, number, thing, per = parts
            return Rate(agent, int(number), _thing(thing), _thing(per))
        if kind in ("count", "total", "difference") and len(parts) == (2 if kind == "count" else 3):
            return Question(kind, tuple(parts[:-1]), _thing(parts[-1]))
    except ValueError:
        pass
    raise InputError(f"{text!r} is not a logical form, such as container(Ann, 5, apple)")


def _written(thing: Thing) -> str:
    entity, attribute, unit = thing
    if unit:
        return f"{entity}/{attribute}/{unit}"
    return f"{entity}/{attribute}" if attribute else entity


def _thing(text: str) -> Thing:
    return Thing(*text.split("/")) if text.count("/") <= 2 else Thing(text)
