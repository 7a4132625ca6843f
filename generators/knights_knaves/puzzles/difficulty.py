"""How hard a puzzle is for a solver that reasons as people do: it propagates, and supposes only when stuck.

The solver looks at one statement at a time and notes every character that the statement settles, given those settled
before. When nothing more follows, it supposes that the first open character is a knight, and that it is a knave. A
supposition that is refuted at once settles the character and counts one; where neither is, both count and are followed
to the end, as a proof of uniqueness must. So knights and knaves count alike, and swapping them changes no number. The
solver never relies on the promise that there is exactly one solution. It counts steps, not seconds, so the numbers are
the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from generators.knights_knaves.puzzles.statements import Statement, variable_mask

__all__ = ["KNAVE", "KNIGHT", "OPEN", "Constraint", "Difficulty", "concerned", "difficulty", "needed", "propagated"]

OPEN, KNAVE, KNIGHT = 0, 1, 2
"""What is known of a character."""
_LIMIT = 1000  # suppositions after which the search gives up


class Constraint(Protocol):
    """What a statement rules out: see Statement."""

    @property
    def scope(self) -> tuple[int, ...]:
        """The speaker, followed by the other characters that it is about."""
        ...

    @property
    def local(self) -> int:
        """The truth table over the scope of (speaker is a knight <-> statement)."""
        ...


class Difficulty(NamedTuple):
    """How the natural solver fared."""

    suppositions: int
    """Suppositions in the whole proof; 1000 means at least 1000."""
    depth: int
    """The largest number of suppositions open at once."""
    settled: int
    """Characters known before the first supposition."""


def difficulty(puzzle: Sequence[Statement]) -> Difficulty:
    """How the natural solver fares on a puzzle with any number of solutions."""
    about = concerned(puzzle)
    state = [OPEN] * len(puzzle)
    if not propagated(puzzle, about, state, (1 << len(puzzle)) - 1):
        return Difficulty(0, 0, 0)
    settled = len(puzzle) - state.count(OPEN)
    counts = [0, 0]  # suppositions, deepest
    _search(puzzle, about, state, 1, counts)
    return Difficulty(counts[0], counts[1], settled)


def concerned(puzzle: Sequence[Constraint]) -> list[int]:
    """By character: the statements that concern it, one bit each."""
    about = [0] * len(puzzle)
    for place, said in enumerate(puzzle):
        for character in said.scope:
            about[character] |= 1 << place
    return about


def _search(puzzle: Sequence[Constraint], about: list[int], state: list[int], depth: int, counts: list[int]) -> None:
    """Settle `state` or refute it; counts suppositions, and the most open at once, in `counts`."""
    while OPEN in state and counts[0] < _LIMIT:
        character = state.index(OPEN)
        branches = []
        for value in (KNIGHT, KNAVE):
            branch = state.copy()
            branch[character] = value
            if propagated(puzzle, about, branch, about[character]):
                branches.append(branch)
        counts[0] += 1 if len(branches) == 1 else 2
        counts[1] = max(counts[1], depth)
        if len(branches) != 1:
            for branch in branches:
                _search(puzzle, about, branch, depth + 1, counts)
            return
        state[:] = branches[0]


def propagated(
    puzzle: Sequence[Constraint], about: list[int], state: list[int], waiting: int, used: list[int] | None = None
) -> bool:
    """Settle in `state` all that single statements settle, `waiting` ones first; False for a contradiction.

    The order does not matter: knowing more never makes less follow. The statements that settle somebody are added to
    `used[0]`, one bit each.
    """
    while waiting:
        lowest = waiting & -waiting
        waiting ^= lowest
        said = puzzle[lowest.bit_length() - 1]
        scope, code = said.scope, 0
        for character in scope:
            code = code * 3 + state[character]
        deduced = _deduced(said.local, len(scope), code)
        if deduced:
            if used is not None:
                used[0] |= lowest
            for position, value in deduced:
                character = scope[position]
                state[character] = value
                waiting |= about[character] & ~lowest
        elif deduced is None:
            return False
    return True


@cache
def _deduced(table: int, arity: int, code: int) -> tuple[tuple[int, int], ...] | None:
    """(position, value) of each open character that a statement settles; None for a contradiction.

    `code` has the state of each character of its scope as a digit in base 3, the first one highest.
    """
    known = [code // 3 ** (arity - 1 - position) % 3 for position in range(arity)]
    for position, value in enumerate(known):
        knights = variable_mask(position, arity)
        if value != OPEN:
            table &= knights if value == KNIGHT else ~knights
    if not table:
        return None
    deduced = []
    for position, value in enumerate(known):
        if value == OPEN:
            knights = variable_mask(position, arity)
            if not table & knights:
                deduced.append((position, KNAVE))
            elif not table & ~knights:
                deduced.append((position, KNIGHT))
    return tuple(deduced)


def needed(puzzle: Sequence[Statement]) -> int:
    """How many statements are needed: without any one of these there would be further solutions. For n <= 6."""
    n = len(puzzle)
    before = [(1 << (1 << n)) - 1]
    for said in puzzle:
        before.append(before[-1] & said.mask)
    after = before[0]
    whole, count = before[-1], 0
    for place in range(n - 1, -1, -1):
        count += before[place] & after != whole
        after &= puzzle[place].mask
    return count
