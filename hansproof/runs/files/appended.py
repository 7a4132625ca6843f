"""A file that grows by whole lines. Until it is opened, nothing in it changes: it may turn out to be another file."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from generators.errors import InputError, refused

__all__ = ["AppendedFile"]


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
