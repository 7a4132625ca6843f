"""Nonlinear problems: two branches with agents of their own, which only the question joins.

Each branch is a container and 1-2 transfers or comparisons; the question asks for the total or the difference, so that
both branches must be kept in mind (Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Drawn, Move, told
from generators.word_problems.designs.quantities import joined
from generators.word_problems.forms import Problem, Question
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Problem `number`. A difference is asked from the larger to the smaller, whichever branch came first."""
    shape, cast = own.child("design"), own.child("cast")
    what, names = thing(cast, vocabulary), agents(cast, vocabulary, 6)
    first_moves, second_moves = _branch(shape, names[1:3]), _branch(shape, names[4:])
    total = shape.coin()
    mine, theirs, end, other = joined(own.child("numbers"), _operators(first_moves), _operators(second_moves), total)
    forms, who, _ = told(names[0], what, first_moves, mine)
    more, whom, _ = told(names[3], what, second_moves, theirs)
    asked = (whom, who) if not total and other > end else (who, whom)
    question = Question("total" if total else "difference", asked, what)
    return Drawn((Problem((*forms, *more), question),), "+" if total else "-", ("",))


def _branch(shape: Stream, names: list[str]) -> list[Move]:
    moves = []
    for name in names[: 1 + shape.below(2)]:
        if shape.coin():
            # In every second transfer nobody is named on the other side.
            moves.append(Move(TRANSFER, "+-"[shape.below(2)], name if shape.coin() else ""))
        else:
            moves.append(Move(COMPARISON, "+-*/"[shape.below(4)], name, shape.coin()))
    return moves


def _operators(moves: list[Move]) -> str:
    return "".join(move.operator for move in moves)
