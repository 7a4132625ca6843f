"""Task: what the family knows of one experiment; the game, the stories and the payouts that tasks share."""

from __future__ import annotations

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from hansproof.generators.answering.moves import Move
from hansproof.generators.answering.scorer import Measure, MeasureKind, Reading, fitting
from hansproof.generators.episode import Record, Transcript
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["LETTERS", "Game", "Story", "Task", "View", "mean_of", "read_stories"]

View = Any
"""What agents act by, as numbers rather than words: each task has a frozen dataclass of its own, with what a player may
know and, where it says so, the law of the draws. It never holds an outcome that was not drawn."""

_OVER = "the episode is over"


class Game(ABC):
    """An episode of one item; fulfils `generators.episode.Episode`."""

    def __init__(self, item: Item) -> None:
        self.item, self.draws = item, item.metadata
        self.words = read_stories(self.draws["task"])[self.draws["story"]]
        self._taken: list[str] = []

    @property
    @abstractmethod
    def move(self) -> Move | None:
        """What may be done now; None once the episode is over."""

    def told(self) -> Sequence[str]:
        """What has happened since the opening, as paragraphs; nothing, where every question stands alone."""
        return ()

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


LETTERS = "BCDGJKMPQRVWXZ"
"""Names of machines and their like. Vowels make words (`A`, `I`); T and F, Y and N stand for answers of their own, and
H, L and S for high, low, small and large."""


Story = Mapping[str, str]
"""The words of a cover story; `summary` says what it is about, as a clause: `slot machines that pay dollars`."""

_STORIES = tomllib.loads(files("hansproof.generators.cognitive_tasks").joinpath("stories.toml").read_text("utf-8"))


def read_stories(task: str) -> Mapping[str, Story]:
    """The stories of a task by name, the standard one first; what another leaves out is as in the first."""
    own: Mapping[str, Story] = _STORIES[task]
    standard = next(iter(own.values()))
    return {name: {**standard, **words} for name, words in own.items()}


@dataclass(frozen=True)
class Task:
    """One experiment."""

    name: str
    """`horizon`: also the name of the subset with the standard story."""
    title: str
    """What it is called in prose: `the horizon task`."""
    rows: int
    """Episodes in a release: enough for two phenotypes or more."""
    make: Callable[[Stream, str, int | None], tuple[str, dict[str, Any]]]
    """(the episode's own stream, story, level of difficulty or None) -> what a player reads before the first question,
    and the draws."""
    start: Callable[[Item], Game]
    """The episode of an item."""
    check: Callable[[Item], Mapping[str, bool]]
    """Fault -> whether it is there, of an item's draws and of what its prompt says of them, found without the code that
    made them."""
    kinds: Mapping[str, MeasureKind]
    """The measures of one run, by name."""
    score: Callable[[Sequence[Record]], Mapping[str, Measure]]
    """The measures of a finished run, from its records; what is undefined is left out."""
    turns: Callable[[Item], int]
    """How many actions a run takes; about how many where it depends on them."""
    chance: Callable[[Item], Mapping[str, float]] = field(default=lambda item: {})
    """What uniformly random actions are expected to score; what is unknown is left out."""
    audit_target: str = ""
    """The key of the metadata that says which first choice is best: the audit tries to tell it from the prompt."""
    level: tuple[str, int, int, str] | None = None
    """What its difficulty is, as `Knob` has it: meaning, least, most, shown; None where nothing sets it."""

    @property
    def stories(self) -> Mapping[str, Story]:
        """By name, the standard one first."""
        return read_stories(self.name)

    def finished(self, item: Item, actions: Sequence[str]) -> Game:
        """The game after a whole run. Raises InputError for an illegal action (numbered) and for an unfinished run."""
        with fitting(item):
            game = self.start(item)
            for turn, action in enumerate(actions, start=1):
                try:
                    game.step(action)
                except InputError as error:
                    raise InputError(f"action {turn}: {error.reason}", item.id) from error
            if not game.done:
                raise InputError(f"stops after {len(actions)} actions, before the episode is over", item.id)
        return game

    def records(self, item: Item, actions: Sequence[str]) -> list[Record]:
        """The trials of a finished run. Raises InputError as `finished` does."""
        game = self.finished(item, actions)
        with fitting(item):
            return game.records()


def mean_of(records: Sequence[Record], key: str) -> Measure:
    """The mean of a column over all trials."""
    return Measure(sum(float(record[key] or 0) for record in records) / len(records), len(records))
