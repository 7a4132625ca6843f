"""Which files are opened: regular files, and what the shell or the caller has opened already.

Nothing else is waited for. A named pipe without a writer blocks whoever opens it, a device may never end, and a socket
is not a file. `/dev/stdin` and `/dev/fd/63`, which is what a shell makes of `<(command)`, are names of files that are
open already: those are read like standard input.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from generators.errors import InputError
from generators.input.journal import ABSENT, note

__all__ = ["LIMIT", "check_regular", "open_regular", "read_all", "read_regular", "too_large"]

LIMIT = 2**30
"""Largest size of a file, in bytes: a pipe never ends, and a few kilobytes can unpack to more than memory holds."""

_CHUNK = 2**20
_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_OPEN_ALREADY = ("/dev/fd/", "/proc/self/fd/")


def open_regular(path: os.PathLike[str] | str, called: str = "") -> io.BufferedReader:
    """The regular file `path`, or the open file that the name stands for, to read bytes from.

    It never blocks. Raises InputError for a pipe, a device or a socket (but the null device is an empty file), which
    faults call `called`, by default the path; OSError for what the system refuses; UsageError for a file that the
    command is to write.
    """
    note(os.fspath(path))
    return _opened(os.fspath(path), called)


def _opened(name: str, called: str) -> io.BufferedReader:
    check_regular(name, called)
    if sys.platform == "win32":
        flags = os.O_RDONLY | os.O_BINARY
    else:
        flags = os.O_RDONLY if _is_open_already(name) else os.O_RDONLY | os.O_NONBLOCK
    # The name may stand for another file by now, so what was opened is looked at again.
    stream = os.fdopen(os.open(name, flags), "rb")
    try:
        _check(os.fstat(stream.fileno()).st_mode, name, called)
    except InputError:
        stream.close()
        raise
    return stream


def check_regular(path: os.PathLike[str] | str, called: str = "") -> None:
    """Raise InputError for what `open_regular` would not open; nothing for what is not there."""
    name = os.fspath(path)
    try:
        mode = Path(name).stat().st_mode
    except (OSError, ValueError):  # opening it says why
        return
    _check(mode, name, called)


def read_regular(path: os.PathLike[str] | str, called: str = "", limit: int = LIMIT) -> bytes:
    """All bytes of a file. Raises as `open_regular` does, and InputError above `limit` bytes."""
    name, digest = os.fspath(path), None
    try:
        with _opened(name, called) as stream:
            known = os.fstat(stream.fileno())
            if stat.S_ISREG(known.st_mode) and known.st_size > limit:
                raise too_large(limit, called or name)
            data = read_all(stream, called or name, limit)
        digest = sha256(data).hexdigest()
        return data
    except FileNotFoundError:
        digest = ABSENT
        raise
    finally:
        note(name, digest)


def read_all(stream: IO[Any], place: str, limit: int = LIMIT) -> bytes:
    """Everything in a stream of bytes or text, as bytes. Raises InputError as soon as it is more than `limit`."""
    out = io.BytesIO()
    while chunk := stream.read(_CHUNK):
        out.write(chunk.encode("utf-8", "surrogateescape") if isinstance(chunk, str) else chunk)
        if out.tell() > limit:
            raise too_large(limit, place)
    return out.getvalue()


def too_large(limit: int, place: str) -> InputError:
    """The error for more than `limit` bytes at `place`."""
    return InputError(f"more than {limit:,} bytes; split it into smaller files", place)


def _check(mode: int, name: str, called: str) -> None:
    if name == os.devnull or _is_open_already(name):
        return
    for is_kind, kind in _KINDS:
        if is_kind(mode):
            raise InputError(
                f"is {kind}, not a regular file; save what it gives to a file, or pass it on standard input",
                called or name,
            )


def _is_open_already(name: str) -> bool:
    return name == "/dev/stdin" or name.startswith(_OPEN_ALREADY)
