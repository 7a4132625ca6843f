"""The numbers of a problem: small, whole, and such that every reading of the sentences gives a possible result.

Wherever somebody has something, they have at least two of it and at most 999; so nothing is 0, no box is the only one,
and no quotient is 1. A design draws the numbers of its steps freely and asks this module for the values from which they
all work out, in closed form. Where all steps add or subtract, the first number exceeds the sum of the others: then the
numbers work out in either direction at every step, so they say nothing about the directions.
"""

from __future__ import annotations

from collections.abc import Sequence

from generators.stream import Stream

__all__ = ["INVERSE", "LOW", "MOST", "MOST_CONTENTS", "MOST_HOLDERS", "WIDTH", "Path", "anchors", "backwards"]
__all__ += ["factor", "result", "small", "start"]

LOW, MOST = 2, 999
"""The fewest and the most of a thing that anybody ever has."""
MOST_CONTENTS, MOST_HOLDERS = 500, 60
"""The most things that anybody packs, and the most boxes that they have."""
WIDTH = 20
"""How many values a start is drawn from. It is a multiple of ten: the last digit of a result is uniform."""
INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}
_FACTORS = range(2, 7)
_TOPS = ((3, 20), (6, 12), (99, 9))

Path = Sequence[tuple[str, int]]
"""Operations one after the other: (operator, number)."""


def factor(stream: Stream) -> int:
    """A number to multiply or to divide by: 2 to 6, for which there are plain words (twice, half, a sixth)."""
    return _FACTORS[stream.below(len(_FACTORS))]


def small(stream: Stream, count: int, steps: int) -> list[int]:
    """`count` numbers to add or to subtract in a problem of `steps` steps: from 2 to 20, 12 or 9, the more the fewer.

    People lose 19 apples once, not twelve times in a row. No two neighbours are equal, and each number is uniform.
    """
    top = next(top for most, top in _TOPS if steps <= most)
    sides = top - LOW + 1
    value, last = divmod(stream.below(sides * (sides - 1) ** max(count - 1, 0)), sides)
    numbers = [last + LOW] if count else []
    for _ in range(count - 1):
        value, digit = divmod(value, sides - 1)
        last = digit + (digit >= last)
        numbers.append(last + LOW)
    return numbers


def start(stream: Stream, numbers: Sequence[int]) -> int:
    """A first number from which `numbers` can be added or subtracted with any signs, each value equally likely.

    It is above their sum; its last digit is uniform, so that of the result is, whatever the signs.
    """
    return LOW + sum(numbers) + stream.below(WIDTH)


def anchors(paths: Sequence[Path], width: int, most: int = MOST) -> list[int]:
    """The smallest `width` values from which all `paths` lead to whole results between LOW and `most` at every step.

    Ascending, and fewer where there are not so many.
    """
    # Along a path the result is (scale * value + shift) / part, so every demand is a bound or a congruence.
    lowest, highest = LOW, most
    congruences = []
    for path in paths:
        scale, shift, part = 1, 0, 1
        for operator, number in path:
            if operator == "+":
                shift += number * part
            elif operator == "-":
                shift -= number * part
            elif operator == "*":
                scale *= number
                shift *= number
            else:
                part *= number
                congruences.append((scale, shift, part))
            lowest = max(lowest, -((shift - LOW * part) // scale))
            highest = min(highest, (most * part - shift) // scale)
    if not congruences:
        return list(range(lowest, min(highest, lowest + width - 1) + 1))
    fitting: list[int] = []
    for value in range(lowest, highest + 1):
        for scale, shift, part in congruences:
            if (scale * value + shift) % part:
                break
        else:
            fitting.append(value)
            if len(fitting) == width:
                break
    return fitting


def backwards(path: Path) -> list[tuple[str, int]]:
    """The path from the end of `path` to its start."""
    return [(INVERSE[operator], number) for operator, number in reversed(path)]


def result(value: int, path: Path) -> int:
    """Where `path` leads from `value`. Divisions are exact by design."""
    for operator, number in path:
        if operator == "+":
            value += number
        elif operator == "-":
            value -= number
        elif operator == "*":
            value *= number
        else:
            value //= number
    return value
