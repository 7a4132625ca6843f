"""Which rows of letters stand beside each other.

A row S is contained in X, which is S with one letter more at one end; so S turns up whenever X does, and X, with more
of the letter on most faces, looks more like the die. The third row, T, is of another length than S.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from generators.token_bias.letters.chances import occurrences

__all__ = ["BALANCED", "OFTEN", "PAPER", "ROLLS", "Kind", "Rows", "rows_of", "shortest_rows"]

OFTEN = 4
"""Faces of the letter on most faces, of six."""
ROLLS = (20, 30, 40)


class Kind(NamedTuple):
    """A question, and which of the rows it has for an answer."""

    question: str
    """`most` or `least` likely."""
    third: int
    """How many letters more than S the row T has."""
    gold: str
    """`S`, `X` or `T`."""


class Rows(NamedTuple):
    """The rows of an item, with `1` for the letter on most faces."""

    contained: str
    containing: str
    third: str


PAPER = (Kind("most", 1, "S"),)
BALANCED = (
    Kind("most", -1, "S"),
    Kind("most", 2, "S"),
    Kind("most", 2, "T"),
    Kind("least", -1, "T"),
    Kind("least", 2, "X"),
    Kind("least", -1, "X"),
)
"""Each equally often. The rows have six, seven and eight letters, and within each question the shortest, the middle and
the longest row is right a third of the time. So is the row that looks most (or least) like the die by its share of
letters: if T is right, it is that row, and if S or X is right, it is not."""


def shortest_rows(kinds: tuple[Kind, ...]) -> tuple[int, ...]:
    """How many letters the shortest of three rows may have."""
    # With fewer there would be few rows T that are the least likely, and they could be learnt by heart.
    return (6,) if kinds is BALANCED else (4, 5, 6)


@cache
def rows_of(kind: Kind, rolls: int, shortest: int) -> tuple[Rows, ...]:
    """All rows that a kind allows if the shortest has so many letters, in a fixed order.

    No two of the three are equally likely, and the right one is by a tenth likelier, or the next one by a tenth if the
    least likely is asked for. T has both letters, and neither contains another row nor is contained in one.
    """
    every = []
    length = shortest - min(kind.third, 0)
    thirds = [(row, occurrences(row, OFTEN, rolls)) for row in _rows(length + kind.third) if len(set(row)) == 2]
    for contained in _rows(length):
        # Rows of one letter alone, and rows that look like the die already, make no tempting X.
        if not 1 <= contained.count("1") <= length - 2:
            continue
        s = occurrences(contained, OFTEN, rolls)
        for containing in dict.fromkeys(("1" + contained, contained + "1")):
            x = occurrences(containing, OFTEN, rolls)
            every += [
                Rows(contained, containing, third)
                for third, t in thirds
                if _is_gold(kind, s, x, t) and third not in containing and contained not in third
            ]
    return tuple(every)


def _is_gold(kind: Kind, s: int, x: int, t: int) -> bool:
    """Whether the right row is that of the kind, and clearly so; S is always likelier than X."""
    if t in (s, x) or s == x:
        return False
    if kind.question == "most":
        return s > t and 10 * s >= 11 * max(x, t) if kind.gold == "S" else kind.gold == "T" and 10 * t >= 11 * s
    return x < t and 10 * min(s, t) >= 11 * x if kind.gold == "X" else kind.gold == "T" and 10 * x >= 11 * t


def _rows(length: int) -> list[str]:
    return [f"{number:0{length}b}" for number in range(2**length)]
