"""What a character can say: kinds of statement, their notation, their English and their truth tables.

A world is a number whose bit v is 1 where character v is a knight; a truth table is an int whose bit w is the truth in
world w. The kinds follow Mondorf & Plank (2024); exclusive or, reports, parities and alternatives are ours. `@K` and
`@N` stand for the two words until a prompt fills them in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import permutations, product
from typing import NamedTuple

from hansproof.generators.knights_knaves.formula import letter
from hansproof.generators.stream import Stream

__all__ = [
    "EVEN",
    "PAPER",
    "SETS",
    "Puzzle",
    "Saying",
    "Statement",
    "Subject",
    "World",
    "constraint",
    "drawn",
    "fits",
    "mask",
    "notation",
    "said",
    "sayings",
    "scope",
    "subject",
    "text",
    "variable",
]

World = tuple[bool, ...]
"""Who is a knight."""

PAPER = ("self", "accusation", "conjunction", "implication", "equivalence")
"""The kinds of the paper."""

EVEN = ("equivalence", "exclusive", "nested", *("parity",) * 3, *("alternative",) * 3)
"""Kinds that are true in half of all worlds whatever a single character is: each stays of its kind when it is denied,
and when somebody mentioned is swapped for the opposite. Three of nine link the speaker to two others, as many to the
number of knights among three, as many to one of two others, as a third decides."""

SETS: dict[str, tuple[str, ...]] = {
    "S": ("self", "accusation", "conjunction"),
    "I": ("accusation", "implication", "conjunction"),
    "E": ("accusation", "conjunction", "implication", "equivalence"),
    "paper": PAPER,
    "even": EVEN,
}
"""The kinds of statement in each set, each as often as the others; the first three sets are the paper's."""

_ARITY = {"accusation": 1, "parity": 3, "alternative": 3}  # all others mention two
_SIGNS = {"conjunction": "&", "implication": ">", "equivalence": "=", "exclusive": "^"}
_ENGLISH = {
    "conjunction": "{} and {}",
    "implication": "If {}, then {}",
    "equivalence": "{} if and only if {}",
    "exclusive": "Either {} or {}, but not both",
    "alternative": "If {}, then {}; otherwise, {}",
}


class Statement(NamedTuple):
    """One thing that a character says."""

    kind: str
    """One of a set."""
    speaker: int
    about: tuple[int, ...]
    """The characters, in the order in which they are mentioned."""
    knights: tuple[bool, ...]
    """For each of them, whether it is called a knight. Of a report (`B would say that C is a knight`) only for the
    last, and of a parity whether the number of knights is odd."""


Puzzle = tuple[Statement, ...]
"""One statement for each character, in order."""

Subject = tuple[str, frozenset[int]]
"""What a statement is about: its kind, and the characters that it mentions."""

Saying = tuple[Statement, int]
"""A statement, and its `mask`."""

_TRUTHS: dict[str, Callable[[Sequence[int], Sequence[int], Statement, int], int]] = {
    # (tables of the mentions as they are put, tables of `is a knight`, the statement, all worlds) -> where it is true
    "self": lambda put, who, it, every: put[0],
    "accusation": lambda put, who, it, every: put[0],
    "conjunction": lambda put, who, it, every: put[0] & put[1],
    "implication": lambda put, who, it, every: every ^ put[0] | put[1],
    "equivalence": lambda put, who, it, every: every ^ put[0] ^ put[1],
    "exclusive": lambda put, who, it, every: put[0] ^ put[1],
    "nested": lambda put, who, it, every: who[0] ^ who[1] ^ (every if it.knights[0] else 0),
    "parity": lambda put, who, it, every: who[0] ^ who[1] ^ who[2] ^ (0 if it.knights[0] else every),
    "alternative": lambda put, who, it, every: put[0] & put[1] | (every ^ put[0]) & put[2],
}


def said(it: Statement, who: Sequence[int], every: int) -> int:
    """Where a statement is true; `who` has the table of `is a knight` for each mention, `every` all worlds."""
    put = [table if knight else every ^ table for table, knight in zip(who, it.knights)]
    return _TRUTHS[it.kind](put, who, it, every)


@cache
def variable(character: int, n: int) -> int:
    """The truth table of "this character is a knight" over n characters."""
    half = 1 << character
    return ((1 << (1 << n)) - 1) // ((1 << half) + 1) << half


def scope(it: Statement) -> tuple[int, ...]:
    """The speaker, followed by the other characters that the statement is about."""
    return (it.speaker, *(character for character in it.about if character != it.speaker))


