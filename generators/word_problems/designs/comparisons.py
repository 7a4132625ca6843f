"""Comparisons whose keyword names the operation, its opposite, or neither."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain
from hansproof.generators.word_problems.forms import Vocabulary

__all__ = ["draw_additive", "draw_consistency", "draw_multiplicative"]

# Within a pair only the sentence of the comparison differs (Opedal et al. 2024). The opposite operation gives a
# possible result at every step, too: `trap`. Factors are from 2 to 6 whichever way they are worded.

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


def draw_consistency(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw pair `number`: the consistent problem first."""
    design, cast = own.child("design"), own.child("cast")
    shape = _shape(design)
    place, tested = shape.place, shape.operators[shape.place]
    first_number, right, wrong = _numbers(own.child("numbers"), shape)
    if shape.rate >= 0:
        filled = [chain.packed(first_number, steps, shape.rate) for steps in (right, wrong)]
        things = chain.packings(cast, vocabulary, shape.operators[shape.rate], *map(max, zip(*filled, strict=True)))
    else:
        (least, most), (wrong_least, wrong_most) = chain.sizes(first_number, right), chain.sizes(first_number, wrong)
        things = [chain.thing(cast, vocabulary, (min(least, wrong_least), max(most, wrong_most)))]
    first, *others = chain.agents(cast, vocabulary, 1 + len(right) - (shape.rate >= 0))
    moves = []
    for kind, operator in zip(shape.kinds, shape.operators, strict=True):
        if kind == chain.RATE:
            moves.append(chain.Move(chain.RATE, operator, thing=things[1]))
        else:
            name = others.pop(0)
            # Half of the transfers name nobody on the other side.
            moves.append(chain.Move(kind, operator, "" if kind == chain.TRANSFER and design.coin() else name))
    numbers = [first_number, *(each for _, each in right)]
    easy = chain.problem_of(first, things[0], moves, numbers)
    moves[place] = moves[place]._replace(consistent=False)
    hard = chain.problem_of(first, things[0], moves, numbers)
    trap = {"trap": chain.result(first_number, wrong)}
    return chain.Drawn((easy, hard), tested * 2, (tested, chain.INVERSE[tested]), more=(trap, trap))


