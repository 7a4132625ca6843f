"""Every error that a user can cause, told in one line; and how work says how far it is."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol, Self

__all__ = [
    "DownloadError",
    "Fault",
    "HansproofError",
    "InputError",
    "NotAssessedError",
    "Progress",
    "UsageError",
    "near_file",
    "near_miss",
    "not_utf8",
    "printable",
    "refused",
    "told",
    "unknown",
    "unwatched",
]

# Code that catches an error reads its faults, never its message.

_SHOWN = 20
"""Faults, and known names, that a message lists before it only counts the rest."""
_LONGEST = 1000
"""Characters of one fault in a message."""
_LONGEST_PLACE = 300
"""Characters of its place: names of files are mostly shorter."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    reason: str
    """What is wrong, and what to do about it."""
    place: str = ""
    """Where: `bench.jsonl: line 812`; empty where there is no place to name."""

    def __str__(self) -> str:
        """One printable line, cut in the middle where it is very long: names and values come from anywhere."""
        place = self.place
        if len(place) > _LONGEST_PLACE:
            place = f"{place[: _LONGEST_PLACE * 2 // 3]} ... {place[-_LONGEST_PLACE // 4 :]}"
        line = printable(f"{place}: {self.reason}" if place else self.reason)
        return line if len(line) <= _LONGEST else f"{line[: _LONGEST * 2 // 3]} ... {line[-_LONGEST // 4 :]}"


class HansproofError(Exception):
    """Base class of every error that a user can cause; the command line prints it and exits with 2."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason, place)
        self.faults: tuple[Fault, ...] = (Fault(reason, place),)
        """All that is wrong, in order; never empty."""

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Self:
        """One error for several faults, of which there is at least one."""
        error = cls(faults[0].reason, faults[0].place)
        error.faults = tuple(faults)
        return error

    @property
    def reason(self) -> str:
        """What is wrong with the first fault."""
        return self.faults[0].reason

    @property
    def place(self) -> str:
        """Where the first fault is."""
        return self.faults[0].place

    def __str__(self) -> str:
        lines = [str(fault) for fault in self.faults[:_SHOWN]]
        more = len(self.faults) - _SHOWN
        if more > 0:
            lines.append(f"... and {more:,} more ({len(self.faults):,} faults in all)")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        # The default would rebuild the error from its first fault alone when a worker process raises it.
        return type(self).of, (self.faults,)


class InputError(HansproofError):
    """A file, a row or a column is not what it must be."""


class UsageError(HansproofError):
    """Options contradict each other, or a name does not exist."""


class NotAssessedError(HansproofError):
    """The input is a benchmark, but of a kind that this audit cannot judge; never counted as a pass."""


class DownloadError(HansproofError):
    """A file could not be fetched, or what arrived is not that file."""


def printable(text: str) -> str:
    """`text` on one line, with escapes for what could drive a terminal: `\\x1b`, `\\n`, `\\u202e`."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def near_file(path: str) -> str:
    """` Did you mean 'x'?` where a file or a folder beside `path` is called nearly so; else the empty string."""
    try:
        beside = sorted(file.name for file in Path(path).parent.iterdir() if file.exists())
        return near_miss(Path(path).name, beside, 0.8)
    except (OSError, ValueError):
        return ""


def near_miss(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """` Did you mean 'x'?` where a known name is close to `name`, whatever its case; else the empty string. `alike` is
    how close, by difflib's ratio."""
    folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=alike)
    return f" Did you mean {folded[close[0]]!r}?" if close else ""


def unknown(kind: str, name: str, known: Iterable[str], *, within: str = "") -> UsageError:
    """The error for a name that does not exist: `knights-knaves has no subset 'S-9'. Did you mean ... Known: ...`.

    `within` is what was searched for it; without one the message starts with `there is no`. `kind` is a singular noun.
    """
    names, name = list(known), str(name)  # whoever passes None learns what there is
    start = f"{within} has" if within else "there is"
    listed = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    return UsageError(
        f"{start} no {kind} {name!r}.{near_miss(name, names)} {f'Known: {listed}' if listed else 'None is known'}"
    )


def refused(verb: str, error: OSError, place: str) -> InputError:
    """The error for what the system refuses to do with a file: `cannot be read: Permission denied`, at `place`; with
    the name of a file beside it that is close to one that is not there."""
    close = near_file(place) if isinstance(error, FileNotFoundError) and verb == "read" else ""
    return InputError(f"cannot be {verb}: {error.strerror or error}{'.' * bool(close)}{close}", place)


def not_utf8(error: UnicodeDecodeError, place: str) -> InputError:
    """The error for a file that is no text: `byte 17 is not UTF-8`, counted from 1, at `place`."""
    return InputError(f"byte {error.start + 1} is not UTF-8", place)


def told(error: BaseException) -> HansproofError | None:
    """What the system, or a library underneath, raises where nobody foresaw it, as one line with what to do about it.

    None for an interruption, a request to leave, and for a fault of our own, which needs its traceback. A library in
    Rust that panics raises what is no Exception.
    """
    if isinstance(error, HansproofError):
        return error
    if isinstance(error, OSError):
        advice = _ADVICE.get(error.errno or 0, "name another file, or mend this one")
        reason = f"{error.strerror or str(error) or type(error).__name__}; {advice}"
        return InputError(reason, "" if error.filename is None else os.fsdecode(error.filename))
    if isinstance(error, MemoryError):
        return InputError("memory ran out; use a smaller file or a part of it, or a machine with more memory")
    if isinstance(error, RecursionError):
        return InputError("a value is nested too deeply; flatten it")
    if isinstance(error, EOFError):
        return InputError("a file or stream ended too early; fetch or write it again")
    if isinstance(error, UnicodeError):
        return InputError(f"a name or a text cannot be written as {error}; rename the file or remove the character")
    if isinstance(error, ValueError) and "embedded null" in str(error):
        return InputError("a name has a NUL character in it, which no file has; name another")
    if isinstance(error, ValueError) and "closed file" in str(error):
        return InputError("standard output or error was closed while it was in use; let your agent leave both open")
    if isinstance(error, OverflowError) and "too large to convert to float" in str(error):
        return InputError("a number has more than 308 digits; write a smaller one, or write it as text")
    if isinstance(error, ImportError | RuntimeError) and any(sign in str(error) for sign in _NO_MEMORY):
        return told(MemoryError())
    if type(error).__module__ != "pyo3_runtime":  # a panic in Rust, of a class that each library makes anew
        return None
    first = (str(error).splitlines() or [""])[0]
    return InputError(f"a library failed on it ({type(error).__name__}: {first}); the file may be damaged")


_NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""What the loader of libraries and the starter of threads say where memory, or the room for it, ran out."""

_ADVICE = {
    errno.ENOENT: "check the name",
    errno.ENOTDIR: "check the name",
    errno.EACCES: "change its permissions, or name another file",
    errno.EPERM: "change its permissions, or name another file",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EISDIR: "name a file in it",
    errno.ELOOP: "name what the link should lead to",
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room on the disk",
    errno.EROFS: "name a place that can be written",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENFILE: "close other programs",
}


for _error in (HansproofError, DownloadError, InputError, NotAssessedError, UsageError):
    _error.__module__ = "hansproof"  # where you import them from, so a traceback says so


class Progress(Protocol):
    """What long work calls from time to time; `hansproof.terminal.streams` draws it as a bar."""

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """`done` of `total` units of `stage` are finished; the stage is a phrase such as `finding groups`."""
        ...


def unwatched(stage: str, done: int, total: int, /) -> None:
    """A Progress that nobody watches."""
