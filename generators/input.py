"""What is read from outside: which files are opened, what is noted of them, and how long one waits."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import IO, Any, TypeVar

from hansproof.generators.errors import InputError, UsageError

__all__ = [
    "ABSENT",
    "LIMIT",
    "Journal",
    "first_repeated",
    "note",
    "note_modules",
    "open_regular",
    "read_all",
    "read_regular",
    "recording",
    "refuse_inputs",
    "reserve",
    "too_large",
    "within",
]

# Nothing is predicted: a file that only its neighbour names (labels beside items, the data of a task) is noted where it
# is opened, with the digest of the very bytes that were read, not of those that are there later.

ABSENT = "absent"
"""In the place of a digest: the file was looked for, and not there."""


class Journal:
    """The files that were read, and those that are to be written, in one block."""

    def __init__(self) -> None:
        self.digests: dict[str, str | None] = {}
        """Name as it was opened -> SHA-256 of its bytes, or ABSENT; None if nobody knows all bytes that were read."""
        self._inputs: set[object] = set()
        self._outputs: dict[object, str] = {}

    def add(self, name: str, digest: str | None = None) -> None:
        """Note a file that is read. Raises UsageError for one that is to be written."""
        self.digests[name] = digest if self.digests.get(name, digest) == digest else None  # it changed in between
        same = _identities(name)
        self._inputs |= same
        for known in same & self._outputs.keys():
            raise _refused(self._outputs[known])

    def refuse(self, file: str) -> None:
        """Raise UsageError for a file that was read, under whatever name, and for one inside a folder that was."""
        if _identities(file) & self._inputs:
            raise _refused(file)
        if self._inputs & {str(folder) for folder in Path(os.path.realpath(file)).parents}:
            raise UsageError("is inside an input of this command, which must stay as it is; name another file", file)

    def reserve(self, file: str) -> None:
        """Note a file that is to be written."""
        self._outputs |= dict.fromkeys(_identities(file), file)


_journals: ContextVar[tuple[Journal, ...]] = ContextVar("_journals", default=())


@contextmanager
def recording(*, aside: bool = False) -> Iterator[Journal]:
    """A journal of what is read until the end of the `with`, in this thread.

    Those around it note the same, but not what is read `aside`, only to see whether it is to be replaced.
    """
    journal = Journal()
    token = _journals.set((*(() if aside else _journals.get()), journal))
    try:
        yield journal
    finally:
        _journals.reset(token)


def note(name: str, digest: str | None = None) -> None:
    """Note a file that is read, here or in another process. Raises UsageError for one that is to be written."""
    for journal in reversed(_journals.get()):  # the outermost, which refuses, last: all have noted it then
        journal.add(name, digest)


def note_modules() -> None:
    """Note the files of all modules that are loaded: code that runs is read, too."""
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and isinstance(file := vars(module).get("__file__"), str):
            note(file)


def refuse_inputs(file: str, named: Iterable[str] = ()) -> None:
    """Raise UsageError for a file that is not to be written: one that was read, or one of those `named`, or in one."""
    sources = Journal()
    for name in named:
        sources.add(name)
    for journal in (sources, *_journals.get()[:1]):  # the outermost knows what the others know
        journal.refuse(file)


def reserve(file: str) -> None:
    """Note a file that is to be written: whoever opens it to read raises UsageError."""
    for journal in _journals.get()[:1]:
        journal.reserve(file)


def _refused(file: str) -> UsageError:
    return UsageError("is an input of this command; name another file", file)


def _identities(name: str) -> set[object]:
    """What two names of one file share: where it is, and which file it is, be it a hard link."""
    try:
        real = os.path.realpath(name)
    except (OSError, ValueError):
        return set()
    try:
        known = Path(real).stat()
    except OSError:
        return {real}
    return {real, (known.st_dev, known.st_ino)}


# Only regular files are waited for: a named pipe without a writer blocks whoever opens it, and a device may never end.
# `/dev/stdin` and `/dev/fd/63` (the shell's `<(command)`) are open already, and read like standard input.

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


# What is named twice, in linear time: counting each name anew takes minutes where there are tens of thousands.


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that is there a second time; None where each is there once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


T = TypeVar("T")


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` returns or raises, if it does so within `seconds`; else TimeoutError.

    The time limit of a socket starts anew with every byte, so a server that sends a byte now and then keeps its caller
    waiting for ever. The call runs in a thread of its own. One that is given up stays behind until the other side ends
    it, or this process does; nothing must depend on what it still does.
    """
    ended: SimpleQueue[tuple[bool, T | BaseException]] = SimpleQueue()

    def work() -> None:
        try:
            ended.put((True, call()))
        except BaseException as error:  # whatever it is, it is the caller's
            ended.put((False, error))

    Thread(target=work, daemon=True).start()
    try:
        returned, outcome = ended.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no end within {seconds:g} s") from None
    if isinstance(outcome, BaseException) and not returned:
        raise outcome
    return outcome  # type: ignore[return-value]
