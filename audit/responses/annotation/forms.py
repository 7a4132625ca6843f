"""Annotation forms: people mark the errors in the reasoning of replies, and two annotators are compared.

A family's `ErrorScheme` names the kinds of error. A form has one row per reply; each kind of error is a column to fill
in with yes or no, with a column for the justification beside it. Agreement is Cohen's kappa per kind of error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.notation import csv_text
from audit.responses.annotation.rows import form_rows
from audit.statistics.kappa import Agreement, agree
from generators.answering.scorer import fitting
from generators.dataset import ErrorScheme, ProvenError
from generators.errors import Fault, InputError
from generators.item import Item

__all__ = ["Annotation", "Form", "agreement", "form", "form_bytes", "read_form"]

_REASON = "_reason"
_FIELDS = ("id", "prompt", "answer", "reply")
"""The columns of a form that are not for the annotator."""

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
        for error in _proved(item, replies[item.id], scheme) if prefill else ():
            if error.category in scheme.categories and not row[error.category]:
                row |= {error.category: "yes", error.category + _REASON: f"line {error.line}: {error.detail}"}
        rows.append(row)
    return rows


def _proved(item: Item, reply: str, scheme: ErrorScheme) -> Sequence[ProvenError]:
    with fitting(item):
        return scheme.prove(item, reply)


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
    header, rows = form_rows(path)
    categories = _categories(header)
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
            cells = {category: _cell(row.get(category)) for category in categories}
            if any(cells.values()):
                faults += [Fault(f"{category} {wrong}", place) for category, wrong in _wrong(cells).items()]
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


def _wrong(cells: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with each cell that is neither yes nor no."""
    return {
        category: f"is {cell[:40]!r}, neither yes nor no" if cell else "is blank, though others are filled in"
        for category, cell in cells.items()
        if cell not in _WORDS
    }


def _categories(header: Sequence[str]) -> list[str]:
    justified = [name for name in header if name + _REASON in header]
    return justified or [name for name in header if name and name not in _FIELDS]


def _cell(value: Any) -> str:
    """A filled-in cell as a word; JSON's own true and false serve too."""
    return "" if value is None else str(value).strip().casefold()
