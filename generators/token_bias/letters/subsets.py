"""The subsets of letters on a die."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Final

from generators.dataset import Contrast, Draft, Subset
from generators.stream import Stream
from generators.token_bias.letters.advice import EXAMPLES, FORM, HINTS, LABELS
from generators.token_bias.letters.designs import BALANCED, PAPER, ROLLS, Kind, rows_of, shortest_rows
from generators.token_bias.letters.reading import check
from generators.token_bias.plan import OURS, Plan, Room
from generators.token_bias.plan import PAPER as OF_PAPER

__all__ = ["LETTERS"]

_ORIGINAL: Final = ("G", "R")
_ALIKE: Final = tuple("BD BP CQ DP DQ FP FT HK HM HN JL JT KX LT MN MW NW NZ SZ VW VX".split())  # noqa: SIM905
"""Letters that are hard to tell apart."""
_PAIRS: Final = tuple(pair for pair in permutations("BCDFHJKLMNPQSTVWXZ", 2) if "".join(sorted(pair)) not in _ALIKE)
_ORDERS: Final = tuple(permutations(range(3)))
_SCENES: Final = (
    "A fair six-sided die has {faces}. It is rolled {rolls} times, and the letters are written down in a row.",
    "A fair six-sided die has {faces}. Somebody rolls it {rolls} times and notes down each letter in turn.",
    "A fair six-sided die has {faces}. It is rolled {rolls} times, and the letters are noted in order.",
    "A fair six-sided die has {faces}. A machine rolls it {rolls} times and prints the letters in one line.",
    "There is a fair six-sided die with {faces}. A child rolls it {rolls} times and writes the letters side by side.",
    "A game is played with a fair six-sided die that has {faces}. The die is rolled {rolls} times, and every letter is "
    "written down.",
)
_FACES: Final = "the letter {often} on four faces and the letter {seldom} on two"
_QUESTIONS: Final = (
    "Which of these sequences is {question} likely to appear, without a gap, somewhere among the letters?",
    "Which sequence is {question} likely to turn up, without a gap, somewhere among these letters?",
    "Which of these sequences is {question} likely to turn up among the letters as an unbroken stretch?",
    "Which of the three sequences is {question} likely to be found among the letters as an unbroken stretch?",
    "Which of these sequences is {question} likely to occur at least once as consecutive letters?",
)


def _group(kinds: tuple[Kind, ...], stream: Stream, subset: str, number: int) -> tuple[Draft, Draft]:
    root = _root(stream, subset)
    own = root.child(number)
    cells = len(kinds) * len(_ORDERS)
    turn, place = divmod(number, cells)
    cell, order = divmod(_turn(root, turn, cells)[place], len(_ORDERS))
    kind = kinds[cell]
    rolls = own.choice(ROLLS)
    rows = own.choice(rows_of(kind, rolls, own.choice(shortest_rows(kinds))))
    # Items with the letters of the original alone would share so many sequences that they were one large group.
    first = own.choice(_PAIRS) if kinds is BALANCED else _ORIGINAL
    second = own.choice([pair for pair in _PAIRS if not set(pair) & set(first)])
    scene, question = own.choice(_SCENES), own.choice(_QUESTIONS).format(question=kind.question)
    label = LABELS[_ORDERS[order].index("SXT".index(kind.gold))]
    drafts = []
    for condition, (often, seldom) in (("original", first), ("letters", second)):
        written = [row.replace("1", often).replace("0", seldom) for row in rows]
        told = scene.format(faces=_FACES.format(often=often, seldom=seldom), rolls=rolls)
        listed = "\n".join(f"{LABELS[place]} {written[which]}" for place, which in enumerate(_ORDERS[order]))
        metadata = {
            "often": often,
            "seldom": seldom,
            "rolls": rolls,
            "question": kind.question,
            "contained": written[0],
            "containing": written[1],
            "third": written[2],
            "gold": written["SXT".index(kind.gold)],
        }
        drafts.append(
            Draft(f"{told} {question}\n{listed}", LABELS, label, f"{subset}-{number:06d}", condition, metadata)
        )
    return drafts[0], drafts[1]


@lru_cache(maxsize=64)
def _root(stream: Stream, subset: str) -> Stream:
    return stream.child(subset)


@lru_cache(maxsize=64)
def _turn(root: Stream, turn: int, cells: int) -> list[int]:
    """Every kind in every order of the options once a turn, so that they are equally often; shuffled."""
    return root.child("cells").child(turn).shuffled(range(cells))


def _plan(kinds: tuple[Kind, ...], groups: int, description: str) -> Plan:
    balanced = kinds is BALANCED
    subset = Subset(
        2 * groups,
        description,
        FORM,
        contrast=Contrast("original", ("letters",)),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if balanced else "the shortest row of letters is always the most likely one",
        balanced=balanced,
    )

    @lru_cache(maxsize=8)
    def group(stream: Stream, name: str, number: int) -> tuple[Draft, Draft]:
        return _group(kinds, stream, name, number)

    def make(stream: Stream, name: str, index: int) -> Draft:
        return group(stream, name, index // 2)[index % 2]

    return Plan(make, check, subset, OURS if balanced else OF_PAPER)


LETTERS: Room = {
    "letters": _plan(PAPER, 100, "The likeliest of three rows of letters from a die: one is contained in another."),
    "balanced-letters": _plan(
        BALANCED,
        1_000,
        "The most or the least likely of three rows: no length is right, nor what looks most like the die.",
    ),
}
"""Subset -> how its items are made, in the order of the release."""
