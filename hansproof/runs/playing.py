"""Playing: every episode of some games, by one agent, each from where it stood.

An episode ends early after too many replies that cannot be read; that is a result, and it stays. An agent that fails is
no result but a fault outside: a lost connection, a wrong key. Such an episode stays open in a file unless
failures are accepted; and if the agent fails in one after the other, the run stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generators.episode import Episode, Transcript, replay
from generators.errors import InputError, UsageError
from generators.item import Item
from hansproof.runs.agent import Agent
from hansproof.runs.ahead import Ahead
from hansproof.runs.asking import Asker
from hansproof.runs.files.book import Book
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
    games: Games,
    agent: Agent,
    ask: Asker,
    settings: Settings,
    book: Book,
    workers: int,
    ahead: Ahead,
    *,
    accept_failures: bool = False,
) -> list[Run]:
    """Play what `book` does not have yet; all runs, in the order of the items.

    The bytes that reach the book depend on the agent's replies alone, not on `workers` or on where a run was stopped.
    Raises InputError where the agent failed in PATIENCE episodes in a row or in every episode there is, and where it
    failed in any that could be resumed; `accept_failures` makes these unfinished instead.
    """
    total, waiting, in_a_row = len(games.items), list[Run](), 0
    keeps_open, opened = book.lasting and not accept_failures, False

    def play(place: int) -> Run:
        return _play(games, place, agent, ask, settings, book, ahead)

    ahead.begin()
    for run in in_order(play, len(book.finished), total, workers):
        in_a_row = in_a_row + 1 if run.raised else 0
        waiting.append(run)
        if in_a_row == min(PATIENCE, total):
            raise _outage(run, in_a_row)
        opened = opened or (keeps_open and run.raised)
        # Runs are written in order: those after an open episode stay in the journal. And a failure may be the first of
        # an outage.
        if not opened and not in_a_row:
            for each in waiting:
                book.finish(each)
            waiting.clear()
    if opened:
        raise _left_open([run for run in waiting if run.raised])
    for each in waiting:
        book.finish(each)
    return book.finished


def _play(games: Games, place: int, agent: Agent, ask: Asker, settings: Settings, book: Book, ahead: Ahead) -> Run:
    item = games.items[place]
    turns = list(book.turns(place))
    episode = replay(games.start, item, Transcript(item.id, tuple(turn.action for turn in turns)))
    end = book.ended(place)
    while not episode.done and end is None:
        taken = take(episode, ask(item, episode), agent, settings.retries)
        if isinstance(taken, Turn):
            book.add(place, taken)
            turns.append(taken)
            ahead.step(place)
        else:
            end = taken
            if not end.raised:
                book.end(place, end)
    ahead.over(place)
    return _run(item, episode, turns, None if episode.done else end, settings)


def _run(item: Item, episode: Episode, turns: Sequence[Turn], end: End | None, settings: Settings) -> Run:
    run = Run(
        item,
        episode.transcript.actions,
        rejected=tuple(each for turn in turns for each in turn.rejected) + (end.rejected if end else ()),
        replies=tuple(turn.reply for turn in turns) if settings.keep_replies else (),
    )
    return run if end is None else replace(run, unfinished=end.reason, raised=end.raised)


def _outage(run: Run, many: int) -> InputError:
    where = f"{many} episodes in a row" if many > 1 else "the only episode"
    return InputError(
        f"{run.unfinished}; it failed in {where}, so the run has stopped. Fix the agent and run again with --resume: "
        "what was played is kept",
        run.item.id,
    )


def _left_open(failed: Sequence[Run]) -> InputError:
    many = f"{len(failed):,} episodes are" if len(failed) > 1 else "one episode is"
    return InputError(
        f"{failed[0].unfinished}; {many} open for this reason, and all others are played. Run again with --resume to "
        "play the rest; --accept-failures as well writes what fails again as unfinished",
        failed[0].item.id,
    )
