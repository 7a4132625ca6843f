"""What an agent is, and agents that learn: heuristics for two arms, Rescorla-Wagner, two-step learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import erf, exp, log, sqrt

from hansproof.generators.cognitive_tasks.subsets import TASKS
from hansproof.generators.cognitive_tasks.task import View
from hansproof.generators.cognitive_tasks.tasks.horizon import HorizonView
from hansproof.generators.cognitive_tasks.tasks.instrumental_learning import VISITS, InstrumentalLearningView
from hansproof.generators.cognitive_tasks.tasks.restless_bandit import RestlessBanditView
from hansproof.generators.cognitive_tasks.tasks.two_step import Day, TwoStepView
from hansproof.generators.stream import Stream

__all__ = [
    "Agent",
    "confidence",
    "greedy",
    "rescorla_wagner",
    "two_step_learner",
    "upper_confidence_bound",
    "win_stay_lose_shift",
]

# An agent acts by the view of a game (`Game.view`), which never holds an outcome that was not drawn, and remembers
# nothing: the same view and the same draws always give the same action.

Act = Callable[[View, Stream], str]
"""(what a player knows now, draws for this turn) -> one of the legal actions."""


@dataclass(frozen=True)
class Agent:
    """One way to play."""

    name: str
    """`win-stay-lose-shift`: on the command line, and in the stream of its draws."""
    summary: str
    """What it does, as a sentence."""
    source: str
    """Author and year."""
    acts: Mapping[str, Act]
    """Task -> how it acts there."""
    declines: Mapping[str, str]
    """Every other task -> why it does not play it, as a clause."""


# Four tasks come down to a choice between two arms. In the two-step task the first choice is paid by what the day
# brings, so a player of arms ignores what leads where, and is a model-free one.

ARMLESS = {
    "probabilistic-reasoning": "it asks for a probability, not for a choice, and nothing is paid",
    "temporal-discounting": "nothing is paid that could be learned from",
    "balloons": "it asks when to stop, not which of two arms to choose",
}
"""Why players of arms do not play the other tasks."""


@dataclass(frozen=True)
class Arms:
    """Two arms, 0 and 1, and what they have paid."""

    plays: Sequence[tuple[int, float]]
    """(arm, payout), in order."""
    left: int
    """Choices left between these arms, this one included; in the two-step task at most so many."""
    middle: float
    """What an arm pays on average as far as anybody knows who has not seen it."""
    unit: float
    """The difference that separates a good payout from a bad one."""
    spread: float
    """The standard deviation of payouts around the mean of an arm."""


def means_of(arms: Arms) -> tuple[tuple[float, int], tuple[float, int]]:
    """The mean payout of each arm and how often it was played; the middle for an arm that never was."""
    totals, counts = [0.0, 0.0], [0, 0]
    for arm, payout in arms.plays:
        totals[arm] += payout
        counts[arm] += 1
    first, second = (
        (total / count if count else arms.middle, count) for total, count in zip(totals, counts, strict=True)
    )
    return first, second


def confidence(probability: float) -> str:
    """2 p - 1, from 0 (a guess) to 1 (very certain), for an arm that is better with probability p; 0 below .5."""
    return f"{max(2 * probability - 1, 0):.6f}"


def acts_of(policy: Policy) -> Mapping[str, Act]:
    """How a player of arms acts in the four tasks that are played with two arms.

    `policy.chance` is the probability of choosing arm 1, `policy.certainty` how probable it thinks that an arm is the
    better one now; .5 is a guess.
    """

    def choose(arms: Arms, names: tuple[str, str], draws: Stream) -> str:
        return names[draws.uniform() < policy.chance(arms)]

    def horizon(view: HorizonView, draws: Stream) -> str:
        return choose(Arms(view.trials, view.left, 50, 40, 8), view.names, draws)

    def restless_bandit(view: RestlessBanditView, draws: Stream) -> str:
        arms = Arms([trial[:2] for trial in view.trials], view.left, 50, 40, 8)
        if view.chosen is None:
            return choose(arms, view.names, draws)
        return confidence(policy.certainty(arms, view.chosen))

    def instrumental_learning(view: InstrumentalLearningView, draws: Stream) -> str:
        plays = [(arm, payout) for place, arm, payout in view.trials if place == view.place]
        return choose(Arms(plays, VISITS - len(plays), 0.5, 1, 0.433), view.names, draws)

    def two_step(view: TwoStepView, draws: Stream) -> str:
        if view.state is None:
            plays = [(day.action, float(day.reward)) for day in view.days]
        else:
            plays = [(day.choice, float(day.reward)) for day in view.days if day.state == view.state]
        return choose(Arms(plays, view.left, 0.5, 1, 0.5), view.names, draws)

    return {
        "horizon": horizon,
        "restless-bandit": restless_bandit,
        "instrumental-learning": instrumental_learning,
        "two-step": two_step,
    }


@dataclass(frozen=True)
class _Bounds:
    """The arm with the highest mean plus bonus; ties are broken at random."""

    width: float

    def chance(self, arms: Arms) -> float:
        first, second = (self._bound(arms, mean, count) for mean, count in means_of(arms))
        return 0.5 if first == second else float(second > first)

    def certainty(self, arms: Arms, arm: int) -> float:
        """The probability that the arm has the higher mean, where the payouts seen are all that is known."""
        chosen, other = (means_of(arms)[side] for side in (arm, 1 - arm))
        if not chosen[1] or not other[1]:
            return 0.5
        error = arms.spread * sqrt(1 / chosen[1] + 1 / other[1])
        return (1 + erf((chosen[0] - other[0]) / error / sqrt(2))) / 2

    def _bound(self, arms: Arms, mean: float, count: int) -> float:
        if not self.width or arms.left == 1:
            return mean
        return mean + self.width * arms.spread * sqrt(2 * log(arms.left) / count) if count else float("inf")


@dataclass(frozen=True)
class _WinStayLoseShift:
    """A win is a payout above the mean of all before it; the first, and one that equals the mean: above the middle."""

    def chance(self, arms: Arms) -> float:
        if not arms.plays:
            return 0.5
        arm, _ = arms.plays[-1]
        return float(arm if self._wins(arms)[-1] else 1 - arm)

    def certainty(self, arms: Arms, arm: int) -> float:
        """The share of plays that won, by Laplace's rule."""
        wins = self._wins(arms)
        return (sum(wins) + 1) / (len(wins) + 2)

    def _wins(self, arms: Arms) -> list[bool]:
        wins, total = [], 0.0
        for before, (_, payout) in enumerate(arms.plays):
            surprise = payout - (total / before if before else arms.middle)
            wins.append((surprise or payout - arms.middle) > 0)
            total += payout
        return wins


