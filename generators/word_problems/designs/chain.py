"""What all designs share: numbers, people and things, and chains of moves that start from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hansproof.generators.errors import InputError
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Rate,
    Stock,
    Thing,
    Transfer,
    Vocabulary,
)

__all__ = [
    "COMPARISON",
    "INVERSE",
    "KEYWORDS",
    "LOW",
    "MOST",
    "MOST_CONTENTS",
    "MOST_HOLDERS",
    "RATE",
    "TRANSFER",
    "WIDTH",
    "Drawn",
    "Move",
    "agents",
    "anchors",
    "backwards",
    "factor",
    "forms_of",
    "packed",
    "packings",
    "path",
    "problem_of",
    "result",
    "sizes",
    "small",
    "start",
    "thing",
    "turned",
]

# Wherever somebody has something, they have 2 to 999 of it; so nothing is 0, no box is the only one, no quotient is 1.
# Where all steps add or subtract, the first number exceeds the sum of the others: the numbers work out in either
# direction at every step, so they say nothing about the directions.

LOW, MOST = 2, 999
"""The fewest and the most of a thing that anybody ever has."""
MOST_CONTENTS, MOST_HOLDERS = 500, 60
"""The most things that anybody packs, and the most boxes that they have."""
WIDTH = 20
"""How many values a start is drawn from. It is a multiple of ten: the last digit of a result is uniform."""
INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}
_FACTORS = range(2, 7)
_TOPS = ((3, 20), (6, 12), (99, 9))

Path = Sequence[tuple[str, int]]
"""Operations one after the other: (operator, number)."""


def factor(stream: Stream) -> int:
    """A number to multiply or to divide by: 2 to 6, for which there are plain words (twice, half, a sixth)."""
    return _FACTORS[stream.below(len(_FACTORS))]


def small(stream: Stream, count: int, steps: int) -> list[int]:
    """`count` numbers to add or to subtract in a problem of `steps` steps: from 2 to 20, 12 or 9, the more the fewer.

    People lose 19 apples once, not twelve times in a row. No two neighbours are equal, and each number is uniform.
    """
    top = next(top for most, top in _TOPS if steps <= most)
    sides = top - LOW + 1
    value, last = divmod(stream.below(sides * (sides - 1) ** max(count - 1, 0)), sides)
    numbers = [last + LOW] if count else []
    for _ in range(count - 1):
        value, digit = divmod(value, sides - 1)
        last = digit + (digit >= last)
        numbers.append(last + LOW)
    return numbers


def start(stream: Stream, numbers: Sequence[int]) -> int:
    """A first number from which `numbers` can be added or subtracted with any signs, each value equally likely.

    It is above their sum; its last digit is uniform, so that of the result is, whatever the signs.
    """
    return LOW + sum(numbers) + stream.below(WIDTH)


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
            lowest = max(lowest, -((shift - LOW * part) // scale))
            highest = min(highest, (most * part - shift) // scale)
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


# Numbers are drawn first. A thing is drawn among those that one person may plausibly have so many of.

_TRIES = 30


def agents(stream: Stream, vocabulary: Vocabulary, count: int) -> list[str]:
    """`count` different names, in the order in which they appear.

    No two begin with the same two letters if the vocabulary has enough names for that.
    """
    for _ in range(_TRIES):
        names: dict[str, str] = {}
        for name in stream.sample(vocabulary.names, min(4 * count, len(vocabulary.names))):
            names.setdefault(name[:2], name)
            if len(names) == count:
                return list(names.values())
    return stream.sample(vocabulary.names, count)


def thing(stream: Stream, vocabulary: Vocabulary, sizes: tuple[int, int], beside: Thing | None = None) -> Thing:
    """A thing of which one person may have as few and as many as `sizes` says; half of them have an attribute.

    It is something else that people in the setting of `beside` have, if that is given. Raises InputError if nobody has
    so many of anything.
    """
    low, high = sizes
    stocks = vocabulary.beside(beside, high, low) if beside else vocabulary.fitting(high, low)
    return _described(stream, _drawn(stream, stocks, high))


def packings(stream: Stream, vocabulary: Vocabulary, rates: str, contents: int, holders: int) -> list[Thing]:
    """The things counted before, between and after the rates.

    "*" goes from containers to contents, "/" from contents to containers, "*/" from containers through contents to
    other containers. Nobody has more than `contents` of the contents, or than `holders` of the containers. Raises
    InputError if nothing is packed in so many.
    """
    stocks = vocabulary.packed(contents, holders, len(rates))
    stock = _drawn(stream, stocks, contents)
    what = _described(stream, stock)
    boxes = stream.sample(stock.holding(holders), len(rates))
    if rates == "*":
        return [boxes[0], what]
    if rates == "/":
        return [what, boxes[0]]
    return [boxes[0], what, boxes[1]]


def _drawn(stream: Stream, stocks: tuple[Stock, ...], high: int) -> Stock:
    if not stocks:
        raise InputError(f"nobody has {high} of anything that fits", "vocabulary")
    return stream.choice(stocks)


def _described(stream: Stream, stock: Stock) -> Thing:
    """The thing, with an attribute in half of the cases where it may have one."""
    if stock.attributes and stream.coin():
        return stock.thing._replace(attribute=stream.choice(stock.attributes))
    return stock.thing


COMPARISON, RATE, TRANSFER = "comparison", "rate", "transfer"
KEYWORDS = {"+": "more", "-": "fewer", "*": "times", "/": "part", "": "none"}
"""Relation of a comparison -> its name in `metadata`; "" stands for no comparison."""


class Move(NamedTuple):
    """One step of the calculation: the previous result (operator) a number."""

    kind: str
    """COMPARISON, RATE or TRANSFER."""
    operator: str
    name: str = ""
    """The agent whom a comparison introduces, or the other party to a transfer; "" if nobody is named."""
    consistent: bool = True
    """For a comparison: whether the new agent is the subject, so that the relation names the operator itself."""
    thing: Thing | None = None
    """For a rate: the thing that is counted after it."""

    @property
    def relation(self) -> str:
        """The relation that the sentence of a comparison names; "" for other moves."""
        if self.kind != COMPARISON:
            return ""
        return self.operator if self.consistent else INVERSE[self.operator]


class Drawn(NamedTuple):
    """What a design draws: the problems of a group, the original first, or a single problem."""

    problems: tuple[Problem, ...]
    operations: str
    """Per problem: the operator of the sentence under test, one character each."""
    relations: tuple[str, ...]
    """Per problem: the relation of the comparison under test, "" if there is none."""
    same_steps: bool = True
    """Whether all problems have the same arithmetic expressions, so that they need solving only once."""
    more: tuple[Mapping[str, int | str], ...] = ()
    """Per problem: what the design adds to `metadata`."""
    wordings: tuple[int, ...] = ()
    """Per problem: which draw of words and sentences it has; all have the same one where it is empty."""


def forms_of(agent: str, thing: Thing, moves: Sequence[Move], numbers: Sequence[int]) -> tuple[list[Form], str, Thing]:
    """The forms, and the agent and the thing whose number the last move gives.

    `numbers` holds the number of the container, then one number per move.
    """
    forms: list[Form] = [Container(agent, numbers[0], thing)]
    for (kind, operator, name, consistent, after), quantity in zip(moves, numbers[1:], strict=True):
        if kind == TRANSFER:
            receiver, sender = (agent, name) if operator == "+" else (name, agent)
            forms.append(Transfer(receiver, sender, quantity, thing))
        elif kind == RATE:
            assert after is not None
            many, few = (after, thing) if operator == "*" else (thing, after)
            forms.append(Rate(agent, quantity, many, few))
            thing = after
        else:
            if consistent:
                forms.append(Comparison(name, operator, agent, quantity, thing))
            else:
                forms.append(Comparison(agent, INVERSE[operator], name, quantity, thing))
            agent = name
    return forms, agent, thing


def problem_of(agent: str, thing: Thing, moves: Sequence[Move], numbers: Sequence[int]) -> Problem:
    """The whole problem; the question asks for the result of the last move."""
    forms, last, left = forms_of(agent, thing, moves, numbers)
    return Problem(tuple(forms), Question("count", (last,), left))


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


def sizes(first: int, steps: Path) -> tuple[int, int]:
    """The fewest and the most of a thing that a chain of additions, subtractions and comparisons speaks of.

    Factors are no amounts: `three times as many apples` says nothing of 3 apples.
    """
    value = fewest = most = first
    for operator, number in steps:
        value = result(value, ((operator, number),))
        if operator in "+-" and number < fewest:
            fewest = number
        if value < fewest:
            fewest = value
        elif value > most:
            most = value
    return fewest, most


def packed(first: int, steps: Path, place: int) -> tuple[int, int]:
    """The most contents, and the most containers, in a chain whose step at `place` is a rate."""
    before = sizes(first, steps[:place])[1]
    after = sizes(result(first, steps[: place + 1]), steps[place + 1 :])[1]
    return (after, before) if steps[place][0] == "*" else (before, after)
