"""Cover stories of instrumental learning: casinos with slot machines, shops with candy dispensers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generators.cognitive_tasks.task import Story

__all__ = ["STORIES", "InstrumentalLearningStory"]


@dataclass(frozen=True)
class InstrumentalLearningStory(Story):
    """The words of the task."""

    opening: str
    """With `{visits}`."""
    place: str
    """What is visited: `casino`."""
    arm: str
    """What is played there: `machine`."""
    paid: str
    """What a visit that paid is told as, with `{place}` and `{name}`."""
    unpaid: str
    aim: str
    """Asks for as much as possible."""


STORIES: Mapping[str, InstrumentalLearningStory] = {
    "casinos": InstrumentalLearningStory(
        "four casinos with two slot machines each, visited 24 times each",
        "You are going to visit four casinos, numbered 1 to 4, each of them {visits} times, in mixed order. Every "
        "casino has two slot machines of its own, and on each visit you play one of them. A play pays one dollar or "
        "nothing. Machines may differ in how often they pay, but how often a machine pays never changes.",
        "casino",
        "machine",
        "Casino {place}: machine {name} paid one dollar.",
        "Casino {place}: machine {name} paid nothing.",
        "Win as many dollars as you can over all your visits.",
    ),
    "candy": InstrumentalLearningStory(
        "four shops with two candy dispensers each, visited 24 times each",
        "You are going to visit four shops, numbered 1 to 4, each of them {visits} times, in mixed order. Outside "
        "every shop stand two candy dispensers, and on each visit you press the button of one of them. A candy drops "
        "out, or nothing does. Dispensers may differ in how often they give a candy, but how often a dispenser gives "
        "one never changes.",
        "shop",
        "dispenser",
        "Shop {place}: dispenser {name} gave you a candy.",
        "Shop {place}: dispenser {name} gave you nothing.",
        "Collect as many candies as you can over all your visits.",
    ),
}
