"""Cover stories of the horizon task: slot machines in a casino, gaming machines in an arcade."""

from __future__ import annotations

from collections.abc import Mapping

from generators.cognitive_tasks.payouts import DOLLARS, POINTS, PayingStory

__all__ = ["STORIES"]


STORIES: Mapping[str, PayingStory] = {
    "machines": PayingStory(
        "two slot machines in a casino that pay dollars",
        "You are in a casino with two slot machines, {a} and {b}. Each time you play a machine, it pays you some "
        "dollars or, rarely, costs you some. What a machine pays varies from one play to the next, by about the "
        "same amount for both machines, but its average never changes, and one machine has a higher average than the "
        "other.",
        DOLLARS,
    ),
    "points": PayingStory(
        "two gaming machines in an arcade that give and take points, 50 fewer a play",
        "You are in an arcade with two gaming machines, {a} and {b}. Each time you play a machine, you win or lose "
        "points. The result varies from one play to the next, by about the same amount for both machines, but the "
        "average of a machine never changes, and one machine has a higher average than the other. Losses count as "
        "negative.",
        POINTS,
    ),
}
