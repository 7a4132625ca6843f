"""Pipes and standard input give what they hold only once: it is kept, so that answers can be read again."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING
from weakref import finalize

from audit.formats.content import STDIN
from generators.errors import InputError
from generators.input import LIMIT, note

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["INPUT", "Kept", "is_input", "standard_input"]

INPUT = "-"
"""What standard input is called wherever a file of answers can be named."""
_NAMES = (INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_IN_MEMORY = 2**24
"""Bytes that are kept in memory; more are on disk."""


def is_input(path: str) -> bool:
    """Whether a file of answers is standard input, by whatever name."""
    return path in _NAMES


def standard_input() -> IO[bytes]:
    """Standard input as bytes. Raises InputError where whoever started the program has closed it."""
    stream = sys.stdin
    if stream is None or stream.closed:
        raise InputError("is closed; pipe something into it, or name a file", STDIN)
    note("/dev/stdin")  # the shell may have opened a file
    if isinstance(stream, io.TextIOWrapper):
        buffer: IO[bytes] = stream.buffer
        return buffer
    return io.BytesIO(stream.read().encode("utf-8", "surrogateescape"))  # a notebook's, which has only text


class Kept:
    """What a stream that cannot be read twice gives: `LIMIT` bytes of it, of more nothing."""

    def __init__(self, stream: IO[bytes], place: str, *, closes: bool) -> None:
        self._stream, self._place = stream, place
        self._copy: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  # closed with this
        self._given = self._kept = 0
        finalize(self, _close, [self._copy, *([stream] if closes else [])])

    def reading(self) -> io.BufferedReader:
        """All of the stream, from its beginning; one reading at a time.

        Reading it raises InputError where it has given more than is kept, and is read again.
        """
        return io.BufferedReader(_Reading(self))

    def part(self, place: int, size: int) -> bytes:
        """At most `size` bytes from `place` on; none at the end."""
        if place < self._kept:
            self._copy.seek(place)
            return self._copy.read(size)
        if place < self._given:
            raise InputError(
                f"gave more than {LIMIT:,} bytes, of which nothing is kept, and they are needed again; save them to a "
                "file, and name that",
                self._place,
            )
        data = self._stream.read(size)
        if self._kept == self._given and self._given + len(data) <= LIMIT:
            self._copy.seek(0, io.SEEK_END)
            self._copy.write(data)
            self._kept += len(data)
        elif data:
            self._kept = 0
            self._copy.truncate(0)
        self._given += len(data)
        return data


class _Reading(io.RawIOBase):
    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self._kept = kept
        self._place = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._kept.part(self._place, len(view))
        view[: len(data)] = data
        self._place += len(data)
        return len(data)


def _close(streams: Iterable[IO[bytes]]) -> None:
    for stream in streams:
        stream.close()
