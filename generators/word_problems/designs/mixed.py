"""Mixed chains: with sentences that matter to nobody, in ten surface forms, as two stories, without a quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import accumulate
from typing import Any, NamedTuple

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain
from hansproof.generators.word_problems.english.vocabulary import MEASURES
from hansproof.generators.word_problems.forms import Comparison, Container, Form, Problem, Question, Remark, Transfer

__all__ = ["ARMS", "FORMS", "draw_distractor", "draw_nonlinear", "draw_surface_forms", "draw_unanswerable"]

# Mixed chains: transfers and comparisons in any order, at most one of them with a factor. Nothing is under test.

MOST_STEPS = 12
_MOST_AFTER = 4  # moves after a factor


class Chain(NamedTuple):
    """A chain with its numbers."""

    moves: Sequence[chain.Move]
    numbers: tuple[int, ...]
    """The number of the container, then one per move."""
    steps: list[tuple[str, int]]
    """The operations."""
    end: int
    """The result."""

    @property
    def named(self) -> int:
        """How many agents there are besides the first."""
        return sum(move.named for move in self.moves)


def shape(stream: Stream, count: int) -> list[chain.Move]:
    """The moves of a chain: transfers or comparisons, to add or to subtract; one of three chains has a factor."""
    scaled = max(stream.below(count), count - 1 - _MOST_AFTER) if stream.below(3) == 0 else -1
    bits = stream.below(8**count)
    moves = []
    for at in range(count):
        moves.append(_SCALED[bits & 3] if at == scaled else _MOVES[bits & 7])
        bits >>= 3
    return moves


_ADDED = tuple(chain.comparison(sign, side) for side in (False, True) for sign in "+-")
_SCALED = tuple(chain.comparison(sign, side) for side in (False, True) for sign in "*/")
_MOVES = chain.CHANGES + _ADDED


def numbered(stream: Stream, of: Sequence[chain.Move], steps: int) -> Chain:
    """The chain with numbers drawn for it, in a problem of `steps` steps."""
    operators = [move.operator for move in of]
    place = next((at for at, sign in enumerate(operators) if sign in "*/"), -1)
    times = chain.factor(stream) if place >= 0 else 0
    while True:
        numbers = chain.small(stream, len(of), steps)
        if place >= 0:
            numbers[place] = times
        ways = list(zip(operators, numbers, strict=True))
        if place >= 0 and ways[place][0] == "/":  # start from the quotient
            back, after = [("*", times), *chain.backwards(ways[:place])], ways[place + 1 :]
        else:
            back, after = chain.backwards(ways[: max(place, 0)]), ways[max(place, 0) :]
        values = chain.anchors([back, after], chain.WIDTH)
        if values:
            first = chain.result(values[stream.below(len(values))], back)
            # What moves cancel is asked for by no question: the answer would stand in the text.
            end = chain.result(first, ways)
            if end != first and end not in numbers:
                return Chain(of, (first, *numbers), ways, end)


def _ending(problem: Problem, drawn: Chain, count: int) -> tuple[str, tuple[str, ...]]:
    """The operator and the relation of the last sentence, for `count` problems."""
    last = problem.forms[-1]
    relation = last.relation if isinstance(last, Comparison) else ""
    return drawn.steps[-1][0] * count, (relation,) * count


# A group is a problem in four arms: as it is; with sentences about somebody else that have no number; that have one
# which nobody could use (of a house); and that say how many of the same thing they have. The sentences with
# numbers have the same ones, and all three have equally many words and characters. They never stand between a change
# and the comparison that takes place at that point.

ARMS = ("original", "filler", "unusable-number", "usable-number")
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


def draw_distractor(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw group `number` in the order of ARMS, with `level` sentences that matter to nobody (0: one)."""
    count = level or 1
    steps = 1 + own.below(MOST_STEPS)
    drawn = numbered(own, shape(own, steps), steps)
    place = 1 + own.below(steps + 1)
    results = {*accumulate(drawn.steps, lambda value, step: chain.result(value, (step,)), initial=drawn.numbers[0])}
    told = results.union(drawn.numbers)
    idle: list[int] = []
    for _ in range(count):
        idle.append(_idle(own, steps, results, told))
        told.add(idle[-1])
    lines, least, most = chain.worked(drawn.numbers[0], drawn.steps)
    what = chain.thing(own, min(least, *idle), max(most, *idle))._replace(attribute="")
    first, *names = chain.agents(own, 1 + count + drawn.named)
    strangers = names[drawn.named :]
    plain = chain.problem_of((first, *names), what, drawn.moves, drawn.numbers)
    around = plain.forms[place - 1 : place + 1]
    place += len(around) == 2 and isinstance(around[0], Transfer) and isinstance(around[1], Comparison)

    def longer(sentences: Sequence[Form]) -> Problem:
        return plain._replace(forms=(*plain.forms[:place], *sentences, *plain.forms[place:]))

    problems = (
        plain,
        longer([Remark(name, None) for name in strangers]),
        longer([Remark(name, size) for name, size in zip(strangers, idle)]),
        longer([Container(name, size, what) for name, size in zip(strangers, idle)]),
    )
    operations, relations = _ending(plain, drawn, len(ARMS))
    more = tuple({"idle_at": -1 if arm == ARMS[0] else place} for arm in ARMS)
    return chain.Drawn(problems, (lines,), operations, relations, more, chain.Shares(idle=place, idles=count))


