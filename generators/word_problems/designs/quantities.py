"""The numbers of a problem: U{2..20}, all of them redrawn until every result on the way is an integer in 0..999.

Nothing is multiplied or divided that is 0: nobody packs no pens into boxes.

Some orders of operations (divide, divide, subtract, subtract) let one draw in a million pass. After a few refusals
the numbers are drawn straight from those that pass, each as likely as the others: the same distribution.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate

from generators.stream import Stream

__all__ = ["HIGH", "LOW", "MOST", "joined", "quantities"]

LOW, HIGH, MOST = 2, 20, 999
_SIDES = HIGH - LOW + 1
_PATIENCE = 8


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
            elif value == 0:
                break
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
    ends, numbers_here, values = _branches("=" + operators, 0)
    place = stream.below(ends[-1] if ends else 0)
    numbers: list[int] = []
    value = 0
    for at in range(len(operators) + 1):
        if at:
            ends, numbers_here, values = _branches(operators[at - 1 :], value)
        branch = bisect_right(ends, place)
        if branch:
            place -= ends[branch - 1]
        numbers.append(numbers_here[branch])
        value = values[branch]
    return numbers, value


@cache
def _branches(operators: str, value: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The next numbers that lead on: how many lists pass with them or a smaller one, themselves, what they make."""
    leading = []
    for number in range(LOW, HIGH + 1):
        after = _worked(value, operators[0], number)
        ways = _ways(operators[1:], after)
        if ways:
            leading.append((ways, number, after))
    return (
        tuple(accumulate(ways for ways, _, _ in leading)),
        tuple(number for _, number, _ in leading),
        tuple(after for _, _, after in leading),
    )


@cache
def _ways(operators: str, value: int) -> int:
    """How many lists of numbers for these operators pass, from this value on; value -1: none does."""
    if value < 0 or not operators:
        return int(value >= 0)
    rest = operators[1:]
    return sum([_ways(rest, _worked(value, operators[0], number)) for number in range(LOW, HIGH + 1)])


def _worked(value: int, operator: str, number: int) -> int:
    """The result, or -1 where it is no integer in 0..999; "=" puts the number itself, the container's."""
    if operator == "=":
        return number
    if operator in "*/" and value == 0:
        return -1
    if operator == "/":
        return -1 if value % number else value // number
    result = value + number if operator == "+" else value - number if operator == "-" else value * number
    return result if 0 <= result <= MOST else -1
