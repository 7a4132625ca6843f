"""Puzzles for a given solution, in which neither kind nor polarity tells what a speaker is."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hansproof.generators.knights_knaves.difficulty import OPEN, concerned, propagated
from hansproof.generators.knights_knaves.statements import Statement, alternative, nested, pair, single
from hansproof.generators.stream import Stream

__all__ = ["Claim", "Settling", "World", "claim", "evenly", "letters_of", "planted", "redrawn", "worded"]

# Some kinds say the same of a knight as of a knave: an accusation, an equivalence, an exclusive or, and a report of
# what somebody would say only link the speaker to others. The others do not. A knight's conjunction and a knave's
# disjunction or implication are *strong*: they settle two characters as soon as the speaker is known. Said by the
# other, they are *weak*. Turn any character into its opposite, deny what is said of it, and let its own statement say
# the contrary: strong stays strong, weak stays weak, and the puzzle has as many solutions and is exactly as hard. So
# whichever puzzles are kept, the solution drawn first stays uniform over all 2^n; and because each puzzle has as many
# strong as weak statements, conjunctions come from knights as often as from knaves. (What a conjunction says of a
# character is still true in two cases of three: see `sets`. `evenly` leaves such kinds out.)

World = tuple[bool, ...]
"""Who is a knight."""

_FREE = ("accusation", "equivalence", "exclusive", "nested")
_EVEN = ("equivalence", "exclusive", "nested", "alternative")
_OTHER: tuple[tuple[bool, bool], ...] = ((True, True), (True, False), (False, True))
_LOOSE = ("disjunction", "implication")
_WEAK: tuple[tuple[bool, bool], ...] = ((False, False), (False, True), (True, False))


class Claim(NamedTuple):
    """A statement before it is put into words: light, because most puzzles that are drawn are thrown away."""

    kind: str
    about: tuple[int, ...]
    """The characters, in the order in which they are mentioned."""
    knights: tuple[bool, ...]
    """For each of them, whether the statement calls it a knight; of a report only for the last."""
    scope: tuple[int, ...]
    """As in Statement."""
    local: int
    """As in Statement."""


def letters_of(world: World) -> str:
    """`KNK`: as in `metadata["solutions"]`."""
    return "".join("K" if knight else "N" for knight in world)


def planted(stream: Stream, world: World) -> tuple[Claim, ...]:
    """One statement for each character, all of which fit `world`; whether anything else fits them is open."""
    while True:
        # As many strong as weak ones, and one of each at least: without them, everybody's opposite fits as well.
        bound = [stream.coin() for _ in world]
        half, odd = divmod(sum(bound), 2)
        if half and not odd:
            break
    strong = iter(stream.shuffled([True] * half + [False] * half))
    return tuple(
        _bound(stream, world, speaker, next(strong)) if it else _free(stream, world, speaker)
        for speaker, it in enumerate(bound)
    )


def evenly(stream: Stream, world: World) -> tuple[Claim, ...]:
    """The same with statements of even kinds alone: no mention of a character goes with what it is."""
    return tuple(_even(stream, world, speaker, _EVEN[stream.below(len(_EVEN))]) for speaker in range(len(world)))


def redrawn(stream: Stream, world: World, speaker: int, said: Claim) -> Claim:
    """Another statement of the speaker that fits `world` and is as strong or weak as `said`, or neither."""
    if said.kind in _FREE:
        return _free(stream, world, speaker)
    return _bound(stream, world, speaker, (said.kind == "conjunction") == world[speaker])


def _bound(stream: Stream, world: World, speaker: int, strong: bool) -> Claim:
    """A strong statement, or a weak one."""
    about = _two(stream, speaker, len(world))
    if strong == world[speaker]:
        # A knight's conjunction of two truths, or a knave's in which at least one part is false.
        truths = (True, True) if strong else _WEAK[stream.below(3)]
        kind = "conjunction"
    else:
        # A knave's disjunction of two falsehoods, or a knight's in which at least one part is true.
        truths = (False, False) if strong else _OTHER[stream.below(3)]
        kind = _LOOSE[stream.below(2)]
        if kind == "implication":  # "if not the one, then the other"
            truths = not truths[0], truths[1]
    knights = tuple(world[character] == truth for character, truth in zip(about, truths, strict=True))
    return claim(kind, speaker, about, knights)


def _free(stream: Stream, world: World, speaker: int) -> Claim:
    """A statement that links the speaker to one other character, or to two."""
    n, honest = len(world), world[speaker]
    kind = _FREE[stream.below(len(_FREE))]
    if kind == "accusation":
        other = (speaker + 1 + stream.below(n - 1)) % n
        return claim(kind, speaker, (other,), (world[other] == honest,))
    if kind == "nested":
        reporter = (speaker + 1 + stream.below(n - 1)) % n
        return _report(world, speaker, reporter, (reporter + 1 + stream.below(n - 1)) % n)
    return _even(stream, world, speaker, kind)


def _even(stream: Stream, world: World, speaker: int, kind: str) -> Claim:
    honest = world[speaker]
    if kind == "alternative":
        about = tuple(stream.sample([character for character in range(len(world)) if character != speaker], 3))
        held, free = stream.coin(), stream.coin()
        used = about[1] if held == world[about[0]] else about[2]
        told = [world[used] == honest if character == used else free for character in about[1:]]
        return claim(kind, speaker, about, (held, *told))
    first, second = _two(stream, speaker, len(world))
    if kind == "nested":
        return _report(world, speaker, first, second)
    held = stream.coin()
    same = (kind == "equivalence") == honest
    return claim(kind, speaker, (first, second), (held, world[second] == ((world[first] == held) == same)))


def _report(world: World, speaker: int, reporter: int, other: int) -> Claim:
    # Where the speaker is a knight, a knight reports a truth and a knave a falsehood.
    return claim("nested", speaker, (reporter, other), ((world[reporter] == world[speaker]) == world[other],))


def _two(stream: Stream, speaker: int, n: int) -> tuple[int, int]:
    """Two different characters other than the speaker, in random order."""
    first, second = stream.below(n - 1), stream.below(n - 2)
    second += second >= first
    return (speaker + 1 + first) % n, (speaker + 1 + second) % n


def claim(kind: str, speaker: int, about: tuple[int, ...], knights: tuple[bool, ...]) -> Claim:
    """The statement of `speaker` that calls the characters knights or knaves as `knights` says."""
    others = tuple(character for character in about if character != speaker)
    return Claim(kind, about, knights, (speaker, *others), _local(kind, knights, len(others) < len(about)))


@lru_cache(maxsize=256)
def _local(kind: str, knights: tuple[bool, ...], about_speaker: bool) -> int:
    """The truth table over the scope, which depends on nothing else."""
    about = {"accusation": (1,), "alternative": (1, 2, 3)}.get(kind, (1, 0) if about_speaker else (1, 2))
    return worded(Claim(kind, about, knights, (), 0), 0, ("A", "B", "C", "D")).local


def worded(said: Claim, speaker: int, names: tuple[str, ...]) -> Statement:
    """The claim in words."""
    about, knights = said.about, said.knights
    if said.kind == "accusation":
        return single(said.kind, speaker, about[0], knights[0], names)
    if said.kind == "nested":
        return nested(speaker, about[0], about[1], knights[0], names)
    if said.kind == "alternative":
        return alternative(speaker, (about[0], about[1], about[2]), (knights[0], knights[1], knights[2]), names)
    return pair(said.kind, speaker, (about[0], about[1]), (knights[0], knights[1]), names)


class Settling:
    """Statements that have a solution, and what they settle by themselves.

    A statement that has settled nobody can change without a new start: what the others settle stays.
    """

    def __init__(self, claims: list[Claim]) -> None:
        self.claims = claims
        self._start()

    def _start(self) -> None:
        self.about = concerned(self.claims)
        self.state, self.used = [OPEN] * len(self.claims), 0
        self._follow((1 << len(self.claims)) - 1)

    def _follow(self, waiting: int) -> None:
        used = [self.used]
        propagated(self.claims, self.about, self.state, waiting, used)  # no contradiction: they have a solution
        self.used = used[0]

    def open(self) -> list[int]:
        """Who is not settled, in order."""
        return [character for character, known in enumerate(self.state) if known == OPEN]

    def change(self, speaker: int, said: Claim) -> None:
        """Let the speaker say this instead, unless it settles fewer characters."""
        before, self.claims[speaker] = self.claims[speaker], said
        bit = 1 << speaker
        if self.used & bit:
            settled = self.state.count(OPEN)
            kept = self.about, self.state, self.used
            self._start()
            if self.state.count(OPEN) > settled:
                self.claims[speaker] = before
                self.about, self.state, self.used = kept
            return
        for character in before.scope:
            self.about[character] &= ~bit
        for character in said.scope:
            self.about[character] |= bit
        self._follow(bit)
