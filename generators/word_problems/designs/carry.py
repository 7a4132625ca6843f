"""The carry test: two problems with the same words and the same answer, but only one needs a carry (or a borrow).

Each problem is a container and one consistent additive comparison; operands and answer have three digits. The pair is
drawn uniformly from all pairs with the same answer where one problem has no carry and the other has one or two
(Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, Drawn, Move, chain_problem
from generators.word_problems.wording import Vocabulary

__all__ = ["carries", "draw"]

_LOW, _HIGH = 100, 999
_SIDES = _HIGH - _LOW + 1


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the problem without a carry first."""
    cast = own.child("cast")
    operator = "+-"[own.child("design").below(2)]
    what, (first, second) = thing(cast, vocabulary), agents(cast, vocabulary, 2)
    moves = (Move(COMPARISON, operator, second),)
    (easy, easy_carries), (hard, hard_carries) = _operands(own.child("numbers"), operator)
    problems = chain_problem(first, what, moves, easy), chain_problem(first, what, moves, hard)
    return Drawn(problems, operator * 2, (operator, operator), (easy_carries, hard_carries), same_steps=False)


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


def _operands(stream: Stream, operator: str) -> list[tuple[tuple[int, int], int]]:
    """Two (operands, carries) with the same answer, the one without carries first.

    Both come from the same distribution; the draw is repeated until exactly one of them has a carry.
    """
    sign = 1 if operator == "+" else -1
    while True:
        rest, left = divmod(stream.below(_SIDES**3), _SIDES)
        right, other = divmod(rest, _SIDES)
        left, right, other = left + _LOW, right + _LOW, other + _LOW
        answer = left + sign * right
        partner = sign * (answer - other)
        if _LOW <= answer <= _HIGH and _LOW <= partner <= _HIGH:
            first_carries, second_carries = carries(left, operator, right), carries(other, operator, partner)
            if not first_carries and second_carries:
                return [((left, right), first_carries), ((other, partner), second_carries)]
            if first_carries and not second_carries:
                return [((other, partner), second_carries), ((left, right), first_carries)]
