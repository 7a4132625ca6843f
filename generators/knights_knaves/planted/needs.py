"""Which suppositions a puzzle with one solution takes: what `replies.explanation` does, for any number of characters.

A reasoner notes all that single statements settle. Where nothing follows, it supposes that somebody is a knight or a
knave, follows that up, and rejects it if it ends in a contradiction. If no such supposition fails, it supposes a second
thing within the first. It never supposes more at once than it has to, and of several suppositions that fail it takes
the one whose opposite settles most. So `depth` is the least that any proof of this kind needs, and the same as that of
the explanations; `refuted` counts the suppositions of one short proof, and there may be a shorter one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generators.knights_knaves.puzzles.difficulty import KNAVE, KNIGHT, OPEN, Constraint, concerned, propagated

__all__ = ["Needs", "bounded", "hard", "needs", "solved"]


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
