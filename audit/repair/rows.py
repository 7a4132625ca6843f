"""The rows that are left, byte for byte as the source has them where it is a file of lines, otherwise as JSON Lines."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Collection, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from hansproof.audit.formats.content import STDIN, Content, utf8
from hansproof.audit.formats.given import as_json
from hansproof.audit.formats.table import Table
from hansproof.audit.reading.files import is_pointer
from hansproof.audit.reading.loading import hold, read_table
from hansproof.generators.errors import UsageError

__all__ = ["as_content", "check_ending", "dumped_like", "kept_rows"]

_TEXT = {"CSV": ".csv", "CSV (semicolons)": ".csv", "CSV (bars)": ".csv", "TSV": ".tsv"}
_DELIMITERS = {"CSV": ",", "CSV (semicolons)": ";", "CSV (bars)": "|", "TSV": "\t"}
_STYLES = tuple(product((False, True), ((", ", ": "), (",", ":"))))
_LINES = ("JSONL", "OpenAI evals samples")
_ENDINGS = {".csv": (".csv", ".txt"), ".tsv": (".tsv", ".tab", ".txt"), ".jsonl": (".jsonl", ".ndjson")}
_KNOWN = {".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".parquet", ".gz", ".zst", ".zstd"}


def check_ending(source: Any, out: str) -> None:
    """Raise UsageError if the name of the file to write promises another format than that of the rows in it.

    `source` may be held (`audit.reading.loading.hold`), here as in `kept_rows`.
    """
    source = hold(source)
    ending = Path(out).suffix.lower()
    wanted = _written(source, read_table(source))
    if ending in _KNOWN and ending not in _ENDINGS[wanted]:
        raise UsageError(f"the rows are written as {wanted[1:].upper()}; name a file that ends in {wanted}", out)


def kept_rows(source: Any, places: Collection[str], edited: Mapping[str, dict[str, Any]] | None = None) -> bytes:
    """The rows of `source` at `places` (`line 812`, `row 812`), in its order, with the header of a table.

    Rows at the places of `edited` are written with those values, in the style of the line where there is one.

    Lines keep their bytes and their endings, and a byte-order mark stays; UTF-16 becomes UTF-8, and packed files are
    unpacked. JSON, Parquet, frames and the Hub become JSON Lines.
    """
    content, edited = hold(source), edited or {}
    table, kept = read_table(content), set(places)
    if not _has_lines(content, table):
        left = (edited.get(row.place, row.values) for row in table.rows if row.place in kept)
        return b"".join(as_json(values) + b"\n" for values in left)
    mark = codecs.BOM_UTF8 if content.data.startswith(codecs.BOM_UTF8) else b""
    data = utf8(content)
    lines = _text_lines(data) if table.format in _TEXT else _byte_lines(data)
    starts = [int(row.place.removeprefix("line ")) - 1 for row in table.rows]
    if table.format not in _TEXT:
        pairs = ((lines[start], row) for start, row in zip(starts, table.rows, strict=True) if row.place in kept)
        return mark + b"".join(
            _json_line(line, edited[row.place]) if row.place in edited else line for line, row in pairs
        )
    pieces = lines[: starts[0]]
    for row, start, end in zip(table.rows, starts, [*starts[1:], len(lines)], strict=True):
        if row.place in kept and row.place in edited:
            pieces.append(_text_line(lines[start:end], table.format, edited[row.place]))
        elif row.place in kept:
            pieces += lines[start:end]
    return mark + b"".join(pieces)


def as_content(source: Any, data: bytes) -> Content:
    """What `kept_rows` gave, as a file that can be read in place of `source`."""
    source = hold(source)
    ending = _written(source, read_table(source))
    place = source.place if isinstance(source, Content) else f"rows{ending}"
    return Content(place, data, "", ending)


def dumped_like(text: str, value: Any) -> str:
    """`value` as JSON in the style of `text`, which is JSON too: its separators, and whether it escapes non-ASCII."""
    known = json.loads(text)
    for ascii_, separators in _STYLES:
        if json.dumps(known, ensure_ascii=ascii_, separators=separators) == text:
            return json.dumps(value, ensure_ascii=ascii_, separators=separators)
    return json.dumps(value, ensure_ascii=text.isascii())


def _json_line(line: bytes, values: dict[str, Any]) -> bytes:
    """A line of JSON with other values, and its own spaces, separators and ending."""
    text = line.decode()
    inner = text.strip()
    head, _, tail = text.partition(inner)
    new = dumped_like(inner, values)
    try:
        return f"{head}{new}{tail}".encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return f"{head}{json.dumps(values)}{tail}".encode()


def _text_line(lines: list[bytes], format: str, values: dict[str, Any]) -> bytes:
    """A row of a table with other values, and its own ending; only what must be quoted is quoted."""
    last = lines[-1]
    ending = last[len(last.rstrip(b"\r\n")) :].decode()
    out = io.StringIO()
    csv.writer(out, delimiter=_DELIMITERS[format], lineterminator=ending).writerow(values.values())
    return out.getvalue().encode()


def _has_lines(source: Any, table: Table) -> bool:
    """Whether the rows are lines of one file that can be copied."""
    is_file = isinstance(source, Content) and (source.place == STDIN or not is_pointer(source))
    numbered = all(row.place.startswith("line ") for row in table.rows)
    return is_file and numbered and (table.format in _TEXT or table.format.startswith(_LINES))


def _written(source: Any, table: Table) -> str:
    """The ending of the format in which the rows are written."""
    return _TEXT.get(table.format, ".jsonl") if _has_lines(source, table) else ".jsonl"


def _byte_lines(data: bytes) -> list[bytes]:
    """Lines with their endings, as `audit.formats.json_rows.lines` numbers them."""
    end = b"\r" if b"\n" not in data else b"\n"
    lines = data.split(end)
    return [line + end for line in lines[:-1]] + lines[-1:]


def _text_lines(data: bytes) -> list[bytes]:
    """Lines with their endings, as the reader of tables numbers them."""
    return [line.encode() for line in io.StringIO(data.decode(), newline="")]
