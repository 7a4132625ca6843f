"""Transfer versus comparison: the same calculation as a story of change, or as a series of people compared.

One problem has a container and 1-5 transfers between the first agent and others, and asks about the first agent. The
other has as many additive comparisons, each of which introduces the next agent, and asks about the last one. Numbers,
expressions, answer, and names in their order are the same (Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Drawn, Move, chain_problem
from generators.word_problems.designs.quantities import quantities
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]

_MOST_STEPS = 5


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the transfers first. A fair coin decides whether each comparison is consistent."""
    shape, cast = own.child("design"), own.child("cast")
    operators = "".join("+-"[shape.below(2)] for _ in range(1 + shape.below(_MOST_STEPS)))
    what = thing(cast, vocabulary)
    first, *others = agents(cast, vocabulary, 1 + len(operators))
    numbers, _ = quantities(own.child("numbers"), operators)
    changes = [Move(TRANSFER, operator, name) for operator, name in zip(operators, others)]
    compared = [Move(COMPARISON, operator, name, shape.coin()) for operator, name in zip(operators, others)]
    problems = chain_problem(first, what, changes, numbers), chain_problem(first, what, compared, numbers)
    return Drawn(problems, operators[-1] * 2, ("", compared[-1].relation))
