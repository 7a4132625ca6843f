"""The rows of an annotation form as people save it: CSV of any spreadsheet, or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from audit.notation import armed
from generators.errors import InputError, UsageError
from generators.input import first_repeated
from generators.jsonl import json_fault, read_bytes

__all__ = ["Rows", "ending", "form_rows"]

Rows = list[tuple[int, dict[str, Any]]]
"""(line of the file, cells by column)."""

_BIGGEST = 64 * 2**20
"""Bytes of a form."""


def ending(path: Path | str) -> str:
    """`csv` or `jsonl`. Raises UsageError for any other ending."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in ("csv", "jsonl"):
        raise UsageError("an annotation form ends in .csv or .jsonl", str(path))
    return suffix


def form_rows(path: Path | str) -> tuple[list[str], Rows]:
    """The names of the columns, and the rows that are not blank; of JSON lines, the keys of the first one.

    Raises UsageError for an ending other than .csv or .jsonl, InputError with its place for the first broken row.
    """
    return _csv_rows(path) if ending(path) == "csv" else _json_rows(path)


def _csv_rows(path: Path | str) -> tuple[list[str], Rows]:
    text = _text(path)
    first = text.split("\n", 1)[0]
    # Spreadsheets of some countries save with semicolons or tabs.
    mark = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    header: list[str] = []
    rows: Rows = []
    usual = csv.field_size_limit(_BIGGEST)  # a long reply is one cell
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            place = f"{path}: line {reader.line_num}"
            if not header:
                header = [cell.strip() for cell in cells]
                _check_header(header, place)
            elif len(cells) != len(header):
                raise InputError(f"has {len(cells)} cells, but the header has {len(header)}", place)
            else:
                rows.append((reader.line_num, dict(zip(header, map(armed, cells), strict=True))))
    except csv.Error as error:
        raise InputError(f"broken CSV: {error}", f"{path}: line {reader.line_num}") from error
    finally:
        csv.field_size_limit(usual)
    if not header:
        raise InputError("is empty; an annotation form begins with a header", str(path))
    return header, rows


def _check_header(header: Sequence[str], place: str) -> None:
    if "id" not in header:
        raise InputError("the header has no column `id`", place)
    twice = first_repeated(name for name in header if name)
    if twice is not None:
        raise InputError(f"the header has {twice} twice", place)


def _json_rows(path: Path | str) -> tuple[list[str], Rows]:
    header: list[str] = []
    rows: Rows = []
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}: line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(json_fault(error), place) from error
        if not isinstance(row, dict):
            raise InputError("is not a JSON object", place)
        header = header or list(row)
        missing = [key for key in ("id", *header) if key not in row]
        if missing:
            raise InputError(f"has no {', '.join(dict.fromkeys(missing))}", place)
        rows.append((number, row))
    return header, rows


def _text(path: Path | str) -> str:
    data = read_bytes(path)
    if len(data) > _BIGGEST:
        raise InputError(f"is larger than {_BIGGEST >> 20} MiB; split the form", str(path))
    try:
        return data.decode("utf-8-sig")  # spreadsheets put a byte order mark in front
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8; save the form as UTF-8", str(path)) from error
