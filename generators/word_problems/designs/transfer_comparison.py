"""Transfer against comparison: the same reckoning as a story of change, or as a row of people compared.

A container and 1-5 transfers between the first agent and others, who asks the first; or as many additive comparisons,
each introducing the next agent, which ask the last. Numbers, expressions, answer and names in their order are the
same (Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Drawn, Move, asked
from generators.word_problems.designs.quantities import quantities
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]

_MOST_STEPS = 5


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Pair `number`; of the comparisons each is consistent or not by a fair coin."""
    shape, cast = own.child("design"), own.child("cast")
    operators = "".join("+-"[shape.below(2)] for _ in range(1 + shape.below(_MOST_STEPS)))
    what = thing(cast, vocabulary)
    first, *others = agents(cast, vocabulary, 1 + len(operators))
    numbers, _ = quantities(own.child("numbers"), operators)
    changes = [Move(TRANSFER, operator, name) for operator, name in zip(operators, others)]
    compared = [Move(COMPARISON, operator, name, shape.coin()) for operator, name in zip(operators, others)]
    problems = asked(first, what, changes, numbers), asked(first, what, compared, numbers)
    return Drawn(problems, operators[-1] * 2, ("", compared[-1].relation))
