"""The random agent: every legal action is equally likely, and so is every number."""

from __future__ import annotations

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.tasks.balloons import BalloonView
from generators.cognitive_tasks.tasks.horizon import HorizonView
from generators.cognitive_tasks.tasks.instrumental_learning import InstrumentalLearningView
from generators.cognitive_tasks.tasks.probabilistic_reasoning import ProbabilisticReasoningView
from generators.cognitive_tasks.tasks.restless_bandit import RestlessBanditView
from generators.cognitive_tasks.tasks.temporal_discounting import DiscountingView
from generators.cognitive_tasks.tasks.two_step import TwoStepView
from generators.stream import Stream

__all__ = ["random_play"]

_Named = HorizonView | InstrumentalLearningView | TwoStepView | DiscountingView | BalloonView


def _name(view: _Named, draws: Stream) -> str:
    return draws.choice(view.names)


def _number(view: ProbabilisticReasoningView, draws: Stream) -> str:
    return f"{draws.uniform():.6f}"


def _arm_or_number(view: RestlessBanditView, draws: Stream) -> str:
    return draws.choice(view.names) if view.chosen is None else f"{draws.uniform():.6f}"


def random_play() -> Agent:
    """Acts at random in every task."""
    named = ("horizon", "instrumental-learning", "two-step", "temporal-discounting", "balloons")
    return Agent(
        "random",
        "Takes every legal action with the same probability, and gives any number from 0 to 1.",
        "the random reference of Coda-Forno et al. 2024",
        {**dict.fromkeys(named, _name), "probabilistic-reasoning": _number, "restless-bandit": _arm_or_number},
        {},
    )
