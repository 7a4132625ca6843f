"""One line of JSON an item: what a probe said about it out of fold, for authors who repair their items."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable

import msgspec

from audit.item_scores import ItemScore
from audit.report.plaintext import encodable
from generators.atomic import appearing

__all__ = ["write_items"]


def write_items(path: str | os.PathLike[str], rows: Iterable[ItemScore]) -> None:
    """Writes one line a row to `path`, all or nothing: a reader never sees half a file.

    Raises InputError where the file cannot be written; an error in `rows` leaves an older file as it was.
    """
    with appearing(path, overwrite=True) as file:
        for row in rows:
            file.write(_line(row))


def _line(row: ItemScore) -> bytes:
    data = {key: encodable(value) if isinstance(value, str) else value for key, value in _fields(row)}
    data["probabilities"] = {encodable(label): value for label, value in row.probabilities.items()}
    if row.probability is not None and math.isnan(row.probability):
        data["probability"] = None
    return msgspec.json.encode(data) + b"\n"


def _fields(row: ItemScore) -> list[tuple[str, object]]:
    return [(name, getattr(row, name)) for name in row.__struct_fields__]