# A reasoner does equally well on all ten forms; the variance of a model's answers over the forms of a problem is what
# it owes to the surface (GSM-Symbolic: Mirzadeh et al. 2024).

_EACH = 3
FORMS = ("original", *(f"{what}-{at}" for what in ("names", "numbers", "sentences") for at in range(1, _EACH + 1)))
_LEAST_STEPS, _MOST_STEPS = 2, 6


def draw_surface_forms(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw the ten forms of problem `number`, in the order of FORMS. All have the same operations in the same order,
    and people of the same sexes in the same places."""
    steps = _LEAST_STEPS + own.below(1 + _MOST_STEPS - _LEAST_STEPS)
    moves = shape(own, steps)
    chains = [numbered(own, moves, steps)]
    while len(chains) <= _EACH:
        drawn = numbered(own, moves, steps)
        if drawn not in chains:
            chains.append(drawn)
    lines, lows, highs = zip(*(chain.worked(each.numbers[0], each.steps) for each in chains), strict=True)
    what = chain.thing(own, min(lows), max(highs))
    casts = [chain.agents(own, 1 + chains[0].named)]
    while len(casts) <= _EACH:
        casts.append(chain.agents(own, 0, casts[0]))
    told = [(names, chains[0]) for names in casts] + [(casts[0], numbers) for numbers in chains[1:]]
    problems = tuple(chain.problem_of(names, what, each.moves, each.numbers) for names, each in told)
    problems += problems[:1] * _EACH
    operations, relations = _ending(problems[0], chains[0], len(FORMS))
    ways = (*[lines[0]] * (1 + _EACH), *lines[1:], *[lines[0]] * _EACH)
    return chain.Drawn(problems, ways, operations, relations, shares=chain.Shares(again=_EACH))


# Two stories of 3 to 24 steps in all. The question asks for the total or the difference of their results, so a solver
# must keep both in mind (Opedal et al. 2024).

_LEAST_JOINED, _MOST_JOINED = 3, 24


def draw_nonlinear(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw problem `number` of `level` steps (0: 3 to 24). A difference is the larger result minus the smaller."""
    moves = (level or _LEAST_JOINED + own.below(1 + _MOST_JOINED - _LEAST_JOINED)) - 1
    split = 1 + own.below(moves - 1)
    total = number % 2 == 0
    while True:
        front = numbered(own, shape(own, split), moves)
        back = numbered(own, shape(own, moves - split), moves)
        ends = [front.end, back.end]
        answer = sum(ends) if total else abs(ends[0] - ends[1])
        factors = [{number for sign, number in front.steps + back.steps if sign == each} for each in "*/"]
        told = {*front.numbers, *back.numbers}
        if chain.LOW <= answer <= chain.MOST and answer not in told and not factors[0] & factors[1]:
            break
    ways, lows, highs = zip(*(chain.worked(each.numbers[0], each.steps) for each in (front, back)), strict=True)
    what = chain.thing(own, min(lows), max(answer, *highs))
    names = chain.agents(own, 2 + front.named + back.named)
    first_forms, first_agent = chain.forms_of((names[0], *names[2:]), what, front.moves, front.numbers)
    others = names[1], *names[2 + front.named :]
    second_forms, second_agent = chain.forms_of(others, what, back.moves, back.numbers)
    lines = ways[0] + ways[1]
    turned = not total and ends[1] > ends[0]
    pair = (second_agent, first_agent) if turned else (first_agent, second_agent)
    left, right = ends[::-1] if turned else ends
    sign = "+" if total else "-"
    lines.append(f"{left} {sign} {right} = {answer}")
    question = Question("total" if total else "difference", pair, what)
    return chain.Drawn((Problem((*first_forms, *second_forms), question),), (lines,), sign, ("",))


# Two stories of equally many steps, told in turns, of which the question asks about one. In one sentence of each story
# the number can be left out (`some rolls`); in one problem of a pair it is missing where it matters, in the other where
# it does not. Both problems have the same words. The last two moves compare, so that the sentence without a number
# names neither the person asked about nor the one with whom that person is compared.

_LEAST_EACH, _MOST_EACH = 2, 6


def draw_unanswerable(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`, each story of `level` steps (0: 2 to 6): the problem with an answer first. Every second pair
    asks about the second story."""
    steps = level or _LEAST_EACH + own.below(1 + _MOST_EACH - _LEAST_EACH)
    vague = own.below(steps - 1)
    shapes = [_with_a_gap(own, steps, vague) for _ in range(2)]
    while True:
        chains = [numbered(own, moves, steps) for moves in shapes]
        numbers = chains[0].numbers + chains[1].numbers
        digits = [len(str(each.numbers[vague])) for each in chains]
        # Both problems are to have as many digits, and no answer stands in the text.
        if digits[0] == digits[1] and chains[0].end not in numbers and chains[1].end not in numbers:
            break
    ways, lows, highs = zip(*(chain.worked(each.numbers[0], each.steps) for each in chains), strict=True)
    # Whoever takes some carrots might not take large ones, and nobody says `some litres`.
    while (what := chain.thing(own, min(lows), max(highs))._replace(attribute="")).unit in MEASURES:
        pass
    names = chain.agents(own, 2 + chains[0].named + chains[1].named)
    casts = (names[0], *names[2:]), (names[1], *names[2 + chains[0].named :])
    told = [chain.forms_of(cast, what, each.moves, each.numbers) for cast, each in zip(casts, chains, strict=True)]
    asked = number % 2
    # The stories take turns: neither where the gap is nor who is named near it says whose story it is in.
    turns = own.below(2**steps) << 1
    order = [(at, which ^ (turns >> at & 1)) for at in range(1 + steps) for which in (0, 1)]
    question = Question("count", (told[asked][1],), what)
    problems = []
    for missing in (1 - asked, asked):
        lines = [forms.copy() for forms, _ in told]
        lines[missing][vague] = lines[missing][vague]._replace(quantity=None)
        problems.append(Problem(tuple(lines[which][at] for at, which in order), question))
    of = chains[asked]
    more: tuple[Mapping[str, Any], ...] = ({"answerable": "yes"}, {"answerable": "no"})
    return chain.Drawn(tuple(problems), (ways[asked], _unknown(of.numbers[0], of.steps, vague)), more=more)


def _with_a_gap(own: Stream, steps: int, vague: int) -> list[chain.Move]:
    """Moves of a story in which the first sentence (0) or move `vague` can say `some`; the last two compare."""
    moves = shape(own, steps)
    if vague:
        moves[vague - 1] = own.choice(chain.CHANGES)
    for at in (-2, -1):
        if moves[at].kind == chain.TRANSFER:
            moves[at] = chain.comparison(moves[at].operator, own.coin())
    return moves


def _unknown(first: int, steps: Sequence[tuple[str, int]], vague: int) -> list[str]:
    """The steps where the number at `vague` is missing (0: the first one): `24 - ? = ?`, and ? from there on."""
    value = None if vague == 0 else first
    lines = []
    for at, (sign, number) in enumerate(steps, 1):
        by = None if at == vague else number
        after = None if value is None or by is None else chain.result(value, ((sign, by),))
        left, right, end = ("?" if each is None else each for each in (value, by, after))
        lines.append(f"{left} {sign} {right} = {end}")
        value = after
    return lines
