"""Sums and differences without and with a carry, at equal size.

The two problems of a pair have the same first number and the same digits in their second one, whose tens and units
change places: under the large and the small digit of the first number, only one order needs a carry. In half of the
pairs it is in the units, in the others in the tens, so that over the pairs each place has the same digits in both arms.
Differences take 99 less the tens and units of sums: they borrow where sums carry. So no digit says anything about the
operation either. Every eight pairs cross the size with the operation and the keyword.
"""

from __future__ import annotations

from functools import cache

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain

__all__ = ["draw_carry"]

_HUNDREDS = {"smaller": ((3, 1), (4, 1), (4, 2)), "larger": ((6, 1), (6, 2), (7, 1))}
"""Size -> the hundreds of both numbers; a carry or a borrow leaves the answer three digits."""


def draw_carry(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`: the problem without a carry first."""
    block, place = divmod(number, 8)
    design = chain.block(root, block).shuffled(range(8))[place]
    size, operator, consistent = ("smaller", "larger")[design & 1], "+-"[design >> 1 & 1], bool(design >> 2 & 1)
    first, easy, hard = _numbers(own, size, operator)
    sign = 1 if operator == "+" else -1
    ends = [first + easy, first - easy, first + hard, first - hard]
    what = chain.thing(own, min(easy, hard, *ends), max(ends))
    known, new = chain.agents(own, 2)
    moves = (chain.Move(chain.COMPARISON, operator, new, consistent),)
    more = [{"size": size, "carries": int(second == hard), "trap": first - sign * second} for second in (easy, hard)]
    relation = moves[0].relation
    return chain.Drawn(
        tuple(chain.problem_of(known, what, moves, (first, second)) for second in (easy, hard)),
        tuple(chain.worked(first, [(operator, second)]) for second in (easy, hard)),
        operator * 2,
        (relation, relation),
        tuple(more),
    )


def _numbers(stream: Stream, size: str, operator: str) -> tuple[int, int, int]:
    """The first number, and the second one without and with a carry."""
    top, bottom = stream.choice(_HUNDREDS[size])
    columns = _columns()
    digits = stream.choice(tuple(columns))
    large, small = stream.choice(columns[digits])
    tens, units = digits if stream.coin() else digits[::-1]
    first = 10 * tens + units
    a, b = (large, small) if tens > units else (small, large)
    carrying, plain = 10 * a + b, 10 * b + a
    return 100 * top + (first if operator == "+" else 99 - first), 100 * bottom + plain, 100 * bottom + carrying


@cache
def _columns() -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
    """(a larger, a smaller digit of the first number) -> (larger, smaller) digits of the second one.

    The larger ones carry together, all other columns do not, and no answer has a zero. For each pair of digits there is
    also 9 less both, so that the first numbers of sums and differences are drawn from the same digits.
    """
    every = {}
    for high in range(2, 9):
        for low in range(1, high):
            every[high, low] = tuple(
                (large, small)
                for large in range(11 - high, 9 - low)
                for small in range(1, min(large, 9 - high))
                if low + small != 8 and low + small != 9
            )
    return {key: value for key, value in every.items() if value and every.get((9 - key[1], 9 - key[0]))}
