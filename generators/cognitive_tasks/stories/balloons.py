"""Cover stories of the balloon task: balloons at a fair, candy dispensers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generators.cognitive_tasks.task import Story

__all__ = ["STORIES", "BalloonStory"]


@dataclass(frozen=True)
class BalloonStory(Story):
    """The words of the task."""

    opening: str
    """With `{a}`, `{b}` and `{c}` for the kinds, `{each}` for the number of each and `{all}` for that of all."""
    thing: str
    """What is pumped: `balloon`."""
    pumps: tuple[str, str]
    """One push of the risk, and several: `pump`, `pumps`."""
    kept: str
    """A round that ended well, with `{pumps}` and `{points}`."""
    lost: str
    """A round that ended badly at pump `{number}`."""
    none: str
    """What has been done in a round that has just begun."""
    some: str
    """What has been done so far in a round, with `{pumps}` and `{points}`."""
    point: tuple[str, str]
    pump: str
    """The two actions."""
    cash: str


STORIES: Mapping[str, BalloonStory] = {
    "balloons": BalloonStory(
        "balloons that are worth more with every pump until they burst",
        "You are at a fair and pump up balloons for points, one after the other. There are {all} balloons of three "
        "kinds, {a}, {b} and {c}: {each} of each kind, in random order.\n\n"
        "Every pump makes the balloon worth 1 point more, but it may also burst the balloon. A burst balloon is worth "
        "nothing. You may cash in at any time and keep the balloon's points. Whether it bursts or you cash in, you go "
        "on to the next one. The pump at which a balloon bursts may differ from one balloon to the next, even within a "
        "kind, and may be the very first; some kinds can take more pumps than others.\n\n"
        "Earn as many points as you can with all {all} balloons together.",
        "balloon",
        ("pump", "pumps"),
        "cashed in after {pumps}, {points}",
        "burst at pump {number}, 0 points",
        "You have not pumped it yet.",
        "After {pumps} it is worth {points}.",
        ("point", "points"),
        "pump",
        "cash in",
    ),
    "dispensers": BalloonStory(
        "candy dispensers that drop one more candy with every push until they jam",
        "You collect candy from dispensers, one after the other. There are {all} dispensers of three kinds, {a}, {b} "
        "and {c}: {each} of each kind, in random order.\n\n"
        "Every push of a dispenser's button drops 1 more candy into its tray, but it may also jam the dispenser. When "
        "a dispenser jams, its tray stays shut and the candies in it are lost. You may empty the tray at any time and "
        "keep its candies. Whether it jams or you empty the tray, you go on to the next dispenser. The push at which a "
        "dispenser jams may differ from one dispenser to the next, even within a kind, and may be the very first; some "
        "kinds can take more pushes than others.\n\n"
        "Collect as many candies as you can from all {all} dispensers together.",
        "dispenser",
        ("push", "pushes"),
        "tray emptied after {pumps}, {points}",
        "jammed at push {number}, 0 candies",
        "You have not pushed its button yet.",
        "After {pumps} the tray holds {points}.",
        ("candy", "candies"),
        "push",
        "empty the tray",
    ),
}
