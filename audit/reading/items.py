"""From rows and roles to a `Benchmark`, with notes on what a reader should know of it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from hansproof.audit.benchmark import FIRST_USED, Benchmark, LeftOut, differ
from hansproof.audit.formats.column_names import folded as column_name
from hansproof.audit.formats.table import (
    MISSING,
    Row,
    Table,
    UnusableError,
    as_answers,
    as_name,
    as_prompt,
    cell,
    is_tied,
    said_by_assistant,
)
from hansproof.audit.notation import things
from hansproof.audit.reading.guesses import joined_values, parts_of
from hansproof.audit.reading.options import flagged, folded, given_in, options_of, unread
from hansproof.audit.reading.roles import Roles
from hansproof.audit.reading.task_kind import FEWEST, open_ended
from hansproof.generators.errors import InputError

__all__ = ["check_rows", "items_of", "unasked_numbers"]

_SHOWN = 5
_ANNOTATOR = re.compile(r"(?:annotator_?labels?|label_?1)")
"""Columns of what each annotator said, whose majority is the gold; a row without one has `-` (Bowman et al. 2015)."""
_NUMBER = re.compile(r"[-−]?[$€£]?\d[\d,]*(?:\.\d+)?%?")
_FEWEST_NUMBERS, _MOSTLY, _MOST_READ = 6, 0.9, 5000
"""Different numbers among the answers, and the share that must be numbers, before they may be results; prompts read."""


def similar_labels(answers: Sequence[str]) -> list[str]:
    """A note on answers that differ only in case or white space; they are kept apart."""
    counts = Counter(answers)
    by_folded: dict[str, list[str]] = {}
    for label in sorted(counts):
        by_folded.setdefault(folded(label), []).append(label)
    similar = [labels for labels in by_folded.values() if len(labels) > 1]
    if not similar:
        return []
    shown = "; ".join(", ".join(f"{label!r} ({counts[label]:,})" for label in labels) for labels in similar[:_SHOWN])
    more = f" and {len(similar) - _SHOWN:,} more" if len(similar) > _SHOWN else ""
    return [f"answers that differ only in case or white space are kept apart: {shown}{more}"]


def unasked_numbers(prompts: Sequence[str], answers: Sequence[str]) -> list[str]:
    """A note on labels that may be numbers to be read from the prompts or calculated: few different ones, but results.

    Most prompts must have two numbers or more.
    """
    counts = Counter(answers)
    numbers = {label: count for label, count in counts.items() if _NUMBER.fullmatch(label)}
    if len(numbers) < _FEWEST_NUMBERS or sum(numbers.values()) < _MOSTLY * len(answers):
        return []
    sample = prompts[:: max(1, len(prompts) // _MOST_READ)]
    if 2 * sum(len(_NUMBER.findall(prompt[:_MOST_READ])) > 1 for prompt in sample) < len(sample):
        return []
    return [
        f"the answers are {len(numbers):,} different numbers, which were audited as labels; if they are to be read "
        f"from the prompt or calculated, audit again with --task open"
    ]


class _Item(NamedTuple):
    """A row that can be used."""

    row: Row
    prompt: str
    accepted: tuple[str, ...]
    """The gold answers, of which the first is a probe's label."""


def check_rows(table: Table, place: str, max_left_out: float) -> None:
    """Raise InputError for a table without a single readable row."""
    if not table.rows:
        lost, none = list(table.left_out), "; ".join(["no rows, so there are no items", *table.notes])
        raise InputError(_too_many(lost, len(lost), max_left_out) if lost else none, place)


