"""The consistency test: a comparison whose relation names the operation to carry out, or its opposite.

Each problem has a container, 0-2 transfers or rates, the comparison that introduces the second agent, and 0-2 more
transfers or rates; the question is about the second agent. Within a pair only the sentence of the comparison differs
(Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, packings, thing
from generators.word_problems.designs.chain import COMPARISON, RATE, TRANSFER, Drawn, Move, chain_problem
from generators.word_problems.designs.quantities import quantities
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the consistent problem first."""
    shape, cast = own.child("design"), own.child("cast")
    before, after = divmod(shape.below(9), 3)
    tested = "+-*/"[shape.below(4)]
    rates = ""
    kinds = []
    for at in range(before + 1 + after):
        if at == before:
            kinds.append((COMPARISON, tested))
        elif shape.coin() and "/" not in rates:
            rate = "/" if rates or shape.coin() else "*"
            rates += rate
            kinds.append((RATE, rate))
        else:
            kinds.append((TRANSFER, "+-"[shape.below(2)]))
    things = packings(cast, vocabulary, rates) if rates else [thing(cast, vocabulary)]
    names = agents(cast, vocabulary, 1 + len(kinds) - len(rates))
    first, *others = names
    later = iter(things[1:])
    moves = []
    for kind, operator in kinds:
        if kind == RATE:
            moves.append(Move(RATE, operator, thing=next(later)))
        else:
            name = others.pop(0)
            # Half of the transfers name nobody on the other side.
            moves.append(Move(kind, operator, "" if kind == TRANSFER and shape.coin() else name))
    numbers, _ = quantities(own.child("numbers"), "".join(operator for _, operator in kinds))
    easy = chain_problem(first, things[0], moves, numbers)
    moves[before] = moves[before]._replace(consistent=False)
    hard = chain_problem(first, things[0], moves, numbers)
    return Drawn((easy, hard), tested * 2, (tested, moves[before].relation))
