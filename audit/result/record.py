"""The base of all records, and JSON that every reader accepts."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import msgspec

from hansproof.audit.notation import rounded

__all__ = ["Record", "encodable", "json_bytes", "or_least"]


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
    data = msgspec.json.encode(_written(msgspec.to_builtins(value)))
    return (data if indent is None else msgspec.json.format(data, indent=indent)) + b"\n"


def encodable(text: str) -> str:
    """`text` with lone surrogates replaced by U+FFFD, so that it can be written as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def _written(value: Any) -> Any:
    if isinstance(value, float):
        return rounded(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {_written(key): _written(part) for key, part in value.items()}
    return [_written(part) for part in value] if isinstance(value, list | tuple) else value
