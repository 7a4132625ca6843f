"""Which of two statements is more probable? The items of a group, and whose completion each borrows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from hansproof.generators.dataset import Draft
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.lexicon.entries import GENDERS, Entry
from hansproof.generators.token_bias.plan import stream_of

__all__ = ["LABELS", "Case", "Design", "Draw", "Drawn", "Turn", "borrowed", "judgement", "places_near", "turn"]

# In every block each entry lends its own completion once and borrows another's once, so the two arms have the same
# completions, each as often. A borrowed one comes from another theme, and never from an entry to be kept apart.

Apart = frozenset[tuple[str, str]]
"""Names of (borrower, lender) that never make a pair."""


def places_near(entries: tuple[Entry, ...]) -> Apart:
    """All entries that are to be kept apart because one of them names the place of the other as near."""
    return frozenset(
        pair
        for own in entries
        for other in entries
        if other.place in own.near
        for pair in ((own.name, other.name), (other.name, own.name))
    )


def borrowed(root: Stream, entries: tuple[Entry, ...], number: int, apart: Apart = frozenset()) -> tuple[Entry, Entry]:
    """(the entry of set `number`, the entry whose completion it borrows); a block has as many sets as entries."""
    own = turn(root, entries, number)
    return own, _lenders(root, entries, number // len(entries), apart)[own]


def turn(root: Stream, entries: tuple[Entry, ...], number: int) -> Entry:
    """The entry of set `number`: all of them once, then again in the same order, so that none comes twice running."""
    return _order(root, entries)[number % len(entries)]


@lru_cache(maxsize=32)
def _lenders(root: Stream, entries: tuple[Entry, ...], block: int, apart: Apart) -> Mapping[Entry, Entry]:
    draws = root.child("block").child(block)
    while True:  # of the stories, which have most to keep apart, a block in 80 is drawn again
        pairs = _separated(draws.shuffled(_circle(draws, entries)), apart)
        if all(_may(own, other, apart) for own, other in pairs):
            return dict(pairs)


def _circle(draws: Stream, entries: tuple[Entry, ...]) -> list[tuple[Entry, Entry]]:
    sizes = Counter(entry.theme for entry in entries)
    ranks = {theme: rank for rank, theme in enumerate(draws.shuffled(list(sizes)))}
    # Themes stand together, so whoever stands at least the largest theme away is of another one, round the circle too.
    circle = sorted(draws.shuffled(entries), key=lambda entry: ranks[entry.theme])
    most = max(sizes.values())
    shift = draws.integer(most, len(circle) - most)
    return [(entry, circle[(place + shift) % len(circle)]) for place, entry in enumerate(circle)]


def _separated(pairs: Sequence[tuple[Entry, Entry]], apart: Apart) -> Sequence[tuple[Entry, Entry]]:
    """The pairs, where two borrowers have exchanged what they borrow if one of them was to be kept apart from it.

    Who finds nobody to exchange with keeps it.
    """
    mended = list(pairs)
    for place, (own, other) in enumerate(mended):
        if _may(own, other, apart):
            continue
        for swap, (borrower, lent) in enumerate(mended):
            if _may(own, lent, apart) and _may(borrower, other, apart):
                mended[place], mended[swap] = (own, lent), (borrower, other)
                break
    return mended


def _may(own: Entry, other: Entry, apart: Apart) -> bool:
    return own.theme != other.theme and (own.name, other.name) not in apart


@lru_cache(maxsize=32)
def _order(root: Stream, entries: tuple[Entry, ...]) -> Sequence[Entry]:
    draws = root.child("order")
    while True:
        order = draws.shuffled(entries)
        # Two symptoms of one disease are one content, which must not come twice running either, round the circle too.
        contents = [entry.values.get("disease", entry.name) for entry in order]
        if all(contents[place] != contents[place - 1] for place in range(len(contents))):
            return order


# Where the connective makes the whole entail the event A (`and`, `to`, `because`, `so that`, `but`), A is at least as
# probable; where it is `or`, the whole is. The paper's sets have one connective and differ in what invites the
# fallacy: the second part, the name, the scale. Balanced sets are twins with `and` and `or`, with opposite answers;
# `more` or `less`, the order and the connective are crossed exactly, so that no two of them tell.

LABELS = ("(a)", "(b)")

_QUESTIONS = (
    "Which is {} probable?",
    "Which of the two is {} probable?",
    "Which statement is {} probable?",
    "Which of these statements is {} probable?",
)
_BLOCK = 16  # sets in which gender, place, question and case are crossed


class Turn(NamedTuple):
    """Which set it is."""

    number: int
    """Within its subset, from 0."""
    gender: str
    """Of the person it is about, if it is about one."""


class Case(NamedTuple):
    """One wording of a set: what differs between the arms of the pair."""

    scene: str
    """What is said before the question."""
    event: str
    """The short statement, without its full stop."""
    second: str
    """What the long statement adds, after the connective."""
    completion: str
    """The entry from which `second` comes."""


class Drawn(NamedTuple):
    """What a theme draws for one set."""

    content: str
    """Name of what the set tells of, which other sets tell of, too."""
    cases: tuple[Case, ...]
    metadata: dict[str, Any]


Draw = Callable[[Stream, Stream, Turn], Drawn]
"""(stream of the subset, stream of the set, which set) -> its cases."""


class Design(NamedTuple):
    """How the sets of a subset are made."""

    draw: Draw
    wordings: tuple[str, ...]
    """Names of the cases, the original first."""
    connectives: tuple[str, ...]
    """One, and a set has every case; or `and` and `or`, and a set has one case with both."""
    clauses: bool = False
    """Whether what follows the connective is a clause with a subject of its own, rather than another predicate."""

    @property
    def balanced(self) -> bool:
        """Whether sets are twins with `and` and `or`, and the question also asks for the less probable statement."""
        return len(self.connectives) > 1

    @property
    def conditions(self) -> tuple[str, ...]:
        """Those of a set."""
        return ("conjunction", "disjunction") if self.balanced else self.wordings


def judgement(design: Design, stream: Stream, subset: str, number: int) -> list[Draft]:
    """The items of set `number`, those of a balanced one in random order."""
    root = stream_of(stream, subset)
    cell, turn = _cell(root, number)
    shorter, question = cell >> 2 & 1, "less" if design.balanced and cell >> 1 & 1 else "more"
    draws = root.child("set").child(number)
    asked = draws.choice(_QUESTIONS).format(question)
    drawn = design.draw(root, draws, turn)
    named = list(zip(design.wordings, drawn.cases, strict=True))
    if design.balanced:
        named = [named[cell & 1] if len(named) == 2 else draws.choice(named)]
    arms = [(connective, *pair) for connective in design.connectives for pair in named]
    drafts = []
    for condition, (connective, wording, case) in zip(design.conditions, arms, strict=True):
        metadata = {
            **drawn.metadata,
            "completion": case.completion,
            "connective": connective,
            "question": question,
            "shorter": LABELS[shorter],
            "wording": wording,
            "matched": f"{subset}-{number:06d}",
        }
        short_is_right = (connective != "or") == (question == "more")
        answer = LABELS[shorter if short_is_right else 1 - shorter]
        # What follows `or` says `or both`, so that nobody takes it for `either ... or`.
        both = "" if connective != "or" else ", or both will happen" if design.clauses else ", or both"
        texts = [f"{case.event}.", f"{case.event}{',' if design.clauses else ''} {connective} {case.second}{both}."]
        if shorter:
            texts.reverse()
        prompt = f"{case.scene}\n\n{asked}\n(a) {texts[0]}\n(b) {texts[1]}"
        drafts.append(Draft(prompt, LABELS, answer, f"{subset}-{drawn.content}", condition, metadata))
    # Solved examples are first items of sets, and should not all be conjunctions.
    return drafts[::-1] if design.balanced and draws.coin() else drafts


def _cell(root: Stream, number: int) -> tuple[int, Turn]:
    """(the four bits that a set is given, its turn): gender, place of the shorter statement, question, case.

    A block has every combination of the bits once. Where a design makes no use of a bit, it is left out.
    """
    block, place = divmod(number, _BLOCK)
    cell = _cells(root, block)[place]
    return cell, Turn(number, GENDERS[cell >> 3])


@lru_cache(maxsize=32)
def _cells(root: Stream, block: int) -> list[int]:
    return root.child("cells").child(block).shuffled(range(_BLOCK))
