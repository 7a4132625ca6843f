"""Counterbalanced comparisons: neither keyword nor numbers nor any word tells the operation.

A container and one comparison. The items of a pair have the same words and the same numbers: only the two agents of
the comparison change places, and with them the operation. Of two neighbouring pairs one has either keyword, so that
in every four items each keyword meets each operation once.
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, INVERSE, Drawn, Move, asked
from generators.word_problems.designs.quantities import HIGH, LOW
from generators.word_problems.wording import Vocabulary

__all__ = ["draw_additive", "draw_multiplicative"]

_ADDITIVE = tuple((first, second) for first in range(LOW, HIGH + 1) for second in range(LOW, first))
_MULTIPLICATIVE = tuple((first, second) for first, second in _ADDITIVE if first % second == 0)
"""(container, comparison), each U{2..20}, where the results of both operations are integers above 0 (above 1)."""


def draw_additive(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Pair `number` with more or fewer."""
    return _draw(own, root, number, vocabulary, "+", _ADDITIVE)


def draw_multiplicative(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Pair `number` with times or part."""
    return _draw(own, root, number, vocabulary, "*", _MULTIPLICATIVE)


def _draw(
    own: Stream,
    root: Stream,
    number: int,
    vocabulary: Vocabulary,
    operator: str,
    numbers: tuple[tuple[int, int], ...],
) -> Drawn:
    block, second = divmod(number, 2)
    if root.child("block").child(block).coin() == bool(second):
        operator = INVERSE[operator]
    cast = own.child("cast")
    what, (first, new) = thing(cast, vocabulary), agents(cast, vocabulary, 2)
    drawn = own.child("numbers").choice(numbers)
    easy = asked(first, what, [Move(COMPARISON, operator, new)], drawn)
    # The inverse operation, told the other way round: the keyword stays what it was.
    other = INVERSE[operator]
    hard = asked(first, what, [Move(COMPARISON, other, new, consistent=False)], drawn)
    return Drawn((easy, hard), operator + other, (operator, operator), alike=False)
