"""Draws that several rooms share: a statement of a kind, a puzzle, and its solutions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from generators.knights_knaves.puzzles.large import names_of
from generators.knights_knaves.puzzles.statements import Statement, statements

__all__ = ["sayings", "worlds_of"]


@lru_cache(maxsize=1024)
def sayings(kind: str, speaker: int, n: int) -> tuple[Statement, ...]:
    """Everything of one kind that a character can say, in a fixed order."""
    return tuple(statements(kind, speaker, names_of(n)))


def worlds_of(puzzle: Sequence[Statement]) -> tuple[str, ...]:
    """All solutions of a puzzle of up to six characters, as strings of K and N, sorted."""
    fits = -1
    for said in puzzle:
        fits &= said.mask
    return _worlds(fits, len(puzzle))


@lru_cache(maxsize=65_536)
def _worlds(fits: int, n: int) -> tuple[str, ...]:
    worlds = [world for world in range(1 << n) if fits >> world & 1]
    return tuple(sorted("".join("K" if world >> place & 1 else "N" for place in range(n)) for world in worlds))
