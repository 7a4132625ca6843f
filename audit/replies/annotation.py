"""Annotation forms: people mark the errors in the reasoning of replies, and annotators are compared.

A family's `ErrorScheme` names the kinds of error. A form has one row per reply; each kind of error is a column to fill
in with yes or no, with a column for the justification beside it. Agreement is Cohen's kappa per kind of error.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansproof.audit.notation import armed, csv_text
from hansproof.audit.statistics.kappa import Agreement, agree
from hansproof.generators.answering.scorer import fitting
from hansproof.generators.dataset import ErrorScheme
from hansproof.generators.errors import Fault, InputError, UsageError
from hansproof.generators.input import first_repeated
from hansproof.generators.item import Item
from hansproof.generators.jsonl import json_fault, read_bytes

__all__ = ["agreement", "ending", "form", "form_bytes", "read_form"]

Rows = list[tuple[int, dict[str, Any]]]
"""(line of the file, cells by column)."""

_BIGGEST = 64 * 2**20
"""Bytes of a form."""


def ending(path: Path | str) -> str:
    """`csv` or `jsonl`. Raises UsageError for any other ending."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in ("csv", "jsonl"):
        raise UsageError("an annotation form ends in .csv or .jsonl", str(path))
    return suffix


def _csv_rows(path: Path | str) -> tuple[list[str], Rows]:
    """The names of the columns, and the rows that are not blank. Raises InputError for the first broken row."""
    text = _text(path)
    first = text.split("\n", 1)[0]
    # Spreadsheets of some countries save with semicolons or tabs.
    mark = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    header: list[str] = []
    rows: Rows = []
    usual = csv.field_size_limit(_BIGGEST)  # a long reply is one cell
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            place = f"{path}: line {reader.line_num}"
            if not header:
                header = [cell.strip() for cell in cells]
                if "id" not in header:
                    raise InputError("the header has no column `id`", place)
                if (twice := first_repeated(name for name in header if name)) is not None:
                    raise InputError(f"the header has {twice} twice", place)
            elif len(cells) != len(header):
                raise InputError(f"has {len(cells)} cells, but the header has {len(header)}", place)
            else:
                rows.append((reader.line_num, dict(zip(header, map(armed, cells), strict=True))))
    except csv.Error as error:
        raise InputError(f"broken CSV: {error}", f"{path}: line {reader.line_num}") from error
    finally:
        csv.field_size_limit(usual)
    if not header:
        raise InputError("is empty; an annotation form begins with a header", str(path))
    return header, rows


def _json_rows(path: Path | str) -> tuple[list[str], Rows]:
    """The keys of the first row, and the rows, likewise."""
    header: list[str] = []
    rows: Rows = []
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}: line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(json_fault(error), place) from error
        if not isinstance(row, dict):
            raise InputError("is not a JSON object", place)
        header = header or list(row)
        missing = [key for key in ("id", *header) if key not in row]
        if missing:
            raise InputError(f"has no {', '.join(dict.fromkeys(missing))}", place)
        rows.append((number, row))
    return header, rows


def _text(path: Path | str) -> str:
    data = read_bytes(path)
    if len(data) > _BIGGEST:
        raise InputError(f"is larger than {_BIGGEST >> 20} MiB; split the form", str(path))
    try:
        return data.decode("utf-8-sig")  # spreadsheets put a byte order mark in front
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8; save the form as UTF-8", str(path)) from error


_REASON = "_reason"
_FIELDS = ("id", "prompt", "answer", "reply")
"""The columns of a form that are not for the annotator."""

_WORDS = dict.fromkeys(("yes", "y", "1", "true", "x"), True) | dict.fromkeys(("no", "n", "0", "false"), False)


@dataclass(frozen=True)
class Annotation:
    """What one annotator says about one reply."""

    id: str
    """The item's id."""
    labels: dict[str, bool]
    """Kind of error -> whether it occurs; every kind that the form has, in its order."""
    reasons: dict[str, str]
    """Kind of error -> the justification; empty where there is none."""


@dataclass(frozen=True)
class Form:
    """A form as one annotator has filled it in."""

    path: str
    categories: tuple[str, ...]
    """The kinds of error that it asks about, in its order."""
    annotations: dict[str, Annotation]
    """By item id, in the order of the file; rows that are not annotated yet are left out."""


