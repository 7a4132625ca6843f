"""The rows that are left, byte for byte as the source has them where it is a file of lines, otherwise as JSON Lines."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from audit.formats.harnesses.pointers import is_pointer
from audit.formats.table import Table
from audit.loading import hold, read_table
from audit.sources.content import STDIN, Content, utf8
from generators.errors import UsageError

__all__ = ["check_ending", "kept_rows"]

_TEXT = {"CSV": ".csv", "CSV (semicolons)": ".csv", "CSV (bars)": ".csv", "TSV": ".tsv"}
_LINES = ("JSONL", "OpenAI evals samples")
_ENDINGS = {
    ".csv": (".csv", ".txt"),
    ".tsv": (".tsv", ".tab", ".txt"),
    ".jsonl": (".jsonl", ".ndjson"),
}
_KNOWN = {".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".parquet", ".gz", ".zst", ".zstd"}


def check_ending(source: Any, out: str) -> None:
    """Raise UsageError if the name of the file to write promises another format than that of the rows in it.

    `source` may be held (`audit.loading.hold`), here as in `kept_rows`.
    """
    source = hold(source)
    ending = Path(out).suffix.lower()
    wanted = _written(source, read_table(source))
    if ending in _KNOWN and ending not in _ENDINGS[wanted]:
        raise UsageError(f"the rows are written as {wanted[1:].upper()}; name a file that ends in {wanted}", out)


def kept_rows(source: Any, places: Collection[str]) -> bytes:
    """The rows of `source` at `places` (`line 812`, `row 812`), in its order, with the header of a table.

    Lines keep their bytes and their endings, and a byte-order mark stays; UTF-16 becomes UTF-8, and packed files are
    unpacked. JSON, Parquet, frames and the Hub become JSON Lines.
    """
    content = hold(source)
    table, kept = read_table(content), set(places)
    if not _has_lines(content, table):
        return b"".join(_as_json(row.values) + b"\n" for row in table.rows if row.place in kept)
    mark = codecs.BOM_UTF8 if content.data.startswith(codecs.BOM_UTF8) else b""
    data = utf8(content)
    lines = _text_lines(data) if table.format in _TEXT else _byte_lines(data)
    starts = [int(row.place.removeprefix("line ")) - 1 for row in table.rows]
    if table.format not in _TEXT:
        return mark + b"".join(lines[start] for start, row in zip(starts, table.rows, strict=True) if row.place in kept)
    pieces = lines[: starts[0]]
    for row, start, end in zip(table.rows, starts, [*starts[1:], len(lines)], strict=True):
        pieces += lines[start:end] if row.place in kept else []
    return mark + b"".join(pieces)


def _has_lines(source: Any, table: Table) -> bool:
    """Whether the rows are lines of one file that can be copied."""
    is_file = isinstance(source, Content) and (source.place == STDIN or not is_pointer(source))
    numbered = all(row.place.startswith("line ") for row in table.rows)
    return is_file and numbered and (table.format in _TEXT or table.format.startswith(_LINES))


def _as_json(values: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(values, enc_hook=str)
    except UnicodeEncodeError:  # half a surrogate pair
        return json.dumps(values, default=str).encode()


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
