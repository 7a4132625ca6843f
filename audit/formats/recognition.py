"""The format of a file, decided by its content with the extension as a hint; then its rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from audit.formats.budget import WHOLE, Budget, check_values
from audit.formats.delimited import delimited_table, delimiter_of
from audit.formats.harnesses.shapes import from_document, from_rows
from audit.formats.json_rows import decode, json_table, jsonl_table, lines, with_repeats_marked
from audit.formats.releases import nested
from audit.formats.releases.blocks import blocks_table, is_blocks
from audit.formats.releases.copa import is_xml, xml_table
from audit.formats.table import Table
from audit.sources.content import Content, utf8
from generators.errors import InputError

__all__ = ["table_of"]

_TABLES = (".csv", ".tsv", ".tab", ".txt")
_JSON_LINES = (".jsonl", ".ndjson")


def table_of(content: Content, budget: Budget = WHOLE) -> Table:
    """The rows of one file, those of the budget where the format has a row per line; `Budget.applied` does the rest.

    Raises InputError if the format is unknown, or the file is broken or too large.
    """
    if content.data.startswith(b"PAR1"):
        from audit.formats.parquet import parquet_table

        return parquet_table(content.data, content.place, budget)
    if content.data.startswith(b"PK\x03\x04"):
        from audit.formats.harnesses.inspect_archive import archive_table

        return archive_table(content.data, content.place)
    data = utf8(content)
    if is_xml(data):
        return xml_table(data, content.place)
    start = data.lstrip()[:1]
    if start in (b"{", b"["):
        try:
            return _json(data, content, budget)
        except (InputError, UnicodeDecodeError):
            # A table may begin with a brace; only its name distinguishes that from broken JSON.
            if content.extension not in _TABLES or b"\n" not in data.strip():
                raise
            table = _delimited(data, content, budget)
            if table is None:
                raise
            return table
    table = _delimited(data, content, budget)
    if table is not None:
        return table
    if content.extension in (*_JSON_LINES, ".json"):
        number, line = next(iter(lines(data)))
        decode(line, content.place, number)
        raise InputError("unknown format: JSON without a list of records", content.place)
    raise InputError(
        "unknown format: not JSONL, JSON, CSV, TSV or Parquet; "
        "a table needs a header line with commas or tabs between its columns",
        content.place,
    )


def _json(data: bytes, content: Content, budget: Budget) -> Table:
    """JSON Lines if the first of several lines is a complete object, else one JSON document."""
    place = content.place
    (_, first), *second = islice(lines(data), 2)
    if second and _is_object(first, place):
        return _known(jsonl_table(data, place, budget), place)
    check_values(data, place)
    try:
        document = decode(data, place)
    except (InputError, UnicodeDecodeError) as error:
        # If the second line is a record, or the extension says JSON Lines, the first line is a broken record.
        if second and (content.extension in _JSON_LINES or _is_object(second[0][1], place)):
            return _known(jsonl_table(data, place, budget), place)
        if isinstance(error, InputError):
            raise
        raise _undecodable(data, error, place) from error
    known = from_document(document, place) or nested.from_document(document)
    return known or _known(json_table(with_repeats_marked(document, data), place), place)


def _known(table: Table, place: str) -> Table:
    """The items of rows that a harness wrote, or that are passages with questions; else the rows as they are."""
    return replace(nested.from_rows(from_rows(table, place)), sampled_from=table.sampled_from)


def _is_object(line: bytes, place: str) -> bool:
    """True for a line that is a complete JSON object, even if it is not valid UTF-8."""
    try:
        return isinstance(decode(line.decode("utf-8", "replace").encode(), place), dict)
    except InputError:
        return False


def _delimited(data: bytes, content: Content, budget: Budget) -> Table | None:
    """The rows of a CSV or TSV; None if neither the first line nor the extension suggests one."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _undecodable(data, error, content.place) from error
    if is_blocks(text):
        return blocks_table(text)
    delimiter = delimiter_of(text, content.extension)
    return None if delimiter is None else delimited_table(text, content.place, delimiter, budget)


def _undecodable(data: bytes, error: UnicodeDecodeError, place: str) -> InputError:
    """An error that names the line and the first byte that is not UTF-8."""
    line = data.count(b"\n", 0, error.start) + 1
    return InputError(
        f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}; save the file as UTF-8",
        f"{place}: line {line}",
    )
