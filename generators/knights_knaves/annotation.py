"""The annotation form for errors in reasoning traces, and how far two annotators agree.

Six categories after Mondorf and Plank (2024), each yes or no with a justification. A form is written from items and
replies, filled in by a person in any editor, and read back; agreement is Cohen's kappa per category.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any

from generators.errors import InputError, UsageError
from generators.item import Item
from generators.jsonl import write_bytes
from generators.knights_knaves.errors_in_traces import trace_errors

__all__ = ["CATEGORIES", "Agreement", "Annotation", "agreement", "form", "read_form", "write_form"]

CATEGORIES = {
    "SR": "false statement reproduction: a statement is quoted otherwise than in the puzzle",
    "TS": "assuming statements to be true: what a character says is taken for a fact",
    "TL": "misunderstanding truth and lies: a knight is let lie, or a knave let tell the truth",
    "LO": "misunderstanding logical operators: and, or, if, if and only if, not are used wrongly",
    "UC": "unjustified conclusion: something is concluded that nothing before supports",
    "UF": "unfaithfulness: the answer is not what the reasoning came to",
}
"""What each label means; SR and UF can be filled in by machine where they are certain."""

_WORDS = {
    "yes": True,
    "y": True,
    "1": True,
    "true": True,
    "x": True,
    "no": False,
    "n": False,
    "0": False,
    "false": False,
}
_SHOWN = 10  # faults listed before the rest is only counted
_BIGGEST = 64 * 2**20  # bytes of a form; csv itself refuses single cells beyond its limit


@dataclass(frozen=True)
class Annotation:
    """What one annotator says of one trace."""

    id: str
    """The item's id."""
    labels: dict[str, bool]
    """Category -> whether the error occurs; every category of CATEGORIES."""
    reasons: dict[str, str]
    """Category -> the justification; "" where there is none."""


@dataclass(frozen=True)
class Agreement:
    """How far two annotators agree on one category."""

    category: str
    kappa: float
    """(p_o - p_e) / (1 - p_e): 1 is full agreement, 0 what chance gives. NaN where p_e = 1. Cohen (1960)."""
    traces: int
    """Traces that both have annotated."""
    both: int
    """Traces in which both see the error."""
    first_only: int
    second_only: int
    reason: str
    """Why kappa is undefined; empty where it is defined."""


def form(items: Sequence[Item], replies: Mapping[str, str], prefill: bool = False) -> list[dict[str, str]]:
    """The rows of an empty form, one for each item that has a reply, in the items' order.

    With `prefill`, SR and UF say `yes` with their line where `trace_errors` proves the error; never `no`.
    """
    rows = []
    for item in items:
        if item.id not in replies:
            continue
        row = {"id": item.id, "prompt": item.prompt, "answer": item.answer or "", "reply": replies[item.id]}
        for category in CATEGORIES:
            row |= {category: "", f"{category}_reason": ""}
        for error in trace_errors(item, replies[item.id]) if prefill else ():
            if error.label in CATEGORIES and not row[error.label]:
                row |= {error.label: "yes", f"{error.label}_reason": f"line {error.line}: {error.detail}"}
        rows.append(row)
    return rows


def write_form(path: Path | str, rows: Sequence[Mapping[str, str]], overwrite: bool = False) -> None:
    """Write a form as CSV or JSONL, by the ending of `path`, whole or not at all.

    In CSV a cell that a spreadsheet would compute (it begins with = + - @) gets an apostrophe in front.
    Raises UsageError for another ending, InputError where there are no rows or the file is there already.
    """
    if not rows:
        raise InputError(f"{path}: no item has a reply, so there is nothing to annotate")
    if _ending(path) == "jsonl":
        text = "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)
    else:
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _harmless(value) for key, value in row.items()} for row in rows)
        text = buffer.getvalue()
    # Replies may hold half a surrogate pair, which UTF-8 cannot write.
    write_bytes(path, text.encode("utf-8", "replace"), overwrite)


