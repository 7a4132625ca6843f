"""Task: all that the family knows of one experiment. Each file of `tasks` has one, called TASK.

A task draws an episode from the stream of (task, index), never of the story: episode i is the same game in every story.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generators.answering.misfit import fitting
from generators.answering.scorer import Measure, MeasureKind
from generators.cognitive_tasks.game import Game
from generators.episode import Record
from generators.errors import InputError
from generators.item import Item
from generators.stream import Stream

__all__ = ["LETTERS", "Story", "Task"]

LETTERS = "BCDGJKMPQRVWXZ"
"""Names of machines and their like. Vowels make words (`A`, `I`); T and F, Y and N stand for answers of their own, and
H, L and S for heads, high, low, small and large."""


@dataclass(frozen=True)
class Story:
    """A cover story of a task. Tasks add their words in a subclass."""

    summary: str
    """What it is about, as a clause: `slot machines that pay dollars`."""


@dataclass(frozen=True)
class Task:
    """One experiment."""

    name: str
    """`horizon`: also the name of the subset with the standard story."""
    title: str
    """What it is called in prose: `the horizon task`."""
    measures: str
    """What it measures, and its source (author, year), as a sentence."""
    rows: int
    """Episodes in a release: enough for two phenotypes or more."""
    stories: Mapping[str, Story]
    """By name, the standard one first."""
    make: Callable[[Stream, str], tuple[str, dict[str, Any]]]
    """(the episode's own stream, story) -> what a player reads before the first question, and the draws."""
    start: Callable[[Item], Game]
    """The episode of an item."""
    check: Callable[[Item], list[str]]
    """The faults of an item's draws and of what its prompt says of them, found without the code that made them."""
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
