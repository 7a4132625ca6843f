"""Gold labels in a file of their own: `train-labels.lst` beside `train.jsonl`, one label per line.

PIQA, alpha-NLI, Social IQa and the first release of WinoGrande come so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audit.formats.table import Row, Table
from audit.sources.content import bare_name
from generators.errors import InputError
from generators.input import read_regular

__all__ = ["with_label_list"]

_FORMAT = "items (JSONL) with labels beside them"
"""Not `JSONL`: its lines are not whole items, and cannot be copied as such."""
_COLUMN = "label"
_GOLDS = ("label", "answer", "gold", "gold_label")
_LONGEST = 100
"""Characters of a label; a file with longer lines holds something else."""
_LARGEST = 2**28


def with_label_list(table: Table, path: Path) -> Table:
    """The table with the labels beside `path` as the column `label`: line for line.

    The table is returned as it is if it is no JSONL, has a gold already, or has no such file. Raises InputError if the
    file has another number of lines than the items.
    """
    beside = path.with_name(f"{bare_name(path)[0]}-labels.lst")  # of `train.jsonl` and of `train.jsonl.gz`
    try:
        text = read_regular(beside, limit=_LARGEST).decode("utf-8-sig")
    except (OSError, InputError, UnicodeDecodeError):
        return table
    if not table.format.startswith("JSONL") or not table.rows or any(name in table.columns for name in _GOLDS):
        return table
    labels = [line.strip() for line in text.split("\n")]
    while labels and not labels[-1]:
        labels.pop()
    if any(len(label) > _LONGEST for label in labels):
        return table
    numbers = [_line(row.place) for row in table.rows]
    last = max([*numbers, *(_line(entry.place) for entry in table.left_out)])
    if last > len(labels) or (last < len(labels) and table.sampled_from is None):
        raise InputError(
            f"{len(labels):,} labels for {last:,} lines of {path.name}: fetch both files again, or move this one away",
            str(beside),
        )
    rows = [Row(row.place, {**row.values, _COLUMN: labels[number - 1]}) for row, number in zip(table.rows, numbers)]
    notes = (*table.notes, f"the labels are those of {beside.name}, line for line")
    return replace(table, format=_FORMAT, rows=rows, columns=[*table.columns, _COLUMN], notes=notes)


def _line(place: str) -> int:
    """812 of `line 812`."""
    return int(place.removeprefix("line "))
