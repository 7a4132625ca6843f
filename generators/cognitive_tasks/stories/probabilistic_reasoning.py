"""Cover stories of probabilistic reasoning: a wheel of fortune and urns, a die and coins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generators.cognitive_tasks.task import Story

__all__ = ["STORIES", "ProbabilisticReasoningStory"]


@dataclass(frozen=True)
class ProbabilisticReasoningStory(Story):
    """The words of the task; `{a}` and `{b}` are the two urns, `{x}` and `{y}` the two colours."""

    opening: str
    round: str
    """Also with `{prior}` (`three are`, `one is`), `{rest}`, `{many}` and `{few}` (tenths in words), `{balls_a}` and
    `{balls_b}`, and `{seen}`, the colour drawn."""
    outcomes: tuple[str, str] | None = None
    """What stands for the two colours; None where colours are drawn."""


STORIES: Mapping[str, ProbabilisticReasoningStory] = {
    "wheel": ProbabilisticReasoningStory(
        "a wheel of fortune that picks one of two urns of coloured balls",
        "There are two urns, {a} and {b}, and each holds ten balls, some {x} and some {y}. There is also a wheel of "
        "fortune with ten sections of the same size, and each section is marked {a} or {b}. Somebody spins the wheel, "
        "goes to the urn whose letter comes up and draws one ball from it without looking. You are shown the ball, but "
        "not the wheel. This happens twice, with the sections marked anew and the urns filled anew each time, and each "
        "time you say how probable it is that the ball came from urn {a}.",
        "Of the ten sections of the wheel, {prior} marked {a} and {rest} {b}. Urn {a} holds {balls_a}; urn {b} holds "
        "{balls_b}. The wheel has been spun, and the ball drawn is {seen}.\n\nHow probable is it that it came from urn "
        "{a}?",
    ),
    "dice": ProbabilisticReasoningStory(
        "a ten-sided die that picks one of two coins that may be bent",
        "There are two coins, {a} and {b}, which may be bent so that they land heads more often than tails or the "
        "other way round, and a fair die with ten sides, each marked {a} or {b}. Somebody rolls the die and tosses the "
        "coin whose letter comes up, once. You are shown how the coin lands, but not the die. This happens twice, "
        "with a different die and different coins each time, and each time you say how probable it is that coin {a} "
        "was tossed.",
        "Of the ten sides of the die, {prior} marked {a} and {rest} {b}. In the long run, coin {a} lands {x} in {many} "
        "of ten tosses, and coin {b} in {few}. The die has been rolled, and the coin that was tossed landed "
        "{seen}.\n\nHow probable is it that it was coin {a}?",
        ("heads", "tails"),
    ),
}
