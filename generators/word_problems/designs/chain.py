"""A chain: one container and the moves after it, each worked on what the last one left, told as logical forms.

All designs are chains: they choose moves and numbers; which form a move becomes, and with whom as its subject, is
settled here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Rate, Thing, Transfer

__all__ = ["COMPARISON", "INVERSE", "KEYWORDS", "RATE", "TRANSFER", "Drawn", "Move", "asked", "told"]

COMPARISON, RATE, TRANSFER = "comparison", "rate", "transfer"
INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}
KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part", "": "none"}
"""The relation that a sentence names -> how `metadata` calls it."""


class Move(NamedTuple):
    """One step of the reckoning: what so far was known (operator) a number."""

    kind: str
    """COMPARISON, RATE or TRANSFER."""
    operator: str
    name: str = ""
    """The agent whom a comparison introduces, or the other one of a transfer; "" where nobody is named."""
    consistent: bool = True
    """Of a comparison: told with the new agent as its subject, so that its relation is the operator itself."""
    thing: Thing | None = None
    """Of a rate: what is counted from here on."""

    @property
    def relation(self) -> str:
        """What the sentence of a comparison says; "" for other moves."""
        if self.kind != COMPARISON:
            return ""
        return self.operator if self.consistent else INVERSE[self.operator]


class Drawn(NamedTuple):
    """What a design draws: the problems of a pair, easy first, or a single one."""

    problems: tuple[Problem, ...]
    operations: str
    """By problem: the operator of the sentence under test."""
    relations: tuple[str, ...]
    """By problem: the relation of the comparison under test, "" where there is none."""
    carries: tuple[int, ...] = ()
    """By problem, where they were designed."""
    alike: bool = True
    """Whether all the problems have the same expressions."""


def told(agent: str, thing: Thing, moves: Sequence[Move], numbers: Sequence[int]) -> tuple[list[Form], str, Thing]:
    """The forms, and whose number of what the last one tells; numbers: the container's, then one a move."""
    forms: list[Form] = [Container(agent, numbers[0], thing)]
    for (kind, operator, name, consistent, after), quantity in zip(moves, numbers[1:]):
        if kind == TRANSFER:
            receiver, sender = (agent, name) if operator == "+" else (name, agent)
            forms.append(Transfer(receiver, sender, quantity, thing))
        elif kind == RATE:
            assert after is not None
            many, few = (after, thing) if operator == "*" else (thing, after)
            forms.append(Rate(agent, quantity, many, few))
            thing = after
        else:
            if consistent:
                forms.append(Comparison(name, operator, agent, quantity, thing))
            else:
                forms.append(Comparison(agent, INVERSE[operator], name, quantity, thing))
            agent = name
    return forms, agent, thing


def asked(agent: str, thing: Thing, moves: Sequence[Move], numbers: Sequence[int]) -> Problem:
    """The whole problem, where the question is after what the last move left."""
    forms, last, left = told(agent, thing, moves, numbers)
    return Problem(tuple(forms), Question("count", (last,), left))
