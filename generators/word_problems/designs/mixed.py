"""Mixed chains, with a distractor, in ten surface forms, or as two branches that the question joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain
from hansproof.generators.word_problems.forms import Comparison, Container, Problem, Question, Transfer, Vocabulary

__all__ = ["FORMS", "draw_distractor", "draw_nonlinear", "draw_surface_forms"]

# Mixed chains: transfers and comparisons in any order, at most one of them with a factor. Nothing is under test.

MOST_STEPS = 12
_MOST_AFTER = 4  # moves after a factor


class Shape(NamedTuple):
    """The moves of a chain without names and numbers."""

    kinds: tuple[chain.Move, ...]
    """The moves; a name stands for somebody who is named, "" for nobody."""

    @property
    def named(self) -> int:
        """How many of the moves name somebody."""
        return sum(1 for move in self.kinds if move.name)


class Chain(NamedTuple):
    """A chain with its numbers."""

    shape: Shape
    numbers: tuple[int, ...]
    """The number of the container, then one per move."""

    @property
    def first(self) -> int:
        """The number of the container."""
        return self.numbers[0]

    @property
    def named(self) -> int:
        """How many agents there are besides the first."""
        return self.shape.named

    @property
    def steps(self) -> list[tuple[str, int]]:
        """The operations."""
        return [(move.operator, number) for move, number in zip(self.shape.kinds, self.numbers[1:], strict=True)]

    def moves(self, names: Sequence[str]) -> list[chain.Move]:
        """The moves, with the names of the agents whom they introduce; further names are not used."""
        ahead: Iterator[str] = iter(names)
        return [move._replace(name=next(ahead)) if move.name else move for move in self.shape.kinds]


def mixed_chain(design: Stream, numbers: Stream, count: int, steps: int) -> Chain:
    """A chain of `count` moves in a problem of `steps` steps."""
    return numbered(numbers, shape(design, count), steps)


def shape(stream: Stream, count: int) -> Shape:
    """The moves of a chain: transfers or comparisons, to add or to subtract; one of three chains has a factor."""
    scaled = max(stream.below(count), count - 1 - _MOST_AFTER) if stream.below(3) == 0 else -1
    moves = []
    for at in range(count):
        if at == scaled:
            moves.append(chain.Move(chain.COMPARISON, "*/"[stream.below(2)], "_", stream.coin()))
        elif stream.coin():
            moves.append(chain.Move(chain.COMPARISON, "+-"[stream.below(2)], "_", stream.coin()))
        else:
            moves.append(chain.Move(chain.TRANSFER, "+-"[stream.below(2)], "_" if stream.coin() else ""))
    return Shape(tuple(moves))


def numbered(stream: Stream, of: Shape, steps: int) -> Chain:
    """The chain with numbers drawn for it, in a problem of `steps` steps."""
    place = next((at for at, move in enumerate(of.kinds) if move.operator in "*/"), -1)
    times = chain.factor(stream) if place >= 0 else 0
    while True:
        numbers = chain.small(stream, len(of.kinds), steps)
        if place >= 0:
            numbers[place] = times
        ways = [(move.operator, number) for move, number in zip(of.kinds, numbers, strict=True)]
        if place >= 0 and ways[place][0] == "/":  # start from the quotient
            back, after = [("*", times), *chain.backwards(ways[:place])], ways[place + 1 :]
        else:
            back, after = chain.backwards(ways[: max(place, 0)]), ways[max(place, 0) :]
        values = chain.anchors([back, after], chain.WIDTH)
        if values:
            value = values[stream.below(len(values))]
            first = chain.result(value, back)
            # What moves cancel is asked for by no question: the answer would stand in the text.
            if chain.result(first, ways) not in (first, *numbers):
                return Chain(of, (first, *numbers))


# The sentence says how many of the same thing somebody else has, or of another thing somebody of the story has; never
# between a change and the comparison that takes place at that point.

_TRIES = 50


def _idle(stream: Stream, steps: int, results: Set[int], told: Set[int]) -> int:
    """A number as large as the others, which is none of them, if there are such; it is never the result of a step."""
    for most in (steps, 1):
        for _ in range(_TRIES):
            if (idle := chain.small(stream, 1, most)[0]) not in told:
                return idle
    while (idle := chain.small(stream, 1, 1)[0]) in results:
        pass
    return idle


def draw_distractor(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw pair `number`: the problem without the sentence first. Every second pair speaks of another person."""
    shape, draws, cast = own.child("design"), own.child("numbers"), own.child("cast")
    steps = 1 + shape.below(MOST_STEPS)
    drawn = mixed_chain(shape, draws, steps, steps)
    place = 1 + shape.below(steps + 1)
    results = {drawn.first, *(chain.result(drawn.first, drawn.steps[:end]) for end in range(1, steps + 1))}
    idle = _idle(draws, steps, results, results.union(drawn.numbers))
    least, most = chain.sizes(drawn.first, drawn.steps)
    what = chain.thing(cast, vocabulary, (min(least, idle), max(most, idle)))
    first, *names = chain.agents(cast, vocabulary, 2 + drawn.named)
    stranger = names.pop()
    plain = chain.problem_of(first, what, drawn.moves(names), drawn.numbers)
    if number % 2:
        kind, sentence = "person", Container(stranger, idle, what)
        around = plain.forms[place - 1 : place + 1]
        place += len(around) == 2 and isinstance(around[0], Transfer) and isinstance(around[1], Comparison)
    else:
        still = [at for at, form in enumerate(plain.forms, 1) if not isinstance(form, Transfer)]
        place = still[(place - 1) % len(still)]
        # Whoever the story has come to by then.
        known = [first]
        for form in plain.forms[1:place]:
            if isinstance(form, Comparison):
                known.append(form.other if form.agent == known[-1] else form.agent)
        kind, sentence = "thing", Container(known[-1], idle, chain.thing(cast, vocabulary, (idle, idle), beside=what))
    forms = (*plain.forms[:place], sentence, *plain.forms[place:])
    last = plain.forms[-1]
    relation = last.relation if isinstance(last, Comparison) else ""
    operators = drawn.steps[-1][0] * 2
    more: tuple[Mapping[str, int | str], ...] = (
        {"distractor": "none", "distractor_at": -1},
        {"distractor": kind, "distractor_at": place},
    )
    return chain.Drawn((plain, plain._replace(forms=forms)), operators, (relation, relation), more=more)


