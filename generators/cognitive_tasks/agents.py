"""The table of agents that play without a language model; among them random play and the balloon pumper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from itertools import permutations

from hansproof.generators.cognitive_tasks.bayes_optimal import bayes_optimal
from hansproof.generators.cognitive_tasks.learners import (
    Agent,
    greedy,
    rescorla_wagner,
    two_step_learner,
    upper_confidence_bound,
    win_stay_lose_shift,
)
from hansproof.generators.cognitive_tasks.subsets import PLACES, TASKS, task_of
from hansproof.generators.cognitive_tasks.task import View
from hansproof.generators.cognitive_tasks.tasks.balloons import CAPACITIES, Balloon
from hansproof.generators.episode import Parameter, Player, Playing, Transcript
from hansproof.generators.errors import UsageError, unknown
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["AGENTS", "PLAYERS", "make_agent", "random_play", "simulate"]


def _anything(view: View, draws: Stream) -> str:
    """A name where one of several is to be chosen, else a number."""
    names = view.names if hasattr(view, "names") and getattr(view, "chosen", None) is None else ()
    return str(draws.choice(names)) if names else f"{draws.uniform():.6f}"


def random_play() -> Agent:
    """Acts at random in every task."""
    return Agent(
        "random",
        "Takes every legal action with the same probability, and gives any number from 0 to 1.",
        "the random reference of Coda-Forno et al. 2024",
        dict.fromkeys(TASKS, _anything),
        {},
    )


# It knows the three capacities, but not which kind has which: each of the six assignments has a likelihood. The target
# t maximises t * P(takes t pumps), N / 2 once the kind is known; it stays while a balloon grows, since only survival is
# learned, and what a balloon teaches about later ones is not paid for.


def _likelihood(balloon: Balloon, capacity: int) -> float:
    if balloon.burst:
        return 1 / capacity if balloon.pumps <= capacity else 0.0
    return max(capacity - balloon.pumps, 0) / capacity


@lru_cache(maxsize=1024)  # a balloon of 64 pumps asks 65 times
def target(balloons: tuple[Balloon, ...], kind: int) -> int:
    """How many pumps to aim at, the fewest of equals, after these balloons."""
    weights = dict.fromkeys(CAPACITIES, 0.0)
    for assigned in permutations(CAPACITIES):
        weight = 1.0
        for balloon in balloons:
            weight *= _likelihood(balloon, assigned[balloon.kind])
        weights[assigned[kind]] += weight

    def points(pumps: int) -> float:
        return pumps * sum(weight * max(size - pumps, 0) / size for size, weight in weights.items())

    return max(range(max(CAPACITIES) + 1), key=points)


def expected_value_pumper() -> Agent:
    """Pumps each balloon to the highest expected points."""
    return Agent(
        "expected-value-pumper",
        "Pumps up to the number of pumps with the highest expected points, given the capacities 8, 32 and 128 and what "
        "the balloons so far say of which kind has which.",
        "Wallsten, Pleskac & Lejuez 2005",
        {"balloons": lambda view, _: view.pump if view.pumps < target(view.balloons, view.kind) else view.cash},
        {name: "it has no balloons" for name in TASKS if name != "balloons"},
    )


def simulate(agent: Agent, item: Item, seed: int) -> Transcript:
    """The run of `agent` on `item`: the same for the same seed, and the same choices in every story of the task.

    Raises UsageError, with the reason, where the agent does not play the task.
    """
    task = task_of(item)
    if task.name not in agent.acts:
        raise UsageError(f"{agent.name} does not play {task.name}: {agent.declines[task.name]}")
    act, game = agent.acts[task.name], task.start(item)
    stream, turn = Stream(seed, "agents", agent.name, item.group), 0
    while not game.done:
        game.step(act(game.view, stream.child(turn)))
        turn += 1
    return game.transcript


_RATE = "share of the surprise that is learned"
_BETA = "inverse temperature: 0 chooses at random, more chooses the higher value more often"
_LEARNER = {"alpha": Parameter(0.6, 0, 1, _RATE), "beta": Parameter(8, 0, 1000, _BETA)}

AGENTS: Mapping[str, tuple[Callable[..., Agent], Mapping[str, Parameter]]] = {
    "random": (random_play, {}),
    "bayes-optimal": (bayes_optimal, {}),
    "greedy": (greedy, {}),
    "win-stay-lose-shift": (win_stay_lose_shift, {}),
    "upper-confidence-bound": (
        upper_confidence_bound,
        {"width": Parameter(1, 0, 1000, "factor of the bonus for what is little known")},
    ),
    "rescorla-wagner": (
        rescorla_wagner,
        {
            "alpha_plus": Parameter(0.4, 0, 1, f"{_RATE} where it is good"),
            "alpha_minus": Parameter(0.2, 0, 1, f"{_RATE} where it is bad"),
            "beta": Parameter(5, 0, 1000, _BETA),
        },
    ),
    "model-based": (partial(two_step_learner, True), _LEARNER),
    "model-free": (partial(two_step_learner, False), _LEARNER),
    "expected-value-pumper": (expected_value_pumper, {}),
}
"""By name, the simplest first: what makes it of its parameters by name, and these."""


def make_agent(name: str, parameters: Mapping[str, float] | None = None) -> Agent:
    """The agent called `name`, with its default parameters but for those given.

    Raises UsageError for an unknown agent or parameter (with the known ones), and for a value out of its range.
    """
    if name not in AGENTS:
        raise unknown("agent", name, AGENTS)
    make, known = AGENTS[name]
    values = {key: parameter.default for key, parameter in known.items()}
    for key, value in (parameters or {}).items():
        if key not in known:
            raise unknown("parameter", key, known, within=name)
        low, high = known[key].low, known[key].high
        if not low <= value <= high:
            raise UsageError(f"{key} of {name} must be from {low:g} to {high:g}, not {value:g}")
        values[key] = float(value)
    return make(**values)


def _player(name: str) -> Player:
    agent = make_agent(name)

    def make(parameters: Mapping[str, float]) -> Playing:
        made = make_agent(name, parameters)
        return lambda item, seed: simulate(made, item, seed)

    declines = {
        subset: agent.declines[task.name] for subset, (task, _) in PLACES.items() if task.name in agent.declines
    }
    return Player(agent.summary, agent.source, make, AGENTS[name][1], declines)


PLAYERS: Mapping[str, Player] = {name: _player(name) for name in AGENTS}
"""The same agents as the family offers them."""
