"""The base of all records of a result."""

from __future__ import annotations

import msgspec

__all__ = ["Record"]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Immutable, with named fields. A number that is undefined is None (JSON null)."""
