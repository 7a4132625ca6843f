"""Arms: the choice between two arms that four tasks come down to, and the acts of whoever plays it.

In the two-step task the first choice is one between two arms, paid by what the day brings, and the second one is
another. So a player of arms ignores what leads where, and is a model-free one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from generators.cognitive_tasks.agents.agent import Act
from generators.cognitive_tasks.tasks.horizon import HorizonView
from generators.cognitive_tasks.tasks.instrumental_learning import InstrumentalLearningView
from generators.cognitive_tasks.tasks.restless_bandit import RestlessBanditView
from generators.cognitive_tasks.tasks.two_step import TwoStepView
from generators.stream import Stream

__all__ = ["ARMLESS", "Arms", "Policy", "acts_of", "means_of"]

PLACES = 4
"""Places of instrumental learning."""

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


class Policy(Protocol):
    """How to choose between two arms."""

    def chance(self, arms: Arms) -> float:
        """The probability of choosing arm 1."""
        ...

    def certainty(self, arms: Arms, arm: int) -> float:
        """The probability, as far as it can tell, that `arm` is the better one now; .5 is a guess."""
        ...


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


def acts_of(policy: Policy) -> Mapping[str, Act]:
    """How a player of arms acts in the four tasks that are played with two arms."""

    def choose(arms: Arms, names: tuple[str, str], draws: Stream) -> str:
        return names[draws.uniform() < policy.chance(arms)]

    def horizon(view: HorizonView, draws: Stream) -> str:
        return choose(Arms(view.trials, view.left, 50, 40, 8), view.names, draws)

    def restless_bandit(view: RestlessBanditView, draws: Stream) -> str:
        arms = Arms([trial[:2] for trial in view.trials], view.left, 50, 40, 8)
        if view.chosen is None:
            return choose(arms, view.names, draws)
        return f"{policy.certainty(arms, view.chosen):.6f}"

    def instrumental_learning(view: InstrumentalLearningView, draws: Stream) -> str:
        plays = [(arm, payout) for place, arm, payout in view.trials if place == view.place]
        visits = (len(view.trials) + view.left) // PLACES
        return choose(Arms(plays, visits - len(plays), 0.5, 1, 0.433), view.names, draws)

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
