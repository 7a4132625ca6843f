"""Where a run is written down: in memory, or in the file of finished runs and the journal beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generators.errors import InputError
from hansproof.runs.files.appended import AppendedFile
from hansproof.runs.files.journal import SECOND, Journal
from hansproof.runs.games import Games
from hansproof.runs.run import Run, run_of
from hansproof.runs.settings import MORE, Settings
from hansproof.runs.turn import End, Turn

__all__ = ["Book", "FileBook"]


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