def greedy() -> Agent:
    """Chooses the arm with the higher mean so far."""
    return Agent(
        "greedy",
        "Chooses the arm with the higher mean payout so far; an arm never seen counts as average.",
        "Sutton & Barto 2018",
        acts_of(_Bounds(0)),
        ARMLESS,
    )


def upper_confidence_bound(width: float) -> Agent:
    """Chooses the arm with the higher bound, which is wider the more choices are left."""
    return Agent(
        "upper-confidence-bound",
        "Chooses the arm whose mean so far is higher after a bonus of width * spread * sqrt(2 ln(choices left) / plays "
        "of the arm): nothing is gained from exploring at the last choice.",
        "Lai & Robbins 1985; Auer, Cesa-Bianchi & Fischer 2002",
        acts_of(_Bounds(width)),
        ARMLESS,
    )


def win_stay_lose_shift() -> Agent:
    """Repeats the last arm after a win, and changes after a loss."""
    return Agent(
        "win-stay-lose-shift",
        "Repeats the last choice if it paid more than the mean of all payouts before it, else changes.",
        "Robbins 1952",
        acts_of(_WinStayLoseShift()),
        ARMLESS,
    )


def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), without overflow for any x."""
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


@dataclass(frozen=True)
class _RescorlaWagner:
    alpha_plus: float
    alpha_minus: float
    beta: float

    def chance(self, arms: Arms) -> float:
        values = self._values(arms)
        return logistic(self.beta * (values[1] - values[0]))

    def certainty(self, arms: Arms, arm: int) -> float:
        """The probability with which it chooses the arm."""
        chance = self.chance(arms)
        return chance if arm else 1 - chance

    def _values(self, arms: Arms) -> list[float]:
        """V + alpha * (payout - V), where alpha depends on the sign of the surprise; V starts at the middle, .5."""
        values = [0.5, 0.5]
        for arm, payout in arms.plays:
            surprise = 0.5 + (payout - arms.middle) / arms.unit - values[arm]
            values[arm] += (self.alpha_plus if surprise > 0 else self.alpha_minus) * surprise
        return values


Policy = _Bounds | _WinStayLoseShift | _RescorlaWagner
"""How to choose between two arms."""


def rescorla_wagner(alpha_plus: float, alpha_minus: float, beta: float) -> Agent:
    """Learns by surprise, at one rate from good news and at another from bad."""
    return Agent(
        "rescorla-wagner",
        "Moves the value of the arm chosen by a share of the surprise, alpha_plus of a good one and alpha_minus of a "
        "bad one, and chooses by softmax with inverse temperature beta. Payouts in points are divided by 40.",
        "Rescorla & Wagner 1972; Lefebvre et al. 2017",
        acts_of(_RescorlaWagner(alpha_plus, alpha_minus, beta)),
        ARMLESS,
    )


# Daw et al. (2011): both learn the values of the second choices alike. The model-free learner learns the first choices
# by what the day brought (SARSA with eligibility 1), the model-based one works them out from where they lead.

COMMON = 0.7


def _seconds(days: Sequence[Day], alpha: float) -> list[list[float]]:
    """The values of the second choices, by place."""
    values = [[0.5, 0.5], [0.5, 0.5]]
    for day in days:
        values[day.state][day.choice] += alpha * (day.reward - values[day.state][day.choice])
    return values


def _firsts(days: Sequence[Day], alpha: float) -> list[float]:
    """The values of the first choices, by what the days brought."""
    values = [0.5, 0.5]
    for day in days:
        values[day.action] += alpha * (day.reward - values[day.action])
    return values


def _planned(seconds: Sequence[Sequence[float]]) -> list[float]:
    """The values of the first choices, by where they lead and the best that can be had there."""
    here, there = (max(values) for values in seconds)
    return [COMMON * here + (1 - COMMON) * there, COMMON * there + (1 - COMMON) * here]


def two_step_learner(plans: bool, alpha: float, beta: float) -> Agent:
    """Plans the first choice with the transitions, or repeats the first choices that were rewarded."""

    def act(view: TwoStepView, draws: Stream) -> str:
        seconds = _seconds(view.days, alpha)
        if view.state is not None:
            values = seconds[view.state]
        else:
            values = _planned(seconds) if plans else _firsts(view.days, alpha)
        return view.names[draws.uniform() < logistic(beta * (values[1] - values[0]))]

    based = "Values a first choice by where it leads (to its own place with probability .7) and the best choice there."
    free = "Values a first choice by what the days brought on which it was made, wherever it led."
    declines = {name: "it has no first choice that leads to a second one" for name in TASKS if name != "two-step"}
    name, summary = ("model-based", based) if plans else ("model-free", free)
    return Agent(name, summary, "Daw et al. 2011", {"two-step": act}, declines)