def _shape(stream: Stream) -> _Shape:
    place, after = divmod(stream.below(9), 3)
    tested = "+-*/"[stream.below(4)]
    kinds, operators, rate = [], "", -1
    for at in range(place + 1 + after):
        if at == place:
            kinds.append(chain.COMPARISON)
            operators += tested
        elif rate < 0 and stream.coin() and (at < place or tested in "+-"):
            rate = at
            kinds.append(chain.RATE)
            # With a factor, too, it is the contents that people compare: nobody has 72 boxes.
            operators += "*" if tested in "*/" else "*/"[stream.below(2)]
        else:
            kinds.append(chain.TRANSFER)
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
    own = chain.factor(stream) if scaled else chain.small(stream, 1, 1)[0]
    while True:
        right: _Steps = []
        for at, operator in enumerate(shape.operators):
            if at == place:
                number = own
            elif at == shape.rate:
                number = chain.factor(stream)
                while scaled and number == own:  # nobody multiplies by what they have divided by
                    number = chain.factor(stream)
            else:
                number = chain.small(stream, 1, len(shape.kinds) + 3 * scaled)[0]
            right.append((operator, number))
        wrong = [*right[:place], (chain.INVERSE[tested], own), *right[place + 1 :]]
        back = chain.backwards(right[:place])
        if scaled:  # start from the quotient
            back.insert(0, ("*", own))
            after = right[place + 1 :]
            values = chain.anchors([back, [("*", own), ("*", own), *after], after], chain.WIDTH // 2)
        else:
            values = chain.anchors([back, right[place:], wrong[place:]], chain.WIDTH)
        if not values:
            continue
        first = chain.result(values[stream.below(len(values))], back)
        if shape.rate < 0:
            return first, right, wrong
        filled = [chain.packed(first, steps, shape.rate) for steps in (right, wrong)]
        if all(contents <= chain.MOST_CONTENTS and holders <= chain.MOST_HOLDERS for contents, holders in filled):
            return first, right, wrong


# The two problems of a pair have the same words and the same numbers; the agents of the comparison change places, and
# this alone reverses the operation. Two neighbouring pairs have opposite keywords, so every four items cross each
# keyword with each operation once. All numbers work out with either, and the last digits of the answers are uniform.

MOST_STEPS = 12
_MOST_AFTER = 3  # moves after a factor: numbers up to 6 times as large as usual
_ENDS = tuple(accumulate((8, 21, 7, 21, 7, 6, 7, 21, 7, 21)))
"""Sums of the weights of the last digits of a quotient u, for which the last digits of u and of u times the squares of
2 to 6 are uniform taken together: those of squares of even numbers are even, so u has to be odd more often."""


def draw_additive(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw pair `number`, a comparison with more or fewer: the consistent problem first."""
    shape, draws = own.child("design"), own.child("numbers")
    steps = 1 + shape.below(MOST_STEPS)
    place = shape.below(steps)
    numbers = chain.small(draws, steps, steps)
    return _draw(own, shape, vocabulary, _keyword(root, number, "+"), place, [chain.start(draws, numbers), *numbers])


def draw_multiplicative(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw pair `number`, a comparison with times or part: the consistent problem first."""
    shape, draws = own.child("design"), own.child("numbers")
    steps = 1 + shape.below(MOST_STEPS)
    place = max(shape.below(steps), steps - 1 - _MOST_AFTER)
    signs = shape.below(2 ** (steps - 1))
    times = chain.factor(draws)
    digit = bisect_right(_ENDS, draws.below(_ENDS[-1]))
    while True:
        numbers = chain.small(draws, steps - 1, steps + _MOST_AFTER)
        moves = [("+-"[signs >> at & 1], each) for at, each in enumerate(numbers)]
        before, after = moves[:place], moves[place:]
        # From a quotient u the first agent has u * times, the second u or u * times * times.
        back = [("*", times), *chain.backwards(before)]
        quotients = chain.anchors([back, after, [("*", times), ("*", times), *after]], 10)
        if len(quotients) == 10:
            break
    quotient = next(each for each in quotients if each % 10 == digit)
    numbers.insert(place, times)
    given = [chain.result(quotient, back), *numbers]
    return _draw(own, shape, vocabulary, _keyword(root, number, "*"), place, given, signs)


def _keyword(root: Stream, number: int, operator: str) -> str:
    """The relation that the comparisons of a pair name: the opposite one in the next pair."""
    block, second = divmod(number, 2)
    return chain.INVERSE[operator] if root.child("block").child(block).coin() == bool(second) else operator


def _draw(
    own: Stream, shape: Stream, vocabulary: Vocabulary, keyword: str, place: int, numbers: list[int], signs: int = -1
) -> chain.Drawn:
    count = len(numbers) - 2
    if signs < 0:
        signs = shape.below(2**count)
    named = shape.below(2**count)  # half of the transfers name nobody on the other side
    cast = own.child("cast")
    first, new, *others = chain.agents(cast, vocabulary, 2 + named.bit_count())
    moves = [
        chain.Move(chain.TRANSFER, "+-"[signs >> at & 1], others.pop() if named >> at & 1 else "")
        for at in range(count)
    ]
    moves.insert(place, chain.Move(chain.COMPARISON, keyword, new))
    # The inverse operation with the agents reversed has the same keyword.
    other = chain.INVERSE[keyword]
    steps = chain.path(moves, numbers[1:])
    others_steps = steps.copy()
    others_steps[place] = other, numbers[1 + place]
    (least, most), (others_least, others_most) = chain.sizes(numbers[0], steps), chain.sizes(numbers[0], others_steps)
    what = chain.thing(cast, vocabulary, (min(least, others_least), max(most, others_most)))
    easy = chain.problem_of(first, what, moves, numbers)
    traps = {"trap": chain.result(numbers[0], others_steps)}, {"trap": chain.result(numbers[0], steps)}
    return chain.Drawn(
        (easy, chain.turned(easy, 1 + place)), keyword + other, (keyword, keyword), same_steps=False, more=traps
    )
