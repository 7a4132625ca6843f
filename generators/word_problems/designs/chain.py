"""What all designs share: numbers, people and things, and chains of moves that start from each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from hansproof.generators.errors import InputError
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.english.vocabulary import VOCABULARY
from hansproof.generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Thing, Transfer

__all__ = [
    "CHANGES",
    "COMPARISON",
    "INVERSE",
    "KEYWORDS",
    "LOW",
    "MOST",
    "TRANSFER",
    "WIDTH",
    "Drawn",
    "Move",
    "Shares",
    "agents",
    "anchors",
    "backwards",
    "block",
    "changes",
    "comparison",
    "factor",
    "forms_of",
    "path",
    "problem_of",
    "result",
    "small",
    "start",
    "thing",
    "turned",
    "uneven",
    "worked",
]

# Wherever somebody has something, they have 2 to 999 of it; so nothing is 0 and no quotient is 1. Where all steps add
# or subtract, the first number exceeds the sum of the others: the numbers work out in either direction at every step,
# so they say nothing about the directions.

LOW, MOST = 2, 999
"""The fewest and the most of a thing that anybody ever has."""
WIDTH = 20
"""How many values a start is drawn from. It is a multiple of ten: the last digit of a result is uniform."""
INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}
_FACTORS = range(2, 7)

Path = Sequence[tuple[str, int]]
"""Operations one after the other: (operator, number)."""


def factor(stream: Stream) -> int:
    """A number to multiply or to divide by: 2 to 6, for which there are plain words (twice, half, a sixth)."""
    return _FACTORS[stream.below(len(_FACTORS))]


def small(stream: Stream, count: int, steps: int) -> list[int]:
    """`count` numbers to add or to subtract in a problem of `steps` steps: from 2 to 20, 12 or 9, the more the fewer.

    People lose 19 apples once, not twelve times in a row. No two neighbours are equal, and each number is uniform.
    """
    top = 20 if steps <= 3 else 12 if steps <= 6 else 9
    others = top - LOW
    value, last = divmod(stream.below((others + 1) * others ** (count - 1 if count else 0)), others + 1)
    numbers = [last + LOW] if count else []
    for _ in range(count - 1):
        value, digit = divmod(value, others)
        last = digit if digit < last else digit + 1
        numbers.append(last + LOW)
    return numbers


def uneven(stream: Stream, count: int, steps: int) -> list[int]:
    """The same with an odd sum, if there are several: so they never cancel, whatever the signs."""
    while True:
        numbers = small(stream, count, steps)
        if count < 2 or sum(numbers) % 2:
            return numbers


def start(stream: Stream, numbers: Sequence[int]) -> int:
    """A first number from which `numbers` can be added or subtracted with any signs, each value equally likely.

    All results are above the largest of them, so that no answer stands in the text; the last digit is uniform, so that
    of the result is, whatever the signs.
    """
    return LOW + sum(numbers) + max(numbers) + stream.below(WIDTH)


def anchors(paths: Sequence[Path], width: int, most: int = MOST) -> list[int]:
    """The smallest `width` values from which all `paths` lead to whole results between LOW and `most` at every step.

    Ascending, and fewer where there are not so many.
    """
    # Along a path the result is (scale * value + shift) / part, so every demand is a bound or a congruence.
    lowest, highest = LOW, most
    congruences = []
    for path in paths:
        scale, shift, part = 1, 0, 1
        for operator, number in path:
            if operator == "+":
                shift += number * part
            elif operator == "-":
                shift -= number * part
            elif operator == "*":
                scale *= number
                shift *= number
            else:
                part *= number
                congruences.append((scale, shift, part))
            if operator in "+*":  # what grows can become too much only, what shrinks too little
                top = (most * part - shift) // scale
                highest = top if top < highest else highest
            else:
                least = -((shift - LOW * part) // scale)
                lowest = least if least > lowest else lowest
    if not congruences:
        return list(range(lowest, min(highest, lowest + width - 1) + 1))
    fitting: list[int] = []
    for value in range(lowest, highest + 1):
        for scale, shift, part in congruences:
            if (scale * value + shift) % part:
                break
        else:
            fitting.append(value)
            if len(fitting) == width:
                break
    return fitting


def backwards(path: Path) -> list[tuple[str, int]]:
    """The path from the end of `path` to its start."""
    return [(INVERSE[operator], number) for operator, number in reversed(path)]


def result(value: int, path: Path) -> int:
    """Where `path` leads from `value`. Divisions are exact by design."""
    for operator, number in path:
        if operator == "+":
            value += number
        elif operator == "-":
            value -= number
        elif operator == "*":
            value *= number
        else:
            value //= number
    return value


def worked(value: int, path: Path) -> tuple[list[str], int, int]:
    """The steps of `path` from `value` as equations, `5 + 3 = 8`, and the fewest and the most of a thing in them.

    Factors are no amounts: `three times as many apples` says nothing of 3 apples.
    """
    steps = []
    fewest = most = value
    for operator, number in path:
        if operator == "+":
            after = value + number
        elif operator == "-":
            after = value - number
        else:
            after = value * number if operator == "*" else value // number
        steps.append(f"{value} {operator} {number} = {after}")
        value = after
        if value < fewest:
            fewest = value
        elif value > most:
            most = value
        if number < fewest and operator in "+-":
            fewest = number
    return steps, fewest, most


# Numbers are drawn first. A thing is drawn among those that one person may plausibly have so many of.


_FEW = 10
_NAMES = len(VOCABULARY.names)
_EIGHT = _NAMES**8
_SEX = {name: at % 2 for at, name in enumerate(VOCABULARY.names)}


def agents(stream: Stream, count: int, like: Sequence[str] = ()) -> list[str]:
    """`count` different names, in the order in which they appear; no two begin alike: with the same letter, or among
    more than ten with the same two.

    With `like`, a person as many as there are, each of the same sex as the one in the same place and none of them.
    """
    names, size = VOCABULARY.names, _NAMES
    chosen: list[str] = []
    letters = 1 if count <= _FEW else 2
    starts = {name[:letters] for name in like}
    wanted, draws = len(like) or count, 0
    while len(chosen) < wanted:
        if not draws:  # as many names as fit into 64 bits
            draws, value = 8, stream.below(_EIGHT)
        draws -= 1
        value, at = divmod(value, size)
        if like:  # women and men take turns in the list
            at = (at + (_SEX[like[len(chosen)]] - at) % 2) % size
        name = names[at]
        start = name[:letters]
        if start not in starts:
            starts.add(start)
            chosen.append(name)
    return chosen


def thing(stream: Stream, low: int, high: int) -> Thing:
    """A thing of which one person may have from `low` to `high`; half of those that may have an attribute have one.

    Raises InputError if nobody has so many of anything.
    """
    stocks = VOCABULARY.fitting(low, high)
    if not stocks:
        raise InputError(f"nobody has {high} of anything that fits", "vocabulary")
    stock = stream.choice(stocks)
    if stock.attributes and stream.coin():
        return stock.thing._replace(attribute=stream.choice(stock.attributes))
    return stock.thing


@lru_cache(64)
def _blocks(root: Stream) -> Stream:
    return root.child("block")


def block(root: Stream, number: int) -> Stream:
    """The stream of what neighbouring groups share, so that they balance each other."""
    return _blocks(root).child(number)


COMPARISON, TRANSFER = "comparison", "transfer"
KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part", "": "none"}
"""Relation of a comparison -> its name in `metadata`; "" stands for no comparison."""


class Move(NamedTuple):
    """One step of the calculation: the previous result (operator) a number."""

    kind: str
    """COMPARISON or TRANSFER."""
    operator: str
    named: bool = True
    """Whether it names somebody new: whom a comparison introduces, or the other party to a transfer."""
    consistent: bool = True
    """For a comparison: whether the new agent is the subject, so that the relation names the operator itself."""

    @property
    def relation(self) -> str:
        """The relation that the sentence of a comparison names; "" for other moves."""
        if self.kind != COMPARISON:
            return ""
        return self.operator if self.consistent else INVERSE[self.operator]


class Shares(NamedTuple):
    """What the problems of a group have in common as texts; at most one of these is set."""

    tested: int = -1
    """Index of the sentence in which people change places, so that nobody near it can be `she`; -1 for none."""
    matched: bool = False
    """The problems have different sentences, equally long: a story of transfers, then one of comparisons."""
    idle: int = -1
    """Index of the sentence that matters to nobody; the first problem lacks the sentences from there, `idles` many."""
    idles: int = 0
    again: int = 0
    """How many of the last problems have the same sentences as the first in other words."""


class Drawn(NamedTuple):
    """What a design draws: the problems of a group, or a single problem."""

    problems: tuple[Problem, ...]
    steps: tuple[list[str], ...]
    """Per problem, or once for all: the calculation."""
    operations: str = ""
    """Per problem: the operator of the sentence under test, one character each; empty where none is."""
    relations: tuple[str, ...] = ()
    """Per problem: the relation of the comparison under test, "" if there is none."""
    more: tuple[Mapping[str, Any], ...] = ()
    """Per problem: what the design adds to `metadata`."""
    shares: Shares = Shares()


# Moves are immutable and there are few of them, so each is made once.

CHANGES = tuple(Move(TRANSFER, sign, named) for named in (False, True) for sign in "+-")
"""Transfers to ("+") or from somebody: without a name (0, 1), with one (2, 3)."""


@cache
def comparison(operator: str, consistent: bool) -> Move:
    """A comparison that takes the operation."""
    return Move(COMPARISON, operator, True, consistent)


def changes(count: int, signs: int, named: int) -> list[Move]:
    """`count` transfers; bits of `signs` say which of them are from somebody, bits of `named` which have a name."""
    return [CHANGES[signs >> at & 1 | (named >> at & 1) << 1] for at in range(count)]


def forms_of(
    names: Iterable[str], thing: Thing, moves: Sequence[Move], numbers: Sequence[int]
) -> tuple[list[Form], str]:
    """The forms, and the agent whose number the last move gives.

    `names` holds the first agent, then whom the moves name (further names are not used); `numbers` holds the number of
    the container, then one number per move.
    """
    ahead = iter(names)
    agent = next(ahead)
    forms: list[Form] = [Container(agent, numbers[0], thing)]
    for (kind, operator, named, consistent), quantity in zip(moves, numbers[1:], strict=True):
        name = next(ahead) if named else ""
        if kind == TRANSFER:
            receiver, sender = (agent, name) if operator == "+" else (name, agent)
            forms.append(Transfer(receiver, sender, quantity, thing))
        else:
            if consistent:
                forms.append(Comparison(name, operator, agent, quantity, thing))
            else:
                forms.append(Comparison(agent, INVERSE[operator], name, quantity, thing))
            agent = name
    return forms, agent


def problem_of(names: Iterable[str], thing: Thing, moves: Sequence[Move], numbers: Sequence[int]) -> Problem:
    """The whole problem; the question asks for the result of the last move."""
    forms, last = forms_of(names, thing, moves, numbers)
    return Problem(tuple(forms), Question("count", (last,), thing))


def turned(problem: Problem, place: int) -> Problem:
    """The problem in which the two agents of the comparison at index `place` change places."""
    forms = problem.forms
    compared = forms[place]
    assert isinstance(compared, Comparison)
    agent, relation, other, quantity, thing = compared
    swapped = Comparison(other, relation, agent, quantity, thing)
    return Problem((*forms[:place], swapped, *forms[place + 1 :]), problem.question)


def path(moves: Sequence[Move], numbers: Sequence[int]) -> list[tuple[str, int]]:
    """The operations of the moves; one number per move."""
    return [(move.operator, number) for move, number in zip(moves, numbers, strict=True)]
