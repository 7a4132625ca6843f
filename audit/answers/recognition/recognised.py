"""What a file of answers is, by its first lines: the answers format of this project, a log of a harness, or a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from audit.answers.files.opening import Opened, begun
from audit.answers.importers.tables import ReplyColumns, are_usual, holds_replies, replies_of_table
from audit.formats.content import Content, unpacked, utf8
from audit.formats.delimited import delimiter_of
from audit.formats.json_rows import jsonl_table
from audit.harnesses.answer_lines import REPLY_KEYS, NoAnswersError, answers_table, refuse_other_lines, replies_of_lines
from audit.harnesses.inspect_ai import replies_of_samples
from audit.harnesses.inspect_archive import archive_samples
from audit.harnesses.openai import is_batch, replies_of_batch
from audit.harnesses.registry import document_importer, line_importer
from audit.harnesses.reply import Reply
from audit.reading.files import table_of
from generators.errors import InputError

__all__ = ["OWN", "recognised"]

OWN = "answers"
"""What messages call the answers format of this project."""
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".tab")
_PLAIN = (
    "is plain text, which does not say to which item each reply is. Write a table with a line of headings, `id,reply`, "
    'or one JSON object per line, {"id": item id, "reply": text}; logs of inspect_ai, lm-evaluation-harness, OpenAI '
    "evals and HELM are read as they are"
)
_HEADING = 100_000
"""Characters of a line of headings that are looked at for usual names."""
_Recognised = tuple[str, Iterator[Reply]]
"""The format in words, and the replies."""


def recognised(file: Opened, columns: ReplyColumns) -> _Recognised:
    """What a file is, and its replies.

    Raises InputError for files that cannot be read, some of them when the first reply is asked for; NoAnswersError for
    those that hold something else.
    """
    path = file.path
    if file.binary:
        content = file.content()
        if content.data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            samples, header = archive_samples(content.data, path)
            return "inspect_ai log", replies_of_samples(samples, header, path)
        if content.data.startswith(b"PAR1"):
            return _of_table(content, columns)
        return recognised(begun(path, io.BytesIO(utf8(content))), columns)
    records = file.records
    rows = [record for record in records if isinstance(record, dict)]
    if rows and (log := line_importer(rows)):  # which tells the place of what is no object
        name, by_line = log
        return name, by_line.replies(file.numbered(), path)
    if rows and is_batch(rows):
        return "OpenAI batch output", replies_of_batch(file.numbered(), path)
    if rows and len(rows) == len(records):
        if any(map(_is_answer, rows)) and columns == ReplyColumns():
            return OWN, replies_of_lines(file.numbered(), path)
        if file.lines > 1:
            return _lines_or_table(file, columns)
    if file.extension == ".json" and len(records) == file.lines and not rows:
        refuse_other_lines(records, path)
    if file.start in (b"{", b"["):
        return _of_json(file, columns)
    if file.extension not in _LINES and file.lines and not any(isinstance(each, dict | list) for each in records):
        return _of_text(file, columns)
    return OWN, replies_of_lines(file.numbered(), path)


def _is_answer(record: dict[str, Any]) -> bool:
    """Whether a line is of the project's own format, or was meant to be."""
    return any(key in record for key in REPLY_KEYS) and ("id" in record or "prompt" in record)


def _of_text(file: Opened, columns: ReplyColumns) -> _Recognised:
    """Text that is no JSON: a table, by its ending or by its headings."""
    # The text begins with its headings, which a lone CR may end, as old spreadsheets write it.
    first, _, rest = b"".join(file.head).decode("utf-8-sig", "replace").lstrip().replace("\r", "\n").partition("\n")
    delimiter = delimiter_of(first, file.extension)
    stated = delimiter is not None and first.lower().startswith("sep=")
    headings = next(csv.reader([first[:_HEADING]], delimiter=delimiter)) if delimiter else []
    unpacked(b"".join(file.head), file.path)  # which knows web pages, PDF and other formats without rows
    if "\0" in first:
        return _of_table(Content(file.path, utf8(file.content()), "", file.extension), columns)
    if not (stated or file.extension in _TABLES or columns != ReplyColumns() or are_usual(headings)):
        raise NoAnswersError(_PLAIN, file.path, "it is plain text")
    if not rest.strip():
        raise InputError("has no replies: it ends after the line of headings", file.path)
    if delimiter is None:
        raise InputError(f"its line of headings has no commas or tabs: {first[:80]!r}", file.path)
    return _of_table(file.content(), columns)


def _of_table(content: Content, columns: ReplyColumns) -> _Recognised:
    table = table_of(content)
    return table.format, replies_of_table(table, columns, content.place)


def _lines_or_table(file: Opened, columns: ReplyColumns) -> _Recognised:
    """JSON Lines with columns of other names; with the reply keys of the own format on later lines, its faults."""
    data = utf8(file.content())
    table = jsonl_table(data, file.path)
    guessed = columns == ReplyColumns() and not holds_replies({name for record in file.records for name in record})
    if guessed and (table.left_out or set(REPLY_KEYS) & set(table.columns)):
        return OWN, replies_of_lines(enumerate(io.BytesIO(data), start=1), file.path)
    return table.format, replies_of_table(table, columns, file.path)


def _of_json(file: Opened, columns: ReplyColumns) -> _Recognised:
    """One JSON document, on one line or several; lines that were meant to be of the own format keep their faults."""
    path, by_line = file.path, file.extension in _LINES
    braces = all(line.lstrip()[:1] == b"{" for line in file.head if line.strip())
    if (file.lines > 1 and (by_line or braces)) or (by_line and not file.records):
        return OWN, replies_of_lines(file.numbered(), path)
    value = file.records[0] if by_line else file.document()
    if log := document_importer(value):
        name, whole = log
        return name, whole.replies(value, path)
    if by_line and isinstance(value, dict) and columns != ReplyColumns():
        return _lines_or_table(file, columns)
    if by_line:
        return OWN, replies_of_lines(file.numbered(), path)
    table = answers_table(value, path)
    return table.format, replies_of_table(table, columns, path)
