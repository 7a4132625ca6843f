"""Cover stories of the restless bandit: slot machines in a casino, gaming machines in an arcade."""

from __future__ import annotations

from collections.abc import Mapping

from generators.cognitive_tasks.payouts import DOLLARS, POINTS, PayingStory

__all__ = ["STORIES"]


STORIES: Mapping[str, PayingStory] = {
    "machines": PayingStory(
        "two slot machines in a casino that pay dollars",
        "You are in a casino with two slot machines, {a} and {b}. Each play pays a number of dollars that "
        "varies around the machine's average. At any time, one machine has a higher average than the other. Every 18 "
        "to 22 plays they change places: the better machine becomes the worse one. Nobody tells you when.",
        DOLLARS,
    ),
    "points": PayingStory(
        "two gaming machines in an arcade that give and take points, 50 fewer a play",
        "You are in an arcade with two gaming machines, {a} and {b}. With each play you win or lose points; the "
        "result varies around the machine's average, and losses count as negative. At any time, one machine has a "
        "higher average than the other. Every 18 to 22 plays they change places: the better machine becomes the worse "
        "one. Nobody tells you when.",
        POINTS,
    ),
}
