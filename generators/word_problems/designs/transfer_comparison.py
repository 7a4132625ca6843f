"""Transfer versus comparison: the same calculation as a story of change, or as a series of people compared.

One problem has a container and 1-5 transfers between one agent and others, and asks about that agent. The other has as
many additive comparisons, each of which introduces the next agent, and asks about the last one. Numbers, expressions,
answer and names are the same (Opedal et al. 2024); so is the number of words, within one or two a pair. The first
number exceeds the sum of the others, so no number says what is added and what is taken away.

In `transfer-comparison` the first agent is the same in both problems, so that they share their first sentence; in the
counterbalanced version the agent who is asked about is, so that they share their question.
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import COMPARISON, TRANSFER, Drawn, Move, chain_problem, path, sizes
from generators.word_problems.designs.quantities import INVERSE, small, start
from generators.word_problems.wording import Vocabulary

__all__ = ["draw", "draw_counterbalanced"]

_MOST_STEPS = 5


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw pair `number`: the transfers first. A fair coin decides whether each comparison is consistent."""
    return _draw(own, vocabulary, "+-"[own.child("last").below(2)], same_asked=False)


def draw_counterbalanced(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """The same, but both problems ask about the same agent, and the next pair ends with the opposite operation."""
    block, second = divmod(number, 2)
    last = "+-"[root.child("block").child(block).below(2)]
    return _draw(own, vocabulary, INVERSE[last] if second else last, same_asked=True)


def _draw(own: Stream, vocabulary: Vocabulary, last: str, same_asked: bool) -> Drawn:
    shape, cast, draws = own.child("design"), own.child("cast"), own.child("numbers")
    steps = 1 + shape.below(_MOST_STEPS)
    operators = "".join("+-"[shape.below(2)] for _ in range(steps - 1)) + last
    numbers = small(draws, steps, steps)
    numbers.insert(0, start(draws, numbers))
    names = agents(cast, vocabulary, 1 + steps)
    compared = [Move(COMPARISON, operator, name, shape.coin()) for operator, name in zip(operators, names[1:])]
    hero, others = (names[-1], names[:-1]) if same_asked else (names[0], names[1:])
    changes = [Move(TRANSFER, operator, name) for operator, name in zip(operators, others, strict=True)]
    what = thing(cast, vocabulary, sizes(numbers[0], path(changes, numbers[1:])))
    problems = chain_problem(hero, what, changes, numbers), chain_problem(names[0], what, compared, numbers)
    return Drawn(problems, last * 2, ("", compared[-1].relation))
