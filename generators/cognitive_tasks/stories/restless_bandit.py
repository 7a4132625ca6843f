"""Cover stories of the restless bandit: slot machines in a casino, gaming machines in an arcade."""

from __future__ import annotations

from collections.abc import Mapping

from generators.cognitive_tasks.payouts import DOLLARS, POINTS, PayingStory

__all__ = ["STORIES"]


STORIES: Mapping[str, PayingStory] = {
    "machines": PayingStory(
        "two slot machines in a casino that pay dollars",
        "You are in a casino with two slot machines, {a} and {b}. Each play pays some dollars or, very rarely, costs "
        "you some; the payouts of a machine vary around its average. At any time, one machine has a higher average "
        "than the other. Every 18 to 22 plays they change places: the better machine becomes the worse one. Nobody "
        "tells you when.",
        DOLLARS,
    ),
    "points": PayingStory(
        "two gaming machines in an arcade that give and take points, 50 fewer a play",
        "You are in an arcade with two gaming machines, {a} and {b}. Each play wins or loses you some points, which "
        "vary around the average of the machine. At any time, one machine has a higher average than the other. Every "
        "18 to 22 plays they change places: the better machine becomes the worse one. Nobody tells you when.",
        POINTS,
    ),
}
