"""One line of JSON an item: what a probe said about it out of fold, for authors who repair their items."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable

import msgspec

from audit.report.plaintext import encodable
from generators.atomic import appearing

__all__ = ["ItemScore", "write_items"]


class ItemScore(msgspec.Struct, frozen=True, kw_only=True):
    """One item as one probe saw it, having been fitted without it and without its group."""

    id: str
    answer: str
    """The gold answer."""
    predicted: str
    correct: bool
    probability: float | None
    """Of the gold answer; None where the probe had never seen that answer."""
    probabilities: dict[str, float]
    """Of every answer, in the order of the labels."""
    group: int
    """Items of one number were never parted."""
    fold: int
    """The fold in which the item was scored."""
    vector: str
    """The feature vector's stable name: `word-2-tfidf`."""
    scheme: str
    """`grouped`, `random` or `paper`."""


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
