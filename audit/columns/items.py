"""From rows and roles to a `Benchmark`: rows that cannot be used are listed, and too many of them refused."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import msgspec

from audit.benchmark import Benchmark, LeftOut
from audit.columns.cells import UnusableError, as_answer, as_choices, as_name, as_prompt, is_blank
from audit.columns.kind import FEWEST
from audit.columns.remarks import conflicting_golds, similar_labels, stripped_labels, unused_texts
from audit.columns.roles import Roles
from audit.table import MISSING, Row, Table, cell
from generators.errors import InputError

__all__ = ["check_rows", "items_of"]


def check_rows(table: Table, place: str, max_left_out: float) -> None:
    """Raise InputError for a table without a single row that could be read."""
    if not table.rows and table.left_out:
        raise InputError(_too_many(list(table.left_out), len(table.left_out), max_left_out, place))
    if not table.rows:
        raise InputError(f"{place}: no rows: there is nothing to audit")


def items_of(
    table: Table, roles: Roles, *, name: str, source: str, place: str, sha256: str | None, max_left_out: float
) -> Benchmark:
    """The benchmark; `sha256=None` digests the canonical rows (prompt and answer as JSON lines).

    Raises InputError where more than `max_left_out` of the rows cannot be used, and where only one label occurs in
    `FEWEST` items or more (in fewer that is no wonder, and `kind` says that they are too few).
    """
    rows, notes = _wanted(table, roles)
    kept, left_out, several = _usable(rows, roles)
    faults = [*table.left_out, *left_out]
    total = len(rows) + len(table.left_out)
    if not kept and left_out:
        _refuse_empty(rows, roles, place)
    if len(faults) > max_left_out * total:
        raise InputError(_too_many(faults, total, max_left_out, place))
    prompts, answers = [one[1] for one in kept], [one[2] for one in kept]
    if not kept:
        raise InputError(f"{place}: no rows that can be used: there is nothing to audit")
    labels = sorted(set(answers))
    if len(labels) == 1 and len(kept) >= FEWEST:
        raise InputError(
            f"{place}: only one label occurs: all {len(kept):,} answers are {labels[0]!r}; "
            f"nothing can be predicted (the answer was read from {roles.mapping.answer!r})"
        )
    if several:
        notes.append(f"{several:,} items have several acceptable answers that differ; the first is the gold")
    notes.extend(conflicting_golds(prompts, answers))
    notes.extend(similar_labels(answers))
    used = [row for row, _, _ in kept]
    notes.extend(stripped_labels([cell(row.values, roles.mapping.answer) for row in used]))
    if "prompt" in roles.mapping.guessed or roles.parts is None:  # a template of the user's own says what it wants
        notes.extend(unused_texts(table, used, prompts, roles.columns))
    return Benchmark(
        name=name,
        source=source,
        sha256=sha256 or _digest(prompts, answers),
        prompts=prompts,
        answers=answers,
        ids=_names(kept, roles.mapping.id, ""),
        mapping=roles.mapping,
        groups=_names(kept, roles.mapping.group, "alone: ") if roles.mapping.group else None,
        splits=_names(kept, roles.mapping.split, None) if roles.mapping.split else None,
        choices=_choices(kept, roles),
        left_out=tuple(faults),
        notes=tuple(notes),
    )


def _refuse_empty(rows: list[Row], roles: Roles, place: str) -> None:
    """Raise InputError where a whole column, or every column of a template, holds nothing."""
    inner = [column for _, column in roles.parts or () if column is not None]
    for role, columns in (("prompt", inner or [roles.mapping.prompt]), ("answer", [roles.mapping.answer])):
        if all(is_blank(cell(row.values, column)) for row in rows for column in columns):
            named = ", ".join(repr(one) for one in columns)
            many = "s" if len(columns) > 1 else ""
            raise InputError(
                f"{place}: the {role}s of column{many} {named} are empty in all {len(rows):,} rows; "
                f"fill the column{many}, or name another with --{role}"
            )


def _wanted(table: Table, roles: Roles) -> tuple[list[Row], list[str]]:
    """The rows of the split that was asked for."""
    notes = list(table.notes)
    if roles.keep is None or roles.mapping.split is None:
        return table.rows, notes
    column = roles.mapping.split
    rows = [row for row in table.rows if as_name(cell(row.values, column)) == roles.keep]
    notes.append(f"{len(rows):,} of {len(table.rows):,} rows are of the split {column}={roles.keep}")
    return rows, notes


def _usable(rows: list[Row], roles: Roles) -> tuple[list[tuple[Row, str, str]], list[LeftOut], int]:
    """(row, prompt, answer) of each row that has both, the others, and how many golds were one of several."""
    kept: list[tuple[Row, str, str]] = []
    left_out: list[LeftOut] = []
    several = 0
    answer_column = roles.mapping.answer
    for row in rows:
        try:
            prompt = _prompt(row.values, roles)
            answer, differs = as_answer(cell(row.values, answer_column))
        except UnusableError as reason:
            left_out.append(LeftOut(row.place, str(reason)))
            continue
        several += differs
        kept.append((row, prompt, answer))
    return kept, left_out, several


def _prompt(values: dict[str, Any], roles: Roles) -> str:
    """The prompt of one row; in a template an absent part is the empty text, unless all of them are."""
    if roles.parts is None:
        return as_prompt(cell(values, roles.mapping.prompt))
    out: list[str] = []
    filled = False
    for literal, column in roles.parts:
        out.append(literal)
        if column is None:
            continue
        value = cell(values, column)
        if isinstance(value, (int, float)):
            value = as_name(value)
        try:
            out.append(as_prompt(value))
            filled = True
        except UnusableError as reason:
            if value is not None and value is not MISSING and value != "":
                raise UnusableError(f"{column}: {reason}") from reason
    if not filled:
        raise UnusableError("empty prompt")
    return "".join(out)


def _names(kept: list[tuple[Row, str, str]], column: str | None, missing: str | None) -> list[str]:
    """The values of `column`; `missing` None gives an absent one the empty text, else its place after it."""
    if column is None:
        return [row.place for row, _, _ in kept]
    out: list[str] = []
    for row, _, _ in kept:
        value = as_name(cell(row.values, column))
        if value is None:
            value = "" if missing is None else f"{missing}{row.place}"
        out.append(value)
    return out


def _choices(kept: list[tuple[Row, str, str]], roles: Roles) -> list[list[str]] | None:
    """The options of each item; None where fewer than half of the items have any."""
    if not roles.choices:
        return None
    if len(roles.choices) == 1:
        found = [as_choices(cell(row.values, roles.choices[0])) for row, _, _ in kept]
    else:
        found = [
            [text for column in roles.choices if (text := as_name(cell(row.values, column))) is not None]
            for row, _, _ in kept
        ]
    return found if 2 * sum(len(one) > 1 for one in found) > len(found) else None


def _too_many(faults: list[LeftOut], total: int, allowed: float, place: str) -> str:
    """One line: how many, why, and where the first ones stand."""
    reasons = Counter(one.reason.split(":")[0] for one in faults)
    counts = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(5))
    counts += f" and {len(reasons) - 5} further reasons" if len(reasons) > 5 else ""
    first = ", ".join(f"{one.place} ({one.reason})" for one in faults[:3])
    return (
        f"{place}: {len(faults):,} of {total:,} rows cannot be used ({len(faults) / total:.1%}; "
        f"at most {allowed:.0%} are tolerated): {counts}. First: {first}. "
        "Mend the rows, or name other columns"
    )


def _digest(prompts: list[str], answers: list[str]) -> str:
    """SHA-256 of `[prompt, answer]` as JSON lines."""
    digest = hashlib.sha256()
    for pair in zip(prompts, answers):
        digest.update(msgspec.json.encode(pair) + b"\n")
    return digest.hexdigest()
