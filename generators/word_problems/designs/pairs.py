"""Pairs of problems: comparisons whose keyword names the operation, its opposite, or neither; transfers as comparisons.

In the counterbalanced pairs the two problems have the same words and the same numbers; the agents of the comparison
change places, and this alone reverses the operation. Two neighbouring pairs have opposite keywords, so every four items
cross each keyword with each operation once. In `consistency` only the sentence of the comparison differs (Opedal et al.
2024). Whichever operation is taken, all numbers work out: `trap` is where the other one leads.
"""

from __future__ import annotations

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs import chain

__all__ = ["MOST_STEPS", "draw_additive", "draw_consistency", "draw_multiplicative", "draw_transfer_comparison"]

MOST_STEPS = 12
_MOST_AFTER = 3  # moves after a factor: numbers up to 6 times as large as usual


def draw_additive(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`, a comparison with more or fewer among `level` steps (0: 1 to 12): the consistent problem
    first."""
    steps = level or 1 + own.below(MOST_STEPS)
    place = own.below(steps)
    numbers = chain.uneven(own, steps, steps)
    return _drawn(own, _keyword(root, number, "+"), place, [chain.start(own, numbers), *numbers])


def draw_multiplicative(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`, a comparison with times or part: the consistent problem first."""
    steps = level or 1 + own.below(MOST_STEPS)
    place = max(own.below(steps), steps - 1 - _MOST_AFTER)
    signs = own.below(2 ** (steps - 1))
    times = chain.factor(own)
    while True:
        numbers = chain.small(own, steps - 1, steps + _MOST_AFTER)
        moves = [("+-"[signs >> at & 1], each) for at, each in enumerate(numbers)]
        before, after = moves[:place], moves[place:]
        # From a quotient u the first agent has u * times, the second u or u * times * times.
        back = [("*", times), *chain.backwards(before)]
        quotients = chain.anchors([back, after, [("*", times), ("*", times), *after]], 10)
        if len(quotients) < 10:
            continue
        quotient = quotients[own.below(10)]
        given = [chain.result(quotient, back), *numbers]
        given.insert(1 + place, times)
        if not {chain.result(quotient, after), chain.result(quotient * times * times, after)} & {*given}:
            break
    return _drawn(own, _keyword(root, number, "*"), place, given, signs)


def _keyword(root: Stream, number: int, operator: str) -> str:
    """The relation that the comparisons of a pair name: the opposite one in the next pair."""
    block, second = divmod(number, 2)
    return chain.INVERSE[operator] if chain.block(root, block).coin() == bool(second) else operator


def _drawn(own: Stream, keyword: str, place: int, numbers: list[int], signs: int = -1) -> chain.Drawn:
    count = len(numbers) - 2
    if signs < 0:
        signs = own.below(2**count)
    named = own.below(2**count)  # half of the transfers name nobody on the other side
    names = chain.agents(own, 2 + named.bit_count())
    moves = chain.changes(count, signs, named)
    moves.insert(place, chain.comparison(keyword, True))
    # The inverse operation with the agents reversed has the same keyword.
    other = chain.INVERSE[keyword]
    steps = chain.path(moves, numbers[1:])
    others_steps = steps.copy()
    others_steps[place] = other, numbers[1 + place]
    ways, lows, highs = zip(*(chain.worked(numbers[0], each) for each in (steps, others_steps)), strict=True)
    what = chain.thing(own, min(lows), max(highs))
    easy = chain.problem_of(names, what, moves, numbers)
    ends = [int(way[-1].rpartition(" ")[2]) for way in ways]
    return chain.Drawn(
        (easy, chain.turned(easy, 1 + place)),
        ways,
        keyword + other,
        (keyword, keyword),
        ({"trap": ends[1]}, {"trap": ends[0]}),
        chain.Shares(tested=1 + place),
    )


def draw_consistency(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`: the consistent problem first.

    Something always happens after the comparison, so that both problems name the same person last.
    """
    place, after = own.below(3), 1 + own.below(3)
    tested = "+-*/"[own.below(4)]
    count = place + 1 + after
    signs, named = own.below(2**count), own.below(2**count)
    named |= ~named & ~named << 1  # `Ann gets 2 apples. Ann gets 5 apples.` reads like a correction
    operators = ["+-"[signs >> at & 1] for at in range(count)]
    operators[place] = tested
    first_number, right, wrong = _consistent_numbers(own, operators, place)
    ways, lows, highs = zip(*(chain.worked(first_number, each) for each in (right, wrong)), strict=True)
    what = chain.thing(own, min(lows), max(highs))
    names = chain.agents(own, 2 + count)
    moves = chain.changes(count, signs, named)
    moves[place] = chain.comparison(tested, True)
    numbers = [first_number, *(each for _, each in right)]
    easy = chain.problem_of(names, what, moves, numbers)
    moves[place] = chain.comparison(tested, False)
    hard = chain.problem_of(names, what, moves, numbers)
    trap = {"trap": chain.result(first_number, wrong)}
    return chain.Drawn(
        (easy, hard),
        ways[:1],
        tested * 2,
        (tested, chain.INVERSE[tested]),
        (trap, trap),
        chain.Shares(tested=1 + place),
    )


_Steps = list[tuple[str, int]]


def _consistent_numbers(stream: Stream, operators: list[str], place: int) -> tuple[int, _Steps, _Steps]:
    """The first number, the steps, and the steps of whoever carries out the opposite operation."""
    tested = operators[place]
    scaled = tested in "*/"
    # The number of the comparison is drawn once: whatever the others must be, it stays uniform.
    own = chain.factor(stream) if scaled else chain.small(stream, 1, 1)[0]
    while True:
        numbers = chain.small(stream, len(operators), len(operators) + 3 * scaled)
        numbers[place] = own
        right = list(zip(operators, numbers))
        wrong = [*right[:place], (chain.INVERSE[tested], own), *right[place + 1 :]]
        back = chain.backwards(right[:place])
        if scaled:  # start from the quotient
            back.insert(0, ("*", own))
            after = right[place + 1 :]
            values = chain.anchors([back, [("*", own), ("*", own), *after], after], chain.WIDTH // 2)
        else:
            values = chain.anchors([back, right[place:], wrong[place:]], chain.WIDTH)
        if values and len({*right}) == len(right):  # nothing is told twice word for word
            first = chain.result(values[stream.below(len(values))], back)
            if not {chain.result(first, right), chain.result(first, wrong)} & {first, *numbers}:
                return first, right, wrong


# One problem has 1-5 transfers between one agent and others; the other as many additive comparisons, each of which
# introduces the next agent. Numbers, expressions, answer, names and question are the same; words and commas are equally
# many in each sentence, and characters nearly.

_MOST_TRANSFERS = 5


def draw_transfer_comparison(own: Stream, root: Stream, number: int, level: int = 0) -> chain.Drawn:
    """Draw pair `number`: the transfers first. The next pair ends with the opposite operation, and a fair coin decides
    whether each comparison is consistent."""
    block, second = divmod(number, 2)
    last = "+-"[chain.block(root, block).below(2) ^ second]
    steps = 1 + own.below(_MOST_TRANSFERS)
    operators = "".join("+-"[own.below(2)] for _ in range(steps - 1)) + last
    numbers = chain.uneven(own, steps, steps)
    numbers.insert(0, chain.start(own, numbers))
    names = chain.agents(own, 1 + steps)
    compared = [chain.comparison(operator, own.coin()) for operator in operators]
    changes = [chain.CHANGES[2 + (operator == "-")] for operator in operators]
    steps_told = chain.path(changes, numbers[1:])
    lines, *sizes = chain.worked(numbers[0], steps_told)
    what = chain.thing(own, *sizes)._replace(attribute="")
    problems = (
        chain.problem_of((names[-1], *names), what, changes, numbers),
        chain.problem_of(names, what, compared, numbers),
    )
    return chain.Drawn(problems, (lines,), last * 2, ("", compared[-1].relation), shares=chain.Shares(matched=True))
