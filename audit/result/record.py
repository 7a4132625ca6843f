"""The base of all records, and JSON that every reader accepts."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import msgspec

from hansproof.audit.notation import rounded

__all__ = ["Record", "encodable", "json_bytes", "or_least", "settled"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Immutable, with named fields. A number that is undefined is None (JSON null)."""


def or_least(value: float | None) -> float:
    """A key to sort and compare by: what is undefined is less than any number, and 0 is a number."""
    return -math.inf if value is None else value


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def json_bytes(value: Any, *, indent: int | None = 2) -> bytes:
    """Dicts, lists, numbers, texts, dataclasses and structs as UTF-8 that ends with a newline; None: on one line.

    Numbers are `rounded`; NaN and infinities become null, lone surrogates U+FFFD. Keys keep their order. Raises
    TypeError for a value of another kind.
    """
    plain = settled(msgspec.to_builtins(value))
    try:
        data = msgspec.json.encode(plain)
    except UnicodeEncodeError:  # only then is it worth walking through all of it once more
        data = msgspec.json.encode(_encodable(plain))
    return (data if indent is None else msgspec.json.format(data, indent=indent)) + b"\n"


def settled(value: Any) -> Any:
    """Dicts, lists and numbers as files have them: NaN and infinities are None, all others `rounded`."""
    if isinstance(value, float):
        return rounded(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: settled(part) for key, part in value.items()}
    return [settled(part) for part in value] if isinstance(value, list | tuple) else value


def encodable(text: str) -> str:
    """`text` with lone surrogates replaced by U+FFFD, so that it can be written as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def _encodable(value: Any) -> Any:
    if isinstance(value, dict):
        return {_encodable(key): _encodable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(part) for part in value]
    return encodable(value) if isinstance(value, str) else value
