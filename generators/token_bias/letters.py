"""Letters on a die: which row of letters is likelier to turn up, after Tversky and Kahneman (1983)?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import permutations
from typing import Final, NamedTuple

from hansproof.generators.dataset import LEVEL, OPTION, Draft, MatchedConditions, Subset
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.lexicon.entries import sections
from hansproof.generators.token_bias.plan import OURS, Levels, Plan, Room, from_sets, stream_of
from hansproof.generators.token_bias.plan import PAPER as OF_PAPER

__all__ = ["LETTERS"]

# A row is written with `1` for the letter on most faces and `0` for the other. The rolls are read by an automaton whose
# state is how much of the row the last letters are (Knuth, Morris and Pratt 1977).

FACES = 6


@lru_cache(maxsize=100_000)
def occurrences(row: str, often: int, rolls: int) -> int:
    """Of the 6^rolls equally likely rolls of a die with `often` faces of the first letter, those that hold `row`."""
    weights = {"1": often, "0": FACES - often}
    steps = [
        (_matched(row, row[:state] + letter), weight) for state in range(len(row)) for letter, weight in weights.items()
    ]
    counts = [1, *[0] * len(row)]
    for _ in range(rolls):
        following = [0] * (len(row) + 1)
        following[-1] = counts[-1] * FACES
        for place, (state, weight) in enumerate(steps):
            following[state] += counts[place // 2] * weight
        counts = following
    return counts[-1]


def _matched(row: str, seen: str) -> int:
    """How many letters at the end of `seen` are the first ones of `row`."""
    return next(length for length in range(min(len(row), len(seen)), -1, -1) if seen.endswith(row[:length]))


# A row S is contained in X, which is S with one letter more at one end; so S turns up whenever X does, and X, with more
# of the letter on most faces, looks more like the die. The third row, T, is of another length than S.

OFTEN = 4
"""Faces of the letter on most faces, of six."""
ROLLS = (20, 30, 40)


class Kind(NamedTuple):
    """A question, and which of the rows it has for an answer."""

    question: str
    """`most` or `least` likely."""
    third: int
    """How many letters more than S the row T has."""
    gold: str
    """`S`, `X` or `T`."""


class Rows(NamedTuple):
    """The rows of an item, with `1` for the letter on most faces."""

    contained: str
    containing: str
    third: str


PAPER = (Kind("most", 1, "S"),)
BALANCED = (
    Kind("most", -1, "S"),
    Kind("most", 2, "S"),
    Kind("most", 2, "T"),
    Kind("least", -1, "T"),
    Kind("least", 2, "X"),
    Kind("least", -1, "X"),
)
"""Each equally often. The rows have six, seven and eight letters, and within each question the shortest, the middle and
the longest row is right a third of the time. So is the row that looks most (or least) like the die by its share of
letters: if T is right, it is that row, and if S or X is right, it is not."""


def rows_at(kind: Kind, rolls: int, shortest: int, own: Stream) -> Rows:
    """Rows of a kind, drawn until they fit, the shortest of so many letters.

    No two of the three are equally likely, and the right one is by a tenth likelier, or the next one by a tenth if the
    least likely is asked for. T has both letters, and neither contains another row nor is contained in one. Rows S of
    one letter alone, or that look like the die already, make no tempting X.
    """
    length = shortest - min(kind.third, 0)
    while True:
        contained, third = (_drawn(own, letters) for letters in (length, length + kind.third))
        containing = "1" + contained if own.coin() else contained + "1"
        s, x, t = (occurrences(row, OFTEN, rolls) for row in (contained, containing, third))
        tempting = 1 <= contained.count("1") <= length - 2 and len(set(third)) == 2
        if tempting and _is_gold(kind, s, x, t) and third not in containing and contained not in third:
            return Rows(contained, containing, third)


def _drawn(own: Stream, letters: int) -> str:
    return f"{own.below(2**letters):0{letters}b}"


def _is_gold(kind: Kind, s: int, x: int, t: int) -> bool:
    """Whether the right row is that of the kind, and clearly so; S is always likelier than X."""
    if t in (s, x) or s == x:
        return False
    if kind.question == "most":
        return s > t and 10 * s >= 11 * max(x, t) if kind.gold == "S" else kind.gold == "T" and 10 * t >= 11 * s
    return x < t and 10 * min(s, t) >= 11 * x if kind.gold == "X" else kind.gold == "T" and 10 * x >= 11 * t


_FACES_READ = re.compile(r"the letter ([A-Z]) on four faces and the letter ([A-Z]) on two")
_ROLLS = re.compile(r"\b([0-9]+) (?:times|rolls|letters)\b")
_OPTION = re.compile(r"^(\([a-c]\)) ([A-Z]+)$", re.MULTILINE)


def check(item: Item) -> list[str]:
    """Faults of an item: another answer than the one that the prompt leads to, or no such prompt."""
    faces, rolls, options = _FACES_READ.search(item.prompt), _ROLLS.search(item.prompt), _OPTION.findall(item.prompt)
    question = [word for word in ("most", "least") if f" {word} likely" in item.prompt]
    if not faces or not rolls or len(options) != 3 or len(question) != 1:
        return ["the prompt does not describe a die, a number of rolls, one question and three rows of letters"]
    if {letter for _, row in options for letter in row} - set(faces.groups()):
        return ["a row has a letter that is not on the die"]
    shares = {
        label: share_of_rolls(row.replace(faces[1], "1").replace(faces[2], "0"), int(rolls[1]))
        for label, row in options
    }
    best = (max if question == ["most"] else min)(shares.values())
    right = [label for label, share in shares.items() if share == best]
    if len(right) > 1:
        return [f"{' and '.join(right)} are equally likely"]
    return [] if item.answer == right[0] else [f"answer is {item.answer!r}, not {right[0]!r}"]


@lru_cache(maxsize=100_000)
def share_of_rolls(row: str, rolls: int) -> Fraction:
    """The probability that `row` turns up in `rolls` rolls of a die with `1` on four faces, `0` on two.

    By first occurrences: of all rolls that end in the row after n rolls, those are left out in which it ended earlier,
    with or without an overlap (Guibas and Odlyzko 1981).
    """
    of = {"1": Fraction(2, 3), "0": Fraction(1, 3)}
    tails = [Fraction(1)]  # probability of the last k letters
    for letter in reversed(row):
        tails.append(tails[-1] * of[letter])
    length = len(row)
    overlaps = [shift for shift in range(1, length) if row[shift:] == row[: length - shift]]
    first: dict[int, Fraction] = {}
    for end in range(length, rolls + 1):
        earlier = sum((first[n] for n in range(length, end - length + 1)), Fraction(0)) * tails[length]
        lapped = sum((first[end - shift] * tails[shift] for shift in overlaps if end - shift >= length), Fraction(0))
        first[end] = tails[length] - earlier - lapped
    return sum(first.values(), Fraction(0))


LABELS = ("(a)", "(b)", "(c)")

HINTS = dict(zip(("weak", "strong"), sections("hints")["letters"], strict=True))
"""By the names that styles give them."""


def _steps(item: Item) -> str:
    """What is contained in what, what each sequence takes at one place, and the exact chances in all rolls."""
    about = item.metadata
    often, seldom, rolls = about["often"], about["seldom"], about["rolls"]
    rows = [about[name] for name in ("contained", "containing", "third")]
    at_one_place, in_all = [], []
    for row in rows:
        plain = row.replace(often, "1").replace(seldom, "0")
        place = Fraction(OFTEN, FACES) ** plain.count("1") * Fraction(FACES - OFTEN, FACES) ** plain.count("0")
        at_one_place.append(f"{place} for {row}")
        in_all.append(f"{100 * occurrences(plain, OFTEN, rolls) / FACES**rolls:.3g} % for {row}")
    return (
        f"{rows[0]} is a part of {rows[1]}, so it turns up whenever {rows[1]} does, and at other times too. At any one "
        f"place, {often} has a chance of 2/3 and {seldom} of 1/3; that makes {_listed(at_one_place)}. Counted over all "
        f"{rolls} rolls, with overlaps, the chances are {_listed(in_all)}. So {about['gold']} is the "
        f"{about['question']} likely one."
    )


def _listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


FORM = replace(OPTION, reasoning=_steps)
"""One of three options, with worked reasoning."""

_DICE = (
    "A fair six-sided die has the letter G on four faces and the letter R on two. Somebody rolls it 25 times and keeps "
    "a record of the letters. Which of these sequences is most likely to turn up as consecutive letters?\n"
    "(a) RGRRR\n(b) GRGRRR\n(c) GRRRRR"
)

EXAMPLES: Mapping[str, Callable[[str], Draft]] = {
    "wrong": lambda subset: Draft(
        _DICE, LABELS, "(b)", "example", "example", {"often": "G", "seldom": "R", "rolls": 25}
    )
}
"""By the name that styles give it: the sequences of Tversky and Kahneman (1983), with another number of rolls than any
item has; the answer is wrong on purpose."""

_ORIGINAL: Final = ("G", "R")
_ALIKE: Final = tuple("BD BP CQ DP DQ FP FT HK HM HN JL JT KX LT MN MW NW NZ SZ VW VX".split())  # noqa: SIM905
"""Letters that are hard to tell apart."""
_PAIRS: Final = tuple(pair for pair in permutations("BCDFHJKLMNPQSTVWXZ", 2) if "".join(sorted(pair)) not in _ALIKE)
_ORDERS: Final = tuple(permutations(range(3)))
_TEXTS: Final = sections("dice")
_FACES_SENTENCE: Final = "the letter {often} on four faces and the letter {seldom} on two"


def _group(kinds: tuple[Kind, ...], stream: Stream, subset: str, number: int) -> list[Draft]:
    root = stream_of(stream, subset)
    own = root.child(number)
    cells = len(kinds) * len(_ORDERS)
    turn, place = divmod(number, cells)
    cell, order = divmod(_turn(root, turn, cells)[place], len(_ORDERS))
    kind = kinds[cell]
    rolls = own.choice(ROLLS)
    # With fewer letters than six there are few rows T that are the least likely, and they could be learnt by heart.
    shortest = int(subset.partition(LEVEL)[2] or (6 if kinds is BALANCED else own.integer(4, 6)))
    rows = rows_at(kind, rolls, shortest, own)
    # Items with the letters of the original alone would share so many sequences that they were one large group.
    first = own.choice(_PAIRS) if kinds is BALANCED else _ORIGINAL
    second = own.choice([pair for pair in _PAIRS if not set(pair) & set(first)])
    scene, question = own.choice(_TEXTS["scenes"]), own.choice(_TEXTS["questions"]).format(question=kind.question)
    label = LABELS[_ORDERS[order].index("SXT".index(kind.gold))]
    drafts = []
    for condition, (often, seldom) in (("original", first), ("letters", second)):
        written = [row.replace("1", often).replace("0", seldom) for row in rows]
        told = scene.format(faces=_FACES_SENTENCE.format(often=often, seldom=seldom), rolls=rolls)
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
        prompt = f"{told} {question}\n{listed}"
        drafts.append(Draft(prompt, LABELS, label, f"{subset}-{number:06d}", condition, metadata))
    return drafts


@lru_cache(maxsize=64)
def _turn(root: Stream, turn: int, cells: int) -> list[int]:
    """Every kind in every order of the options once a turn, so that they are equally often; shuffled."""
    return root.child("cells").child(turn).shuffled(range(cells))


def _plan(kinds: tuple[Kind, ...], sets: int, description: str) -> Plan:
    balanced = kinds is BALANCED
    subset = Subset(
        2 * sets,
        description,
        FORM,
        matched=MatchedConditions("original", ("letters",)),
        hints=HINTS,
        examples=EXAMPLES,
        exploit="" if balanced else "the shortest row of letters is always the most likely one",
        balanced=balanced,
    )
    make = from_sets(partial(_group, kinds), 2)
    return Plan(make, check, subset, *((OURS, _LENGTHS) if balanced else (OF_PAPER,)))


_LENGTHS: Final = Levels(
    "letters of the shortest sequence",
    5,
    14,
    "who estimates each chance from 100 simulated runs gets 90 % right at 5 letters, 67 % at 8 and 36 % at 14",
)


LETTERS: Room = {
    "letters": _plan(PAPER, 100, "The likeliest of three rows of letters from a die: one is contained in another."),
    "balanced-letters": _plan(
        BALANCED,
        972,
        "The most or the least likely of three rows: no length is right, nor what looks most like the die.",
    ),
}
"""Subset -> how its items are made, in the order of the release."""