def items_of(
    table: Table,
    roles: Roles,
    *,
    name: str,
    source: str,
    sha256: str | None,
    max_left_out: float,
    predicted: bool = True,
) -> Benchmark:
    """The benchmark. `sha256=None` digests the canonical rows (prompt and answer as JSON lines).

    Raises InputError if more than `max_left_out` of the rows are unusable, and, where answers are to be `predicted`, if
    only one label occurs in `FEWEST` items or more (with fewer that happens by chance, and `kind` says that they are
    too few).
    """
    rows, notes = _wanted(table, roles)
    wanted, rows = rows, _without_replies(rows, roles)
    if rows is not wanted:
        notes.append("the assistant's last turn says the answer, so it was taken off the prompt")
    items, left_out = _usable(rows, roles)
    if roles.part is None and not open_ended([item.accepted[0] for item in items]):
        ties = [is_tied(cell(item.row.values, roles.mapping.answer)) for item in items]
        left_out += [LeftOut(item.row.place, "two golds weigh the same") for item, tie in zip(items, ties) if tie]
        items = [item for item, tie in zip(items, ties) if not tie]
    several = sum(len(item.accepted) > 1 for item in items)
    all_left_out = [*table.left_out, *left_out]
    total = len(rows) + len(table.left_out)
    if len(all_left_out) > max_left_out * total:
        raise InputError(_too_many(all_left_out, total, max_left_out), source)
    if not items:
        raise InputError("no usable rows, so there are no items", source)
    prompts, spelt = [item.prompt for item in items], {item.accepted[0] for item in items}
    # `1.0` is `1` where both occur: tables write the number of a class in either way.
    whole = {answer: answer.removesuffix(".0") for answer in spelt if answer.removesuffix(".0") in spelt}
    answers = [whole.get(item.accepted[0], item.accepted[0]) for item in items]
    labels = sorted(set(answers))
    used = [item.row for item in items]
    given = given_in(used, roles.mapping.choices)
    if given is None and "choices" not in roles.mapping.guessed and roles.mapping.choices:
        raise InputError(_no_choices(roles.mapping.choices), source)
    accepted = [(own, *item.accepted[1:]) for own, item in zip(answers, items)] if several else None
    options = options_of(prompts, answers, given, roles.mapping.choices, roles.mapping.answer, accepted)
    if options is None and given is None:
        options = unread(used, roles.mapping.choices, answers)
    told = differ(options) or (options is not None and not options.usable)
    if predicted and len(labels) == 1 and len(items) >= FEWEST and not told:
        raise InputError(
            f"only one answer occurs: all {len(items):,} answers are {labels[0]!r}, "
            f"so there is nothing to predict (the answers come from {roles.mapping.answer!r})",
            source,
        )
    groups = _names(items, roles.mapping.group, "alone: ") if roles.mapping.group else None
    if roles.mapping.sources:
        groups = joined_values(used, roles.mapping.sources)
    if several:
        subject = "1 item has" if several == 1 else f"{several:,} items have"
        notes.append(f"{subject} several acceptable answers that differ; {FIRST_USED}")
    notes.extend(similar_labels(answers))
    return Benchmark(
        name=name,
        source=source,
        sha256=sha256 or _digest(prompts, answers),
        prompts=prompts,
        answers=answers,
        ids=_names(items, roles.mapping.id, ""),
        mapping=roles.mapping,
        groups=groups,
        splits=_names(items, roles.mapping.split, None) if roles.mapping.split else None,
        choices=None if given is None else [list(item.texts) for item in given],
        options=options,
        accepted=accepted,
        left_out=tuple(all_left_out),
        notes=tuple(notes),
        places=[row.place for row in used],
        parts=parts_of(used, roles.fields),
    )


def _wanted(table: Table, roles: Roles) -> tuple[list[Row], list[str]]:
    """The rows of the requested split on whose label annotators agreed, and the notes so far."""
    rows, notes, column, answer = table.rows, list(table.notes), roles.mapping.split, roles.mapping.answer
    if roles.keep is not None and column is not None:
        rows = [row for row in rows if as_name(cell(row.values, column)) == roles.keep]
        notes.append(f"{len(rows):,} of {len(table.rows):,} rows are in the split {column}={roles.keep}")
    if column_name(answer) == "gold_label" or any(_ANNOTATOR.fullmatch(column_name(name)) for name in table.columns):
        decided = [row for row in rows if as_name(cell(row.values, answer)) != "-"]
        if aside := len(rows) - len(decided):
            rows = decided
            notes.append(f"left out: {things(aside, 'row')} on whose label annotators did not agree ({answer} is '-')")
    return rows, notes


