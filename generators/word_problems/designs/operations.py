"""Operations: with or without a carry, as a transfer or a comparison, and rates."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate, permutations

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain
from hansproof.generators.word_problems.forms import Vocabulary

__all__ = [
    "draw_carry",
    "draw_carry_counterbalanced",
    "draw_rate",
    "draw_transfer_comparison",
    "draw_transfer_counterbalanced",
]

# In `carry` both problems have the same answer (Opedal et al. 2024), and their second numbers (in half of the sums,
# their first ones) the same sum of digits. Then those of the others cannot be the same: in a + b = c they add up to
# that of c and 9 for each carry. So the digits of the harder sums are larger, and those of the harder differences
# smaller, by the same amount; over both operations they are alike.
#
# In the counterbalanced version both problems have the very same digits in another order, so their answers differ. The
# numbers are drawn before the operation: sum and difference are in range, both with or both without a carry. Every four
# pairs cross the keyword with the operation.

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


def draw_carry(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
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


def draw_carry_counterbalanced(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
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
) -> chain.Drawn:
    cast = own.child("cast")
    numbers = [*easy, *hard]
    ends = [left + right if operator == "+" else left - right for left, right in (easy, hard)]
    what = chain.thing(cast, vocabulary, (min(numbers + ends), max(numbers + ends)))
    first, second = chain.agents(cast, vocabulary, 2)
    moves = (chain.Move(chain.COMPARISON, operator, second, consistent),)
    problems = chain.problem_of(first, what, moves, easy), chain.problem_of(first, what, moves, hard)
    counts = [{"carries": carries(left, operator, right)} for left, right in (easy, hard)]
    relation = operator if consistent else chain.INVERSE[operator]
    return chain.Drawn(problems, operator * 2, (relation, relation), same_steps=False, more=tuple(counts))


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


# One problem has 1-5 transfers between one agent and others; the other as many additive comparisons, each of which
# introduces the next agent. Numbers, expressions, answer and names are the same (Opedal et al. 2024); so is the number
# of words, within one or two. In `transfer-comparison` the problems share their first agent, hence their first
# sentence; in the counterbalanced version the agent who is asked about, hence their question.

_MOST_TRANSFERS = 5


def draw_transfer_comparison(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw pair `number`: the transfers first. A fair coin decides whether each comparison is consistent."""
    return _draw(own, vocabulary, "+-"[own.child("last").below(2)], same_asked=False)


def draw_transfer_counterbalanced(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """The same, but both problems ask about the same agent, and the next pair ends with the opposite operation."""
    block, second = divmod(number, 2)
    last = "+-"[root.child("block").child(block).below(2)]
    return _draw(own, vocabulary, chain.INVERSE[last] if second else last, same_asked=True)


def _draw(own: Stream, vocabulary: Vocabulary, last: str, same_asked: bool) -> chain.Drawn:
    shape, cast, draws = own.child("design"), own.child("cast"), own.child("numbers")
    steps = 1 + shape.below(_MOST_TRANSFERS)
    operators = "".join("+-"[shape.below(2)] for _ in range(steps - 1)) + last
    numbers = chain.small(draws, steps, steps)
    numbers.insert(0, chain.start(draws, numbers))
    names = chain.agents(cast, vocabulary, 1 + steps)
    compared = [
        chain.Move(chain.COMPARISON, operator, name, shape.coin()) for operator, name in zip(operators, names[1:])
    ]
    hero, others = (names[-1], names[:-1]) if same_asked else (names[0], names[1:])
    changes = [chain.Move(chain.TRANSFER, operator, name) for operator, name in zip(operators, others, strict=True)]
    what = chain.thing(cast, vocabulary, chain.sizes(numbers[0], chain.path(changes, numbers[1:])))
    problems = chain.problem_of(hero, what, changes, numbers), chain.problem_of(names[0], what, compared, numbers)
    return chain.Drawn(problems, last * 2, ("", compared[-1].relation))


# Problems stand alone: a rate needs a second thing and no second agent, and its number is that of things, not a factor,
# so it cannot be matched with a comparison as strictly as the other pairs.

_MOST_STEPS_WITH_RATES = 12
_HELD = range(4, 13)


def draw_rate(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw problem `number`: even numbers multiply, odd ones divide."""
    operator = "*/"[number % 2]
    shape, cast, draws = own.child("design"), own.child("cast"), own.child("numbers")
    steps = 1 + shape.below(_MOST_STEPS_WITH_RATES)
    # What is in the boxes is told at once, and things are packed at the end: nobody gets boxes of who knows what.
    place = 0 if operator == "*" else steps - 1
    signs, named = shape.below(2 ** (steps - 1)), shape.below(2 ** (steps - 1))
    held = _HELD[draws.below(len(_HELD))]
    while True:
        numbers = chain.small(draws, steps - 1, steps + 3)
        moves = [chain.Move(chain.TRANSFER, "+-"[signs >> at & 1]) for at in range(steps - 1)]
        ways = chain.path(moves, numbers)
        back, after = chain.backwards(ways[:place]), ways[place:]
        # Start from the number of containers, which either end of the rate has.
        if operator == "/":
            back.insert(0, ("*", held))
        else:
            after.insert(0, ("*", held))
        values = chain.anchors([back, after], chain.WIDTH)
        if not values:
            continue
        given = chain.result(values[draws.below(len(values))], back)
        contents, holders = chain.packed(given, [*ways[:place], (operator, held), *ways[place:]], place)
        if contents <= chain.MOST_CONTENTS and holders <= chain.MOST_HOLDERS:
            break
    numbers = [given, *numbers[:place], held, *numbers[place:]]
    before, end = chain.packings(cast, vocabulary, operator, contents, holders)
    first, *others = chain.agents(cast, vocabulary, 1 + named.bit_count())
    moves = [move._replace(name=others.pop() if named >> at & 1 else "") for at, move in enumerate(moves)]
    moves.insert(place, chain.Move(chain.RATE, operator, thing=end))
    problem = chain.problem_of(first, before, moves, numbers)
    return chain.Drawn((problem,), operator, ("",))
