"""What stands where in strangers' logs, and beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from hansproof.audit.formats.content import read, utf8
from hansproof.audit.formats.json_rows import decode
from hansproof.generators.errors import InputError

__all__ = ["first_in", "first_text", "inner", "json_beside", "typed"]

T = TypeVar("T")


def inner(value: Any, *keys: str) -> Any:
    """What stands at the end of a path of keys through objects; None where there is nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def typed(kind: type[T], value: Any, *keys: str) -> T:
    """What stands at the end of a path of keys where it is of this type; else an empty one, or 0."""
    there = inner(value, *keys)
    return there if type(there) is kind else kind()


def first_in(said: Any) -> Any:
    """The first of filtered or raw responses, which are lists of lists where a request was repeated."""
    while isinstance(said, list) and said:
        said = said[0]
    return said


def first_text(said: Any) -> str | None:
    """The same of texts; None where the first is none."""
    first = first_in(said)
    return first if isinstance(first, str) else None


def json_beside(file: Path, faults: list[str] | None = None) -> Any:
    """The JSON of a file that belongs to a log; None where there is none, and, as one of the `faults`, where it cannot
    be read: the log is whole without it."""
    try:
        return decode(utf8(read(str(file))), str(file)) if file.is_file() else None
    except (InputError, UnicodeDecodeError, OSError, ValueError) as error:
        if faults is not None:
            reason = error.reason if isinstance(error, InputError) else error
            faults.append(f"{file.name} of this run cannot be read and is not used: {reason}")
        return None
