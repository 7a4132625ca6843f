"""Game: what the episodes of all tasks share. A task says what may be done now, what is told and what is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from generators.answering.misfit import fitting
from generators.answering.moves import Move
from generators.answering.scorer import Reading
from generators.episode import Record, Transcript
from generators.errors import InputError
from generators.item import Item

__all__ = ["Game", "View"]

View = Any
"""What a player may know, as numbers rather than words: each task has a frozen dataclass of its own. It never holds an
outcome that was not drawn."""

_OVER = "the episode is over"


class Game(ABC):
    """An episode of one item; fulfils `generators.episode.Episode`."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self._taken: list[str] = []

    @property
    @abstractmethod
    def move(self) -> Move | None:
        """What may be done now; None once the episode is over."""

    @abstractmethod
    def told(self) -> Sequence[str]:
        """What has happened since the opening, as paragraphs."""

    @abstractmethod
    def question(self) -> str:
        """What is asked now."""

    @abstractmethod
    def take(self, action: str) -> None:
        """Let a legal action happen."""

    @property
    @abstractmethod
    def view(self) -> View:
        """What a player may know now; agents choose by it."""

    @abstractmethod
    def records(self) -> list[Record]:
        """The trials so far."""

    @property
    def _now(self) -> Move | None:
        """`move`, also of draws that somebody changed so that they do not fit."""
        with fitting(self.item):
            return self.move

    @property
    def prompt(self) -> str:
        """The opening, what has happened, and the question; empty once the episode is over.

        Raises InputError for an item whose draws somebody changed so that they do not fit; so does `step`.
        """
        with fitting(self.item):
            return "" if self.done else "\n\n".join((self.item.prompt, *self.told(), self.question()))

    @property
    def actions(self) -> Sequence[str] | None:
        """The legal actions, as `Episode.actions`."""
        move = self._now
        return () if move is None else move.actions

    @property
    def options(self) -> str:
        """The legal actions in words, as `Episode.options`."""
        move = self._now
        return "" if move is None else move.options

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._now is None

    def read(self, reply: str) -> Reading:
        """The action that a reply names now, or why it names none."""
        move = self._now
        return Reading(None, _OVER) if move is None else move.read(reply)

    def step(self, action: str) -> None:
        """Take one action. Raises InputError, and changes nothing, for one that is not legal now."""
        move = self._now
        if move is None:
            raise InputError(_OVER)
        action = move.canonical(action)
        with fitting(self.item):
            self.take(action)
        self._taken.append(action)

    @property
    def transcript(self) -> Transcript:
        """The run so far."""
        return Transcript(self.item.id, tuple(self._taken))
