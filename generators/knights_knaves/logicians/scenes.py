"""Drawing a puzzle about logicians and politicians.

First comes the solution, then the kind of each statement, then its lamps and the notes, and last which lamps each
statement says are on or off: so that a logician's can be proved and a politician's can be neither proved nor disproved.
Where the notes allow no such statement, they are drawn again, and the lamps after a while, but never the kinds: a plain
fact is harder to prove than an alternative, so kinds that could be drawn again would tell what a speaker is. No
statement joins two lamps that a note joins, so nobody repeats a note, and every proof takes several notes. No two
statements are about the same lamps, so nobody repeats an earlier speaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from itertools import combinations, product
from operator import and_
from typing import NamedTuple

from generators.knights_knaves.logicians.proofs import SIGNS, Clause, chained, known, status, table
from generators.stream import Stream

__all__ = ["LAMPS", "Scene", "drawn_scene"]

LAMPS = ("red", "green", "blue", "yellow", "white", "orange")
"""As many as there are speakers and one more, from the first."""

_JOINED = tuple(SIGNS)[1:]
_PATIENCE = 20  # notes drawn before the lamps of the statements are drawn again


class Scene(NamedTuple):
    """A puzzle: notes, and a statement for each speaker."""

    notes: tuple[Clause, ...]
    said: tuple[Clause, ...]
    chained: int
    """Statements that can be judged only by those who know what earlier speakers are."""


def drawn_scene(draws: Stream, logicians: Sequence[bool]) -> Scene:
    """A puzzle in which exactly these speakers are logicians."""
    n = len(logicians)
    lamps = range(n, 2 * n + 1)
    every = list(combinations(lamps, 2))
    kinds = [draws.choice(tuple(SIGNS)) for _ in logicians]
    while True:
        about = [tuple(draws.sample(lamps, 1 if kind == "single" else 2)) for kind in kinds]
        if len({frozenset(lamps_of) for lamps_of in about}) < n:
            continue  # whoever repeats a logician would be told by that alone
        joints = [draws.choice(_JOINED) for _ in logicians]
        taken = {frozenset(pair) for pair in about if len(pair) == 2}
        pairs = [pair for pair in every if frozenset(pair) not in taken]
        if len(pairs) < n:
            continue
        ways = [_ways(kind, lamps_of, n) for kind, lamps_of in zip(kinds, about, strict=True)]
        for _ in range(_PATIENCE):
            notes = _notes(draws, joints, pairs)
            scene = _spoken(draws, logicians, notes, ways)
            if scene is not None:
                return scene._replace(notes=tuple(draws.shuffled(scene.notes)))


_Told = tuple[Clause, int]
"""A clause and its truth table."""


def _notes(draws: Stream, joints: Sequence[str], pairs: Sequence[tuple[int, int]]) -> list[_Told]:
    """Two notes about each speaker but the last, and others, of these kinds, about lamps that nobody joins.

    What a speaker is settles a lamp either way: a note that bears on logicians alone would hint at who is one.
    """
    n, below = len(joints), draws.below
    notes = [links[below(len(links))] for links in _links(n)]
    for joint, pair in zip(joints, draws.sample(pairs, n), strict=True):
        choices = _joints(joint, pair, n)
        notes.append(choices[below(len(choices))])
    return notes


@cache
def _links(n: int) -> tuple[tuple[_Told, ...], ...]:
    """By speaker but the last, for logicians and for politicians: all that may follow from what the speaker is."""
    return tuple(
        tuple(
            _told(Clause("implication", (speaker, lamp), (holds, on)), n)
            for lamp in range(n, 2 * n + 1)
            for on in (True, False)
        )
        for speaker in range(n - 1)
        for holds in (True, False)
    )


@cache
def _joints(kind: str, pair: tuple[int, int], n: int) -> tuple[_Told, ...]:
    """All notes of a kind about two lamps."""
    signs = list(product((True, False), repeat=2))
    return tuple(_told(Clause(kind, lamps, holds), n) for lamps in (pair, pair[::-1]) for holds in signs)


@cache
def _ways(kind: str, about: tuple[int, ...], n: int) -> tuple[_Told, ...]:
    """All statements of a kind about these lamps."""
    return tuple(_told(Clause(kind, about, holds), n) for holds in product((True, False), repeat=len(about)))


def _told(clause: Clause, n: int) -> _Told:
    return clause, table(clause, 2 * n + 1)


def _spoken(
    draws: Stream, logicians: Sequence[bool], notes: Sequence[_Told], ways: Sequence[Sequence[_Told]]
) -> Scene | None:
    """The scene with these notes; None where somebody could not say such a thing, or nothing hangs together."""
    n = len(logicians)
    facts = 2 * n + 1
    left = premises = reduce(and_, [truth for _, truth in notes])
    said = []
    for place, logician in enumerate(logicians):
        # What the speaker is must follow from the statement, not from what was known before.
        after = known(left, (logician,), facts, place)
        if not after or after == left:
            return None
        wanted = "proved" if logician else "open"
        fitting = [way for way in ways[place] if status(left, way[1]) == wanted]
        if not fitting:
            return None
        said.append(fitting[draws.below(len(fitting))])
        left = after
    links = chained(premises, [truth for _, truth in said], facts)
    if links < max(1, n - 2):
        return None
    return Scene(tuple(note for note, _ in notes), tuple(saying for saying, _ in said), links)
