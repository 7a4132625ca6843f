"""Play episodes from a script: one by one in a loop of your own, or all of them with a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generators.episode import Episode
    from generators.errors import Progress
    from generators.item import Item
    from hansproof.runs.run import Run

__all__ = ["episodes", "run"]


def episodes(
    source: str | PathLike[str] | Iterable[Item],
    *,
    subset: str | Sequence[str] | None = None,
    count: int | None = None,
    seed: int | None = None,
) -> Iterator[Episode]:
    """Episodes to be played in a loop of your own: ask about `episode.prompt`, then `episode.step(action)`, until it is
    `done`. `episode.read(reply)` says which action a reply names.

    Args:
        source: A dataset whose items are played (`cognitive-tasks`: the episodes of its release), a release folder, a
            file of items, or items.
        subset: One subset, or several; None for all, of a dataset all in their standard story.
        count: How many episodes of each subset; None for all of the release or the file.
        seed: Any 64-bit integer, for fresh episodes of a dataset.

    Raises:
        UsageError: At once, for a name that does not exist, a dataset whose items are answered, and numbers out of
            range.
        InputError: For a file that cannot be read.
    """
    from hansproof.runs.games import games

    chosen = games(source, _names(subset), count, seed)
    return map(chosen.start, chosen.items)


def run(
    source: str | PathLike[str] | Iterable[Item],
    agent: Callable[[str], str],
    *,
    out: str | PathLike[str] | None = None,
    subset: str | Sequence[str] | None = None,
    count: int | None = None,
    seed: int | None = None,
    all_stories: bool = False,
    style: str = "zero-shot",
    model: str | None = None,
    retries: int = 2,
    workers: int = 1,
    keep_replies: bool = False,
    accept_failures: bool = False,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    announce: Callable[[str], object] | None = None,
) -> list[Run]:
    """Let `agent` play every episode, as `hansproof run` does; the runs, in the order of the items.

    Args:
        source: As for `episodes`.
        agent: A function from the prompt of a turn to a reply that names an action.
        out: A file of finished runs, which can be resumed and scored; None keeps them in memory only.
        subset: One subset, or several; None for all, of a dataset all in their standard story.
        count: How many episodes of each subset; None for all of the release or the file.
        seed: Any 64-bit integer, for fresh episodes of a dataset.
        all_stories: Without `subset`, play the other stories of a dataset's tasks, too.
        style: A prompt style, such as `zero-shot-cot` or `step-back`.
        model: What the runs are filed under; the name of the function by default.
        retries: How often the agent is asked again, with the reason, when its reply names no legal action. After that
            the episode ends as unfinished; no action is ever made up.
        workers: Threads, each of which plays an episode; `agent` is then called by several at once.
        keep_replies: Keep what the agent said, too.
        accept_failures: Make an episode in which the agent failed, not in what it said, unfinished. Otherwise it stays
            open in `out`, and `resume` plays it. Without `out` it is always unfinished.
        resume: Go on with `out` where it stands; begin if there is no such file.
        force: Begin anew if `out` exists.
        progress: Called from time to time with (stage, done, total), by any thread, but never by two at once.
        announce: Called once before the first question, with a sentence that says how many episodes and calls are to
            come.

    Raises:
        UsageError: For names that do not exist, numbers out of range, and a file that exists.
        InputError: For files that cannot be read or written or belong to another run, for an agent that fails in ten
            episodes in a row, and where episodes are left open.
    """
    from generators.errors import unwatched
    from hansproof.runs.agent import name_of
    from hansproof.runs.ahead import Ahead
    from hansproof.runs.asking import asker
    from hansproof.runs.files.keeping import keeping
    from hansproof.runs.games import games
    from hansproof.runs.playing import check_workers, play_all
    from hansproof.runs.settings import Settings

    chosen = games(source, _names(subset), count, seed, variants=all_stories)
    ask = asker(chosen, style)
    called = name_of(agent)
    settings = Settings(called, called if model is None else model, style, retries, keep_replies)
    # All that may be wrong is said before a file is begun anew.
    check_workers(workers)
    with keeping(out, chosen, settings, resume=resume, force=force) as book:
        ahead = Ahead(chosen, book, progress or unwatched)
        if announce is not None:
            announce(ahead.sentence())
        return play_all(chosen, agent, ask, settings, book, workers, ahead, accept_failures=accept_failures)


def _names(subset: str | Sequence[str] | None) -> list[str]:
    return [] if subset is None else [subset] if isinstance(subset, str) else list(subset)
