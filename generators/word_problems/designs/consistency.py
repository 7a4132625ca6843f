"""The consistency test: a comparison whose relation names the operation to carry out, or its opposite.

Each problem has a container, 0-2 transfers or rates, the comparison that introduces the second agent, and 0-2 more
transfers or rates; the question is about the second agent. Within a pair only the sentence of the comparison differs
(Opedal et al. 2024). Whoever carries out the opposite operation gets a possible result, too, at every step: a positive
whole number in range, which `trap` gives. Factors are from 2 to 6 whichever way they are worded.
"""

from __future__ import annotations

from typing import NamedTuple

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, packings, thing
from generators.word_problems.designs.chain import COMPARISON, RATE, TRANSFER, Drawn, Move, chain_problem, packed, sizes
from generators.word_problems.designs.quantities import (
    INVERSE,
    MOST_CONTENTS,
    MOST_HOLDERS,
    WIDTH,
    anchors,
    backwards,
    factor,
    result,
    small,
)
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]

_Steps = list[tuple[str, int]]


class _Shape(NamedTuple):
    """The moves without names and numbers."""

    kinds: tuple[str, ...]
    operators: str
    place: int
    """Of the comparison."""
    rate: int
    """The place of the rate, -1 if there is none."""

    @property
    def scaled(self) -> bool:
        """Whether the comparison multiplies or divides."""
        return self.operators[self.place] in "*/"


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the consistent problem first."""
    design, cast = own.child("design"), own.child("cast")
    shape = _shape(design)
    place, tested = shape.place, shape.operators[shape.place]
    first_number, right, wrong = _numbers(own.child("numbers"), shape)
    if shape.rate >= 0:
        filled = [packed(first_number, steps, shape.rate) for steps in (right, wrong)]
        things = packings(cast, vocabulary, shape.operators[shape.rate], *map(max, zip(*filled, strict=True)))
    else:
        (least, most), (wrong_least, wrong_most) = sizes(first_number, right), sizes(first_number, wrong)
        things = [thing(cast, vocabulary, (min(least, wrong_least), max(most, wrong_most)))]
    first, *others = agents(cast, vocabulary, 1 + len(right) - (shape.rate >= 0))
    moves = []
    for kind, operator in zip(shape.kinds, shape.operators, strict=True):
        if kind == RATE:
            moves.append(Move(RATE, operator, thing=things[1]))
        else:
            name = others.pop(0)
            # Half of the transfers name nobody on the other side.
            moves.append(Move(kind, operator, "" if kind == TRANSFER and design.coin() else name))
    numbers = [first_number, *(each for _, each in right)]
    easy = chain_problem(first, things[0], moves, numbers)
    moves[place] = moves[place]._replace(consistent=False)
    hard = chain_problem(first, things[0], moves, numbers)
    trap = {"trap": result(first_number, wrong)}
    return Drawn((easy, hard), tested * 2, (tested, INVERSE[tested]), more=(trap, trap))


def _shape(stream: Stream) -> _Shape:
    place, after = divmod(stream.below(9), 3)
    tested = "+-*/"[stream.below(4)]
    kinds, operators, rate = [], "", -1
    for at in range(place + 1 + after):
        if at == place:
            kinds.append(COMPARISON)
            operators += tested
        elif rate < 0 and stream.coin() and (at < place or tested in "+-"):
            rate = at
            kinds.append(RATE)
            # With a factor, too, it is the contents that people compare: nobody has 72 boxes.
            operators += "*" if tested in "*/" else "*/"[stream.below(2)]
        else:
            kinds.append(TRANSFER)
            operators += "+-"[stream.below(2)]
    if rate > 0 and operators[rate] == "*":
        # What is in the boxes is told at once: nobody gets boxes of who knows what.
        kinds.insert(0, kinds.pop(rate))
        operators = f"*{operators[:rate]}{operators[rate + 1 :]}"
        place += rate > place
        rate = 0
    return _Shape(tuple(kinds), operators, place, rate)


def _numbers(stream: Stream, shape: _Shape) -> tuple[int, _Steps, _Steps]:
    """The first number, the steps, and the steps of whoever carries out the opposite operation."""
    place, tested, scaled = shape.place, shape.operators[shape.place], shape.scaled
    # The number of the comparison is drawn once: whatever the others must be, it stays uniform.
    own = factor(stream) if scaled else small(stream, 1, 1)[0]
    while True:
        right: _Steps = []
        for at, operator in enumerate(shape.operators):
            if at == place:
                number = own
            elif at == shape.rate:
                number = factor(stream)
                while scaled and number == own:  # nobody multiplies by what they have divided by
                    number = factor(stream)
            else:
                number = small(stream, 1, len(shape.kinds) + 3 * scaled)[0]
            right.append((operator, number))
        wrong = [*right[:place], (INVERSE[tested], own), *right[place + 1 :]]
        back = backwards(right[:place])
        if scaled:  # start from the quotient
            back.insert(0, ("*", own))
            after = right[place + 1 :]
            values = anchors([back, [("*", own), ("*", own), *after], after], WIDTH // 2)
        else:
            values = anchors([back, right[place:], wrong[place:]], WIDTH)
        if not values:
            continue
        first = result(values[stream.below(len(values))], back)
        if shape.rate < 0:
            return first, right, wrong
        filled = [packed(first, steps, shape.rate) for steps in (right, wrong)]
        if all(contents <= MOST_CONTENTS and holders <= MOST_HOLDERS for contents, holders in filled):
            return first, right, wrong
