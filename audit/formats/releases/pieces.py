"""A folder with one item, or one passage, per file: RACE and MATH come so, and are one benchmark and not thousands."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from audit.benchmark import LeftOut
from audit.formats.json_rows import decode
from audit.formats.releases.nested import from_rows, is_passage
from audit.formats.table import Row, Table
from audit.sources.content import read
from generators.errors import InputError

__all__ = ["is_pieces", "pieces_table"]

_ENDINGS = (".txt", ".json")
_LARGEST = 2**20
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
        if not path.is_file() or path.stat().st_size > _LARGEST:  # a pipe would never end
            return None
        content = read(str(path), limit=_LARGEST)
        value = decode(content.data.strip(), str(path))
    except (InputError, UnicodeDecodeError, OSError):
        return None
    if not isinstance(value, dict):
        return None
    problem = {"problem", "solution"} <= value.keys()
    return (value, content.sha256) if problem or is_passage(value) else None
