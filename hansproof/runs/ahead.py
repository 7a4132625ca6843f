"""What lies ahead of a run: episodes, and about how many calls of the agent, counted while they are made."""

from __future__ import annotations

from threading import Lock

from audit.notation import things
from generators.episode import Transcript, replay
from generators.errors import Progress
from hansproof.runs.files.book import Book
from hansproof.runs.games import Games

__all__ = ["Ahead"]


class Ahead:
    """The calls to come, an action each; threads may count them. That an agent is asked again after a useless reply is
    not foreseen, and brings a run no nearer to its end."""

    def __init__(self, games: Games, book: Book, progress: Progress) -> None:
        """What `book` does not have yet. Raises InputError for actions in it that are not legal."""
        self._progress, self._lock = progress, Lock()
        self._episodes, self._known = len(games.items), games.family.turns is not None
        self._done = sum(len(run.actions) for run in book.finished)
        self._left: dict[int, int] = {}
        """About how many calls each open episode still takes."""
        for place in range(len(book.finished), len(games.items)):
            item, turns = games.items[place], book.turns(place)
            self._done += len(turns)
            actions = tuple(turn.action for turn in turns)
            over = bool(turns) and replay(games.start, item, Transcript(item.id, actions)).done
            if not over and book.ended(place) is None:
                whole = games.family.turns(item) if games.family.turns else 1
                self._left[place] = max(whole - len(turns), 1)
        self._calls = sum(self._left.values())

    def sentence(self) -> str:
        """`140 episodes to play, about 7,500 model calls`, or what is left of them."""
        if not self._left:
            return f"all {things(self._episodes, 'episode')} are played"
        calls = f", about {things(self._calls, 'model call')}" if self._known else ""
        if len(self._left) == self._episodes and not self._done:
            return f"{things(self._episodes, 'episode')} to play{calls}"
        return f"{len(self._left):,} of {things(self._episodes, 'episode')} left to play{calls} ({self._done:,} made)"

    def begin(self) -> None:
        """Show where the run stands."""
        with self._lock:
            self._show()

    def step(self, place: int) -> None:
        """An action of episode `place` was taken."""
        with self._lock:
            self._done += 1
            if self._left.get(place, 0) > 1:
                self._left[place] -= 1
                self._calls -= 1
            if self._known:
                self._show()

    def over(self, place: int) -> None:
        """Episode `place` is over."""
        with self._lock:
            self._calls -= self._left.pop(place, 0)
            self._show()

    def _show(self) -> None:
        if self._known:
            self._progress("model calls", self._done, self._done + self._calls)
        else:
            self._progress("episodes", self._episodes - len(self._left), self._episodes)
