"""Files of answers, whatever wrote them, as one stream of replies.

What a file is, its first lines decide: the answers format of this project (`lines`), a log of a harness, or a table
(`importers`). Formats of one JSON value a line (this project's own, samples of lm-evaluation-harness, run logs of
OpenAI evals) are read line by line, so that memory stays flat; other logs, and packed files, are read whole, within a
limit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from audit.answers.files.filters import Filters
from audit.answers.files.lines import REPLY_KEYS, replies_of_lines
from audit.answers.files.names import OwnNames, is_chosen
from audit.answers.files.opening import Opened, begun, opened
from audit.answers.files.pipes import Kept
from audit.answers.files.sources import ReplyFile, reply_files
from audit.answers.files.wanted import answers_table, refuse_other_lines
from audit.answers.importers.inspect_logs import replies_of_samples
from audit.answers.importers.registry import document_importer, line_importer
from audit.answers.importers.tables import ReplyColumns, are_usual, holds_replies, replies_of_table
from audit.answers.reply import Reply
from audit.formats.delimited import delimiter_of
from audit.formats.harnesses.inspect_archive import archive_samples
from audit.formats.json_rows import jsonl_table
from audit.formats.recognition import table_of
from audit.sources.content import Content, unpacked, utf8
from generators.errors import InputError, UsageError, unknown
from generators.progress import Progress, unwatched

__all__ = ["Replies", "ReplyColumns", "read_replies"]

_OWN = "answers"
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".tab")
_PLAIN = (
    "is plain text, which does not say to which item each reply is. Write a table with a line of headings, `id,reply`, "
    'or one JSON object per line, {"id": item id, "reply": text}; logs of inspect_ai, lm-evaluation-harness, OpenAI '
    "evals and HELM are read as they are"
)
_HEADING = 100_000
"""Characters of a line of headings that are looked at for usual names."""
_KINDS = ("model", "style")
_WATCHED = 2_000  # replies between two calls of the progress
_Recognised = tuple[str, Iterator[Reply]]
"""The format in words, and the replies."""


@dataclass(frozen=True)
class ReadingOptions:
    """What the user says about files of answers."""

    columns: ReplyColumns
    families: Mapping[str, str]
    models: tuple[str, ...]
    styles: tuple[str, ...]
    sides: tuple[str, ...] = ()
    """What is to be compared: names of models, styles and runs, or titles."""


class Replies:
    """The replies of some files, read as you iterate; each iteration reads the files again."""

    def __init__(
        self,
        files: Sequence[ReplyFile],
        reading: ReadingOptions,
        progress: Progress,
        before: Replies | None = None,
        held: dict[str, Kept] | None = None,
    ) -> None:
        self.files = files
        self._held = {} if held is None else held
        self._options, self._progress, self._before = reading, progress, before
        self.logs: set[tuple[str, str]] = set()
        """(model, benchmark) of the logs that have been read, those of the replies before them too."""
        self.seen: dict[str, dict[str, None]] = {}
        """`model` and `style` -> their names in what has been read, likewise; styles are those of chosen models."""
        self.more = False
        """Whether other replies come after these, which may hold the models and styles that these lack."""
        self.formats: dict[str, str] = {}
        """File -> its format in words, as far as the files have been read."""

    def __iter__(self) -> Iterator[Reply]:
        logs = set(self._before.logs) if self._before else set()
        before = self._before.seen if self._before else {}
        seen: dict[str, dict[str, None]] = {kind: {} for kind in _KINDS}
        left = {"model": bool(self._options.models), "style": bool(self._options.styles)}
        done, total, count = 0, sum(map(_size, self.files)), 0
        known, filters = OwnNames(), Filters(self._options.styles, self._options.sides)
        for file in self.files:
            with opened(file.path, self._held) as start:
                format, replies = _recognised(start, self._options.columns)
                self.formats[file.path] = format
                for own, reply in self._named(file, format, replies, logs):
                    count += 1
                    if count % _WATCHED == 0:
                        at = min(done + start.read, total)
                        self._progress("reading replies", at, max(total, 1))
                    seen["model"].setdefault(reply.model)
                    seen["model"].setdefault(own or reply.model)
                    if not is_chosen(self._options.models, file, own, reply.model):
                        continue
                    seen["style"].setdefault(reply.filter or reply.style)
                    left["model"] = False
                    if (taken := filters.taken(reply)) is None:
                        continue
                    reply = taken
                    if self._options.styles and reply.style not in self._options.styles:
                        continue
                    left["style"] = False
                    known.add(file, own)
                    yield reply
                done += _size(file)
        known.refuse_several()
        filters.say()
        self.logs = logs
        self.seen = {kind: before.get(kind, {}) | names for kind, names in seen.items()}
        where = ", ".join(dict.fromkeys(file.path for file in self.files[:2]))
        for kind, names in (("model", self._options.models), ("style", self._options.styles)):
            if left[kind]:
                raise _unknown(kind, names[0], list(filter(None, seen[kind])), where)
            every = self.seen[kind]
            strange = next((name for name in names if name not in every), "") if not self.more else ""
            if strange:
                raise _unknown(kind, strange, list(filter(None, every)), where)

    def _named(
        self, file: ReplyFile, format: str, replies: Iterator[Reply], logs: set[tuple[str, str]]
    ) -> Iterator[tuple[str, Reply]]:
        """What the file calls the model, and the reply with the names that the user gives, and those that several logs
        need to be told apart.

        A log gets a `run` of its own only if a log before it is of the same model and benchmark: so the subsets of a
        benchmark, each in its own log, stay one series.
        """
        here: dict[tuple[str, str], bool] = {}
        # A folder of answers in our own format is one model's, in several files.
        called = file.source if format == _OWN else file.called
        for reply in replies:
            own, run = reply.model, reply.run
            model = file.model or own or called
            key = model, reply.benchmark
            used = reply.benchmark and is_chosen(self._options.models, file, own, model)
            if used and here.setdefault(key, key in logs):
                run = ", ".join(part for part in (reply.log, run) if part)
            family = self._options.families.get(model, reply.family)
            if (model, run, family) != (reply.model, reply.run, reply.family):
                reply = msgspec.structs.replace(reply, model=model, run=run, family=family)
            yield own, reply
        logs.update(here)

    def by_source(self) -> list[Replies]:
        """The replies of each file or folder that was named, under the names that they have among all of them.

        Iterate them in this order: the later ones know what the earlier ones held.
        """
        parts: list[Replies] = []
        for number in dict.fromkeys(file.number for file in self.files):
            files = [file for file in self.files if file.number == number]
            parts.append(Replies(files, self._options, self._progress, parts[-1] if parts else None, self._held))
        for part in parts[:-1]:
            part.more = True
        return parts


def read_replies(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]],
    columns: ReplyColumns | None = None,
    families: Mapping[str, str] | None = None,
    *,
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    sides: Sequence[str] = (),
    progress: Progress = unwatched,
) -> Replies:
    """The replies of files or folders of answers, each `FILE` or `NAME=FILE`, read one by one as you iterate.

    `columns` names the columns of tables, `families` says which model is of which family; of `models` and `styles`
    only those that are named are read, where any is. `sides` are names of what is to be compared, which may be styles
    that do not count by default. Raises InputError, as you iterate, for files that cannot be read, with the place of
    each fault; UsageError for no files, wrong names, and models and styles that do not occur.
    """
    named = [sources] if isinstance(sources, str | PathLike) else list(sources)
    reading = ReadingOptions(
        columns or ReplyColumns(), families or {}, tuple(models), tuple(styles), tuple(filter(None, sides))
    )
    return Replies(reply_files(named), reading, progress)


def _unknown(kind: str, name: str, known: Sequence[str], where: str) -> UsageError:
    """The error for a model or a style that does not occur, also beside others that do."""
    if known:
        return unknown(kind, name, known, within=where)
    return UsageError(f"no reply names its {kind}, so none is of {name!r}: leave out --{kind}", where)


def _size(file: ReplyFile) -> int:
    try:
        return Path(file.path).stat().st_size
    except (OSError, ValueError):
        return 0  # opening it says why


def _recognised(file: Opened, columns: ReplyColumns) -> _Recognised:
    """What a file is, and its replies."""
    path = file.path
    if file.binary:
        content = file.content()
        if content.data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            samples, header = archive_samples(content.data, path)
            return "inspect_ai log", replies_of_samples(samples, header, path)
        if content.data.startswith(b"PAR1"):
            return _of_table(content, columns)
        return _recognised(begun(path, io.BytesIO(utf8(content))), columns)
    records = file.records
    rows = [record for record in records if isinstance(record, dict)]
    if rows and (log := line_importer(rows)):  # which tells the place of what is no object
        name, by_line = log
        return name, by_line.replies(file.numbered(), path)
    if rows and len(rows) == len(records):
        if any(map(_is_answer, rows)) and columns == ReplyColumns():
            return _OWN, replies_of_lines(file.numbered(), path)
        if file.lines > 1:
            return _lines_or_table(file, columns)
    if file.extension == ".json" and len(records) == file.lines and not rows:
        refuse_other_lines(records, path)
    if file.start in (b"{", b"["):
        return _of_json(file, columns)
    if file.extension not in _LINES and file.lines and not any(isinstance(each, dict | list) for each in records):
        return _of_text(file, columns)
    return _OWN, replies_of_lines(file.numbered(), path)


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
        raise InputError(_PLAIN, file.path)
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
        return _OWN, replies_of_lines(enumerate(io.BytesIO(data), start=1), file.path)
    return table.format, replies_of_table(table, columns, file.path)


def _of_json(file: Opened, columns: ReplyColumns) -> _Recognised:
    """One JSON document, on one line or several; lines that were meant to be of the own format keep their faults."""
    path, by_line = file.path, file.extension in _LINES
    braces = all(line.lstrip()[:1] == b"{" for line in file.head if line.strip())
    if (file.lines > 1 and (by_line or braces)) or (by_line and not file.records):
        return _OWN, replies_of_lines(file.numbered(), path)
    value = file.records[0] if by_line else file.document()
    if log := document_importer(value):
        name, whole = log
        return name, whole.replies(value, path)
    if by_line and isinstance(value, dict) and columns != ReplyColumns():
        return _lines_or_table(file, columns)
    if by_line:
        return _OWN, replies_of_lines(file.numbered(), path)
    table = answers_table(value, path)
    return table.format, replies_of_table(table, columns, path)
