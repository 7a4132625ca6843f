"""Where a run is written down, with its settings: begun, resumed, and held by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from hansproof.audit.harnesses.log_values import LONGEST_NAME
from hansproof.generators.errors import InputError, UsageError, refused
from hansproof.generators.input import refuse_inputs
from hansproof.generators.output import is_stream
from hansproof.generators.styles.style import style_named
from hansproof.runs.games import Games
from hansproof.runs.journal import SECOND, AppendedFile, Journal, began
from hansproof.runs.turn import End, Run, Turn, run_of

__all__ = ["Book", "Settings", "keeping"]

MORE = "for more episodes, write a second file with another --seed; hansproof phenotype joins the files of one model"
"""What to do where more is wanted than a file holds."""


@dataclass(frozen=True)
class Settings:
    """How the agent is asked, and what is kept."""

    agent: str
    """`module:function`, or the name of a function."""
    model: str
    """What the replies are filed under; `hansproof score` makes a table per model."""
    style: str = "zero-shot"
    retries: int = 2
    keep_replies: bool = False

    def __post_init__(self) -> None:
        style_named(self.style)
        if type(self.retries) is not int or not 0 <= self.retries <= 100:
            raise UsageError(f"retries is {self.retries!r}; it must be a whole number from 0 to 100")
        if not self.model or not self.model.isprintable():
            raise UsageError(f"the name of the model must be printable text, not {self.model!r}")
        if len(self.model) > LONGEST_NAME:
            raise UsageError(f"the name of the model has {len(self.model):,} characters; at most {LONGEST_NAME}")

    def header(self, episodes: int, digest: str) -> dict[str, Any]:
        """What the first line of a journal says."""
        return {"items": digest, "episodes": episodes, **asdict(self)}

    def refuse_other(self, header: dict[str, Any], episodes: int, digest: str, path: str) -> None:
        """Raise InputError where `header` says that a run was begun otherwise."""
        own = self.header(episodes, digest)
        if header.get("items") != digest:
            before = header.get("episodes")
            many = f"{before:,} others" if isinstance(before, int) else "others"
            raise InputError(
                f"was begun with other items than these {episodes:,} (there were {many}); name the same subsets, "
                f"count and seed ({MORE}), or pass --force to begin anew",
                path,
            )
        for key, value in own.items():
            if header.get(key) != value:
                raise InputError(
                    f"was begun with {key} {header.get(key)!r}, not {value!r}; pass the same, or --force to begin anew",
                    path,
                )


class Book:
    """In memory: nothing was done before, and nothing is left afterwards but the runs."""

    lasting = False
    """Whether a run can be resumed, so that an episode may stay open."""

    def __init__(self) -> None:
        self.finished: list[Run] = []
        """The runs of the first items, in their order."""

    def turns(self, place: int) -> list[Turn]:
        """What was already done in the episode of item `place`."""
        return []

    def ended(self, place: int) -> End | None:
        """How this episode ended before its time, if it did."""
        return None

    def add(self, place: int, turn: Turn) -> None:
        """Write down a turn, before the agent is asked for the next one."""

    def end(self, place: int, end: End) -> None:
        """Write down that an episode ended because of what the agent said."""

    def finish(self, run: Run) -> None:
        """Write down the run of the next item."""
        self.finished.append(run)


class FileBook(Book):
    """Two files. At any time the file of finished runs is the beginning of what it will be in the end, whatever the
    number of threads and however often the run was stopped; it belongs to its items and settings alone."""

    lasting = True

    def __init__(self, path: Path, games: Games, settings: Settings) -> None:
        """Open what there is, or begin. Raises InputError for files of another run and where the system refuses."""
        super().__init__()
        self._games, self._settings = games, settings
        self._file = AppendedFile(path)
        header = {"journal_of": path.name, **settings.header(len(games.items), games.digest)}

        def check(begun: dict[str, Any]) -> None:
            settings.refuse_other(begun, len(games.items), games.digest, str(path))

        self._journal = Journal(journal_of(path), header, check)  # whose header says best what is other
        self._read_finished()
        # Only now is it sure that both files are of this run.
        self._journal.open()
        self._file.open()

    def turns(self, place: int) -> list[Turn]:
        """What the journal has of this episode."""
        return self._journal.turns.get(place, [])

    def ended(self, place: int) -> End | None:
        """The end that the journal has of this episode."""
        return self._journal.ends.get(place)

    def add(self, place: int, turn: Turn) -> None:
        """Append the turn to the journal."""
        self._journal.add(place, turn)

    def end(self, place: int, end: End) -> None:
        """Append the end to the journal."""
        self._journal.end(place, end)

    def finish(self, run: Run) -> None:
        """Append the run's line. The system has it at once, so that it outlives this process; the disk has it within a
        second or two, so that it outlives a power cut."""
        super().finish(run)
        self._file.append(self._line(run))
        self._file.sync(within=SECOND)

    def close(self, *, complete: bool) -> None:
        """Write nothing more. The journal of a complete run goes, and so do both files if nothing was ever played."""
        self._journal.close()
        try:
            self._file.sync()  # before the journal goes
        finally:
            self._file.close()
        if complete or self._journal.empty:
            self._journal.path.unlink(missing_ok=True)
        if self._journal.empty and not self.finished:
            self._file.path.unlink(missing_ok=True)

    def _read_finished(self) -> None:
        items, path = self._games.items, self._file.path
        for place, line in enumerate(self._file.lines):
            where = f"{path}: line {place + 1}"
            if place == len(items):
                raise InputError(f"is one too many for these {len(items):,} items; {_OTHERS}", where)
            run = run_of(line, items[place], self._games.start, where)
            if self._line(run) != line + b"\n":
                raise InputError(f"is not the run of {items[place].id!r} with these settings; {_OTHERS}", where)
            super().finish(run)
        if self._file.tail:
            begun = len(self._file.lines)
            if begun == len(items):
                raise InputError(f"is one too many for these {begun:,} items; {_OTHERS}", f"{path}: line {begun + 1}")
            start, _, _ = self._line(Run(items[begun], ())).partition(b'"reply": ')
            self._file.refuse_tail(start)

    def _line(self, run: Run) -> bytes:
        settings, digest = self._settings, self._games.digest
        return run.line(
            settings.model, settings.style, digest, max_retries=settings.retries, replies=settings.keep_replies
        )


_OTHERS = f"name the same items, model, style and retries as before ({MORE}), or pass --force to begin anew"


def journal_of(path: Path) -> Path:
    """The journal beside a file of finished runs."""
    return path.with_name(f"{path.name}.journal")


_PATIENCE = 2.0
"""Seconds: a process that was killed may still be waiting for its disk."""


@contextmanager
def keeping(
    path: PathLike[str] | str | None, games: Games, settings: Settings, *, resume: bool, force: bool
) -> Iterator[Book]:
    """The book at `path` while the block runs; one in memory without a path.

    The journal goes when the block ends well. Raises UsageError where a file is in the way and neither `resume` nor
    `force` is given, where it cannot be written, where `force` would remove a journal of something else, and whatever
    is passed for what the command has read, and for the file or folder of the games and what is in it; InputError where
    another process writes it, and as FileBook does.
    """
    if path is None:
        yield Book()
        return
    if not str(path).strip():
        raise UsageError("the name of the file to write is empty; name a file")
    if resume and force:
        raise UsageError("resume goes on with a file and force begins it anew; pass one of them")
    path = Path(path)
    if path.is_symlink():  # so that a run has one lock and one journal, whatever it is called
        path = Path(os.path.realpath(path))
    if path.is_symlink():
        raise UsageError("is a link to itself; remove it, or name another file", str(path))
    if is_stream(path) or (path.exists() and not path.is_file()):
        raise UsageError("is not a regular file; name another file", str(path))
    if not path.parent.is_dir():
        raise UsageError("its folder does not exist; make it first", str(path))
    for file in (path, journal_of(path)):
        refuse_inputs(str(file), [games.origin] if games.origin else [])
    _in_the_way(path, resume=resume, force=force)  # before anybody waits
    with _alone(path):
        there = _in_the_way(path, resume=resume, force=force)  # again: whoever had the lock may have written them
        if force:
            for file in there:
                _remove(file)
        book = FileBook(path, games, settings)
        complete = False
        try:
            yield book
            complete = True
        finally:
            book.close(complete=complete)


def _in_the_way(path: Path, *, resume: bool, force: bool) -> list[Path]:
    """What is there of the run's two files. Raises UsageError unless `resume` or `force` may have it."""
    there = [file for file in (path, journal_of(path)) if os.path.lexists(file)]
    if force and journal_of(path) in there and not began(journal_of(path), path.name):
        raise UsageError(
            f"is no journal of {path.name}, and --force would remove it; move it away, or name another file",
            str(journal_of(path)),
        )
    if there and not (resume or force):
        raise UsageError("exists; pass --resume to go on with it, or --force to begin anew", str(there[0]))
    if resume and (shared := [file for file in there if file.exists() and file.stat().st_nlink > 1]):
        raise UsageError("is one file under several names (hard links); copy it, and resume the copy", str(shared[0]))
    return there


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """No other process has these files meanwhile; the system ends this if the process dies."""
    from filelock import FileLock, Timeout

    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=_PATIENCE)
    try:
        lock.acquire()
    except Timeout as error:
        raise InputError("is being written by another process; wait for it, or name another file", str(path)) from error
    except OSError as error:
        raise refused("written", error, str(path)) from error
    try:
        yield
    finally:
        _remove(Path(lock.lock_file))  # while it is held, so that nobody else holds what goes
        lock.release()


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise refused("removed", error, str(path)) from error