def form(
    items: Sequence[Item], replies: Mapping[str, str], scheme: ErrorScheme, prefill: bool = False
) -> list[dict[str, str]]:
    """The rows of an empty form, one per item that has a reply, in the order of the items.

    With `prefill`, the errors that `scheme` can prove are marked `yes` with their line; nothing is ever marked `no`.
    """
    rows = []
    for item in items:
        if item.id not in replies:
            continue
        row = {"id": item.id, "prompt": item.prompt, "answer": item.answer or "", "reply": replies[item.id]}
        for category in scheme.categories:
            row |= {category: "", category + _REASON: ""}
        with fitting(item):
            proved = scheme.prove(item, replies[item.id]) if prefill else ()
        for error in proved:
            if error.category in scheme.categories and not row[error.category]:
                row |= {error.category: "yes", error.category + _REASON: f"line {error.line}: {error.detail}"}
        rows.append(row)
    return rows


def form_bytes(rows: Sequence[Mapping[str, str]], kind: str, place: str) -> bytes:
    """A form as the bytes of a CSV file, or of JSON lines, by its `kind`: `csv` or `jsonl`.

    Every CSV cell is quoted, and one that a spreadsheet would compute is disarmed; `read_form` takes that back. Raises
    InputError at `place` where there are no rows.
    """
    if not rows:
        raise InputError("no item has a reply, so there is nothing to annotate", place)
    if kind == "jsonl":
        text = "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)
    else:
        text = csv_text([list(rows[0]), *(list(row.values()) for row in rows)])
    return text.encode("utf-8", "replace")  # replies may hold half a surrogate pair, which UTF-8 cannot write


def read_form(path: Path | str) -> Form:
    """The form at `path`, filled in, in part or not at all.

    The kinds of error are the columns with a `_reason` column beside them; in a form without such columns, all but id,
    prompt, answer and reply. yes, y, 1, true, x and no, n, 0, false are understood in upper and lower case. A row in
    which every kind is blank has not been annotated yet. Raises UsageError for an ending other than .csv or .jsonl,
    InputError with the place of each fault.
    """
    header, rows = _csv_rows(path) if ending(path) == "csv" else _json_rows(path)
    justified = [name for name in header if name + _REASON in header]
    categories = justified or [name for name in header if name and name not in _FIELDS]
    if not categories:
        raise InputError("has no column for any kind of error", str(path))
    annotations: dict[str, Annotation] = {}
    lines: dict[str, int] = {}
    faults: list[Fault] = []
    for line, row in rows:
        place = f"{path}: line {line}"
        id = str(row.get("id") or "").strip()
        if not id:
            faults.append(Fault("has no id", place))
        elif id in lines:
            faults.append(Fault(f"has the same id as line {lines[id]}, {id!r}", place))
        else:
            given = ((category, row.get(category)) for category in categories)
            # JSON's own true and false serve, too.
            cells = {category: "" if cell is None else str(cell).strip().casefold() for category, cell in given}
            if any(cells.values()):
                for category, cell in cells.items():
                    if cell not in _WORDS:
                        wrong = f"{cell[:40]!r}, neither yes nor no" if cell else "blank, though others are filled in"
                        faults.append(Fault(f"{category} is {wrong}", place))
                labels = {category: _WORDS.get(cell, False) for category, cell in cells.items()}
                reasons = {category: str(row.get(category + _REASON) or "").strip() for category in categories}
                annotations[id] = Annotation(id, labels, reasons)
        lines.setdefault(id, line)
    if faults:
        raise InputError.of(faults)
    return Form(str(path), tuple(categories), annotations)


def agreement(first: Form, second: Form) -> dict[str, Agreement]:
    """How far two annotators agree on each kind of error, over the replies that both have annotated.

    Raises InputError where the forms do not ask about the same kinds of error.
    """
    for form_a, form_b in ((first, second), (second, first)):
        lacking = [category for category in form_a.categories if category not in form_b.categories]
        if lacking:
            raise InputError(f"has no {', '.join(lacking)}, which {form_a.path} has", form_b.path)
    left, right = first.annotations, second.annotations
    shared = [id for id in left if id in right]
    return {
        category: agree([left[id].labels[category] for id in shared], [right[id].labels[category] for id in shared])
        for category in first.categories
    }
