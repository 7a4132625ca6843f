"""Playing: every episode of some games, by one agent, each from where it stood.

An episode ends early after too many useless replies; that is a result, and it stays. An agent that fails time after
time is no result but a fault outside: a lost connection, a wrong key. Then the run stops, and these episodes stay open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generators.episode import Transcript, replay
from generators.errors import InputError, UsageError
from generators.item import Item
from generators.progress import Progress
from hansproof.runs.agent import Agent
from hansproof.runs.asking import Asker
from hansproof.runs.book import Book
from hansproof.runs.games import Games
from hansproof.runs.pool import in_order
from hansproof.runs.run import Run
from hansproof.runs.settings import Settings
from hansproof.runs.turn import End, Turn, take

__all__ = ["PATIENCE", "check_workers", "play_all"]

PATIENCE = 10
"""Episodes in a row that end because the agent failed, before the run stops."""


def check_workers(workers: int) -> None:
    """Raise UsageError for fewer than one thread."""
    if type(workers) is not int or workers < 1:
        raise UsageError(f"workers is {workers!r}; it must be at least 1 thread")


def play_all(
    games: Games, agent: Agent, ask: Asker, settings: Settings, book: Book, workers: int, progress: Progress
) -> list[Run]:
    """Play what `book` does not have yet; all runs, in the order of the items.

    The bytes that reach the book depend on the agent's replies alone, not on `workers` or on where a run was stopped.
    Raises InputError where the agent failed in PATIENCE episodes in a row, or in every episode there is.
    """
    total, failed = len(games.items), list[Run]()

    def play(place: int) -> Run:
        return _play(games, place, agent, ask, settings, book)

    progress("episodes", len(book.finished), total)
    for done, run in enumerate(in_order(play, len(book.finished), total, workers), start=len(book.finished) + 1):
        if run.raised:
            failed.append(run)
            if len(failed) == min(PATIENCE, total):
                raise _outage(failed)
        else:
            for waiting in (*failed, run):
                book.finish(waiting)
            failed.clear()
        progress("episodes", done, total)
    for run in failed:
        book.finish(run)
    return book.finished


def _play(games: Games, place: int, agent: Agent, ask: Asker, settings: Settings, book: Book) -> Run:
    item = games.items[place]
    turns = list(book.turns(place))
    episode = replay(games.start, item, Transcript(item.id, tuple(turn.action for turn in turns)))
    end = book.ended(place)
    while not episode.done and end is None:
        taken = take(episode, ask(item, episode), agent, settings.retries)
        if isinstance(taken, Turn):
            book.add(place, taken)
            turns.append(taken)
        else:
            end = taken
            if not end.raised:
                book.end(place, end)
    return _run(item, turns, end, settings)


def _run(item: Item, turns: Sequence[Turn], end: End | None, settings: Settings) -> Run:
    run = Run(
        item,
        tuple(turn.action for turn in turns),
        retries=sum(turn.retries for turn in turns) + (end.retries if end else 0),
        replies=tuple(turn.reply for turn in turns) if settings.keep_replies else (),
    )
    return run if end is None else replace(run, unfinished=end.reason, raised=end.raised)


def _outage(failed: Sequence[Run]) -> InputError:
    many = f"{len(failed)} episodes in a row" if len(failed) > 1 else "the only episode"
    return InputError(
        f"{failed[-1].unfinished}; it failed in {many}, so the run has stopped. Mend the agent and run again with "
        "--resume: what was played is kept",
        failed[-1].item.id,
    )
