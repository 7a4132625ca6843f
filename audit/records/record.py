"""The base of all records of a result."""

from __future__ import annotations

import math

import msgspec

__all__ = ["Record", "or_least"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Immutable, with named fields. A number that is undefined is None (JSON null)."""


def or_least(value: float | None) -> float:
    """A key to sort and compare by: what is undefined is less than any number, and 0 is a number."""
    return -math.inf if value is None else value
