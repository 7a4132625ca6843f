"""The two learners that the two-step task tells apart (Daw et al. 2011).

Both learn the values of the second choices alike. The model-free one learns the first choices by what the day brought
in the end (SARSA with eligibility 1); the model-based one works them out from where they lead.
"""

from __future__ import annotations

from collections.abc import Sequence

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.agents.rescorla_wagner import logistic
from generators.cognitive_tasks.tasks.two_step import Day, TwoStepView
from generators.stream import Stream

__all__ = ["model_based", "model_free"]

COMMON = 0.7

_ELSEWHERE = (
    "probabilistic-reasoning",
    "horizon",
    "restless-bandit",
    "instrumental-learning",
    "temporal-discounting",
    "balloons",
)


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


def _learner(name: str, summary: str, plans: bool, alpha: float, beta: float) -> Agent:
    def act(view: TwoStepView, draws: Stream) -> str:
        seconds = _seconds(view.days, alpha)
        if view.state is not None:
            values = seconds[view.state]
        else:
            values = _planned(seconds) if plans else _firsts(view.days, alpha)
        return view.names[draws.uniform() < logistic(beta * (values[1] - values[0]))]

    declines = dict.fromkeys(_ELSEWHERE, "it has no first choice that leads to a second one")
    return Agent(name, summary, "Daw et al. 2011", {"two-step": act}, declines, {"alpha": alpha, "beta": beta})


def model_based(alpha: float, beta: float) -> Agent:
    """Plans the first choice with the transitions."""
    summary = (
        "Values a first choice by where it leads (to its own place with probability .7) and the best choice there."
    )
    return _learner("model-based", summary, True, alpha, beta)


def model_free(alpha: float, beta: float) -> Agent:
    """Repeats the first choices that were rewarded."""
    summary = "Values a first choice by what the days brought on which it was made, wherever it led."
    return _learner("model-free", summary, False, alpha, beta)
