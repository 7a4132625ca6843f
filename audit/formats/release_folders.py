"""Releases in several files: an item or passage per file, or gold labels in a file of their own."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.content import bare_name, read, text_beside
from hansproof.audit.formats.json_rows import decode
from hansproof.audit.formats.releases import from_rows, is_passage
from hansproof.audit.formats.table import Row, Table
from hansproof.generators.errors import InputError

__all__ = ["is_pieces", "pieces_table", "with_label_list"]

# PIQA, alpha-NLI, Social IQa and the first WinoGrande have `train-labels.lst` beside `train.jsonl`, one label per line.

_FORMAT = "items (JSONL) with labels beside them"
"""Not `JSONL`: its lines are not whole items, and cannot be copied as such."""
_COLUMN = "label"
_GOLDS = ("label", "answer", "gold", "gold_label")
_LONGEST = 100
"""Characters of a label; a file with longer lines holds something else."""
_LARGEST_LIST = 2**28


def with_label_list(table: Table, path: Path) -> Table:
    """The table with the labels beside `path` as the column `label`: line for line.

    The table is returned as it is if it is no JSONL, has a gold already, or has no such file. Raises InputError if the
    file has another number of lines than the items.
    """
    beside = path.with_name(f"{bare_name(path)[0]}-labels.lst")  # of `train.jsonl` and of `train.jsonl.gz`
    text = text_beside(beside, _LARGEST_LIST)
    if (
        text is None
        or not table.format.startswith("JSONL")
        or not table.rows
        or any(name in table.columns for name in _GOLDS)
    ):
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


# A folder with one item, or one passage, per file: RACE and MATH come so, and are one benchmark and not thousands.

_ENDINGS = (".txt", ".json")
_LARGEST_PIECE = 2**20
"""Bytes of one piece; the longest passage of RACE has a few thousand."""


def is_pieces(folder: Path) -> bool:
    """True for a folder of several files that all end in .txt or .json, of which most of a few are pieces."""
    names = _files(folder)
    if names is None or len(names) < 2:
        return False
    few = [names[place * (len(names) - 1) // 4] for place in range(5)]
    return 2 * sum(_piece(folder / name) is not None for name in few) > len(few)


def pieces_table(folder: Path) -> tuple[Table, str]:
    """The items of all pieces, and a digest over their names and contents; a file that is none is left out and listed.

    Raises InputError if the folder cannot be read.
    """
    names = _files(folder)
    if not names:
        raise InputError("the folder has changed while it was read", str(folder))
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    digest = hashlib.sha256()
    for name in names:
        piece = _piece(folder / name)
        if piece is None:
            left_out.append(LeftOut(name, "not a JSON object with one item"))
            continue
        values, sha256 = piece
        digest.update(f"{name}\0{sha256}\n".encode("utf-8", "surrogateescape"))
        rows.append(Row(name, values))
    table = Table.of(f"JSON, {len(rows):,} files with one record each", rows, left_out)
    return from_rows(table), digest.hexdigest()


def _files(folder: Path) -> list[str] | None:
    """The paths of all files within the folder, sorted, with `/`; None if one of them cannot be a piece."""
    names: list[str] = []
    try:
        for where, subfolders, files in os.walk(folder):
            subfolders[:] = [name for name in subfolders if not name.startswith(".")]
            for file in files:
                if file.startswith(".") or file.lower().startswith(("readme", "license", "licence")):
                    continue
                if not file.lower().endswith(_ENDINGS):
                    return None
                names.append((Path(where) / file).relative_to(folder).as_posix())
    except OSError:
        return None
    return sorted(names)


def _piece(path: Path) -> tuple[dict[str, Any], str] | None:
    """The object in a file and the digest of the file; None for a file that holds no single item."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_PIECE:  # a pipe would never end
            return None
        content = read(str(path), limit=_LARGEST_PIECE)
        value = decode(content.data.strip(), str(path))
    except (InputError, UnicodeDecodeError, OSError):
        return None
    if not isinstance(value, dict):
        return None
    problem = {"problem", "solution"} <= value.keys()
    return (value, content.sha256) if problem or is_passage(value) else None
