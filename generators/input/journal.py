"""What is read while a block runs, noted where files are opened; and what it is to write, which is never one of them.

Nothing is predicted. A file that only its neighbour names (labels beside items, the data of a task, the statistics of a
run) is noted like any other, with the digest of the very bytes that were read, not of those that are there later.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType

from generators.errors import UsageError

__all__ = ["ABSENT", "Journal", "note", "note_modules", "recording", "refuse_inputs", "reserve"]

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
