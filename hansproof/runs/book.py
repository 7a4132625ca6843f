"""Where a run is written down: in memory, or in the file of finished runs and the journal beside it."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic
from typing import Any

from generators.errors import InputError, refused
from hansproof.runs.games import Games
from hansproof.runs.journal import Journal, whole_lines
from hansproof.runs.run import Run, run_of
from hansproof.runs.settings import Settings
from hansproof.runs.turn import End, Turn

__all__ = ["Book", "FileBook"]

_SECOND = 1.0
"""How often the disk is waited for: a busy one takes a tenth of a second."""


class Book:
    """In memory: nothing was done before, and nothing is left afterwards but the runs."""

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

    def __init__(self, path: Path, games: Games, settings: Settings) -> None:
        """Open what there is, or begin. Raises InputError for files of another run and where the system refuses."""
        super().__init__()
        self._path, self._games, self._settings = path, games, settings
        header = settings.header(len(games.items), games.digest)
        self._synced = 0.0
        self._read_finished()

        def check(begun: dict[str, Any]) -> None:
            settings.refuse_other(begun, len(games.items), games.digest, str(path))

        self._journal = Journal(journal_of(path), header, check)
        try:
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise refused("written", error, str(path)) from error

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
        line = self._line(run)
        try:
            written = self._file.write(line)
        except OSError as error:
            raise refused("written", error, str(self._path)) from error
        self._sync(within=_SECOND)
        if written != len(line):  # a disk that fills up takes what still fits
            raise InputError("cannot be written: the disk is full; make room, and pass --resume", str(self._path))

    def close(self, *, complete: bool) -> None:
        """Write nothing more. The journal of a complete run goes, and so do both files if nothing was ever played."""
        self._journal.close()
        try:
            self._sync()  # before the journal goes
        finally:
            self._file.close()
        if complete or self._journal.empty:
            self._journal.path.unlink(missing_ok=True)
        if self._journal.empty and not self.finished:
            self._path.unlink(missing_ok=True)

    def _sync(self, within: float = 0.0) -> None:
        """Wait until the disk has every line, unless it had them `within` so many seconds."""
        if (now := monotonic()) - self._synced < within:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise refused("written", error, str(self._path)) from error
        self._synced = now

    def _read_finished(self) -> None:
        lines = whole_lines(self._path) if self._path.exists() else []
        items = self._games.items
        for place, line in enumerate(lines):
            where = f"{self._path}: line {place + 1}"
            if place == len(items):
                raise InputError(f"is one too many for these {len(items):,} items; {_OTHERS}", where)
            run = run_of(line, items[place], where)
            if self._line(run) != line + b"\n":
                raise InputError(f"is not the run of {items[place].id!r} with these settings; {_OTHERS}", where)
            super().finish(run)

    def _line(self, run: Run) -> bytes:
        settings = self._settings
        return run.line(settings.model, settings.style, self._games.digest, replies=settings.keep_replies)


_OTHERS = "name the same items, model and style as before, or pass --force to begin anew"


def journal_of(path: Path) -> Path:
    """The journal beside a file of finished runs."""
    return path.with_name(f"{path.name}.journal")
