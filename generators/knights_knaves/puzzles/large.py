"""Puzzles with more characters than a truth table holds: drawn one by one, with one solution by a SAT solver.

Each index has its own stream. Nothing keeps two items from being the same, and nothing needs to: with ten characters
the likeliest puzzle has a probability below 1e-18, so a million items contain a repetition with a probability below
1e-6; with thirty characters it is smaller still.
"""

from __future__ import annotations

from functools import cache

from generators.knights_knaves.puzzles.statements import SETS, Statement, count_of, nested, pair, single
from generators.knights_knaves.satisfiability import Clauses, clauses, sat_needed, sat_solutions
from generators.stream import Stream

__all__ = ["NAMES", "large_needed", "names_of"]

NAMES = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Iris", "Jack", "Kate", "Leo", "Mia", "Nora", "Otto",
    "Pia", "Quinn", "Rosa", "Sam", "Tess", "Uma", "Vito", "Wes", "Xena", "Yara", "Zoe", "Abel", "Beth", "Carl", "Dora",
    "Emil", "Fay", "Gus", "Hope", "Ivan", "Jane", "Kurt", "Lily", "Max", "Nell",
)  # fmt: skip
"""Names for puzzles in which letters would not do: "I" cannot be a name in a statement, and there are only 26."""


@cache
def names_of(n: int) -> tuple[str, ...]:
    """A, B, C, ... for up to six characters, first names for up to 40."""
    return tuple("ABCDEF"[:n]) if n <= 6 else NAMES[:n]


def large_puzzle(stream: Stream, n: int) -> tuple[tuple[Statement, ...], str]:
    """A uniquely solvable puzzle about n characters in the set `wide`, and its solution."""
    names = names_of(n)
    while True:
        puzzle = tuple(_statement(stream, speaker, names) for speaker in range(n))
        worlds = sat_solutions(_constraints(puzzle), n)
        if len(worlds) == 1:
            return puzzle, worlds[0]


def large_needed(puzzle: tuple[Statement, ...], solution: str) -> int:
    """How many statements are needed: without any one of these there would be further solutions."""
    return sat_needed([clauses(said.scope, said.local) for said in puzzle], solution)


def _constraints(puzzle: tuple[Statement, ...]) -> Clauses:
    return [clause for said in puzzle for clause in clauses(said.scope, said.local)]


def _statement(stream: Stream, speaker: int, names: tuple[str, ...]) -> Statement:
    """One statement: its kind uniform in the set, everything in it uniform within its kind."""
    kind = stream.choice(SETS["wide"])
    others = [character for character in range(len(names)) if character != speaker]
    if kind == "accusation":
        return single(kind, speaker, stream.choice(others), stream.coin(), names)
    if kind == "count":
        # three others, not all: a count over everybody is easy to state but hardly ever usable
        return count_of(speaker, stream.below(4), tuple(sorted(stream.sample(others, 3))), names)
    if kind == "nested":
        reporter = stream.choice(others)
        about = stream.choice([character for character in range(len(names)) if character != reporter])
        return nested(speaker, reporter, about, stream.coin(), names)
    first, second = stream.sample(others, 2)
    return pair(kind, speaker, (first, second), (stream.coin(), stream.coin()), names)
