"""Annotation forms: people mark the errors in the reasoning of replies, and annotators are compared.

A family's `ErrorScheme` names the kinds of error. A form has one row per reply; each kind of error is a column to fill
in with yes or no, with a column for the justification beside it. Agreement is Cohen's kappa and Pearson's r, per kind
of error and overall.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hansproof.audit.formats.delimited import text_table
from hansproof.audit.formats.table import MISSING, Row, Table, is_missing
from hansproof.audit.notation import armed, csv_text
from hansproof.audit.statistics.kappa import Agreement, agree, pearson
from hansproof.generators.answering.scorer import fitting
from hansproof.generators.dataset import ErrorScheme
from hansproof.generators.errors import Fault, InputError, UsageError
from hansproof.generators.item import Item

__all__ = ["agreement", "ending", "form", "form_bytes", "read_form"]


def ending(path: Path | str) -> str:
    """`csv` or `jsonl`. Raises UsageError for any other ending."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in ("csv", "jsonl"):
        raise UsageError("an annotation form ends in .csv or .jsonl", str(path))
    return suffix


def _table(path: Path | str) -> Table:
    """The rows of a form that are not blank. Raises InputError for a fault of the file, and for one without ids."""
    ending(path)
    table = text_table(str(path))
    if table.format != "JSONL":
        filled = [Row(row.place, {name: armed(cell) for name, cell in row.values.items()}) for row in table.rows]
        table = replace(table, rows=[row for row in filled if any(cell.strip() for cell in row.values.values())])
    if "id" not in table.columns:
        raise InputError(f"has no column `id`, but {', '.join(map(repr, table.columns))}", str(path))
    return table


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
    table = _table(path)
    justified = [name for name in table.columns if name + _REASON in table.columns]
    categories = justified or [name for name in table.columns if name and name not in _FIELDS]
    if not categories:
        raise InputError(f"has no column for any kind of error beside {', '.join(table.columns)}", str(path))
    annotations: dict[str, Annotation] = {}
    seen: dict[str, str] = {}
    faults: list[Fault] = []
    for row in table.rows:
        place = f"{path}: {row.place}"
        id = str(row.values.get("id") or "").strip()
        # JSON's own true and false serve, too.
        given = {category: row.values.get(category, MISSING) for category in categories}
        cells = {category: "" if is_missing(cell) else str(cell).strip().casefold() for category, cell in given.items()}
        lacking = [category for category, cell in given.items() if cell is MISSING]
        if not id or lacking:
            faults.append(Fault(f"has no {'id' if not id else ', '.join(lacking)}", place))
        elif id in seen:
            faults.append(Fault(f"has the same id as {seen[id]}, {id!r}", place))
        elif any(cells.values()):
            for category, cell in cells.items():
                if cell not in _WORDS:
                    wrong = f"{cell[:40]!r}, neither yes nor no" if cell else "blank, though others are filled in"
                    faults.append(Fault(f"{category} is {wrong}", place))
            labels = {category: _WORDS.get(cell, False) for category, cell in cells.items()}
            reasons = {category: str(row.values.get(category + _REASON) or "").strip() for category in categories}
            annotations[id] = Annotation(id, labels, reasons)
        seen.setdefault(id, row.place)
    if faults:
        raise InputError.of(faults)
    return Form(str(path), tuple(categories), annotations)


@dataclass(frozen=True)
class Compared:
    """How far two annotators agree on one kind of error, or on all."""

    agreement: Agreement
    pearson: float
    """Pearson's correlation of their marks, 1 for yes and 0 for no; NaN where it is undefined."""
    reason: str
    """Why it is undefined; empty where it is defined."""


@dataclass(frozen=True)
class Comparison:
    """Two forms compared over the replies that both have annotated."""

    categories: dict[str, Compared]
    """By kind of error, in the order of the first form."""
    overall: Compared
    """All marks of all kinds, each as one judgement."""
    errors: tuple[float, str]
    """Pearson's correlation of the number of kinds of error that each reply has, and why it is undefined."""


def agreement(first: Form, second: Form) -> Comparison:
    """How far two annotators agree on each kind of error, and on all of them.

    Raises InputError where the forms do not ask about the same kinds of error.
    """
    for form_a, form_b in ((first, second), (second, first)):
        lacking = [category for category in form_a.categories if category not in form_b.categories]
        if lacking:
            raise InputError(f"has no {', '.join(lacking)}, which {form_a.path} has", form_b.path)
    shared = [id for id in first.annotations if id in second.annotations]
    marks = [[[form.annotations[id].labels[kind] for kind in first.categories] for id in shared]
             for form in (first, second)]  # fmt: skip
    columns = {kind: [[row[at] for row in side] for side in marks] for at, kind in enumerate(first.categories)}
    pooled = [[mark for row in side for mark in row] for side in marks]
    return Comparison(
        {kind: _compared(*sides) for kind, sides in columns.items()},
        _compared(*pooled),
        pearson(*([sum(row) for row in side] for side in marks)),
    )


def _compared(left: Sequence[bool], right: Sequence[bool]) -> Compared:
    return Compared(agree(left, right), *pearson(left, right))
