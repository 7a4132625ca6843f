"""Sums and differences without and with a carry, at equal size.

The two problems of a pair have the same first number and the same digits in their second one, whose tens and units
change places. With its large digit under the large one of the first number a sum carries and a difference does not
borrow; under the small one it is the other way round. In half of the pairs the large digit of the first number is in
the tens, in the others in the units. So over the pairs each place has the same digits in both arms, and sums and
differences have the same numbers. Every eight pairs cross the size with the operation and the keyword.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain

__all__ = ["draw_carry"]

_HUNDREDS = {"smaller": ((3, 1), (4, 1), (4, 2)), "larger": ((6, 1), (6, 2), (7, 1))}
"""Size -> the hundreds of both numbers; a carry or a borrow leaves the answer three digits."""


def draw_carry(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`: the problem without a carry first."""
    block, place = divmod(number, 8)
    design = _designs(root, block)[place]
    size, operator, consistent = ("smaller", "larger")[design & 1], "+-"[design >> 1 & 1], bool(design >> 2 & 1)
    first, easy, hard = _numbers(own, size, operator)
    sign = 1 if operator == "+" else -1
    ends = [first + easy, first - easy, first + hard, first - hard]
    what = chain.thing(own, min(easy, hard, *ends), max(ends))
    names = chain.agents(own, 2)
    moves = (chain.comparison(operator, consistent),)
    more = [{"size": size, "carries": int(second == hard), "trap": first - sign * second} for second in (easy, hard)]
    relation = moves[0].relation
    return chain.Drawn(
        tuple(chain.problem_of(names, what, moves, (first, second)) for second in (easy, hard)),
        tuple(chain.worked(first, [(operator, second)])[0] for second in (easy, hard)),
        operator * 2,
        (relation, relation),
        tuple(more),
    )


@lru_cache(8)
def _designs(root: Stream, block: int) -> list[int]:
    return chain.block(root, block).shuffled(range(8))


def _numbers(stream: Stream, size: str, operator: str) -> tuple[int, int, int]:
    """The first number, and the second one without and with a carry."""
    top, bottom = stream.choice(_HUNDREDS[size])
    high, low, large, small = stream.choice(_DIGITS)
    alike, crossed = 10 * large + small, 10 * small + large
    first = 10 * high + low
    if stream.coin():
        first, alike, crossed = 10 * low + high, crossed, alike
    first, alike, crossed = 100 * top + first, 100 * bottom + alike, 100 * bottom + crossed
    if first in (2 * alike, 2 * crossed):  # the difference would stand in the text
        return _numbers(stream, size, operator)
    return (first, crossed, alike) if operator == "+" else (first, alike, crossed)


_DIGITS = tuple(
    (high, low, large, small)
    for high, low, large, small in product(range(1, 9), repeat=4)
    if small < low < large < high and high + large > 10 > max(low + large, high + small)
)
"""Tens and units, in either order: the larger and the smaller digit of the first number, and of the second one. The two
larger ones carry, all other columns do not, and no answer has a zero."""
