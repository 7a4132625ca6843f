"""The files of a run: opened by one process at a time, begun, resumed or begun anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from generators.errors import InputError, UsageError, refused
from generators.input import refuse_inputs
from generators.output import is_stream
from hansproof.runs.files.book import Book, FileBook, journal_of
from hansproof.runs.files.journal import began
from hansproof.runs.games import Games
from hansproof.runs.settings import Settings

__all__ = ["keeping"]

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
