"""Rates: `each box holds 4 pens`, or `she packs all of her pens into boxes of 4`, before or after transfers.

Problems stand alone. Half of them multiply and half divide by the rate, one after the other. A rate and a comparison
cannot be matched as strictly as the other pairs: a rate needs a second thing and no second agent, and its number is
that of things, not a factor.
"""

from __future__ import annotations

from generators.stream import Stream
from generators.word_problems.designs.casting import agents, packings
from generators.word_problems.designs.chain import RATE, TRANSFER, Drawn, Move, chain_problem, packed, path
from generators.word_problems.designs.quantities import (
    MOST_CONTENTS,
    MOST_HOLDERS,
    WIDTH,
    anchors,
    backwards,
    result,
    small,
)
from generators.word_problems.wording import Vocabulary

__all__ = ["draw"]

_MOST_STEPS = 12
_HELD = range(4, 13)


def draw(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> Drawn:
    """Draw problem `number`: even numbers multiply, odd ones divide."""
    operator = "*/"[number % 2]
    shape, cast, draws = own.child("design"), own.child("cast"), own.child("numbers")
    steps = 1 + shape.below(_MOST_STEPS)
    # What is in the boxes is told at once, and things are packed at the end: nobody gets boxes of who knows what.
    place = 0 if operator == "*" else steps - 1
    signs, named = shape.below(2 ** (steps - 1)), shape.below(2 ** (steps - 1))
    held = _HELD[draws.below(len(_HELD))]
    while True:
        numbers = small(draws, steps - 1, steps + 3)
        moves = [Move(TRANSFER, "+-"[signs >> at & 1]) for at in range(steps - 1)]
        ways = path(moves, numbers)
        back, after = backwards(ways[:place]), ways[place:]
        # Start from the number of containers, which either end of the rate has.
        if operator == "/":
            back.insert(0, ("*", held))
        else:
            after.insert(0, ("*", held))
        values = anchors([back, after], WIDTH)
        if not values:
            continue
        given = result(values[draws.below(len(values))], back)
        contents, holders = packed(given, [*ways[:place], (operator, held), *ways[place:]], place)
        if contents <= MOST_CONTENTS and holders <= MOST_HOLDERS:
            break
    numbers = [given, *numbers[:place], held, *numbers[place:]]
    before, end = packings(cast, vocabulary, operator, contents, holders)
    first, *others = agents(cast, vocabulary, 1 + named.bit_count())
    moves = [move._replace(name=others.pop() if named >> at & 1 else "") for at, move in enumerate(moves)]
    moves.insert(place, Move(RATE, operator, thing=end))
    problem = chain_problem(first, before, moves, numbers)
    return Drawn((problem,), operator, ("",))
