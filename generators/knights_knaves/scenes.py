"""Scenes of logicians and politicians: what counts as proved, how they are drawn, and their English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from itertools import combinations, product
from operator import and_
from typing import Literal, NamedTuple

from hansproof.generators.knights_knaves.puzzle import SENTINEL
from hansproof.generators.stream import Stream

__all__ = ["LAMPS", "TERMS", "Clause", "Scene", "drawn_scene", "known", "notated", "prompt", "status"]

# A logician says only what can be proved, a politician only what can be neither proved nor disproved: from the notes,
# which are true, and from what the earlier speakers are. So each statement shows what its speaker is; a politician is
# no liar, and what one says may be true.
#
# A case says which facts hold: whether each speaker is a logician, then whether each lamp is on. A table is an int
# whose bit c is the truth in case c, where bit v of c is fact v.

Status = Literal["proved", "disproved", "open"]
"""What the premises say of a statement."""

SIGNS = {"single": "", "disjunction": "|", "implication": ">", "equivalence": "=", "exclusive": "^"}
"""Kind -> its sign in the notation of `metadata`."""


class Clause(NamedTuple):
    """A note or a statement: one fact, or two that are joined."""

    kind: str
    """One of SIGNS."""
    facts: tuple[int, ...]
    holds: tuple[bool, ...]
    """For each fact, whether it is affirmed or denied."""


@cache
def _fact(place: int, facts: int) -> int:
    return sum(1 << case for case in range(1 << facts) if case >> place & 1)


@cache
def table(clause: Clause, facts: int) -> int:
    """The truth table of a clause among so many facts."""
    every = (1 << (1 << facts)) - 1
    parts = [
        _fact(place, facts) ^ (0 if holds else every) for place, holds in zip(clause.facts, clause.holds, strict=True)
    ]
    if clause.kind == "single":
        return parts[0]
    left, right = parts
    return {
        "disjunction": left | right,
        "implication": (every ^ left) | right,
        "equivalence": every ^ left ^ right,
        "exclusive": left ^ right,
    }[clause.kind]


def known(premises: int, speakers: Sequence[bool], facts: int, first: int = 0) -> int:
    """The cases that the premises leave once speakers, from the `first` on, are known to be logicians or not."""
    for place, logician in enumerate(speakers, first):
        premises &= _fact(place, facts) ^ (0 if logician else (1 << (1 << facts)) - 1)
    return premises


def status(premises: int, said: int) -> Status:
    """Whether what is said can be proved, disproved or neither, from the cases that the premises leave, never none."""
    if not premises & ~said:
        return "proved"
    return "open" if premises & said else "disproved"


def chained(premises: int, said: Sequence[int], facts: int) -> int:
    """How many statements can be judged only by those who know what earlier speakers are.

    That is, whose status is not the same for all that the earlier speakers could be as far as the premises go.
    """
    links = 0
    for place, saying in enumerate(said):
        ways = (known(premises, earlier, facts) for earlier in product((True, False), repeat=place))
        links += len({status(left, saying) for left in ways if left}) > 1
    return links


# First comes the solution, then the kind of each statement, then its lamps and the notes, last which lamps are on.
# Where the notes allow no such statement, they are drawn again, and the lamps after a while, but never the kinds: a
# plain fact is harder to prove than an alternative, so kinds that could be drawn again would tell what a speaker is. No
# statement joins two lamps that a note joins, and no two are about the same lamps, so that nobody repeats anything.

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
    n, left = len(joints), draws.word()
    notes = []
    for links in _links(n):  # at most 22 for each of eight, so one word of 64 bits is enough: the rest is noise
        left, place = divmod(left, len(links))
        notes.append(links[place])
    left = draws.word()
    for joint, pair in zip(joints, draws.sample(pairs, n), strict=True):
        left, place = divmod(left, 8)
        notes.append(_joints(joint, pair, n)[place])
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


TERMS = ("logician", "politician")

_NUMBERS = ("three", "four", "five", "six")
_ENGLISH = {
    "single": "{}",
    "disjunction": "Either {} or {}, or both",
    "implication": "If {}, then {}",
    "equivalence": "{} if and only if {}",
    "exclusive": "Either {} or {}, but not both",
}
_PROMPT = """\
There are {lamps} lamps: {colours}. Each of them is on or off. {People} people talk about them: {names}. Each person \
is either a logician or a politician. They speak one after the other, in the order in which they are listed.

A logician says only what can be proved. A politician never gives a straight answer: a politician says only what can \
be neither proved nor disproved. A proof may use that each lamp is on or off, that each person is either a logician or \
a politician, the notes below, which are all true, and which of the two each earlier speaker is. It may not assume \
which of the two the speaker or a later speaker is, but it may go through both cases. That somebody has said something \
proves nothing.

Notes:
{notes}

Statements:
{said}

Who is a logician, and who is a politician? Finish your answer with one line for each person, in the order above, such \
as `{first}: logician` or `{first}: politician`, under this heading:

{sentinel}"""


def prompt(scene: Scene, names: Sequence[str]) -> str:
    """The whole text."""
    lamps = LAMPS[: len(names) + 1]
    return _PROMPT.format(
        lamps=_NUMBERS[len(lamps) - 3],
        colours=_listed([f"a {lamp} one" if lamp != "orange" else "an orange one" for lamp in lamps]),
        People=_NUMBERS[len(names) - 3].capitalize(),
        names=_listed(names),
        notes="\n".join(f"{number}. {_english(note, names)}." for number, note in enumerate(scene.notes, start=1)),
        said="\n".join(f"{name}: {_english(said, names)}." for name, said in zip(names, scene.said, strict=True)),
        first=names[0],
        sentinel=SENTINEL,
    )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1]


def _english(clause: Clause, names: Sequence[str]) -> str:
    parts = [_part(place, holds, names) for place, holds in zip(clause.facts, clause.holds, strict=True)]
    text = _ENGLISH[clause.kind].format(*parts)
    return text[0].upper() + text[1:]


def _part(place: int, holds: bool, names: Sequence[str]) -> str:
    if place < len(names):
        return f"{names[place]} is a {TERMS[0 if holds else 1]}"
    return f"the {LAMPS[place - len(names)]} lamp is {'on' if holds else 'off'}"


def notated(clause: Clause, names: Sequence[str]) -> str:
    """`(Ada > ~red)`: names for logicians, colours for lamps that are on, and the signs of the other puzzles."""
    parts = [
        ("" if holds else "~") + (names[place] if place < len(names) else LAMPS[place - len(names)])
        for place, holds in zip(clause.facts, clause.holds, strict=True)
    ]
    return parts[0] if clause.kind == "single" else f"({parts[0]} {SIGNS[clause.kind]} {parts[1]})"
