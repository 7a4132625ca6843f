"""The journal of a run, a file that grows by whole lines: every action, before the next is asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, BinaryIO, TypeGuard

from hansproof.generators.errors import InputError, refused
from hansproof.generators.jsonl import json_fault
from hansproof.runs.turn import End, Rejected, Turn, rejected_of

__all__ = ["SECOND", "AppendedFile", "Journal", "began"]

# A file that grows by whole lines. Until it is opened, nothing in it changes: it may turn out to be another file.


class AppendedFile:
    """Lines that were written before, and more to come. A process that was killed may have left half a line."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one. Raises InputError where the system refuses."""
        self.path = path
        self._file: BinaryIO | None = None
        self._synced = 0.0
        try:
            data = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise refused("read", error, str(path)) from error
        self._whole = data.rfind(b"\n") + 1
        self.lines = data[: self._whole].split(b"\n")[:-1]
        """The whole lines, without their ends."""
        self.tail = data[self._whole :]
        """What stands after them."""

    def refuse_tail(self, start: bytes) -> None:
        """Raise InputError for half a line that is not the beginning of one that starts with `start`."""
        if not (self.tail.startswith(start) or start.startswith(self.tail)):
            place = f"{self.path}: line {len(self.lines) + 1}"
            raise InputError("is not the beginning of a line of this run; name another file", place)

    def open(self) -> None:
        """Cut half a line off, and get ready to append. Raises InputError where the system refuses."""
        try:
            if self.tail:
                os.truncate(self.path, self._whole)
            self._file = self.path.open("ab", buffering=0)
        except OSError as error:
            raise refused("written", error, str(self.path)) from error

    def append(self, line: bytes) -> None:
        """Write one line. Raises InputError where the system refuses, and ValueError unless the file is open."""
        if self._file is None:
            raise ValueError("the file is closed")
        try:
            written = self._file.write(line)
        except OSError as error:
            raise refused("written", error, str(self.path)) from error
        if written != len(line):  # a disk that fills up takes what still fits
            raise InputError("cannot be written: the disk is full; make room, and pass --resume", str(self.path))

    def sync(self, within: float = 0.0) -> None:
        """Wait until the disk has every line, unless it had them `within` so many seconds. Raises InputError where the
        system refuses."""
        now = monotonic()
        if self._file is None or now - self._synced < within:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise refused("written", error, str(self.path)) from error
        self._synced = now

    def close(self) -> None:
        """Write nothing more."""
        if self._file is not None:
            self._file.close()
            self._file = None


# Killed at any point, a run loses at most the action under way: each record is one write, and half a record at the end
# is cut off. The disk is waited for once a second, so a machine that loses power loses a second of play.

SECOND = 1.0
"""How often the disk is waited for: a busy one takes a tenth of a second."""


class Journal:
    """Turns by the place of their episode. Threads may append at the same time, once it is open."""

    def __init__(self, path: Path, header: dict[str, Any], check: Callable[[dict[str, Any]], None]) -> None:
        """Read the journal at `path`, if there is one. `check` refuses the header of another run.

        Raises InputError for a file that is no journal, and where the system refuses to read it.
        """
        self.path = path
        self.turns: dict[int, list[Turn]] = {}
        self.ends: dict[int, End] = {}
        self.empty = True
        """Whether it has no turns and no ends."""
        self._lock = Lock()
        self._replies = bool(header["keep_replies"])
        self._header = header
        self._file = AppendedFile(path)
        for number, line in enumerate(self._file.lines, start=1):
            record = _record(line, f"{path}: line {number}")
            if number == 1:
                check(record)
            else:
                self.empty = False
                self._take(record, f"{path}: line {number}")
        if not self._file.lines:
            self._file.refuse_tail(_line(header))

    def open(self) -> None:
        """Get ready to append; a new journal begins with the header. Raises InputError where the system refuses."""
        self._file.open()
        if not self._file.lines:
            self._append(self._header)

    def add(self, place: int, turn: Turn) -> None:
        """Write a turn of episode `place`. Raises InputError where the system refuses, and ValueError once closed."""
        record = {"episode": place, "action": turn.action, "retries": len(turn.rejected)}
        self.empty = False
        self._append(record | _said(turn.rejected) | ({"reply": turn.reply} if self._replies else {}))

    def end(self, place: int, end: End) -> None:
        """Write that episode `place` ends here, because of what the agent said."""
        self.empty = False
        self._append({"episode": place, "end": end.reason, "retries": len(end.rejected) - 1} | _said(end.rejected))

    def close(self) -> None:
        """Write nothing more; the disk has everything."""
        with self._lock:
            try:
                self._file.sync()
            finally:
                self._file.close()

    def _append(self, record: dict[str, Any]) -> None:
        with self._lock:
            self._file.append(_line(record))
            self._file.sync(within=SECOND)

    def _take(self, record: dict[str, Any], place: str) -> None:
        episode, retries, reply = (record.get(key) for key in ("episode", "retries", "reply"))
        action, reason = record.get("action"), record.get("end")
        if not (_counts(episode, self._header["episodes"] - 1) and _counts(retries, self._header["retries"])):
            raise InputError(f"is no action of this run; {_MEND}", place)
        try:
            rejected = rejected_of(record.get("rejected", []), len(self.turns.get(episode, [])))
        except TypeError as error:
            raise InputError(f"is no action of this run; {_MEND}", place) from error
        if len(rejected) != retries + (reason is not None):
            raise InputError(f"is no action of this run; {_MEND}", place)
        if type(action) is str and reason is None and (type(reply) is str) is self._replies:
            self.turns.setdefault(episode, []).append(Turn(action, reply or "", rejected))
        elif type(reason) is str and reason.isprintable() and reason and action is None and episode not in self.ends:
            self.ends[episode] = End(reason, rejected, raised=False)
        else:
            raise InputError(f"is no action of this run; {_MEND}", place)


def began(path: Path, file: str) -> bool:
    """Whether the file at `path` is the journal of a run into `file`, or empty. Raises InputError where the system
    refuses to read it."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as opened:
            line = opened.readline(_HEADER)
    except OSError as error:
        raise refused("read", error, str(path)) from error
    try:
        record = json.loads(line) if line else {"journal_of": file}
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and record.get("journal_of") == file


_HEADER = 1_000_000
"""Bytes of the first line that are read."""

_MEND = "remove the journal, and only finished runs are kept"


def _counts(value: object, most: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= most


def _said(rejected: Sequence[Rejected]) -> dict[str, Any]:
    return {"rejected": [asdict(each) for each in rejected]} if rejected else {}


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"  # half surrogate pairs as escapes: nothing is lost here


def _record(line: bytes, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{json_fault(error)}; {_MEND}", place) from error
    if not isinstance(record, dict):
        raise InputError("is no journal of a run; remove it, and only finished runs are kept", place)
    return record
