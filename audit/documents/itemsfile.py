"""One line of JSON per item: what a probe predicted for it out of fold, for authors who repair their items."""

from __future__ import annotations

import os
from collections.abc import Iterable

from audit.documents.strict_json import json_bytes
from audit.records.item_score import ItemScore
from generators.atomic import appearing

__all__ = ["write_items"]


def write_items(path: str | os.PathLike[str], rows: Iterable[ItemScore]) -> None:
    """Write one line per row to `path`, all or nothing: a reader never sees half a file.

    Raises InputError if the file cannot be written. After an error in `rows` an older file is unchanged.
    """
    with appearing(path, overwrite=True) as file:
        for row in rows:
            file.write(json_bytes(row, indent=None))
