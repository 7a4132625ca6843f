"""Counterbalanced comparisons: neither the keyword nor the numbers nor any other word gives the operation away.

Each problem has a container, transfers, one comparison, and more transfers: 1 to 12 steps. The two problems of a pair
have the same words and the same numbers; the agents of the comparison change places, and this alone reverses the
operation. Two neighbouring pairs have opposite keywords, so every four items cross each keyword with each operation
once. All numbers work out with either operation, and the last digits of the answers are uniform.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Drawn, Move, chain_problem, path, sizes, turned
from generators.word_problems.designs.quantities import INVERSE, anchors, backwards, factor, result, small, start
from generators.word_problems.wording import Vocabulary

__all__ = ["MOST_STEPS", "draw_additive", "draw_multiplicative"]

MOST_STEPS = 12
_MOST_AFTER = 3  # moves after a factor: numbers up to 6 times as large as usual
_ENDS = tuple(accumulate((8, 21, 7, 21, 7, 6, 7, 21, 7, 21)))
"""Sums of the weights of the last digits of a quotient u, for which the last digits of u and of u times the squares of
2 to 6 are uniform taken together: those of squares of even numbers are even, so u has to be odd more often."""


def draw_additive(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`, a comparison with more or fewer: the consistent problem first."""
    shape, draws = own.child("design"), own.child("numbers")
    steps = 1 + shape.below(MOST_STEPS)
    place = shape.below(steps)
    numbers = small(draws, steps, steps)
    return _draw(own, shape, vocabulary, _keyword(root, number, "+"), place, [start(draws, numbers), *numbers])


def draw_multiplicative(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`, a comparison with times or part: the consistent problem first."""
    shape, draws = own.child("design"), own.child("numbers")
    steps = 1 + shape.below(MOST_STEPS)
    place = max(shape.below(steps), steps - 1 - _MOST_AFTER)
    signs = shape.below(2 ** (steps - 1))
    times = factor(draws)
    digit = bisect_right(_ENDS, draws.below(_ENDS[-1]))
    while True:
        numbers = small(draws, steps - 1, steps + _MOST_AFTER)
        moves = [("+-"[signs >> at & 1], each) for at, each in enumerate(numbers)]
        before, after = moves[:place], moves[place:]
        # From a quotient u the first agent has u * times, the second u or u * times * times.
        back = [("*", times), *backwards(before)]
        quotients = anchors([back, after, [("*", times), ("*", times), *after]], 10)
        if len(quotients) == 10:
            break
    quotient = next(each for each in quotients if each % 10 == digit)
    numbers.insert(place, times)
    given = [result(quotient, back), *numbers]
    return _draw(own, shape, vocabulary, _keyword(root, number, "*"), place, given, signs)


def _keyword(root: Stream, number: int, operator: str) -> str:
    """The relation that the comparisons of a pair name: the opposite one in the next pair."""
    block, second = divmod(number, 2)
    return INVERSE[operator] if root.child("block").child(block).coin() == bool(second) else operator


def _draw(
    own: Stream,
    shape: Stream,
    vocabulary: Vocabulary,
    keyword: str,
    place: int,
    numbers: list[int],
    signs: int = -1,
) -> Drawn:
    count = len(numbers) - 2
    if signs < 0:
        signs = shape.below(2**count)
    named = shape.below(2**count)  # half of the transfers name nobody on the other side
    cast = own.child("cast")
    first, new, *others = agents(cast, vocabulary, 2 + named.bit_count())
    moves = [Move(TRANSFER, "+-"[signs >> at & 1], others.pop() if named >> at & 1 else "") for at in range(count)]
    moves.insert(place, Move(COMPARISON, keyword, new))
    # The inverse operation with the agents reversed has the same keyword.
    other = INVERSE[keyword]
    steps = path(moves, numbers[1:])
    others_steps = steps.copy()
    others_steps[place] = other, numbers[1 + place]
    (least, most), (others_least, others_most) = sizes(numbers[0], steps), sizes(numbers[0], others_steps)
    what = thing(cast, vocabulary, (min(least, others_least), max(most, others_most)))
    easy = chain_problem(first, what, moves, numbers)
    traps = {"trap": result(numbers[0], others_steps)}, {"trap": result(numbers[0], steps)}
    return Drawn((easy, turned(easy, 1 + place)), keyword + other, (keyword, keyword), same_steps=False, more=traps)
