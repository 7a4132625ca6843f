"""Surface forms: one problem in ten forms, in which names, numbers or sentences are varied one at a time.

A problem and nine variants of it: three with other names, three with other numbers, three in other sentences, and
otherwise the same words. A reasoner does equally well on all of them; the variance of a model's answers over the forms
of a problem is what it owes to the surface (GSM-Symbolic: Mirzadeh et al. 2024).
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, thing
from generators.word_problems.designs.chain import Drawn, chain_problem, sizes
from generators.word_problems.designs.mixed import numbered, shape
from generators.word_problems.forms import Comparison
from generators.word_problems.wording import Vocabulary

__all__ = ["FORMS", "draw"]

_EACH = 3
FORMS = ("original", *(f"{what}-{at}" for what in ("names", "numbers", "sentences") for at in range(1, _EACH + 1)))
_LEAST_STEPS, _MOST_STEPS = 2, 6


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw the ten forms of problem `number`, in the order of FORMS. All have the same operations in the same order."""
    design, draws, cast = own.child("design"), own.child("numbers"), own.child("cast")
    steps = _LEAST_STEPS + design.below(1 + _MOST_STEPS - _LEAST_STEPS)
    moves = shape(design, steps)
    chains = [numbered(draws, moves, steps)]
    while len(chains) <= _EACH:
        drawn = numbered(draws, moves, steps)
        if drawn not in chains:
            chains.append(drawn)
    ranges = [sizes(each.first, each.steps) for each in chains]
    what = thing(cast, vocabulary, (min(low for low, _ in ranges), max(high for _, high in ranges)))
    count = 1 + moves.named
    every = agents(cast, vocabulary, count * (1 + _EACH))
    casts = [every[at : at + count] for at in range(0, len(every), count)]
    told = [(casts[0], chains[0])]
    told += [(names, chains[0]) for names in casts[1:]]
    told += [(casts[0], numbers) for numbers in chains[1:]]
    told += [(casts[0], chains[0])] * _EACH
    problems = tuple(chain_problem(names[0], what, each.moves(names[1:]), each.numbers) for names, each in told)
    last = problems[0].forms[-1]
    relation = last.relation if isinstance(last, Comparison) else ""
    many = len(FORMS)
    wordings = (0,) * (many - _EACH) + tuple(range(1, 1 + _EACH))
    operators = moves.kinds[-1].operator * many
    return Drawn(problems, operators, (relation,) * many, same_steps=False, wordings=wordings)
