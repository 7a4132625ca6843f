"""Playing: every episode of some games, by an agent on many threads, or by a player without a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TypeVar

from hansproof.audit.notation import things
from hansproof.generators.episode import Episode, Transcript, replay
from hansproof.generators.errors import InputError, Progress, UsageError, unknown
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset, names
from hansproof.runs.asking import Agent, Asker
from hansproof.runs.book import Book, Settings
from hansproof.runs.games import Games
from hansproof.runs.turn import End, Run, Turn, take

__all__ = ["STYLE", "Ahead", "check_workers", "family_with", "play_all", "simulate"]


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


R = TypeVar("R")


def in_order(work: Callable[[int], R], start: int, stop: int, workers: int) -> Iterator[R]:
    """work(start), ..., work(stop - 1), by `workers` threads; with a single one, in the caller's own.

    What one of them raises is raised here. Threads never keep the process alive: Ctrl-C leaves at once, whatever they
    wait for.
    """
    workers = min(workers, stop - start)
    if workers <= 1:
        yield from map(work, range(start, stop))
        return
    results: SimpleQueue[tuple[int, R | None, BaseException | None]] = SimpleQueue()
    places, over = count(start), Event()

    def labour() -> None:
        while not over.is_set() and (place := next(places)) < stop:
            try:
                results.put((place, work(place), None))
            except BaseException as error:
                results.put((place, None, error))
                return

    for _ in range(workers):
        Thread(target=labour, daemon=True).start()
    early: dict[int, R] = {}
    try:
        for place in range(start, stop):
            while place not in early:
                done, result, error = results.get()
                if error is not None:
                    raise error
                early[done] = result  # type: ignore[assignment]  # without an error there is a result
            yield early.pop(place)
    finally:
        over.set()


# Too many unreadable replies end an episode: a result, which stays. An agent that fails (a lost connection, a wrong
# key) is none: its episode stays open unless failures are accepted, and failures in a row stop the run.

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


STYLE = "simulated"
"""What the lines of simulated runs have as their style: no prompt was ever shown."""

_STEP = 20


def family_with(player: str) -> str:
    """The only dataset that has a player of this name. Raises UsageError where none has, with all that there are."""
    having = {name: dataset(name).players for name in names() if dataset(name).players}
    named = [name for name, players in having.items() if player in players]
    if not named:
        raise unknown("agent", player, dict.fromkeys(known for players in having.values() for known in players))
    if len(named) > 1:
        raise UsageError(f"several datasets have an agent {player!r}: {', '.join(named)}; name one of them as SOURCE")
    return named[0]


def simulate(
    games: Games, name: str, parameters: Mapping[str, float], seed: int, progress: Progress
) -> tuple[list[Run], list[str]]:
    """The runs of a player, and what it does not play, a sentence for each reason.

    Raises UsageError for an unknown player or parameter, and where it plays none of the subsets.
    """
    if name not in games.family.players:
        raise unknown("agent", name, games.family.players, within=games.family.name)
    player = games.family.players[name]
    play = player.make(parameters)
    subsets = dict.fromkeys(item.metadata["subset"] for item in games.items)
    declined = {subset: player.declines[subset] for subset in subsets if subset in player.declines}
    items = [item for item in games.items if item.metadata["subset"] not in declined]
    sentences = [
        f"{name} does not play {', '.join(subset for subset in declined if declined[subset] == why)}: {why}"
        for why in dict.fromkeys(declined.values())
    ]
    if not items:
        raise UsageError("; ".join(sentences))
    runs = []
    for done, item in enumerate(items, start=1):
        runs.append(Run(item, play(item, seed).actions))
        if done % _STEP == 0:
            progress("episodes", done, len(items))
    return runs, sentences
