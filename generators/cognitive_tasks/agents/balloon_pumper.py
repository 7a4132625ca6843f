"""The balloon pumper that aims at the number of pumps with the highest expected points.

It knows the three capacities, but not which kind has which. For each of the six assignments, the balloons so far have a
likelihood: a balloon of capacity N bursts at any pump with probability 1 / N, and takes t pumps with (N - t) / N. The
target t is the one with the highest t * P(takes t pumps): N / 2 once the kind is known. Nothing but survival is learned
while a balloon grows, so the target stays; what a balloon teaches about later ones is not paid for.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.tasks.balloons import CAPACITIES, Balloon, BalloonView
from generators.stream import Stream

__all__ = ["expected_value_pumper", "target"]


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


def _act(view: BalloonView, draws: Stream) -> str:
    return view.pump if view.pumps < target(view.balloons, view.kind) else view.cash


def expected_value_pumper() -> Agent:
    """Pumps each balloon to the highest expected points."""
    elsewhere = (
        "probabilistic-reasoning",
        "horizon",
        "restless-bandit",
        "instrumental-learning",
        "two-step",
        "temporal-discounting",
    )
    return Agent(
        "expected-value-pumper",
        "Pumps up to the number of pumps with the highest expected points, given the capacities 8, 32 and 128 and what "
        "the balloons so far say of which kind has which.",
        "Wallsten, Pleskac & Lejuez 2005",
        {"balloons": _act},
        dict.fromkeys(elsewhere, "it has no balloons"),
    )
