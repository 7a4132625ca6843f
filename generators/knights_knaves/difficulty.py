"""How hard a puzzle is: what a solver propagates, and which suppositions it needs when it is stuck."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from hansproof.generators.knights_knaves.statements import Statement, variable_mask

__all__ = ["OPEN", "Needs", "bounded", "concerned", "difficulty", "hard", "needed", "needs", "propagated", "solved"]

# The solver propagates and, only when stuck, supposes that the first open character is a knight, and that it is a
# knave. A supposition refuted at once settles the character and counts one; else both count and are followed to the
# end, as a proof of uniqueness must. So swapping knights and knaves changes no number. It never relies on the promise
# that there is one solution, and counts steps, not seconds: the numbers are the same on every machine.

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


# A reasoner supposes never more things at once than it has to, and of several suppositions that fail takes the one
# whose opposite settles most. So `depth` is the least that any proof of this kind needs, as in the explanations;
# `refuted` counts the suppositions of one short proof, and there may be a shorter one.


class Needs(NamedTuple):
    """What the proof takes that a puzzle has no other solution."""

    refuted: int
    """Suppositions rejected one after the other, without those inside of them."""
    depth: int
    """The most that are open at once: 0 where single statements settle everything, 2 for a supposition in another."""
    settled: int
    """Characters known before the first supposition."""


class _Reasoner:
    def __init__(self, puzzle: Sequence[Constraint]) -> None:
        self.puzzle, self.about = puzzle, concerned(puzzle)

    def start(self) -> list[int] | None:
        state = [OPEN] * len(self.puzzle)
        return state if propagated(self.puzzle, self.about, state, (1 << len(state)) - 1) else None

    def with_(self, state: list[int], character: int, value: int) -> list[int] | None:
        """What is known once `character` is; None where that is a contradiction."""
        known = state.copy()
        known[character] = value
        return known if propagated(self.puzzle, self.about, known, self.about[character]) else None

    def supposed(self, state: list[int], character: int, value: int, depth: int) -> list[int] | None:
        """What is known in the end if `character` is, with at most `depth` suppositions open at once, itself included;
        None where that is a contradiction."""
        inner = self.with_(state, character, value)
        return self.closed(inner) if depth > 1 else inner

    def rejecting(self, state: list[int], depth: int, first: bool = False) -> list[int] | None:
        """What is known after one rejected supposition, the first or that which settles most; _STUCK without any, None
        where its opposite is a contradiction too."""
        best: list[int] | None = _STUCK
        fine = [0] * len(state)
        for character, known in enumerate(state):
            if known == OPEN:
                for value in (KNIGHT, KNAVE):
                    if fine[character] & value:
                        continue
                    inner = self.supposed(state, character, value, depth)
                    if inner is None:
                        after = self.with_(state, character, KNIGHT + KNAVE - value)
                        if first or after is None:
                            return after
                        if not best or after.count(OPEN) < best.count(OPEN):
                            best = after
                        break
                    # What follows from a supposition that does not fail does not fail either.
                    fine = [before | now for before, now in zip(fine, inner)]
        return best

    def closed(self, state: list[int] | None) -> list[int] | None:
        """What is known once no single supposition fails any more; None for a contradiction."""
        if state is None:
            return None
        tried = 0  # characters looked at since the last one that was settled
        fine = [0] * len(state)
        while True:
            for character in range(len(state)):
                if tried == len(state):
                    return state
                tried += 1
                if state[character] != OPEN:
                    continue
                for value in (KNIGHT, KNAVE):
                    if fine[character] & value:
                        continue
                    inner = self.with_(state, character, value)
                    if inner is None:
                        state = self.with_(state, character, KNIGHT + KNAVE - value)
                        if state is None:
                            return None
                        tried, fine = 0, [0] * len(state)
                        break
                    fine = [before | now for before, now in zip(fine, inner)]


_STUCK: list[int] = []
"""Says that no supposition fails; compared by identity."""


def needs(puzzle: Sequence[Constraint], deepest: int, most: int | None = None) -> Needs | None:
    """What a puzzle takes; None where suppositions up to `deepest` within each other, and at most `most` of them one
    after the other, do not settle everything, hence for every puzzle with several solutions."""
    reasoner = _Reasoner(puzzle)
    state = reasoner.start()
    known = len(puzzle) - state.count(OPEN) if state is not None else 0
    refuted = deep = 0
    while state is not None and OPEN in state:
        if refuted == most:
            return None
        for depth in range(1, deepest + 1):
            after = reasoner.rejecting(state, depth)
            if after is not _STUCK:
                break
        else:
            return None
        state, refuted, deep = after, refuted + 1, max(deep, depth)
    return None if state is None else Needs(refuted, deep, known)


def hard(puzzle: Sequence[Constraint]) -> bool:
    """Whether single suppositions, however many, leave something open: quicker to say than what it needs."""
    reasoner = _Reasoner(puzzle)
    state = reasoner.closed(reasoner.start())
    return state is not None and OPEN in state


def solved(puzzle: Sequence[Constraint]) -> tuple[bool, ...] | None:
    """Who is a knight, where suppositions with at most one more within them settle everybody, so that there is no other
    solution; else None."""
    reasoner = _Reasoner(puzzle)
    state = reasoner.closed(reasoner.start())
    while state is not None and OPEN in state:
        state = reasoner.rejecting(state, 2, first=True)
        if state is _STUCK:
            return None
        state = reasoner.closed(state)
    return None if state is None else tuple(value == KNIGHT for value in state)


def bounded(puzzle: Sequence[Constraint], depth: int, most: int) -> list[int]:
    """What a bounded reasoner knows in the end, OPEN, KNIGHT or KNAVE for each character: it rejects at most `most`
    suppositions, with at most `depth` open at once. The puzzle must have a solution."""
    reasoner = _Reasoner(puzzle)
    state = reasoner.start() or []
    for _ in range(most):
        ways = (reasoner.rejecting(state, deep) for deep in range(1, depth + 1))
        state = next((after for after in ways if after), state)
    return state
