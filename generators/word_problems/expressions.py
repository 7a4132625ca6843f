"""Level 3, arithmetic expressions: the equations of a mental model in the order of solution, with their numbers."""

from __future__ import annotations

from typing import NamedTuple

from generators.errors import InputError
from generators.word_problems.model import Model, Possession

__all__ = ["OPERATIONS", "Step", "answer", "steps"]

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
