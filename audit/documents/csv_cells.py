"""Cells of CSV files that people open in spreadsheets: quoted, visible, disarmed, and read back as they were.

A spreadsheet computes a cell that begins with = + - or @, and a bare carriage return begins a new row for some readers.
So every cell is quoted, and an apostrophe stands before what would be computed. Characters that would act on whoever
shows the file (escapes, bidirectional overrides) become the signs that the screen has for them, which stay when the
file is read; ends of lines and tabs are kept.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from audit.signs import visible

__all__ = ["armed", "csv_text", "disarmed"]

_COMPUTED = re.compile("'*[\\s\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|'*[\t\r\n]")


def csv_text(rows: Iterable[Sequence[str | float | None]]) -> str:
    """Rows as CSV, every cell quoted: texts visible and disarmed, numbers in full, None blank."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in rows:
        writer.writerow(["" if cell is None else _written(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _written(cell: str) -> str:
    """`cell` with signs for what cannot be seen, and disarmed. The returns of a text are its own, and stay."""
    return disarmed("\r".join(map(visible, cell.split("\r"))))


def disarmed(cell: str) -> str:
    """`cell` with an apostrophe in front where a spreadsheet would compute it, or where `armed` would take one away."""
    return f"'{cell}" if _COMPUTED.match(cell) else cell


def armed(cell: str) -> str:
    """What `disarmed` was given."""
    return cell[1:] if cell.startswith("'") and _COMPUTED.match(cell) else cell