def read_form(path: Path | str) -> dict[str, Annotation]:
    """The annotations of a filled-in form by item id, in the file's order; {} for a form with a header only.

    Only `id`, the categories and their reasons are read; yes, y, 1, true, x and no, n, 0, false are understood.
    A row in which every category is blank is not annotated yet and left out. Raises UsageError for an ending
    other than .csv or .jsonl, InputError with the place of the first ten faults.
    """
    rows = _csv_rows(path) if _ending(path) == "csv" else _json_rows(path)
    found: dict[str, Annotation] = {}
    seen: dict[str, int] = {}
    faults = []
    for line, row in rows:
        id = str(row.get("id") or "").strip()
        if not id:
            faults.append(f"{path}: line {line}: has no id")
            continue
        if id in seen:
            faults.append(f"{path}: line {line}: the id {id!r} is that of line {seen[id]} too")
            continue
        seen[id] = line
        cells = {category: _cell(row.get(category)) for category in CATEGORIES}
        if not any(cells.values()):
            continue
        for category, cell in cells.items():
            if cell not in _WORDS:
                what = f"is {cell[:40]!r}, neither yes nor no" if cell else "is blank, though others are filled in"
                faults.append(f"{path}: line {line}: {category} {what}")
        labels = {category: _WORDS.get(cell, False) for category, cell in cells.items()}
        reasons = {category: str(row.get(f"{category}_reason") or "").strip() for category in CATEGORIES}
        found[id] = Annotation(id, labels, reasons)
    if faults:
        more = [f"... and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        raise InputError("\n".join(faults[:_SHOWN] + more))
    return found


def agreement(first: Mapping[str, Annotation], second: Mapping[str, Annotation]) -> list[Agreement]:
    """Cohen's kappa of two annotators for every category, over the traces that both have annotated.

    NaN with the reason where no trace is shared, or both use one label only, the same (p_e = 1: chance agrees
    fully, kappa says nothing).
    """
    shared = [id for id in first if id in second]
    found = []
    for category in CATEGORIES:
        pairs = [(first[id].labels[category], second[id].labels[category]) for id in shared]
        kappa, reason = _kappa(pairs)
        both, first_only, second_only = (pairs.count(pair) for pair in ((True, True), (True, False), (False, True)))
        found.append(Agreement(category, kappa, len(pairs), both, first_only, second_only, reason))
    return found


def _kappa(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, str]:
    if not pairs:
        return nan, "no trace is annotated by both"
    if len({label for pair in pairs for label in pair}) == 1:
        return nan, f"both annotators say {'yes' if pairs[0][0] else 'no'} to every trace"
    from nltk.metrics.agreement import AnnotationTask  # slow to import, and only needed here

    task = AnnotationTask([(who, str(i), pair[who]) for i, pair in enumerate(pairs) for who in (0, 1)])
    return float(task.kappa()), ""


def _ending(path: Path | str) -> str:
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in ("csv", "jsonl"):
        raise UsageError(f"{path}: an annotation form ends in .csv or .jsonl")
    return ending


def _harmless(cell: str) -> str:
    return "'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _cell(value: Any) -> str:
    """A filled-in cell as a word; JSON's own true and false serve too."""
    return "" if value is None else str(value).strip().casefold()


def _text(path: Path | str) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > _BIGGEST:
        raise InputError(f"{path}: is larger than {_BIGGEST >> 20} MiB; split the form")
    try:
        return data.decode("utf-8-sig")  # spreadsheets put a byte order mark in front
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8; save the form as UTF-8") from error


def _csv_rows(path: Path | str) -> Iterator[tuple[int, dict[str, Any]]]:
    text = _text(path)
    first = text.split("\n", 1)[0]
    # Spreadsheets of some countries save with semicolons or tabs.
    mark = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    header: list[str] = []
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if not header:
                header = [cell.strip() for cell in row]
                _check_header(path, header)
            elif len(row) != len(header):
                raise InputError(f"{path}: line {reader.line_num}: has {len(row)} cells, the header {len(header)}")
            else:
                yield reader.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: line {reader.line_num}: broken CSV: {error}") from error
    if not header:
        raise InputError(f"{path}: is empty; an annotation form begins with a header")


def _check_header(path: Path | str, header: Sequence[str]) -> None:
    missing = [key for key in ("id", *CATEGORIES) if key not in header]
    if missing:
        raise InputError(f"{path}: line 1: the header lacks {', '.join(missing)}")
    twice = next((key for key in header if key and header.count(key) > 1), "")
    if twice:
        raise InputError(f"{path}: line 1: the header has {twice} twice")


def _json_rows(path: Path | str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: line {number}: broken JSON") from error
        if not isinstance(row, dict):
            raise InputError(f"{path}: line {number}: is not a JSON object")
        missing = [key for key in ("id", *CATEGORIES) if key not in row]
        if missing:
            raise InputError(f"{path}: line {number}: lacks {', '.join(missing)}")
        yield number, row
