"""The Bayes-optimal agent, which knows how episodes are drawn; in the horizon task it plans ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import exp, perm, pi, sqrt
from operator import mul

from hansproof.generators.cognitive_tasks.learners import Agent, confidence
from hansproof.generators.cognitive_tasks.tasks.horizon import BASES, GAPS
from hansproof.generators.cognitive_tasks.tasks.instrumental_learning import VISITS, InstrumentalLearningView
from hansproof.generators.cognitive_tasks.tasks.probabilistic_reasoning import ProbabilisticReasoningView
from hansproof.generators.cognitive_tasks.tasks.restless_bandit import RestlessBanditView, lengths_of
from hansproof.generators.stream import Stream

__all__ = ["bayes_optimal"]

# The horizon task by dynamic programming (Wilson et al. 2014). The pair of means is drawn from 40, so how often each
# arm was played and its mean payout give the posterior. The last two choices are worked out; the value of more is
# tabulated on a grid of mean payouts, from the end backwards, and read by cubic interpolation.

SPREAD = 8.0
STEP = 4
GRID = tuple(range(4, 97, STEP))
"""Mean payouts. Beyond either end one arm is as good as sure to be the better one."""
NODES = tuple(range(-20, 125, 4))
"""Payouts to come."""

_ORDERED = [(base, base + gap) for base in BASES for gap in GAPS]
PAIRS = tuple(_ORDERED + [(second, first) for first, second in _ORDERED])
"""The pairs of means, all equally likely."""
MEANS = tuple(sorted({mean for pair in PAIRS for mean in pair}))
_PLACES = tuple((MEANS.index(first), MEANS.index(second)) for first, second in PAIRS)
_HEIGHT = (NODES[1] - NODES[0]) / SPREAD / sqrt(2 * pi)
_DENSITY = tuple(tuple(_HEIGHT * exp(-(((node - mean) / SPREAD) ** 2) / 2) for node in NODES) for mean in MEANS)
"""By mean and payout: the probability that is given to the payout."""
_LEAST = 1e-7
"""Pairs of means that are so much less probable than the likeliest one are left out."""

_Line = Sequence[float]


@dataclass(frozen=True)
class _Arm:
    """What is known of one arm."""

    count: int
    mean: float

    def after(self, payout: float) -> float:
        """The mean after one more payout."""
        return (self.count * self.mean + payout) / (self.count + 1)


def action_values(plays: Sequence[tuple[int, float]], left: int) -> tuple[float, float]:
    """The expected total of the `left` payouts to come if arm 0, or arm 1, is chosen now and the best arm ever after.

    `plays` has (arm, payout), and each arm at least once; `left` is 1 or more.
    """
    paid = [[payout for arm, payout in plays if arm == side] for side in (0, 1)]
    first, second = (_Arm(len(payouts), sum(payouts) / len(payouts)) for payouts in paid)
    return _values((first, second), (_evidence(first), _evidence(second)), left)


@lru_cache(maxsize=4096)
def _evidence(arm: _Arm) -> tuple[float, ...]:
    """The likelihood of each mean payout of an arm, up to a factor that the best one makes 1."""
    powers = [arm.count * ((arm.mean - true) / SPREAD) ** 2 / 2 for true in MEANS]
    least = min(powers)
    return tuple(exp(least - power) for power in powers)


def _values(arms: tuple[_Arm, _Arm], evidence: tuple[_Line, _Line], left: int) -> tuple[float, float]:
    joint = [evidence[0][place_0] * evidence[1][place_1] for place_0, place_1 in _PLACES]
    least = _LEAST * max(joint)
    pairs = [(weight, places) for weight, places in zip(joint, _PLACES, strict=True) if weight > least]
    if not pairs:  # the payouts of the two arms fit no pair together: far beyond anything that is drawn
        return arms[0].mean * left, arms[1].mean * left
    total = sum(weight for weight, _ in pairs)
    values = []
    for side in (0, 1):
        value = sum(weight * MEANS[places[side]] for weight, places in pairs)
        if left == 2:
            value += _last(pairs, side)
        elif left > 2:
            value += _later(pairs, side, arms, left - 1)
        values.append(value / total)
    return values[0], values[1]


def _last(pairs: Sequence[tuple[float, tuple[int, int]]], side: int) -> float:
    """What the last choice is expected to pay after one payout of an arm, times the total weight of the pairs.

    The better posterior mean, times the probability of the payout, is a sum over the pairs.
    """
    means_0, means_1 = [0.0] * len(NODES), [0.0] * len(NODES)
    for weight, places in pairs:
        mean_0, mean_1 = weight * MEANS[places[0]], weight * MEANS[places[1]]
        for node, density in enumerate(_DENSITY[places[side]]):
            means_0[node] += density * mean_0
            means_1[node] += density * mean_1
    return sum(map(max, means_0, means_1))


def _later(pairs: Sequence[tuple[float, tuple[int, int]]], side: int, arms: tuple[_Arm, _Arm], left: int) -> float:
    """The same for the `left` choices after one payout of an arm, from the table."""
    belief: dict[int, float] = {}
    for weight, places in pairs:
        belief[places[side]] = belief.get(places[side], 0.0) + weight
    rows = _rows(arms[side].count + 1, arms[1 - side].count, left)
    lines = [_line(values, arms[1 - side].mean) for values in rows]
    best = [
        max(a * line[low - 1] + b * line[low] + c * line[low + 1] + d * line[low + 2] for line in lines)
        for low, a, b, c, d in _steps(arms[side])
    ]
    total = 0.0
    for place, weight in belief.items():
        total += weight * sum(map(mul, best, _DENSITY[place]))
    return total


def _line(rows: Sequence[_Line], mean: float) -> _Line:
    """The values by the mean of one arm, the rows' own being at `mean`."""
    low, *weights = _between(mean)
    if weights[1] == 1:
        return rows[low]
    near = rows[low - 1 : low + 3]
    return [
        sum(weight * value for weight, value in zip(weights, values, strict=True)) for values in zip(*near, strict=True)
    ]


