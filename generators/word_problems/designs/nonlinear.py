"""Nonlinear problems: two branches with separate agents, which only the question joins.

Each branch is a container and 1-2 transfers or comparisons. The question asks for the total or the difference of the
two results, so a solver must keep both branches in mind (Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Drawn, Move, chain_forms
from generators.word_problems.designs.quantities import joined
from generators.word_problems.forms import Problem, Question
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw problem `number`. A difference is the larger result minus the smaller, whichever branch comes first."""
    shape, cast = own.child("design"), own.child("cast")
    what, names = thing(cast, vocabulary), agents(cast, vocabulary, 6)
    first_moves, second_moves = _branch(shape, names[1:3]), _branch(shape, names[4:])
    total = shape.coin()
    first_numbers, second_numbers, first_result, second_result = joined(
        own.child("numbers"), _operators(first_moves), _operators(second_moves), total
    )
    first_forms, first_agent, _ = chain_forms(names[0], what, first_moves, first_numbers)
    second_forms, second_agent, _ = chain_forms(names[3], what, second_moves, second_numbers)
    reversed_order = not total and second_result > first_result
    pair = (second_agent, first_agent) if reversed_order else (first_agent, second_agent)
    question = Question("total" if total else "difference", pair, what)
    return Drawn((Problem((*first_forms, *second_forms), question),), "+" if total else "-", ("",))


def _branch(shape: Stream, names: list[str]) -> list[Move]:
    moves = []
    for name in names[: 1 + shape.below(2)]:
        if shape.coin():
            # Half of the transfers name nobody on the other side.
            moves.append(Move(TRANSFER, "+-"[shape.below(2)], name if shape.coin() else ""))
        else:
            moves.append(Move(COMPARISON, "+-*/"[shape.below(4)], name, shape.coin()))
    return moves


def _operators(moves: list[Move]) -> str:
    return "".join(move.operator for move in moves)