# A reasoner does equally well on all ten forms; the variance of a model's answers over the forms of a problem is what
# it owes to the surface (GSM-Symbolic: Mirzadeh et al. 2024).

_EACH = 3
FORMS = ("original", *(f"{what}-{at}" for what in ("names", "numbers", "sentences") for at in range(1, _EACH + 1)))
_LEAST_STEPS, _MOST_STEPS = 2, 6


def draw_surface_forms(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw the ten forms of problem `number`, in the order of FORMS. All have the same operations in the same order."""
    design, draws, cast = own.child("design"), own.child("numbers"), own.child("cast")
    steps = _LEAST_STEPS + design.below(1 + _MOST_STEPS - _LEAST_STEPS)
    moves = shape(design, steps)
    chains = [numbered(draws, moves, steps)]
    while len(chains) <= _EACH:
        drawn = numbered(draws, moves, steps)
        if drawn not in chains:
            chains.append(drawn)
    ranges = [chain.sizes(each.first, each.steps) for each in chains]
    what = chain.thing(cast, vocabulary, (min(low for low, _ in ranges), max(high for _, high in ranges)))
    count = 1 + moves.named
    every = chain.agents(cast, vocabulary, count * (1 + _EACH))
    casts = [every[at : at + count] for at in range(0, len(every), count)]
    told = [(casts[0], chains[0])]
    told += [(names, chains[0]) for names in casts[1:]]
    told += [(casts[0], numbers) for numbers in chains[1:]]
    told += [(casts[0], chains[0])] * _EACH
    problems = tuple(chain.problem_of(names[0], what, each.moves(names[1:]), each.numbers) for names, each in told)
    last = problems[0].forms[-1]
    relation = last.relation if isinstance(last, Comparison) else ""
    many = len(FORMS)
    wordings = (0,) * (many - _EACH) + tuple(range(1, 1 + _EACH))
    operators = moves.kinds[-1].operator * many
    return chain.Drawn(problems, operators, (relation,) * many, same_steps=False, wordings=wordings)


# Each branch has 3 to 12 steps. The question asks for the total or the difference of the two results, so a solver must
# keep both in mind (Opedal et al. 2024).


def draw_nonlinear(own: Stream, root: Stream, number: int, vocabulary: Vocabulary) -> chain.Drawn:
    """Draw problem `number`. A difference is the larger result minus the smaller, whichever branch comes first."""
    shape, draws, cast = own.child("design"), own.child("numbers"), own.child("cast")
    moves = 2 + shape.below(MOST_STEPS - 2)
    split = 1 + shape.below(moves - 1)
    total = number % 2 == 0
    while True:
        front, back = mixed_chain(shape, draws, split, moves), mixed_chain(shape, draws, moves - split, moves)
        ends = chain.result(front.first, front.steps), chain.result(back.first, back.steps)
        answer = ends[0] + ends[1] if total else abs(ends[0] - ends[1])
        factors = [{number for sign, number in front.steps + back.steps if sign == each} for each in "*/"]
        told = {*front.numbers, *back.numbers}
        if chain.LOW <= answer <= chain.MOST and answer not in told and not factors[0] & factors[1]:
            break
    (least, most), (other_least, other_most) = (chain.sizes(each.first, each.steps) for each in (front, back))
    what = chain.thing(cast, vocabulary, (min(least, other_least), max(most, other_most, answer)))
    names = chain.agents(cast, vocabulary, 2 + front.named + back.named)
    first_forms, first_agent, _ = chain.forms_of(names[0], what, front.moves(names[2:]), front.numbers)
    second_forms, second_agent, _ = chain.forms_of(names[1], what, back.moves(names[2 + front.named :]), back.numbers)
    pair = (second_agent, first_agent) if not total and ends[1] > ends[0] else (first_agent, second_agent)
    question = Question("total" if total else "difference", pair, what)
    return chain.Drawn((Problem((*first_forms, *second_forms), question),), "+" if total else "-", ("",))
