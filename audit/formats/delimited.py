"""CSV and TSV to rows of text: nothing is guessed, and a ragged row is reported by its line.

The standard library's reader is used because it knows the line that each row begins on; readers that pad a
short row with nulls turn a fault into data.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from audit.table import Row, Table
from generators.errors import InputError

__all__ = ["delimited_table", "delimiter_of"]

_NAMES = {",": "CSV", "\t": "TSV", ";": "CSV (semicolons)", "|": "CSV (bars)"}
_FIELD_LIMIT = 2**31 - 1
_PLAIN = "quotes are read as plain characters: as quoting they make no sense"
_END = "\x1e end of rows \x1e"


@dataclass(frozen=True)
class _Parsed:
    """Rows as read, and what was wrong with the rest."""

    header: list[str]
    rows: list[tuple[int, list[str]]]
    ragged: list[tuple[int, int]]
    """(line, number of fields) of every row that has not as many as the header."""
    unclosed: int | None
    """The line where a quoted cell begins that never ends."""


def delimiter_of(text: str, extension: str) -> str | None:
    """The character between columns, judged by the header line; the extension decides where both occur."""
    line = next((one for one in io.StringIO(text) if one.strip()), "")
    counts = Counter(one for one in line if one in _NAMES)
    preferred = {".tsv": "\t", ".tab": "\t", ".csv": ","}.get(extension)
    if preferred and counts[preferred]:
        return preferred
    # Ties go to the earlier one in this order: a header with a tab in it is no accident.
    best = max("\t,;|", key=lambda one: counts[one])
    return best if counts[best] else preferred


def delimited_table(text: str, place: str, delimiter: str) -> Table:
    """Header and rows; every value is text, as written, and an empty cell is the empty text.

    Raises InputError for repeated names in the header, for ragged rows and for quotes that never close. A
    TSV whose quotes make no sense is read with them as plain characters: many are written that way.
    """
    parsed = _parse(text, place, delimiter, csv.QUOTE_MINIMAL)
    notes: tuple[str, ...] = ()
    if delimiter == "\t" and (parsed.ragged or parsed.unclosed or _inner_quotes(text)):
        plain = _parse(text, place, delimiter, csv.QUOTE_NONE)
        if plain.rows and not plain.ragged:
            parsed, notes = plain, (_PLAIN,)
    _check_header(parsed.header, place)
    if parsed.unclosed:
        raise InputError(f"{place}: line {parsed.unclosed}: a quoted cell begins here and never ends; close it")
    if parsed.ragged:
        line, count = parsed.ragged[0]
        more = f" ({len(parsed.ragged)} such rows in all)" if len(parsed.ragged) > 1 else ""
        raise InputError(
            f"{place}: line {line}: {count} cells where the header has {len(parsed.header)}{more}; "
            "quote cells that hold the delimiter"
        )
    rows = [Row(f"line {line}", dict(zip(parsed.header, cells))) for line, cells in parsed.rows]
    return Table(_NAMES[delimiter], rows, parsed.header, (), notes)


def _parse(text: str, place: str, delimiter: str, quoting: Literal[0, 3]) -> _Parsed:
    """All rows with the line each begins on; blank lines are no rows."""
    header: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    ragged: list[tuple[int, int]] = []
    before = csv.field_size_limit(_FIELD_LIMIT)  # the default refuses a cell of 131,072 characters
    # A row after the last one: it comes back as itself, unless an open quote has swallowed it.
    stream = chain(io.StringIO(text, newline=""), [_END])
    reader = csv.reader(stream, delimiter=delimiter, quoting=quoting)
    line = start = 1
    unclosed = True
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if cells == [_END]:
                unclosed = False
            elif not cells:
                continue
            elif not header:
                header = [one.strip() for one in cells]
            elif len(cells) == len(header):
                rows.append((line, cells))
            elif any(cells):
                ragged.append((line, len(cells)))
    except csv.Error as error:
        raise InputError(f"{place}: line {start}: broken {_NAMES[delimiter]}: {error}") from error
    finally:
        csv.field_size_limit(before)
    return _Parsed(header, rows, ragged, line if unclosed else None)


def _inner_quotes(text: str) -> bool:
    """True where a quoted cell goes on after its closing quote: whoever wrote that did not mean quoting."""
    before = csv.field_size_limit(_FIELD_LIMIT)
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True):
            pass
    except csv.Error:
        return True
    finally:
        csv.field_size_limit(before)
    return False


def _check_header(header: list[str], place: str) -> None:
    """Raise InputError for names that cannot be told apart."""
    repeated = sorted(name for name, count in Counter(header).items() if count > 1)
    if repeated:
        shown = ", ".join(repr(one) for one in repeated)
        raise InputError(f"{place}: line 1: the header names {shown} more than once; rename the columns")
