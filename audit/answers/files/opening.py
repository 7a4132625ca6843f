"""The beginning of a file decides what it is; the rest is then streamed, or read whole within the limit of a file."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, Any

from audit.answers.files.pipes import INPUT, Kept, standard_input
from audit.formats.content import STDIN, Content, bare_name, unpacked, utf8
from audit.formats.json_rows import decode
from generators.errors import InputError, refused
from generators.input import LIMIT, open_regular, read_all, too_large

__all__ = ["Opened", "begun", "opened"]

_LOOKED_AT = 5
_BINARY = (b"PAR1", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xff\xfe", b"\xfe\xff")
"""Parquet, zip (also an empty one), gzip, Zstandard, and the marks of UTF-16 and UTF-32."""
_BOM = b"\xef\xbb\xbf"


@dataclass
class Opened:
    """A file whose first lines are known."""

    path: str
    head: list[bytes]
    """Its first lines, with their ends, until five are not blank."""
    rest: IO[bytes]
    binary: bool
    """Whether it is packed, or no UTF-8 text by its first bytes."""
    records: list[Any] = field(default_factory=list)
    """The values of the first lines that are complete JSON, up to the first that is not."""
    lines: int = 0
    """How many of `head` are not blank."""
    read: int = 0
    """Bytes of the lines that have been streamed."""

    @property
    def extension(self) -> str:
        """`.csv`, in lower case, also for `x.csv.gz`."""
        return bare_name(Path(self.path))[1]

    @property
    def start(self) -> bytes:
        """The first character of the text; empty for a file without any."""
        return b"".join(self.head[:1]).removeprefix(_BOM).lstrip()[:1] or b"".join(self.head).lstrip()[:1]

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """(number from 1, line) of every line, as a stream, to be used once. Raises InputError if reading fails."""
        try:
            for number, line in enumerate(chain(self.head, self.rest), start=1):
                self.read += len(line)
                yield number, line
        except OSError as error:
            raise refused("read", error, self.path) from error

    def content(self) -> Content:
        """All of the file, unpacked, as UTF-8 text or as the bytes of a binary format.

        Raises InputError where it is too large or damaged.
        """
        stored = b"".join(self.head)
        try:
            stored += read_all(self.rest, self.path, LIMIT)
        except OSError as error:
            raise refused("read", error, self.path) from error
        data = unpacked(stored, self.path)
        return Content(self.path, data, hashlib.sha256(stored).hexdigest(), self.extension)

    def document(self) -> Any:
        """The file as one JSON value. Raises InputError as `content` does, and for broken JSON."""
        try:
            return decode(utf8(self.content()), self.path)
        except UnicodeDecodeError as error:
            raise InputError(f"is not UTF-8 at byte {error.start + 1}; save it as UTF-8", self.path) from error


@contextmanager
def opened(path: str, held: dict[str, Kept] | None = None) -> Iterator[Opened]:
    """The file `path`, open until the end of the `with`; `-` is standard input.

    What can be read only once is among those that are `held`, and read from there. Raises InputError if the file
    cannot be opened or read.
    """
    held = {} if held is None else held
    try:
        if path in held:
            stream = held[path].reading()
        elif path == INPUT:
            held[path] = Kept(standard_input(), STDIN, closes=False)
            stream = held[path].reading()
        else:
            stream = open_regular(path)
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                held[path] = Kept(stream, path, closes=True)
                stream = held[path].reading()
    except OSError as error:
        raise refused("read", error, path) from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"cannot be read: {error}", path) from error
    with stream:
        try:
            yield begun(STDIN if path == INPUT else path, stream)
        except OSError as error:
            raise refused("read", error, path) from error


def begun(path: str, stream: IO[bytes]) -> Opened:
    """A stream of bytes whose first lines have been read."""
    head: list[bytes] = []
    lines = 0
    while lines < _LOOKED_AT:
        line = stream.readline(LIMIT + 1)
        if not line:
            break
        if len(line) > LIMIT:
            raise too_large(LIMIT, path)
        head.append(line)
        lines += bool(line.strip())
        if len(head) == 1 and line.startswith(_BINARY):
            return Opened(path, head, stream, binary=True)
    known = Opened(path, head, stream, binary=False, lines=lines)
    for line in head:
        text = line.removeprefix(_BOM).strip()
        if not text:
            continue
        try:
            known.records.append(decode(text, path))
        except (InputError, UnicodeDecodeError):
            break
    return known
