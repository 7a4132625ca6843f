"""Which rows of letters stand beside each other.

A row S is contained in X, which is S with one letter more at one end; so S turns up whenever X does, and X, with more
of the letter on most faces, looks more like the die. The third row, T, has as many letters as X or as S.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from generators.token_bias.letters.chances import occurrences

__all__ = ["BALANCED", "OFTEN", "PAPER", "ROLLS", "Kind", "Rows", "rows_of"]

OFTEN = 4
"""Faces of the letter on most faces, of six."""
ROLLS = (20, 30, 40)


class Kind(NamedTuple):
    """A question, and which of the rows it has for an answer."""

    question: str
    """`most` or `least` likely."""
    long_third: bool
    """Whether T has as many letters as X, and not as S."""
    gold: str
    """`S`, `X` or `T`."""


class Rows(NamedTuple):
    """The rows of an item, with `1` for the letter on most faces."""

    contained: str
    containing: str
    third: str


PAPER = (Kind("most", True, "S"),)
BALANCED = (
    Kind("most", True, "S"),
    Kind("most", True, "T"),
    Kind("most", True, "T"),
    Kind("least", False, "X"),
    Kind("least", False, "T"),
    Kind("least", False, "T"),
)
"""Each equally often. Within each question a third of the answers is the only row of its length, and the others share
their length with a wrong one: neither the longest nor the shortest row, nor the odd one out, is right more often than
a third of the time."""


@cache
def rows_of(kind: Kind, rolls: int) -> tuple[Rows, ...]:
    """All rows that a kind allows, in a fixed order.

    No two of the three are equally likely, and the right one is by a tenth likelier, or the next one by a tenth if the
    least likely is asked for.
    """
    every = []
    for length in (4, 5, 6):
        for contained in _rows(length):
            # Rows of one letter alone, and rows that look like the die already, make no tempting X.
            if not 1 <= contained.count("1") <= length - 2:
                continue
            for containing in dict.fromkeys(("1" + contained, contained + "1")):
                for third in _rows(length + kind.long_third):
                    rows = Rows(contained, containing, third)
                    if third not in rows[:2] and contained not in third and _gold(kind, rows, rolls):
                        every.append(rows)
    return tuple(every)


def _gold(kind: Kind, rows: Rows, rolls: int) -> bool:
    chances = [occurrences(row, OFTEN, rolls) for row in rows]
    if len(set(chances)) < len(rows):
        return False
    ranked = sorted(chances, reverse=kind.question == "most")
    clear = 10 * max(ranked[:2]) >= 11 * min(ranked[:2])
    return clear and chances.index(ranked[0]) == "SXT".index(kind.gold)


def _rows(length: int) -> list[str]:
    return [f"{number:0{length}b}" for number in range(2**length)]
