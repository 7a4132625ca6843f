"""Levels 2 and 3: the mental model as equations, and the arithmetic expressions that solve them."""

from __future__ import annotations

from typing import NamedTuple

from hansproof.generators.errors import InputError
from hansproof.generators.word_problems.forms import Comparison, Container, Problem, Thing, Transfer, notation

__all__ = ["OPERATIONS", "answer", "model", "steps"]

# Level 2, axioms and equations with exactly one unknown each. A possession is who has what at which moment: a transfer
# changes how many somebody has, so before and after it are two possessions (Opedal et al. 2024).

_INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}


class Possession(NamedTuple):
    """How many of `thing` the agent has after `moment` changes."""

    agent: str
    thing: Thing
    moment: int = 0


class Equation(NamedTuple):
    """unknown = known (operator) quantity.

    The quantity is a number of the text, or a possession if the question joins two of them.
    """

    unknown: Possession | None
    """None for the answer to a question about two agents."""
    known: Possession
    operator: str
    quantity: int | Possession


class Model(NamedTuple):
    """Axioms and equations in sentence order, and what is asked for (None: the value of the last equation)."""

    axioms: tuple[tuple[Possession, int], ...]
    equations: tuple[Equation, ...]
    asked: Possession | None


def model(problem: Problem) -> Model:
    """The mental model of a problem.

    Raises InputError, with the sentence, if it is not an axiom or one equation with one unknown.
    """
    axioms: list[tuple[Possession, int]] = []
    equations: list[Equation] = []
    now: dict[tuple[str, Thing], Possession] = {}
    forms, question = problem
    for form in forms:
        if isinstance(form, Container):
            new = Possession(form.agent, form.thing)
            axioms.append((new, form.quantity))
        elif isinstance(form, Comparison):
            of_agent, of_other = now.get((form.agent, form.thing)), now.get((form.other, form.thing))
            if (of_agent is None) == (of_other is None):
                raise InputError("exactly one of the two agents must be known", notation(form))
            new = Possession(form.other if of_agent else form.agent, form.thing)
            operator = _INVERSE[form.relation] if of_agent else form.relation
            equations.append(Equation(new, of_agent or of_other, operator, form.quantity))  # type: ignore[arg-type]
        elif isinstance(form, Transfer):
            got, gave = now.get((form.receiver, form.thing)), now.get((form.sender, form.thing))
            if (got is None) == (gave is None):
                raise InputError("exactly one of receiver and sender must be known", notation(form))
            known = got or gave
            assert known is not None
            new = Possession(known.agent, known.thing, known.moment + 1)
            equations.append(Equation(new, known, "+" if got else "-", form.quantity))
        else:
            many, few = now.get((form.agent, form.thing)), now.get((form.agent, form.per))
            if (many is None) == (few is None):
                raise InputError("exactly one of contents and containers must be known", notation(form))
            known = few or many
            assert known is not None
            new = Possession(form.agent, form.thing if few else form.per)
            equations.append(Equation(new, known, "*" if few else "/", form.quantity))
        now[new.agent, new.thing] = new
    asked = [now.get((agent, question.thing)) for agent in question.agents]
    if None in asked:
        raise InputError("the sentences do not give what the question asks for", notation(question))
    first = asked[0]
    assert first is not None
    if question.kind == "count":
        return Model(tuple(axioms), tuple(equations), first)
    second = asked[1]
    assert second is not None
    equations.append(Equation(None, first, "+" if question.kind == "total" else "-", second))
    return Model(tuple(axioms), tuple(equations), None)


OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}


class Step(NamedTuple):
    """left (operator) right = result; all are integers."""

    left: int
    operator: str
    right: int
    result: int

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right} = {self.result}"


def steps(model: Model) -> tuple[Step, ...]:
    """One step per equation. Raises InputError if a division leaves a remainder."""
    values: dict[Possession | None, int] = dict(model.axioms)
    solved = []
    for equation in model.equations:
        unknown, known, operator, quantity = equation
        left = values[known]
        right = quantity if isinstance(quantity, int) else values[quantity]
        result = values[unknown] = _calculated(left, operator, right)
        solved.append(Step(left, operator, right, result))
    return tuple(solved)


def answer(model: Model) -> int:
    """The value that the question asks for: the last result, or a number of the text if there is no equation."""
    if not model.equations:
        return dict(model.axioms)[model.asked]  # type: ignore[index]
    return steps(model)[-1].result


def _calculated(left: int, operator: str, right: int) -> int:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if right == 0 or left % right:
        raise InputError(f"{left} / {right} is not an integer")
    return left // right
