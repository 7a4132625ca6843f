"""Data that a script holds in place of a file. One rule for replies and for items: rows are read as JSON lines are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from typing import Any, Final, TypeAlias

import msgspec

from hansproof.audit.formats.content import Content
from hansproof.audit.formats.frames import frame_table, is_frame, plain
from hansproof.generators.errors import InputError, UsageError

__all__ = ["BY_ID", "Given", "as_json", "called", "given", "given_all", "is_whole"]

Given: TypeAlias = Any
"""A path; a pandas or polars DataFrame, a Hugging Face Dataset or a list of dicts; of items also a list of `Item`, of
replies also `{id: reply}` and `{model: {id: reply}}`. Several of them may stand in one list where paths may."""

BY_ID: Final = ".by-id"
"""The extension of replies by id: no table, so that nobody names its columns."""

_TAKEN: Final = (
    "pass a path, a pandas or polars DataFrame, a Hugging Face Dataset or a list of dicts; items also as a list of "
    "Item, replies also as {id: reply} or {model: {id: reply}}"
)


def given(source: Given, name: str) -> str | Content:
    """A path as it is, and rows as the JSON lines of a file that is called `name`, so that they are read as one.

    A dict of lists is a table of columns. Raises UsageError for an object of any other type, and InputError for a row
    that JSON cannot hold.
    """
    if isinstance(source, Content):
        return source
    if isinstance(source, str | PathLike):
        return fspath(source)
    extension = ".jsonl"
    if is_frame(source):
        rows: list[Any] = [row.values for row in frame_table(source).rows]
    elif isinstance(source, Mapping):
        rows, extension = list(_replies(source)), BY_ID
    elif isinstance(source, list | tuple) and all(isinstance(row, Mapping) for row in source):
        rows = [plain(row) for row in source]
    else:
        several = source if isinstance(source, list | tuple) else ()
        kinds = [type(row).__name__ for row in several if not isinstance(row, Mapping)]
        what = f"a list with {' and '.join(dict.fromkeys(kinds))}" if kinds else type(source).__name__
        raise UsageError(f"{name} cannot be read from {what}: {_TAKEN}")
    data = b"".join(_line(row, f"{name}: line {number}") for number, row in enumerate(rows, 1))
    return Content(name, data, hashlib.sha256(data).hexdigest(), extension)


def given_all(sources: Given, name: str) -> list[str | Content]:
    """The sources of a list, each as `given` has it; of anything else the only one. A list of dicts is one source."""
    if is_whole(sources):
        return [given(sources, name)]
    members = list(sources)
    if members and all(isinstance(member, Mapping) for member in members):
        return [given(members, name)]
    return [given(each, f"{name} {at}" if len(members) > 1 else name) for at, each in enumerate(members, 1)]


def is_whole(source: Given) -> bool:
    """Whether something is one source, and no list of rows or of sources."""
    if isinstance(source, str | PathLike | Content | Mapping) or is_frame(source):
        return True
    return not isinstance(source, Iterable)


def called(source: Given) -> str:
    """What messages and records call a source."""
    if isinstance(source, Content):
        return source.place
    return fspath(source) if isinstance(source, str | PathLike) else "the items"


def _replies(source: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    """`{id: reply}` or `{model: {id: reply}}` as rows."""
    models = {name: own for name, own in source.items() if isinstance(own, Mapping)}
    if models and len(models) < len(source):
        odd = next(name for name in source if name not in models)
        raise UsageError(f"{odd!r} has no replies by id, which {next(iter(models))!r} has: {_TAKEN}")
    for model, replies in models.items() or [("", source)]:
        if not replies and models:
            raise InputError(f"the model {model!r} has no replies")
        for id, reply in replies.items():
            yield {"id": id, "reply": plain(reply)} | ({"model": model} if models else {})


def _line(row: Any, place: str) -> bytes:
    try:
        return as_json(row) + b"\n"
    except (RecursionError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"cannot be written as JSON: {error}", place) from error


def as_json(values: Any) -> bytes:
    """Values of a row as JSON on one line; what has no form of its own there is its text."""
    try:
        return msgspec.json.encode(values, enc_hook=_text)
    except (UnicodeEncodeError, OverflowError):  # half a surrogate pair, and integers of more than 64 bits
        return json.dumps(values, default=_text).encode()


def _text(value: Any) -> Any:
    return None if type(value).__name__ in ("NAType", "NaTType") else str(value)
