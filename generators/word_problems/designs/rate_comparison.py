"""Rate versus multiplicative comparison: `each box holds 4 pens`, or `4 times as many boxes`.

Each problem has a container, 0-2 transfers, the rate or the comparison, and 0-2 more transfers: 1-5 steps. Within a
pair everything before the sentence under test is the same. So are all numbers, expressions, the answer and the names
of the other agents. After that sentence the rate problem counts other things of the first agent; the comparison
problem counts the same things of a second agent.
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, packings
from generators.word_problems.designs.chain import COMPARISON, RATE, TRANSFER, Drawn, Move, chain_problem
from generators.word_problems.designs.quantities import quantities
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the rate first. A fair coin decides whether the comparison is consistent."""
    shape, cast = own.child("design"), own.child("cast")
    before, after = divmod(shape.below(9), 3)
    tested = "*/"[shape.below(2)]
    operators = [tested if at == before else "+-"[shape.below(2)] for at in range(before + 1 + after)]
    start, end = packings(cast, vocabulary, tested)
    first, *others = agents(cast, vocabulary, 1 + len(operators))
    numbers, _ = quantities(own.child("numbers"), "".join(operators))
    # Half of the transfers name nobody on the other side.
    moves = [Move(TRANSFER, op, name if shape.coin() else "") for op, name in zip(operators, others)]
    compared = Move(COMPARISON, tested, others[before], shape.coin())
    moves[before] = Move(RATE, tested, thing=end)
    easy = chain_problem(first, start, moves, numbers)
    moves[before] = compared
    return Drawn((easy, chain_problem(first, start, moves, numbers)), tested * 2, ("", compared.relation))
