"""The visible table of agents, and how one is made with other parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.agents.balloon_pumper import expected_value_pumper
from generators.cognitive_tasks.agents.bayes_optimal import bayes_optimal
from generators.cognitive_tasks.agents.heuristics import greedy, upper_confidence_bound, win_stay_lose_shift
from generators.cognitive_tasks.agents.random_play import random_play
from generators.cognitive_tasks.agents.rescorla_wagner import rescorla_wagner
from generators.cognitive_tasks.agents.simulation import simulate
from generators.cognitive_tasks.agents.two_step_learners import model_based, model_free
from generators.cognitive_tasks.subsets import PLACES
from generators.errors import UsageError, unknown
from generators.player import Parameter, Player, Playing

__all__ = ["AGENTS", "PLAYERS", "Entry", "make_agent"]

_RATE = "share of the surprise that is learned"
_BETA = "inverse temperature: 0 chooses at random, more chooses the higher value more often"


@dataclass(frozen=True)
class Entry:
    """One line of the table."""

    make: Callable[..., Agent]
    """Takes its parameters by name."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


_LEARNER = {"alpha": Parameter(0.6, 0, 1, _RATE), "beta": Parameter(8, 0, 1000, _BETA)}

AGENTS: Mapping[str, Entry] = {
    "random": Entry(random_play),
    "bayes-optimal": Entry(bayes_optimal),
    "greedy": Entry(greedy),
    "win-stay-lose-shift": Entry(win_stay_lose_shift),
    "upper-confidence-bound": Entry(
        upper_confidence_bound, {"width": Parameter(1, 0, 1000, "factor of the bonus for what is little known")}
    ),
    "rescorla-wagner": Entry(
        rescorla_wagner,
        {
            "alpha_plus": Parameter(0.4, 0, 1, f"{_RATE} where it is good"),
            "alpha_minus": Parameter(0.2, 0, 1, f"{_RATE} where it is bad"),
            "beta": Parameter(5, 0, 1000, _BETA),
        },
    ),
    "model-based": Entry(model_based, _LEARNER),
    "model-free": Entry(model_free, _LEARNER),
    "expected-value-pumper": Entry(expected_value_pumper),
}
"""By name, the simplest first."""


def make_agent(name: str, parameters: Mapping[str, float] | None = None) -> Agent:
    """The agent called `name`, with its default parameters but for those given.

    Raises UsageError for an unknown agent or parameter (with the known ones), and for a value out of its range.
    """
    if name not in AGENTS:
        raise unknown("agent", name, AGENTS)
    known = AGENTS[name].parameters
    values = {key: parameter.default for key, parameter in known.items()}
    for key, value in (parameters or {}).items():
        if key not in known:
            raise unknown("parameter", key, known, within=name)
        low, high = known[key].low, known[key].high
        if not low <= value <= high:
            raise UsageError(f"{key} of {name} must be from {low:g} to {high:g}, not {value:g}")
        values[key] = float(value)
    return AGENTS[name].make(**values)


def _player(name: str) -> Player:
    agent = make_agent(name)

    def make(parameters: Mapping[str, float]) -> Playing:
        made = make_agent(name, parameters)
        return lambda item, seed: simulate(made, item, seed)

    declines = {
        subset: agent.declines[task.name] for subset, (task, _) in PLACES.items() if task.name in agent.declines
    }
    return Player(agent.summary, agent.source, make, AGENTS[name].parameters, declines)


PLAYERS: Mapping[str, Player] = {name: _player(name) for name in AGENTS}
"""The same agents as the family offers them."""
