"""The numbers of a problem: uniform from 2 to 20, given that every intermediate result is an integer from 0 to 999.

A result of 0 is never multiplied or divided: nobody packs no pens into boxes.

The numbers are drawn by rejection. For some orders of operations (divide, divide, subtract, subtract) only one draw in
a million passes. So after a few rejections the numbers are drawn directly from the lists that pass, each equally
likely, which is the same distribution.
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
    """The number of the container, then one number per operator; and the final result.

    Raises ValueError if no numbers fit these operators.
    """
    space = _SIDES ** (len(operators) + 1)
    for _ in range(_PATIENCE):
        # One draw holds all numbers: they are its digits in base 19.
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
    """The numbers of two independent chains and the result of each.

    If `total` is true, both chains are redrawn while the sum of their results exceeds 999.
    """
    while True:
        first_numbers, first_result = quantities(stream, first)
        second_numbers, second_result = quantities(stream, second)
        if not total or first_result + second_result <= MOST:
            return first_numbers, second_numbers, first_result, second_result


def _counted(stream: Stream, operators: str) -> tuple[list[int], int]:
    """One of all lists of numbers that pass, chosen by its place in their lexicographic order."""
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
    """Three columns over the next numbers that can still pass, in ascending order.

    The columns: how many lists pass with this number or a smaller one, the number, and the result after it.
    """
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
    """How many lists of numbers for these operators pass when the current result is `value`; none if it is -1."""
    if value < 0 or not operators:
        return int(value >= 0)
    rest = operators[1:]
    return sum([_ways(rest, _worked(value, operators[0], number)) for number in range(LOW, HIGH + 1)])


def _worked(value: int, operator: str, number: int) -> int:
    """The result, or -1 if it is not an integer from 0 to 999; "=" starts with the number of the container."""
    if operator == "=":
        return number
    if operator in "*/" and value == 0:
        return -1
    if operator == "/":
        return -1 if value % number else value // number
    result = value + number if operator == "+" else value - number if operator == "-" else value * number
    return result if 0 <= result <= MOST else -1
