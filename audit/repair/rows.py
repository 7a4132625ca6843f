"""What is left as bytes: rows as the source has them where it is a file of lines; reordered items in a plain form."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.formats.content import STDIN, Content, utf8
from hansproof.audit.formats.given import as_json
from hansproof.audit.formats.table import Table
from hansproof.audit.reading.files import is_pointer
from hansproof.audit.reading.loading import hold, read_table
from hansproof.generators.errors import UsageError

__all__ = ["check_ending", "item_rows", "kept_rows"]

_TEXT = {"CSV": ".csv", "CSV (semicolons)": ".csv", "CSV (bars)": ".csv", "TSV": ".tsv"}
_DELIMITERS = {"CSV": ",", "CSV (semicolons)": ";", "CSV (bars)": "|", "TSV": "\t"}
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


def kept_rows(source: Any, places: Collection[str]) -> bytes:
    """The rows of `source` at `places` (`line 812`, `row 812`), in its order, with the header of a table.

    Lines keep their bytes and their endings, and a byte-order mark stays; UTF-16 becomes UTF-8, and packed files are
    unpacked. JSON, Parquet, frames and the Hub become JSON Lines.
    """
    content = hold(source)
    table, kept = read_table(content), set(places)
    if not _has_lines(content, table):
        return b"".join(as_json(row.values) + b"\n" for row in table.rows if row.place in kept)
    mark = codecs.BOM_UTF8 if content.data.startswith(codecs.BOM_UTF8) else b""
    data = utf8(content)
    lines = _text_lines(data) if table.format in _TEXT else _byte_lines(data)
    starts = [int(row.place.removeprefix("line ")) - 1 for row in table.rows]
    if table.format not in _TEXT:
        pairs = zip(starts, table.rows, strict=True)
        return mark + b"".join(lines[start] for start, row in pairs if row.place in kept)
    pieces = lines[: starts[0]]
    for row, start, end in zip(table.rows, starts, [*starts[1:], len(lines)], strict=True):
        if row.place in kept:
            pieces += lines[start:end]
    return mark + b"".join(pieces)


def item_rows(source: Any, items: Benchmark) -> bytes:
    """Items with options as rows of their own: id, prompt, list of options, letter of the right one, group and split.

    A table where `source` is one, else JSON Lines. Other columns are left out: they may name options by letters that
    no longer are theirs.
    """
    options = items.options
    assert options is not None
    rows: list[dict[str, Any]] = [
        {"id": id, "prompt": prompt, "choices": texts, "answer": chr(ord("A") + gold)}
        for id, prompt, texts, gold in zip(items.ids, items.prompts, options.texts, options.gold, strict=True)
    ]
    for column, values in (("group", items.groups), ("split", items.splits)):
        for row, value in zip(rows, values or ()):
            row[column] = value
    source = hold(source)
    table = read_table(source)
    if _written(source, table) == ".jsonl":
        return b"".join(as_json(row) + b"\n" for row in rows)
    out = io.StringIO()
    written = csv.DictWriter(out, rows[0], delimiter=_DELIMITERS[table.format], lineterminator="\n")
    written.writeheader()
    written.writerows(row | {"choices": as_json(row["choices"]).decode()} for row in rows)
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
