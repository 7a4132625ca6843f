"""CSV and TSV to rows of text: no types are guessed, and tables without a header line are known."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from hansproof.audit.formats.content import read, utf8
from hansproof.audit.formats.json_rows import jsonl_table
from hansproof.audit.formats.table import WHOLE, Budget, Row, Sieve, Table
from hansproof.generators.errors import InputError
from hansproof.generators.input import first_repeated

__all__ = ["delimited_table", "delimiter_of", "text_table"]

_FORMS: tuple[tuple[str, dict[int, str]], ...] = (
    ("source label mark sentence", {1: r"[01]", 2: r"[*?]*", 3: r".*\S.*"}),  # CoLA
    ("question A B C D answer", {5: r"[ABCD]"}),  # MMLU
    ("kind stem ending0 ending1 ending2 ending3 answer", {0: r".?", 1: r".*\S.*", 6: r"[0123]"}),  # CODAH
)
"""The columns of tables that are published without a header line, and what some of them hold in every row."""


def names_of(rows: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """The names of the columns of a table without a header line; None for a table that has one.

    All rows must have the form, the first one too: a header line says `label` or `answer` in the place of the gold.
    """
    for names, forms in _FORMS:
        columns = tuple(names.split())
        if rows and all(
            len(row) == len(columns) and all(re.fullmatch(form, row[at], re.S) for at, form in forms.items())
            for row in rows
        ):
            return columns
    return None


# The standard library's reader knows the line on which each row begins. Readers that pad a short row with nulls turn a
# fault into data.

_NAMES = {",": "CSV", "\t": "TSV", ";": "CSV (semicolons)", "|": "CSV (bars)"}
_FIELD_LIMIT = 2**31 - 1
_PLAIN = "quotes are read as plain characters, because they do not work as quoting"
_HEADLESS = "the file has no header line; its columns are those of the benchmark that comes so"
_STATED = re.compile(r'"?sep=([,;|\t])"?(?=[\r\n])', re.IGNORECASE)
_END_OF_FILE = "\x1a"
_PIECE = 2**20
_END = "\x1e end of rows \x1e"


@dataclass(frozen=True)
class _Parsed:
    """The rows that were read, and what was wrong with the others."""

    header: list[str]
    start: int
    """The line of the header."""
    rows: list[tuple[int, list[str]]]
    sampled_from: int | None
    """How many rows there are, where a sample of them is kept."""
    ragged: tuple[int, int] | None
    """(line, number of cells) of the first row with more or fewer cells than the header."""
    ragged_rows: int
    """How many rows are so."""
    unclosed: int | None
    """The line on which a quoted cell begins that never ends."""


def delimiter_of(text: str, extension: str) -> str | None:
    """The delimiter, judged by the header line; the extension decides where several occur."""
    if stated := _STATED.match(text):  # which Excel reads, and leaves out
        return stated[1]
    header = next((line for line in _lines(text) if line.strip()), "")
    counts = Counter(character for character in header if character in _NAMES)
    preferred = {".tsv": "\t", ".tab": "\t", ".csv": ","}.get(extension)
    if preferred and counts[preferred]:
        return preferred
    # On a tie the first in this order wins: a tab in a header is no accident.
    best = max("\t,;|", key=lambda character: counts[character])
    return best if counts[best] else preferred


def delimited_table(text: str, place: str, delimiter: str, budget: Budget = WHOLE) -> Table:
    """The rows under their header. Every value is text, as written; an empty cell is the empty text.

    Many TSV files do not use quotes for quoting; where reading them so fails, quotes become plain characters.
    Raises InputError for repeated names in the header, for ragged rows, for quotes that never close and for more rows
    than the budget has.
    """
    text = _without_marks(text)
    parsed = _parse(text, place, delimiter, csv.QUOTE_MINIMAL, budget)
    notes: tuple[str, ...] = ()
    if delimiter == "\t" and (parsed.ragged or parsed.unclosed or _inner_quotes(text)):
        plain = _parse(text, place, delimiter, csv.QUOTE_NONE, budget)
        if plain.rows and not plain.ragged:
            parsed, notes = plain, (_PLAIN,)
    if names := names_of([parsed.header, *(cells for _, cells in parsed.rows)]):
        first = [(parsed.start, parsed.header)]
        parsed, notes = replace(parsed, header=list(names), rows=first + parsed.rows), (*notes, _HEADLESS)
    header = _named(parsed)
    _check_header(header, f"{place}: line {parsed.start}")
    if parsed.unclosed:
        raise InputError("the quote that opens here is never closed", f"{place}: line {parsed.unclosed}")
    if parsed.ragged:
        line, count = parsed.ragged
        more = f" ({parsed.ragged_rows} such rows in all)" if parsed.ragged_rows > 1 else ""
        raise InputError(
            f"{count} cell{'s' if count != 1 else ''} where the header has {len(parsed.header)}{more}; "
            "quote cells that contain the delimiter",
            f"{place}: line {line}",
        )
    rows = [Row(f"line {line}", dict(zip(header, cells))) for line, cells in parsed.rows]
    return Table(_NAMES[delimiter], rows, header, (), notes, sampled_from=parsed.sampled_from)


def text_table(path: str) -> Table:
    """The rows of a file of text: JSON lines, or cells with commas, semicolons or tabs between them.

    Raises InputError for what cannot be read, for bytes that are not UTF-8, and for the first row that is none.
    """
    content = read(path)
    data = utf8(content)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8; save the file as UTF-8", path) from error
    if content.extension != ".jsonl" and not text.lstrip().startswith("{"):
        return delimited_table(text, path, delimiter_of(text, content.extension) or ",")
    table = jsonl_table(data, path)
    for entry in table.left_out[:1]:
        raise InputError(entry.full_reason, f"{path}: {entry.place}")
    return table


def _parse(text: str, place: str, delimiter: str, quoting: Literal[0, 3], budget: Budget) -> _Parsed:
    """All rows with the line on which each begins; blank lines are skipped."""
    header: list[str] = []
    sieve: Sieve[tuple[int, list[str]]] = Sieve(budget, place)
    ragged: tuple[int, int] | None = None
    more = 0
    before = csv.field_size_limit(_FIELD_LIMIT)  # the default refuses a cell of 131,072 characters
    # A row after the last: the reader returns it unchanged unless an open quote has swallowed it.
    stream = chain(_lines(text), [_END])
    reader = csv.reader(stream, delimiter=delimiter, quoting=quoting)
    line = start = top = 1
    unclosed = True
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if cells == [_END]:
                unclosed = False
            elif not cells:
                continue
            elif not header:
                header, top = [name.strip() for name in cells], line
            elif len(cells) == len(header):
                sieve.add((line, cells), dict(zip(header, cells)), len(cells))
            elif any(cells):
                ragged = ragged or (line, len(cells))
                more += 1
    except csv.Error as error:
        raise InputError(f"broken {_NAMES[delimiter]}: {error}", f"{place}: line {start}") from error
    finally:
        csv.field_size_limit(before)
    return _Parsed(header, top, sieve.kept, sieve.sampled_from, ragged, more, line if unclosed else None)


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, a piece at a time: a stream takes 4 bytes a letter."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PIECE) + 1 or len(text)
        yield from io.StringIO(text[start:end], newline="")
        start = end


def _inner_quotes(text: str) -> bool:
    """True where a quoted cell continues after its closing quote: then the quotes were not meant as quoting."""
    before = csv.field_size_limit(_FIELD_LIMIT)
    try:
        for _ in csv.reader(_lines(text), delimiter="\t", strict=True):
            pass
    except csv.Error:
        return True
    finally:
        csv.field_size_limit(before)
    return False


def _without_marks(text: str) -> str:
    """`text` without what Excel and DOS add to the rows: a first line `sep=;`, of which the end stays so that lines
    are counted as an editor counts them, and a final Ctrl-Z."""
    if text[-4:].rstrip("\r\n").endswith(_END_OF_FILE):
        text = text[: text.rindex(_END_OF_FILE)]
    match = _STATED.match(text)
    return text[match.end() :] if match else text


def _named(parsed: _Parsed) -> list[str]:
    """The header without the columns at its end that have neither a name nor a value, which spreadsheets write."""
    width = len(parsed.header)
    while width > 1 and not parsed.header[width - 1] and not any(cells[width - 1].strip() for _, cells in parsed.rows):
        width -= 1
    return parsed.header[:width]


def _check_header(header: list[str], place: str) -> None:
    """Raise InputError for two columns of one name, or of none."""
    if header.count("") > 1:
        raise InputError(f"{header.count('')} columns have no name in the header; name them", place)
    if (repeated := first_repeated(header)) is not None:
        raise InputError(f"the header names {repeated!r} more than once; rename the columns", place)
