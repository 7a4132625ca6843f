"""Player: an agent that comes with a family and plays its items without a language model, as a baseline.

Players see numbers where a model sees words, and never an outcome that was not drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from generators.episode import Transcript
from generators.item import Item

__all__ = ["Parameter", "Player", "Playing"]

Playing = Callable[[Item, int], Transcript]
"""(item, seed of the player's own draws) -> its finished run. Raises UsageError for an item that it does not play."""


@dataclass(frozen=True)
class Parameter:
    """A number that a player can be made with."""

    default: float
    low: float
    high: float
    meaning: str
    """A clause: `inverse temperature: 0 chooses at random`."""


@dataclass(frozen=True)
class Player:
    """One player of a family."""

    summary: str
    """What it does, as a sentence."""
    source: str
    """Author and year."""
    make: Callable[[Mapping[str, float]], Playing]
    """Its parameters (those that are left out have their defaults) -> how it plays. Raises UsageError for an unknown
    parameter and for a value out of range."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    declines: Mapping[str, str] = field(default_factory=dict)
    """Subset that it does not play -> why, as a clause."""
