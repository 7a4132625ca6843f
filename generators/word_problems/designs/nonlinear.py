"""Nonlinear problems: two branches with separate agents, which only the question joins.

Each branch is a container and transfers or comparisons, 3 to 12 steps with the last one. The question asks for the
total or the difference of the two results, so a solver must keep both branches in mind (Opedal et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import Drawn, chain_forms, sizes
from generators.word_problems.designs.mixed import MOST_STEPS, chain
from generators.word_problems.designs.quantities import LOW, MOST, result
from generators.word_problems.forms import Problem, Question
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw problem `number`. A difference is the larger result minus the smaller, whichever branch comes first."""
    shape, draws, cast = own.child("design"), own.child("numbers"), own.child("cast")
    moves = 2 + shape.below(MOST_STEPS - 2)
    split = 1 + shape.below(moves - 1)
    total = number % 2 == 0
    while True:
        front, back = chain(shape, draws, split, moves), chain(shape, draws, moves - split, moves)
        ends = result(front.first, front.steps), result(back.first, back.steps)
        answer = ends[0] + ends[1] if total else abs(ends[0] - ends[1])
        factors = [{number for sign, number in front.steps + back.steps if sign == each} for each in "*/"]
        told = {*front.numbers, *back.numbers}
        if LOW <= answer <= MOST and answer not in told and not factors[0] & factors[1]:
            break
    (least, most), (other_least, other_most) = sizes(front.first, front.steps), sizes(back.first, back.steps)
    what = thing(cast, vocabulary, (min(least, other_least), max(most, other_most, answer)))
    names = agents(cast, vocabulary, 2 + front.named + back.named)
    first_forms, first_agent, _ = chain_forms(names[0], what, front.moves(names[2:]), front.numbers)
    second_forms, second_agent, _ = chain_forms(names[1], what, back.moves(names[2 + front.named :]), back.numbers)
    pair = (second_agent, first_agent) if not total and ends[1] > ends[0] else (first_agent, second_agent)
    question = Question("total" if total else "difference", pair, what)
    return Drawn((Problem((*first_forms, *second_forms), question),), "+" if total else "-", ("",))
