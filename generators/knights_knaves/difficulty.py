"""How hard a puzzle is for somebody who reasons as people do: propagate, and suppose only when stuck.

The solver looks at one statement at a time and notes whoever is settled by it and by what is settled already.
When nothing more follows it supposes that the first open character is a knight, then that it is a knave, and
follows both to the end, because a proof of uniqueness has to. It takes no short cut by the promise that there
is exactly one solution. Counts, not seconds: they are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from generators.knights_knaves.statements import Statement, variable_mask

__all__ = ["Difficulty", "difficulty", "needed"]

_OPEN, _KNAVE, _KNIGHT = 0, 1, 2
_LIMIT = 1000  # suppositions after which a search is given up


@dataclass(frozen=True)
class Difficulty:
    """What the natural solver went through."""

    suppositions: int
    """Characters supposed to be this or that, in the whole proof; 1000 stands for "at least"."""
    depth: int
    """How many suppositions stood at once, at most."""
    settled: int
    """Characters known before the first supposition."""


def difficulty(puzzle: Sequence[Statement]) -> Difficulty:
    """The natural solver's way through a puzzle, whatever the number of its solutions."""
    about = [0] * len(puzzle)  # character -> statements that concern it, one bit each
    for place, one in enumerate(puzzle):
        for character in one.scope:
            about[character] |= 1 << place
    state = [_OPEN] * len(puzzle)
    if not _propagated(puzzle, about, state, (1 << len(puzzle)) - 1):
        return Difficulty(0, 0, 0)
    settled = len(puzzle) - state.count(_OPEN)
    counts = [0, 0]  # suppositions, deepest
    _search(puzzle, about, state, 1, counts)
    return Difficulty(counts[0], counts[1], settled)


def _search(puzzle: Sequence[Statement], about: list[int], state: list[int], depth: int, counts: list[int]) -> None:
    """Settle `state` or refute it; adds to `counts`: suppositions, and how many stood at once."""
    while _OPEN in state and counts[0] < _LIMIT:
        character = state.index(_OPEN)
        branches = []
        for value in (_KNIGHT, _KNAVE):
            counts[0] += 1
            counts[1] = max(counts[1], depth)
            branch = state.copy()
            branch[character] = value
            if _propagated(puzzle, about, branch, about[character]):
                branches.append(branch)
            elif value == _KNIGHT:
                # refuted: the opposite is known, not supposed
                state[character] = _KNAVE
                if not _propagated(puzzle, about, state, about[character]):
                    return
                break
        else:
            if len(branches) == 1:
                state[:] = branches[0]
                continue
            for branch in branches:
                _search(puzzle, about, branch, depth + 1, counts)
            return


def _propagated(puzzle: Sequence[Statement], about: list[int], state: list[int], waiting: int) -> bool:
    """Settle in `state` whoever single statements settle, starting with the `waiting` ones; False: contradiction.

    The order does not matter: the more is settled, the more follows.
    """
    while waiting:
        lowest = waiting & -waiting
        waiting ^= lowest
        one = puzzle[lowest.bit_length() - 1]
        scope, code = one.scope, 0
        for character in scope:
            code = code * 3 + state[character]
        found = _deduced(one.local, len(scope), code)
        if found:
            for position, value in found:
                character = scope[position]
                state[character] = value
                waiting |= about[character] & ~lowest
        elif found is None:
            return False
    return True


@cache
def _deduced(table: int, arity: int, code: int) -> tuple[tuple[int, int], ...] | None:
    """What one statement tells of its open characters, given the others (base 3, the first one highest)."""
    known = [code // 3 ** (arity - 1 - position) % 3 for position in range(arity)]
    for position, value in enumerate(known):
        knights = variable_mask(position, arity)
        if value != _OPEN:
            table &= knights if value == _KNIGHT else ~knights
    if not table:
        return None
    found = []
    for position, value in enumerate(known):
        if value == _OPEN:
            knights = variable_mask(position, arity)
            if not table & knights:
                found.append((position, _KNAVE))
            elif not table & ~knights:
                found.append((position, _KNIGHT))
    return tuple(found)


def needed(puzzle: Sequence[Statement]) -> int:
    """How many speakers matter: without what one of them says, other solutions would come up. For n <= 6."""
    n = len(puzzle)
    before = [(1 << (1 << n)) - 1]
    for one in puzzle:
        before.append(before[-1] & one.mask)
    after = before[0]
    whole, count = before[-1], 0
    for place in range(n - 1, -1, -1):
        count += before[place] & after != whole
        after &= puzzle[place].mask
    return count
