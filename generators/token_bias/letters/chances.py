"""How likely a row of letters is to turn up somewhere in the rolls of a die, in whole numbers of equally likely rolls.

A row is written with `1` for the letter on most faces and `0` for the other. The rolls are read by an automaton whose
state is how much of the row the last letters are (Knuth, Morris and Pratt 1977).
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["FACES", "occurrences"]

FACES = 6


@lru_cache(maxsize=100_000)
def occurrences(row: str, often: int, rolls: int) -> int:
    """Of the 6^rolls equally likely rolls of a die with `often` faces of the first letter, those that hold `row`."""
    weights = {"1": often, "0": FACES - often}
    steps = [
        (_matched(row, row[:state] + letter), weight) for state in range(len(row)) for letter, weight in weights.items()
    ]
    counts = [1, *[0] * len(row)]
    for _ in range(rolls):
        following = [0] * (len(row) + 1)
        following[-1] = counts[-1] * FACES
        for place, (state, weight) in enumerate(steps):
            following[state] += counts[place // 2] * weight
        counts = following
    return counts[-1]


def _matched(row: str, seen: str) -> int:
    """How many letters at the end of `seen` are the first ones of `row`."""
    return next(length for length in range(min(len(row), len(seen)), -1, -1) if seen.endswith(row[:length]))
