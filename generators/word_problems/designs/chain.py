"""A chain: a container and the moves after it, each of which starts from the result of the one before.

Every design builds chains: it chooses the moves and the numbers. This module turns each move into a logical form and
decides who its subject is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generators.word_problems.designs.quantities import INVERSE, Path, result
from generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Rate, Thing, Transfer

__all__ = [
    "COMPARISON",
    "KEYWORDS",
    "RATE",
    "TRANSFER",
    "Drawn",
    "Move",
    "chain_forms",
    "chain_problem",
    "packed",
    "path",
    "sizes",
    "turned",
]

COMPARISON, RATE, TRANSFER = "comparison", "rate", "transfer"
KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part", "": "none"}
"""Relation of a comparison -> its name in `metadata`; "" stands for no comparison."""


class Move(NamedTuple):
    """One step of the calculation: the previous result (operator) a number."""

    kind: str
    """COMPARISON, RATE or TRANSFER."""
    operator: str
    name: str = ""
    """The agent whom a comparison introduces, or the other party to a transfer; "" if nobody is named."""
    consistent: bool = True
    """For a comparison: whether the new agent is the subject, so that the relation names the operator itself."""
    thing: Thing | None = None
    """For a rate: the thing that is counted after it."""

    @property
    def relation(self) -> str:
        """The relation that the sentence of a comparison names; "" for other moves."""
        if self.kind != COMPARISON:
            return ""
        return self.operator if self.consistent else INVERSE[self.operator]


class Drawn(NamedTuple):
    """What a design draws: the problems of a group, the original first, or a single problem."""

    problems: tuple[Problem, ...]
    operations: str
    """Per problem: the operator of the sentence under test, one character each."""
    relations: tuple[str, ...]
    """Per problem: the relation of the comparison under test, "" if there is none."""
    same_steps: bool = True
    """Whether all problems have the same arithmetic expressions, so that they need solving only once."""
    more: tuple[Mapping[str, int | str], ...] = ()
    """Per problem: what the design adds to `metadata`."""
    wordings: tuple[int, ...] = ()
    """Per problem: which draw of words and sentences it has; all have the same one where it is empty."""


def chain_forms(
    agent: str, thing: Thing, moves: Sequence[Move], numbers: Sequence[int]
) -> tuple[list[Form], str, Thing]:
    """The forms, and the agent and the thing whose number the last move gives.

    `numbers` holds the number of the container, then one number per move.
    """
    forms: list[Form] = [Container(agent, numbers[0], thing)]
    for (kind, operator, name, consistent, after), quantity in zip(moves, numbers[1:], strict=True):
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


def chain_problem(agent: str, thing: Thing, moves: Sequence[Move], numbers: Sequence[int]) -> Problem:
    """The whole problem; the question asks for the result of the last move."""
    forms, last, left = chain_forms(agent, thing, moves, numbers)
    return Problem(tuple(forms), Question("count", (last,), left))


def turned(problem: Problem, place: int) -> Problem:
    """The problem in which the two agents of the comparison at index `place` change places."""
    forms = problem.forms
    compared = forms[place]
    assert isinstance(compared, Comparison)
    agent, relation, other, quantity, thing = compared
    swapped = Comparison(other, relation, agent, quantity, thing)
    return Problem((*forms[:place], swapped, *forms[place + 1 :]), problem.question)


def path(moves: Sequence[Move], numbers: Sequence[int]) -> list[tuple[str, int]]:
    """The operations of the moves; one number per move."""
    return [(move.operator, number) for move, number in zip(moves, numbers, strict=True)]


def sizes(first: int, steps: Path) -> tuple[int, int]:
    """The fewest and the most of a thing that a chain of additions, subtractions and comparisons speaks of.

    Factors are no amounts: `three times as many apples` says nothing of 3 apples.
    """
    value = fewest = most = first
    for operator, number in steps:
        value = result(value, ((operator, number),))
        if operator in "+-" and number < fewest:
            fewest = number
        if value < fewest:
            fewest = value
        elif value > most:
            most = value
    return fewest, most


def packed(first: int, steps: Path, place: int) -> tuple[int, int]:
    """The most contents, and the most containers, in a chain whose step at `place` is a rate."""
    before = sizes(first, steps[:place])[1]
    after = sizes(result(first, steps[: place + 1]), steps[place + 1 :])[1]
    return (after, before) if steps[place][0] == "*" else (before, after)
