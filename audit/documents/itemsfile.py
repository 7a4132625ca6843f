"""One line of JSON per item: what a probe predicted for it out of fold, for authors who repair their items."""

from __future__ import annotations

from collections.abc import Iterable

from audit.documents.strict_json import json_bytes
from audit.records.item_score import ItemScore

__all__ = ["items_bytes"]


def items_bytes(rows: Iterable[ItemScore]) -> bytes:
    """One line per row, in their order; b"" for none."""
    return b"".join(json_bytes(row, indent=None) for row in rows)
