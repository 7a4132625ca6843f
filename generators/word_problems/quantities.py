"""The numbers of a problem: U{2..20}, all of them redrawn until every result on the way is an integer in 0..999.

Some orders of operations (divide, divide, subtract, subtract) let one draw in a million pass. After a few refusals
the numbers are drawn straight from those that pass, each as likely as the others: the same distribution.
"""

from __future__ import annotations

from functools import cache

from generators.stream import Stream

__all__ = ["HIGH", "LOW", "MOST", "joined", "quantities"]

LOW, HIGH, MOST = 2, 20, 999
_SIDES = HIGH - LOW + 1
_PATIENCE = 24


def quantities(stream: Stream, operators: str) -> tuple[list[int], int]:
    """The container's number and one an operator; and what comes out.

    Raises ValueError where no numbers will do for these operators.
    """
    space = _SIDES ** (len(operators) + 1)
    for _ in range(_PATIENCE):
        # One draw holds all the numbers: they are its digits to the base 19.
        rest, digit = divmod(stream.below(space), _SIDES)
        value = digit + LOW
        numbers = [value]
        for operator in operators:
            rest, digit = divmod(rest, _SIDES)
            number = digit + LOW
            numbers.append(number)
            if operator == "+":
                value += number
            elif operator == "-":
                value -= number
            elif operator == "*":
                value *= number
            elif value % number:
                break
            else:
                value //= number
            if not 0 <= value <= MOST:
                break
        else:
            return numbers, value
    return _counted(stream, operators)


def joined(stream: Stream, first: str, second: str, total: bool) -> tuple[list[int], list[int], int, int]:
    """Two independent chains and what comes out of each; redrawn while their total, where asked for, is over 999."""
    while True:
        mine, end = quantities(stream, first)
        theirs, other = quantities(stream, second)
        if not total or end + other <= MOST:
            return mine, theirs, end, other


def _counted(stream: Stream, operators: str) -> tuple[list[int], int]:
    """One of all lists of numbers that pass, by its place in their lexicographic order."""
    place = stream.below(sum(_ways(operators, first) for first in range(LOW, HIGH + 1)))
    value = LOW
    while place >= (ways := _ways(operators, value)):
        place -= ways
        value += 1
    numbers = [value]
    for at, operator in enumerate(operators, 1):
        for number in range(LOW, HIGH + 1):
            after = _worked(value, operator, number)
            ways = _ways(operators[at:], after)
            if place < ways:
                break
            place -= ways
        numbers.append(number)
        value = after
    return numbers, value


@cache
def _ways(operators: str, value: int) -> int:
    """How many lists of numbers for these operators pass, from this value on; value -1: none does."""
    if value < 0 or not operators:
        return int(value >= 0)
    rest = operators[1:]
    return sum(_ways(rest, _worked(value, operators[0], number)) for number in range(LOW, HIGH + 1))


def _worked(value: int, operator: str, number: int) -> int:
    """The result, or -1 where it is no integer in 0..999."""
    if operator == "/":
        return -1 if value % number else value // number
    result = value + number if operator == "+" else value - number if operator == "-" else value * number
    return result if 0 <= result <= MOST else -1
