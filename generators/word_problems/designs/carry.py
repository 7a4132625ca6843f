"""The carry test: two problems with the same words, but only one needs a carry (or a borrow).

Each problem is a container and one additive comparison; operands and answer have three digits and no zero.

In `carry` both problems have the same answer (Opedal et al. 2024), and their second numbers (in half of the sums, their
first ones) have the same sum of digits. Then the sums of digits of the others cannot be the same: in a + b = c they add
up to that of c and 9 for each carry. So the digits of the harder sums are larger, and those of the harder differences
smaller, by the same amount; over both operations they are alike.

In the counterbalanced version both problems of a pair have the very same digits in another order, so their answers
differ. The numbers are drawn before the operation: sum and difference are both in range and both without a carry, or
both with one. Every four pairs cross the keyword with the operation.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate, permutations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, Drawn, Move, chain_problem
from generators.word_problems.designs.quantities import INVERSE
from generators.word_problems.wording import Vocabulary

__all__ = ["carries", "draw", "draw_counterbalanced"]

_LOW, _HIGH = 111, 999
_Operands = tuple[int, int]

_SUMS = [
    -99 if "0" in str(number) or (number > _LOW - 1 and len({*str(number)}) == 1) else sum(map(int, str(number)))
    for number in range(2 * _HIGH + 1)
]
"""Number -> the sum of its digits; negative if one of them is zero or all are alike, as in 222, and less than any sum
that is looked for."""
_BY_SUM = {total: [number for number in range(_LOW, _HIGH + 1) if _SUMS[number] == total] for total in range(3, 28)}
_PLAIN = [(top, bottom) for top in range(1, 9) for bottom in range(1, 10 - top)]
"""The 36 columns of digits that add up to at most 9."""
_EITHER = [(top, bottom) for top, bottom in sorted(_PLAIN) if top > bottom]
"""The 16 of them from which the lower digit can be subtracted, too, and leaves something."""
_ENDS = tuple(accumulate((6, 245, 6, 56, 32, 6, 69, 44, 6, 6, 225, 6, 6, 269, 6, 13)))
"""Sums of the weights of _EITHER as last columns. They make the last digits of all answers uniform from 1 to 9, within
.002: found by linear programming, over both operations and all orders of the digits that need carries."""


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the problem without a carry first. Every second pair subtracts."""
    design, draws = own.child("design"), own.child("numbers")
    operator = "+-"[number % 2]
    wanted = 1 + design.below(2)
    while True:
        rest, hundreds = divmod(draws.below(len(_PLAIN) ** 3), len(_PLAIN))
        tens, ones = divmod(rest, len(_PLAIN))
        (a, b), (c, d), (e, f) = _PLAIN[hundreds], _PLAIN[tens], _PLAIN[ones]
        top, bottom = 100 * a + 10 * c + e, 100 * b + 10 * d + f
        plain = min(_SUMS[top], _SUMS[bottom], _SUMS[top + bottom]) > 0
        others = _others(top, bottom, operator, wanted) if plain else []
        if others:
            break
    other = draws.choice(others)
    if operator == "+":
        easy, hard = (top, bottom), (top + bottom - other, other)
        if design.coin():  # so that no arm has the larger number first more often
            easy, hard = easy[::-1], hard[::-1]
        return _drawn(own, vocabulary, operator, True, easy, hard)
    return _drawn(own, vocabulary, operator, True, (top + bottom, bottom), (top + other, other))


def draw_counterbalanced(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number` of the same digits: the problem without a carry first."""
    block, place = divmod(number, 4)
    design = root.child("block").child(block).shuffled(range(4))[place]
    operator, consistent = "+-"[design % 2], design < 2
    draws = own.child("numbers")
    e, f = _EITHER[bisect_right(_ENDS, draws.below(_ENDS[-1]))]
    while True:
        (a, b), (c, d) = draws.choice(_EITHER), draws.choice(_EITHER)
        arrangements = _arrangements(tuple(sorted((a, b, c, d, e, f))))
        easy = 100 * a + 10 * c + e, 100 * b + 10 * d + f
        if arrangements and min(_SUMS[each] for each in (*easy, easy[0] + easy[1], easy[0] - easy[1])) > 0:
            break
    hard = draws.choice(arrangements)
    drawn = _drawn(own, vocabulary, operator, consistent, easy, hard)
    sign = -1 if operator == "+" else 1
    traps = [
        {**more, "trap": left + sign * right} for more, (left, right) in zip(drawn.more, (easy, hard), strict=True)
    ]
    return drawn._replace(more=tuple(traps))


def carries(left: int, operator: str, right: int) -> int:
    """Number of columns with a carry in left + right (`operator` "+"), or with a borrow in left - right >= 0 ("-")."""
    # A column borrows in left - right exactly where it carries in (left - right) + right.
    top, bottom = (left, right) if operator == "+" else (left - right, right)
    count, carried = 0, 0
    while top or bottom:
        carried = int(top % 10 + bottom % 10 + carried > 9)
        count += carried
        top, bottom = top // 10, bottom // 10
    return count


def _drawn(
    own: Stream, vocabulary: Vocabulary, operator: str, consistent: bool, easy: _Operands, hard: _Operands
) -> Drawn:
    cast = own.child("cast")
    numbers = [*easy, *hard]
    ends = [left + right if operator == "+" else left - right for left, right in (easy, hard)]
    what = thing(cast, vocabulary, (min(numbers + ends), max(numbers + ends)))
    first, second = agents(cast, vocabulary, 2)
    moves = (Move(COMPARISON, operator, second, consistent),)
    problems = chain_problem(first, what, moves, easy), chain_problem(first, what, moves, hard)
    counts = [{"carries": carries(left, operator, right)} for left, right in (easy, hard)]
    relation = operator if consistent else INVERSE[operator]
    return Drawn(problems, operator * 2, (relation, relation), same_steps=False, more=tuple(counts))


def _others(top: int, bottom: int, operator: str, wanted: int) -> list[int]:
    """Second numbers with the sum of digits of `bottom` that give the same answer with `wanted` carries.

    `top` and `bottom` are a sum without carries; as a difference, it is top + bottom less bottom.
    """
    # The digits of a sum have 9 less for each carry than those of what is added: so the sum of digits tells.
    digits, answer = _SUMS[bottom], top + bottom
    if operator == "+":
        first = _SUMS[answer] + 9 * wanted - digits
        return [other for other in _BY_SUM[digits] if other < answer - _LOW and _SUMS[answer - other] == first]
    last = _SUMS[top] + digits - 9 * wanted
    return [other for other in _BY_SUM[digits] if top + other <= _HIGH and _SUMS[top + other] == last]


@cache
def _arrangements(digits: tuple[int, ...]) -> list[_Operands]:
    """The pairs of numbers with these six digits whose sum and difference are in range, and both need carries."""
    every = [
        (100 * a + 10 * b + c, 100 * d + 10 * e + f) for a, b, c, d, e, f in sorted({*permutations(digits)}) if a > d
    ]
    return [
        (left, right)
        for left, right in every
        if left + right <= _HIGH and left - right >= _LOW
        if min(_SUMS[each] for each in (left, right, left + right, left - right)) > 0
        if carries(left, "+", right) and carries(left, "-", right)
    ]