def constraint(it: Statement) -> int:
    """The truth table of (the speaker is a knight <-> the statement) over its `scope`: bit j of a world is scope[j]."""
    around = scope(it)
    return _constraint(it.kind, tuple([around.index(character) for character in it.about]), it.knights, len(around))


@cache
def _constraint(kind: str, about: tuple[int, ...], knights: tuple[bool, ...], n: int) -> int:
    return mask(Statement(kind, 0, about, knights), n)


@lru_cache(maxsize=65_536)
def mask(it: Statement, n: int) -> int:
    """The truth table of (the speaker is a knight <-> the statement) over all n characters: 2^n bits."""
    every = (1 << (1 << n)) - 1
    return every ^ variable(it.speaker, n) ^ said(it, [variable(character, n) for character in it.about], every)


def fits(it: Statement, world: World) -> bool:
    """Whether the statement is true of a knight, or false of a knave."""
    return bool(said(it, [int(world[character]) for character in it.about], 1)) == world[it.speaker]


def subject(it: Statement) -> Subject:
    """What a statement is about."""
    return it.kind, frozenset(it.about)


def drawn(stream: Stream, speaker: int, others: Sequence[int], world: World, told: set[Subject]) -> Statement:
    """A statement of an even kind about some of `others`, at least three: kind and mentions are uniform among those not
    yet `told`, to which they are added, and what is said of them is uniform among all that fits `world`."""
    while True:  # nobody repeats anybody, whatever is said: this depends on no solution, so it tells nothing
        kind = stream.choice(EVEN)
        about = tuple(stream.sample(others, _ARITY.get(kind, 2)))
        if (kind, frozenset(about)) not in told:
            break
    told.add((kind, frozenset(about)))
    if kind == "parity":
        about = tuple(sorted(about))
    while True:  # half of all ways to put it fit
        knights = tuple([stream.coin() for _ in range(1 if kind in ("nested", "parity") else len(about))])
        it = Statement(kind, speaker, about, knights)
        if fits(it, world):
            return it


@lru_cache(maxsize=1024)
def sayings(kind: str, speaker: int, n: int) -> tuple[Saying, ...]:
    """Everything of one of the paper's kinds that one of n characters can say, in a fixed order."""
    if kind == "self":
        every = [Statement(kind, speaker, (speaker,), (True,))]
    else:
        arity = _ARITY.get(kind, 2)
        others = (character for character in range(n) if character != speaker)
        every = [
            Statement(kind, speaker, about, knights)
            for about in permutations(others, arity)
            for knights in product((True, False), repeat=arity)
        ]
    return tuple([(it, mask(it, n)) for it in every])


def notation(it: Statement) -> str:
    """As in `metadata["statements"]`, in the letters of the characters' places: `(A & ~C)`."""
    put = [("" if knight else "~") + letter(character) for character, knight in zip(it.about, it.knights)]
    if it.kind in _SIGNS:
        return f"({put[0]} {_SIGNS[it.kind]} {put[1]})"
    if it.kind == "nested":
        return f"{letter(it.about[0])}:({'' if it.knights[0] else '~'}{letter(it.about[1])})"
    if it.kind == "parity":
        first, second, third = map(letter, it.about)
        return f"{'' if it.knights[0] else '~'}({first} ^ ({second} ^ {third}))"
    if it.kind == "alternative":
        unlike = ("~" if it.knights[0] else "") + letter(it.about[0])
        return f"(({put[0]} > {put[1]}) & ({unlike} > {put[2]}))"
    return put[0]


@lru_cache(maxsize=16_384)
def text(it: Statement, names: tuple[str, ...]) -> str:
    """In English, without the full stop."""
    if it.kind == "nested":
        return f"{names[it.about[0]]} would say that {_put(it.about[1], it.knights[0], it.speaker, names)}"
    if it.kind == "parity":
        first, second, third = (names[character] for character in it.about)
        return f"The number of @Ks among {first}, {second} and {third} is {'odd' if it.knights[0] else 'even'}"
    put = [_put(character, knight, it.speaker, names) for character, knight in zip(it.about, it.knights, strict=True)]
    return _ENGLISH.get(it.kind, "{}").format(*put)


def _put(character: int, knight: bool, speaker: int, names: Sequence[str]) -> str:
    who = "I am" if character == speaker else f"{names[character]} is"
    return f"{who} a @K" if knight else f"{who} a @N"
