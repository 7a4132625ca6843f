"""Counterbalanced comparisons: neither the keyword nor the numbers nor any other word gives the operation away.

Each problem is a container and one comparison. The two problems of a pair have the same words and the same numbers;
the agents of the comparison change places, and this alone reverses the operation. Two neighbouring pairs have opposite
keywords, so every four items cross each keyword with each operation once.
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, INVERSE, Drawn, Move, chain_problem
from generators.word_problems.designs.quantities import HIGH, LOW
from generators.word_problems.wording import Vocabulary

__all__ = ["draw_additive", "draw_multiplicative"]

_ADDITIVE = tuple((first, second) for first in range(LOW, HIGH + 1) for second in range(LOW, first))
_MULTIPLICATIVE = tuple((first, second) for first, second in _ADDITIVE if first % second == 0)
"""(number of the container, number of the comparison), each from 2 to 20, for which both operations have integer
results: above 0 for additive comparisons, above 1 for multiplicative ones."""


def draw_additive(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`, a comparison with more or fewer: the consistent problem first."""
    return _draw(own, root, number, vocabulary, "+", _ADDITIVE)


def draw_multiplicative(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`, a comparison with times or part: the consistent problem first."""
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
    easy = chain_problem(first, what, [Move(COMPARISON, operator, new)], drawn)
    # The inverse operation with the agents reversed has the same keyword.
    other = INVERSE[operator]
    hard = chain_problem(first, what, [Move(COMPARISON, other, new, consistent=False)], drawn)
    return Drawn((easy, hard), operator + other, (operator, operator), same_steps=False)