@lru_cache(maxsize=4096)
def _steps(arm: _Arm) -> tuple[tuple[int, float, float, float, float], ...]:
    """By payout to come: where the mean will lie in the grid."""
    return tuple(_between(arm.after(payout)) for payout in NODES)


def _between(mean: float) -> tuple[int, float, float, float, float]:
    """A grid point, and the weights of the point before it, itself and the two after it (Lagrange)."""
    place = (min(max(mean, GRID[0]), GRID[-1]) - GRID[0]) / STEP
    low = min(max(int(place), 1), len(GRID) - 3)
    t = place - low
    return (
        low,
        -t * (t - 1) * (t - 2) / 6,
        (t + 1) * (t - 1) * (t - 2) / 2,
        -(t + 1) * t * (t - 2) / 2,
        (t + 1) * t * (t - 1) / 6,
    )


@lru_cache(maxsize=256)
def _rows(count: int, other: int, left: int) -> tuple[Sequence[_Line], Sequence[_Line]]:
    """The values of choosing an arm played `count` times, and of choosing the other one: by the mean of the other arm,
    then by the mean of the arm itself.

    They are kept apart because each is smooth, and the better of the two is not.
    """
    if count > other:  # the same with the arms exchanged
        mirrored = _rows(other, count, left)
        return list(zip(*mirrored[1], strict=True)), list(zip(*mirrored[0], strict=True))
    values = []
    for known in (_Arm(other, mean) for mean in GRID):
        arms = [_Arm(count, mean) for mean in GRID]
        values.append([_values((arm, known), (_evidence(arm), _evidence(known)), left) for arm in arms])
    first, second = ([[pair[side] for pair in row] for row in values] for side in (0, 1))
    return first, second


# Restless bandit: either arm tells as much of which is better, so the likelier one is the best choice. Instrumental
# learning: that the four places have different pairs of chances is not used.


def _estimate(view: ProbabilisticReasoningView, draws: Stream) -> str:
    joint, other = view.prior, 1 - view.prior
    for red in view.seen:
        joint *= view.likelihood if red else 1 - view.likelihood
        other *= 1 - view.likelihood if red else view.likelihood
    return f"{joint / (joint + other):.6f}"


def _better(names: tuple[str, str], values: tuple[float, float], draws: Stream) -> str:
    """The arm with the higher value; either where they are equal but for rounding."""
    if abs(values[0] - values[1]) < 1e-9:
        return draws.choice(names)
    return names[values[1] > values[0]]


