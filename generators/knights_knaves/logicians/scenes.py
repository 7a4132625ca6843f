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
from functools import cache
from itertools import combinations, product
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
    kinds = [draws.choice(tuple(SIGNS)) for _ in logicians]
    while True:
        about = [tuple(draws.sample(lamps, 1 if kind == "single" else 2)) for kind in kinds]
        if len({frozenset(lamps_of) for lamps_of in about}) < n:
            continue  # whoever repeats a logician would be told by that alone
        joints = [draws.choice(_JOINED) for _ in logicians]
        for _ in range(_PATIENCE):
            notes = _notes(draws, joints, {frozenset(pair) for pair in about if len(pair) == 2})
            scene = _spoken(draws, logicians, notes, kinds, about) if notes else None
            if scene is not None:
                return scene._replace(notes=tuple(draws.shuffled(scene.notes)))


def _notes(draws: Stream, joints: Sequence[str], taken: set[frozenset[int]]) -> tuple[Clause, ...]:
    """Two notes about each speaker but the last, and others, of these kinds, about lamps that nobody joins.

    What a speaker is settles a lamp either way: a note that bears on logicians alone would hint at who is one.
    """
    n = len(joints)
    pairs = [pair for pair in combinations(range(n, 2 * n + 1), 2) if frozenset(pair) not in taken]
    if len(pairs) < n:
        return ()
    linking = [draws.choice(_links(speaker, holds, n)) for speaker in range(n - 1) for holds in (True, False)]
    joining = [draws.choice(_joints(joint, pair)) for joint, pair in zip(joints, draws.sample(pairs, n), strict=True)]
    return (*linking, *joining)


@cache
def _links(speaker: int, holds: bool, n: int) -> tuple[Clause, ...]:
    """All that may follow from what a speaker is."""
    return tuple(
        Clause("implication", (speaker, lamp), (holds, on)) for lamp in range(n, 2 * n + 1) for on in (True, False)
    )


@cache
def _joints(kind: str, pair: tuple[int, int]) -> tuple[Clause, ...]:
    """All notes of a kind about two lamps."""
    signs = list(product((True, False), repeat=2))
    return tuple(Clause(kind, lamps, holds) for lamps in (pair, pair[::-1]) for holds in signs)


def _spoken(
    draws: Stream,
    logicians: Sequence[bool],
    notes: Sequence[Clause],
    kinds: Sequence[str],
    about: Sequence[tuple[int, ...]],
) -> Scene | None:
    """The scene with these notes; None where somebody could not say such a thing, or nothing hangs together."""
    n = len(logicians)
    facts = 2 * n + 1
    premises = (1 << (1 << facts)) - 1
    for note in notes:
        premises &= table(note, facts)
    said = []
    for place, logician in enumerate(logicians):
        left = known(premises, logicians[:place], facts)
        # What the speaker is must follow from the statement, not from what was known before.
        if not known(left, (*logicians[:place], True), facts) or not known(left, (*logicians[:place], False), facts):
            return None
        ways = [Clause(kinds[place], about[place], holds) for holds in product((True, False), repeat=len(about[place]))]
        wanted = "proved" if logician else "open"
        fitting = [way for way in ways if status(left, table(way, facts)) == wanted]
        if not fitting:
            return None
        said.append(draws.choice(fitting))
    links = chained(premises, [table(saying, facts) for saying in said], facts)
    return Scene(tuple(notes), tuple(said), links) if links >= n - 2 and links else None
