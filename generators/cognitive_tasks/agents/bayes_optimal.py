"""The Bayes-optimal agent: it knows how episodes are drawn, but not what was drawn.

Probabilistic reasoning: Bayes' rule. Horizon: dynamic programming (`horizon_planning`). Restless bandit: either arm
tells as much of which is better, so the arm that is more probably the better one is the best choice, and that
probability the best confidence. Instrumental learning: dynamic programming over wins less losses of both arms, each
place by itself (that the four places have different pairs of chances is not used).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import exp

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.agents.arms import PLACES
from generators.cognitive_tasks.agents.horizon_planning import action_values
from generators.cognitive_tasks.tasks.horizon import HorizonView
from generators.cognitive_tasks.tasks.instrumental_learning import InstrumentalLearningView
from generators.cognitive_tasks.tasks.probabilistic_reasoning import ProbabilisticReasoningView
from generators.cognitive_tasks.tasks.restless_bandit import BLOCKS, LONGEST, SHORTEST, RestlessBanditView
from generators.stream import Stream

__all__ = ["bayes_optimal", "casino_values", "second_is_better"]


def _estimate(view: ProbabilisticReasoningView, draws: Stream) -> str:
    first = view.likelihood if view.red else 1 - view.likelihood
    joint, other = view.prior * first, (1 - view.prior) * (1 - first)
    return f"{joint / (joint + other):.6f}"


def _horizon(view: HorizonView, draws: Stream) -> str:
    return _better(view.names, action_values(view.trials, view.left), draws)


def _better(names: tuple[str, str], values: tuple[float, float], draws: Stream) -> str:
    """The arm with the higher value; either where they are equal but for rounding."""
    if abs(values[0] - values[1]) < 1e-9:
        return draws.choice(names)
    return names[values[1] > values[0]]


@lru_cache(maxsize=64)
def _changes(plays: int) -> tuple[tuple[int, ...], ...]:
    """Where blocks may end, for four blocks that make so many plays together; all are equally likely."""
    lengths = product(range(SHORTEST, LONGEST + 1), repeat=BLOCKS)
    return tuple(tuple(accumulate(four)) for four in lengths if sum(four) == plays)


def second_is_better(trials: Sequence[tuple[int, float]], plays: int) -> float:
    """The probability that arm 1 is the better one at the play after `trials`, (arm, payout), of a game of `plays`.

    A payout r of arm 1 speaks for arm 1 with log odds of 20 (r - 50) / 64: payouts are N(60, 8) or N(40, 8).
    """
    odds = (20 * (payout - 50) / 64 * (1 if arm else -1) for arm, payout in trials)
    sums = [0.0, *accumulate(odds)]
    now = len(trials)
    support = []
    for ends in _changes(plays):
        start, sign, log_odds = 0, 1, 0.0
        for end in ends:
            log_odds += sign * (sums[min(end, now)] - sums[start])
            if end > now:
                break
            start, sign = end, -sign
        # Half the log odds for the one, half against the other: which arm is the better one at first.
        support.append((sign, log_odds / 2))
    highest = max(abs(half) for _, half in support)
    weights = {1: 0.0, -1: 0.0}
    for sign, half in support:
        weights[sign] += exp(half - highest)
        weights[-sign] += exp(-half - highest)
    return weights[1] / (weights[1] + weights[-1])


def _restless_bandit(view: RestlessBanditView, draws: Stream) -> str:
    second = second_is_better([trial[:2] for trial in view.trials], len(view.trials) + view.left)
    if view.chosen is not None:
        return f"{second if view.chosen else 1 - second:.6f}"
    return _better(view.names, (1 - second, second), draws)


@lru_cache(maxsize=1 << 18)
def casino_values(balance_0: int, balance_1: int, left: int) -> tuple[float, float]:
    """The expected wins in `left` visits of one place if arm 0, or arm 1, is played now and the best one ever after.

    A balance is the wins less the losses of an arm. Arms pay with a chance of .25 or .75, equally likely, so the odds
    that it is .75 are 3 to the power of the balance.
    """
    if left == 0:
        return 0.0, 0.0
    values = []
    for arm, balance in enumerate((balance_0, balance_1)):
        good = 1 / (1 + 3.0**-balance)
        win = 0.25 + good / 2
        after = [
            max(casino_values(balance_0 + change * (arm == 0), balance_1 + change * (arm == 1), left - 1))
            for change in (1, -1)
        ]
        values.append(win * (1 + after[0]) + (1 - win) * after[1])
    return values[0], values[1]


def _instrumental_learning(view: InstrumentalLearningView, draws: Stream) -> str:
    balances, seen = [0, 0], 0
    for place, arm, payout in view.trials:
        if place == view.place:
            balances[arm] += 1 if payout else -1
            seen += 1
    left = (len(view.trials) + view.left) // PLACES - seen
    return _better(view.names, casino_values(balances[0], balances[1], left), draws)


def bayes_optimal() -> Agent:
    """Makes the most of what it sees, by the laws of the draws."""
    return Agent(
        "bayes-optimal",
        "Knows how episodes are drawn, updates its beliefs by Bayes' rule, and plans to the last choice.",
        "Wilson et al. 2014 (horizon); Behrens, Woolrich, Walton & Rushworth 2007 (changing arms)",
        {
            "probabilistic-reasoning": _estimate,
            "horizon": _horizon,
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
