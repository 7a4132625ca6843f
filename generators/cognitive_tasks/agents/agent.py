"""Agent: what plays a task from what a player may know, and says which tasks it does not play.

An agent acts by the view of a game (`Game.view`), which holds numbers rather than words and never an outcome that was
not drawn. It remembers nothing itself: the same view and the same draws always give the same action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from generators.cognitive_tasks.game import View
from generators.stream import Stream

__all__ = ["Act", "Agent"]

Act = Callable[[View, Stream], str]
"""(what a player knows now, draws for this turn) -> one of the legal actions."""


@dataclass(frozen=True)
class Agent:
    """One way to play."""

    name: str
    """`win-stay-lose-shift`: on the command line, and in the stream of its draws."""
    summary: str
    """What it does, as a sentence."""
    source: str
    """Author and year."""
    acts: Mapping[str, Act]
    """Task -> how it acts there."""
    declines: Mapping[str, str]
    """Every other task -> why it does not play it, as a clause."""
    parameters: Mapping[str, float] = field(default_factory=dict)
    """The values that it was made with."""
