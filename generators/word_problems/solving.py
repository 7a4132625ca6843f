"""A second way to every gold answer: the sentences as equations, solved in fractions.

It shares no code with `model` and `expressions`. A sentence is a relation `first = second (sign) k` between two
amounts. The solver applies each relation in the direction in which one side is known, until no relation is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from generators.errors import InputError
from generators.word_problems.forms import Comparison, Container, Form, Problem, Rate, Thing, Transfer

__all__ = ["Calculation", "calculated", "solve"]

_REVERSED = {"+": "-", "-": "+", "*": "/", "/": "*"}

_Amount = tuple[str, Thing, int]  # who, what, after how many changes


class _Relation(NamedTuple):
    first: _Amount
    second: _Amount
    sign: str
    number: int
    form: int


class Calculation(NamedTuple):
    """left (sign) right = result, from the sentence with index `form` (-1: from the question)."""

    left: Fraction
    sign: str
    right: Fraction
    result: Fraction
    form: int


def solve(problem: Problem) -> tuple[Fraction, list[Calculation]]:
    """The value that the question asks for, and the calculations in the order in which they became possible.

    Raises InputError if the sentences do not determine that value.
    """
    known, relations, moments = _equations(problem.forms)
    worked: list[Calculation] = []
    waiting = relations
    while waiting:
        left = []
        for relation in waiting:
            if (relation.first in known) == (relation.second in known):
                left.append(relation)
                continue
            ahead = relation.second in known
            start, goal = (relation.second, relation.first) if ahead else (relation.first, relation.second)
            sign = relation.sign if ahead else _REVERSED[relation.sign]
            known[goal] = calculated(known[start], sign, Fraction(relation.number))
            worked.append(Calculation(known[start], sign, Fraction(relation.number), known[goal], relation.form))
        if len(left) == len(waiting):
            raise InputError("has two unknowns or none, so it cannot be solved", f"sentence {left[0].form + 1}")
        waiting = left
    values = []
    for agent in problem.question.agents:
        amount = (agent, problem.question.thing, moments.get((agent, problem.question.thing), 0))
        if amount not in known:
            raise InputError(
                f"the sentences do not say how much of {problem.question.thing.entity!r} {agent} has", "question"
            )
        values.append(known[amount])
    if problem.question.kind == "count":
        return values[0], worked
    sign = "+" if problem.question.kind == "total" else "-"
    result = calculated(values[0], sign, values[1])
    return result, [*worked, Calculation(values[0], sign, values[1], result, -1)]


def _equations(
    forms: Sequence[Form],
) -> tuple[dict[_Amount, Fraction], list[_Relation], dict[tuple[str, Thing], int]]:
    known: dict[_Amount, Fraction] = {}
    relations: list[_Relation] = []
    moments: dict[tuple[str, Thing], int] = {}

    def amount(agent: str, thing: Thing) -> _Amount:
        return agent, thing, moments.setdefault((agent, thing), 0)

    for place, form in enumerate(forms):
        if isinstance(form, Container):
            if (form.agent, form.thing) in moments:
                raise InputError(f"repeats how many {form.agent} has", f"sentence {place + 1}")
            known[amount(form.agent, form.thing)] = Fraction(form.quantity)
        elif isinstance(form, Comparison):
            agent_amount, other_amount = amount(form.agent, form.thing), amount(form.other, form.thing)
            relations.append(_Relation(agent_amount, other_amount, form.relation, form.quantity, place))
        elif isinstance(form, Transfer):
            for agent, sign in ((form.receiver, "+"), (form.sender, "-")):
                if (agent, form.thing) in moments:
                    before = amount(agent, form.thing)
                    moments[agent, form.thing] += 1
                    relations.append(_Relation(amount(agent, form.thing), before, sign, form.quantity, place))
        elif isinstance(form, Rate):
            contents, containers = amount(form.agent, form.thing), amount(form.agent, form.per)
            relations.append(_Relation(contents, containers, "*", form.quantity, place))
    return known, relations, moments


def calculated(left: Fraction, sign: str, right: Fraction) -> Fraction:
    """left (sign) right. Raises InputError for a division by 0."""
    if sign == "/":
        if right == 0:
            raise InputError(f"{left} is divided by 0")
        return left / right
    return left * right if sign == "*" else left + right if sign == "+" else left - right