def _usable(rows: list[Row], roles: Roles) -> tuple[list[_Item], list[LeftOut]]:
    """The rows that have a prompt and an answer, and the others."""
    items: list[_Item] = []
    left_out: list[LeftOut] = []
    answer_column = roles.mapping.answer
    for row in rows:
        try:
            prompt = _prompt(row.values, roles)
            value = cell(row.values, answer_column)
            if roles.part is not None:
                value = roles.part(value)
            elif (right := flagged(value, row, roles.mapping.choices)) is not None:
                value = right
            accepted = as_answers(value)
        except UnusableError as error:
            left_out.append(LeftOut(row.place, error.reason, error.detail))
            continue
        items.append(_Item(row, prompt, accepted))
    return items, left_out


def _without_replies(rows: list[Row], roles: Roles) -> list[Row]:
    """The rows, whose chats end before what the assistant says last, where that is the gold answer in most of them.

    A reply that is to be judged does not say it, and stays.
    """
    column, told, shorter = roles.mapping.prompt, 0, []
    for row in rows:
        chat = cell(row.values, column)
        turn = chat[-1] if isinstance(chat, (list, tuple)) and len(chat) > 1 else None
        if (last := said_by_assistant(turn)) is None:
            shorter.append(row)
            continue
        gold, said = (folded(as_name(of) or "") for of in (cell(row.values, roles.mapping.answer), last))
        told += bool(gold and re.search(rf"(?<!\w){re.escape(gold)}(?!\w)", said))
        shorter.append(Row(row.place, {**row.values, column: chat[:-1]}))
    return shorter if 2 * told > len(rows) else rows


def _prompt(values: dict[str, Any], roles: Roles) -> str:
    """The prompt of one row. In a template a missing part is the empty text; UnusableError if all are missing."""
    if roles.parts is None:
        return as_prompt(cell(values, roles.mapping.prompt))
    pieces: list[str] = []
    filled = False
    for literal, column in roles.parts:
        pieces.append(literal)
        if column is None:
            continue
        value = cell(values, column)
        if isinstance(value, (int, float)):
            value = as_name(value)
        try:
            pieces.append(as_prompt(value))
            filled = True
        except UnusableError as error:
            if value is not None and value is not MISSING and value != "":
                raise UnusableError(f"{error.reason} (column {column!r})") from error
    if not filled:
        raise UnusableError("empty prompt")
    return "".join(pieces)


def _names(items: list[_Item], column: str | None, prefix: str | None) -> list[str]:
    """The values of `column`. For a missing one, `prefix` and the place of the row; the empty text if it is None."""
    if column is None:
        return [item.row.place for item in items]
    names: list[str] = []
    for item in items:
        name = as_name(cell(item.row.values, column))
        if name is None:
            name = "" if prefix is None else f"{prefix}{item.row.place}"
        names.append(name)
    return names


def _no_choices(columns: Sequence[str]) -> str:
    named = ", ".join(repr(column) for column in columns)
    if len(columns) > 1:
        return f"columns {named} do not hold at least two options in most rows; name others with --choices"
    return (
        f"column {named} does not hold lists of options: expected a list of texts, an object of texts, or several "
        f"columns with one option each (--choices a,b,c)"
    )


def _too_many(left_out: list[LeftOut], total: int, allowed: float) -> str:
    """One line: how many rows, for which reasons, and where the first ones are."""
    reasons = Counter(row.reason for row in left_out)
    counts = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(5))
    counts += f" and {len(reasons) - 5} further reasons" if len(reasons) > 5 else ""
    first = ", ".join(f"{row.place} ({row.full_reason})" for row in left_out[:3])
    return (
        f"{len(left_out):,} of {total:,} rows are unusable ({len(left_out) / total:.1%}; "
        f"at most {allowed:.0%} may be): {counts}. First: {first}. Fix the rows, or name other columns"
    )


def _digest(prompts: list[str], answers: list[str]) -> str:
    """SHA-256 of `[prompt, answer]` as JSON lines."""
    digest = hashlib.sha256()
    for pair in zip(prompts, answers):
        digest.update(msgspec.json.encode(pair) + b"\n")
    return digest.hexdigest()
