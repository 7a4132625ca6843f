"""The beginning of a file decides what it is: our own format, a log of a harness, or a table; also in pipes."""

from __future__ import annotations

import csv
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from hansproof.audit.formats.content import STDIN, Content, bare_name, unpacked, utf8
from hansproof.audit.formats.delimited import delimiter_of
from hansproof.audit.formats.json_rows import decode, entries_of, jsonl_table
from hansproof.audit.harnesses.answer_lines import REPLY_KEYS, NoAnswersError, answers_table, replies_of_lines
from hansproof.audit.harnesses.inspect_ai import archived_log, replies_of_log
from hansproof.audit.harnesses.registry import replies_of_document, replies_of_rows
from hansproof.audit.harnesses.reply import Reply, entries_of_table
from hansproof.audit.reading.files import table_of
from hansproof.audit.replies.tables import ReplyColumns, are_usual, holds_replies, replies_of_table
from hansproof.generators.errors import InputError, refused
from hansproof.generators.input import LIMIT, note, open_regular, read_all, too_large

__all__ = ["INPUT", "OWN", "Opened", "is_input", "opened", "recognised"]

INPUT = "-"
"""What standard input is called wherever a file of answers can be named."""
_NAMES = (INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_IN_MEMORY = 2**24
"""Bytes that are kept in memory; more are on disk."""


def is_input(path: str) -> bool:
    """Whether a file of answers is standard input, by whatever name."""
    return path in _NAMES


def _standard_input() -> IO[Any]:
    """Standard input, a notebook's as text. Raises InputError where whoever started the program has closed it."""
    stream = sys.stdin
    if stream is None or stream.closed:
        raise InputError("is closed; pipe something into it, or name a file", STDIN)
    note("/dev/stdin")  # the shell may have opened a file
    return stream.buffer if isinstance(stream, io.TextIOWrapper) else stream


class _Kept(SpooledTemporaryFile[bytes]):
    """A file without a name, which is closed with the last who reads it."""

    def __del__(self) -> None:
        self.close()


def _kept(stream: IO[Any], place: str) -> IO[bytes]:
    """What a stream that cannot be read twice gives. Raises InputError for more than a file may hold."""
    kept = _Kept(max_size=_IN_MEMORY)
    while chunk := stream.read(2**20):
        kept.write(chunk.encode("utf-8", "surrogateescape") if isinstance(chunk, str) else chunk)
        if kept.tell() > LIMIT:
            raise too_large(LIMIT, place)
    return kept


_LOOKED_AT = 5
_BINARY = (b"PAR1", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xff\xfe", b"\xfe\xff")
"""Parquet, zip (also an empty one), gzip, Zstandard, and the marks of UTF-16 and UTF-32."""
_BOM = b"\xef\xbb\xbf"


@dataclass
class Opened:
    """A file whose first lines are known; the rest is streamed, or read whole within the limit of a file."""

    path: str
    head: list[bytes]
    """Its first lines, with their ends, until five are not blank."""
    rest: IO[bytes]
    binary: bool
    """Whether it is packed, or no UTF-8 text by its first bytes."""
    records: list[Any] = field(default_factory=list)
    """The values of the first lines that are complete JSON, up to the first that is not."""
    lines: int = 0
    """How many of `head` are not blank."""
    read: int = 0
    """Bytes of the lines that have been streamed."""

    @property
    def extension(self) -> str:
        """`.csv`, in lower case, also for `x.csv.gz`."""
        return bare_name(Path(self.path))[1]

    @property
    def start(self) -> bytes:
        """The first character of the text; empty for a file without any."""
        return b"".join(self.head).removeprefix(_BOM).lstrip()[:1]

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """(number from 1, line) of every line, as a stream, to be used once."""
        for number, line in enumerate(chain(self.head, self.rest), start=1):
            self.read += len(line)
            yield number, line

    def content(self) -> Content:
        """All of the file, unpacked, as UTF-8 text or as the bytes of a binary format.

        Raises InputError where it is too large or damaged.
        """
        stored = b"".join(self.head) + read_all(self.rest, self.path, LIMIT)
        return Content(self.path, unpacked(stored, self.path), "", self.extension)

    def document(self) -> Any:
        """The file as one JSON value. Raises InputError as `content` does, and for broken JSON."""
        try:
            return decode(utf8(self.content()), self.path)
        except UnicodeDecodeError as error:
            raise InputError(f"is not UTF-8 at byte {error.start + 1}; save it as UTF-8", self.path) from error


@contextmanager
def opened(path: str, held: dict[str, IO[bytes]] | None = None) -> Iterator[Opened]:
    """The file `path`, open until the end of the `with`; `-` is standard input.

    What can be read only once is among those that are `held`, and read from there. Raises InputError if the file
    cannot be opened or read.
    """
    if "\0" in path:
        raise InputError("cannot be read: embedded null byte", path)
    held, place = {} if held is None else held, STDIN if path == INPUT else path
    with ExitStack() as open_files:
        try:
            if path not in held:
                stream: IO[bytes] = _standard_input() if path == INPUT else open_files.enter_context(open_regular(path))
                if path == INPUT or not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    held[path] = _kept(stream, place)
            if path in held:
                stream = held[path]
                stream.seek(0)
            yield begun(place, stream)
        except OSError as error:
            raise refused("read", error, place) from error


def begun(path: str, stream: IO[bytes]) -> Opened:
    """A stream of bytes whose first lines have been read."""
    head: list[bytes] = []
    lines = 0
    while lines < _LOOKED_AT:
        line = stream.readline(LIMIT + 1)
        if not line:
            break
        if len(line) > LIMIT:
            raise too_large(LIMIT, path)
        head.append(line)
        lines += bool(line.strip())
        if len(head) == 1 and line.startswith(_BINARY):
            return Opened(path, head, stream, binary=True)
    known = Opened(path, head, stream, binary=False, lines=lines)
    for line in head:
        text = line.removeprefix(_BOM).strip()
        if not text:
            continue
        try:
            known.records.append(decode(text, path))
        except (InputError, UnicodeDecodeError):
            break
    return known


OWN = "answers"
"""What messages call the answers format of this project."""
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".tab")
_PLAIN = (
    "is plain text, which does not say to which item each reply is. Write a table with a line of headings, `id,reply`, "
    'or one JSON object per line, {"id": item id, "reply": text}; logs of inspect_ai, lm-evaluation-harness, OpenAI '
    "evals, HELM, lighteval and Every Eval Ever are read as they are"
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
            return "inspect_ai log", replies_of_log(archived_log(content.data, path), path)
        if content.data.startswith(b"PAR1"):
            return _of_parquet(content, columns)
        return recognised(begun(path, io.BytesIO(utf8(content))), columns)
    records = file.records
    rows = [record for record in records if isinstance(record, dict)]
    if log := replies_of_rows(rows, entries_of(file.numbered(), path), path):
        return log
    if rows and len(rows) == len(records):
        # Some line is of the project's own format, or was meant to be.
        own = any({"id", "prompt"} & row.keys() and {*REPLY_KEYS} & row.keys() for row in rows)
        if own and columns == ReplyColumns():
            return OWN, replies_of_lines(file.numbered(), path)
        if file.lines > 1:
            return _lines_or_table(file, columns)
    if file.start in (b"{", b"[") or (file.extension == ".json" and 0 < len(records) == file.lines):
        return _of_json(file, columns)
    if file.extension not in _LINES and file.lines and not any(isinstance(each, dict | list) for each in records):
        return _of_text(file, columns)
    return OWN, replies_of_lines(file.numbered(), path)


def _of_text(file: Opened, columns: ReplyColumns) -> _Recognised:
    """Text that is no JSON: a table, by its ending or by its headings."""
    # The text begins with its headings, which a lone CR may end, as old spreadsheets write it.
    first, _, rest = b"".join(file.head).decode("utf-8-sig", "replace").lstrip().replace("\r", "\n").partition("\n")
    delimiter = delimiter_of(first, file.extension)
    stated = delimiter is not None and first.lower().startswith("sep=")
    headings = next(csv.reader([first[:_HEADING]], delimiter=delimiter)) if delimiter else []
    unpacked(b"".join(file.head), file.path)  # which knows web pages, PDF and other formats without rows
    if "\0" in first:
        return _of_table(file.content(), columns)
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


def _of_parquet(content: Content, columns: ReplyColumns) -> _Recognised:
    """The details of lighteval, or a plain table."""
    from hansproof.audit.formats.frames import parquet_table

    table = parquet_table(content.data, content.place)
    first = [row.values for row in table.rows[:_LOOKED_AT]] if columns == ReplyColumns() else []
    if log := replies_of_rows(first, entries_of_table(table, content.place), content.place):
        return log
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
    if log := replies_of_document(value, path):
        return log
    if by_line and isinstance(value, dict) and columns != ReplyColumns():
        return _lines_or_table(file, columns)
    if by_line:
        return OWN, replies_of_lines(file.numbered(), path)
    table = answers_table(value, path)
    return table.format, replies_of_table(table, columns, path)
