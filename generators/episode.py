"""Episode: an item that is played rather than answered; its transcript, and players that come with a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hansproof.generators.answering.scorer import Reading
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

__all__ = ["Episode", "Parameter", "Player", "Playing", "Record", "Transcript", "replay"]

# The item carries every draw that the run may need, so an episode is a function of the item and of the actions taken.
# The prompt shows what an agent may know at this point: outcomes that were not drawn never appear in it.

Record = dict[str, float | int | bool | str | None]
"""One trial of a finished run: what was on offer, what was chosen and what came of it, by column."""


@dataclass(frozen=True)
class Transcript:
    """A run so far or a finished one. Together with the item it is all you need to resume."""

    id: str
    """The item's id."""
    actions: tuple[str, ...]
    """What the agent did, in order."""


class Episode(Protocol):
    """One item being played. Steps are deterministic; nothing is drawn while it runs."""

    @property
    def prompt(self) -> str:
        """What the agent is shown now: the story, and everything that has happened. Empty once `done`."""
        ...

    @property
    def actions(self) -> Sequence[str] | None:
        """The legal actions now, in the order in which the prompt names them; None where any number or text within the
        limits of the prompt is legal. Empty once `done`."""
        ...

    @property
    def options(self) -> str:
        """The legal actions now, in words that complete `Answer with`: `J or P`, `a number from 0 to 1`. Empty once
        `done`."""
        ...

    def read(self, reply: str) -> Reading:
        """The legal action that a model's reply names now, or why it names none; the episode stays where it stands."""
        ...

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        ...

    def step(self, action: str) -> None:
        """Take one action. Raises InputError, naming the legal ones, for any other, and once the episode is over; the
        episode then stands where it stood."""
        ...

    @property
    def transcript(self) -> Transcript:
        """The run so far."""
        ...


def replay(start: Callable[[Item], Episode], item: Item, transcript: Transcript) -> Episode:
    """The episode of `item` after the actions of `transcript`.

    Raises InputError for a transcript of another item, and for an action that is not legal at its turn (numbered).
    """
    if transcript.id != item.id:
        raise InputError(f"is a run of {transcript.id!r}, not of {item.id!r}", "transcript")
    episode = start(item)
    for turn, action in enumerate(transcript.actions, start=1):
        try:
            episode.step(action)
        except InputError as error:
            raise InputError(error.reason, f"transcript of {item.id}: action {turn}") from error
    return episode


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