def second_is_better(trials: Sequence[tuple[int, float]], blocks: int) -> float:
    """The probability that arm 1 is the better one at the play after `trials`, (arm, payout).

    A payout r of arm 1 speaks for arm 1 with log odds of 20 (r - 50) / 64: payouts are N(60, 8) or N(40, 8). All
    lengths of a block are equally likely.
    """
    (shortest, longest), now = lengths_of(blocks), len(trials)
    sums = [0.0, *accumulate(20 * (payout - 50) / 64 * (1 if arm else -1) for arm, payout in trials)]
    support = [0.0, 0.0]
    # By the start of a block: the weight of all courses so far in which arm 0, or arm 1, is the better one in it.
    starts, lengths = {0: (1.0, 1.0)}, longest - shortest + 1
    while starts:
        following: dict[int, tuple[float, float]] = {}
        for start, weights in starts.items():
            for end in range(start + shortest, start + longest + 1):
                # Half the log odds for the one, half against the other.
                half = (sums[min(end, now)] - sums[start]) / 2
                first, second = weights[0] * exp(-half), weights[1] * exp(half)
                if end <= now:
                    before = following.get(end, (0.0, 0.0))
                    following[end] = before[0] + second / lengths, before[1] + first / lengths
                else:
                    support = [support[0] + first, support[1] + second]
        starts = following
    return support[1] / sum(support)


def _restless_bandit(view: RestlessBanditView, draws: Stream) -> str:
    second = second_is_better([trial[:2] for trial in view.trials], view.blocks)
    if view.chosen is not None:
        return confidence(second if view.chosen else 1 - second)
    return _better(view.names, (1 - second, second), draws)


@lru_cache(maxsize=1 << 18)
def casino_values(first: tuple[int, int], second: tuple[int, int], quota: int = 6) -> tuple[float, float]:
    """The expected wins in the visits left of one place if arm 0, or arm 1, is played now and the best one ever after.

    `first` and `second` are the wins and losses of the arms so far. An arm pays in `quota` of its 24 visits or in all
    others, in random order, so after w wins and l losses K has the weight K ... (K - w + 1) (24 - K) ... (25 - K - l).
    """
    if sum(first) + sum(second) == VISITS:
        return 0.0, 0.0
    values = []
    for arm, (wins, losses) in enumerate((first, second)):
        weights = {paying: perm(paying, wins) * perm(VISITS - paying, losses) for paying in (quota, VISITS - quota)}
        paid = sum(weight * (paying - wins) for paying, weight in weights.items())
        win = paid / sum(weights.values()) / (VISITS - wins - losses)
        value = 0.0
        for chance, gained, after in ((win, 1, (wins + 1, losses)), (1 - win, 0, (wins, losses + 1))):
            if chance > 0:
                states = (first, after) if arm else (after, second)
                value += chance * (gained + max(casino_values(*states, quota)))
        values.append(value)
    return values[0], values[1]


def _instrumental_learning(view: InstrumentalLearningView, draws: Stream) -> str:
    here = [trial[1:] for trial in view.trials if trial[0] == view.place]
    first, second = ((here.count((arm, 1)), here.count((arm, 0))) for arm in (0, 1))
    return _better(view.names, casino_values(first, second, view.quota), draws)


def bayes_optimal() -> Agent:
    """Makes the most of what it sees, by the laws of the draws."""
    return Agent(
        "bayes-optimal",
        "Knows how episodes are drawn, updates its beliefs by Bayes' rule, and plans to the last choice.",
        "Wilson et al. 2014 (horizon); Behrens, Woolrich, Walton & Rushworth 2007 (changing arms)",
        {
            "probabilistic-reasoning": _estimate,
            "horizon": lambda view, draws: _better(view.names, action_values(view.trials, view.left), draws),
            "restless-bandit": _restless_bandit,
            "instrumental-learning": _instrumental_learning,
        },
        {
            "two-step": "nobody has an exact solution for chances that drift; see model-based",
            "temporal-discounting": "nothing is right there",
            "balloons": "how much to risk on a balloon to learn for later ones has no exact solution here; see "
            "expected-value-pumper",
        },
    )
