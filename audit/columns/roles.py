"""Which column plays which role: what the user named, what the format fixes, else the usual names."""

from __future__ import annotations

import string
from dataclasses import dataclass

from audit.benchmark import Mapping
from audit.columns.cells import as_name
from audit.columns.guesses import (
    Names,
    guess_answer,
    guess_choices,
    guess_group,
    guess_id,
    guess_prompt,
    guess_split,
)
from audit.table import MISSING, Table, cell, did_you_mean
from generators.errors import InputError, UsageError

__all__ = ["Columns", "Roles", "resolve"]

_ORDER = ("prompt", "answer", "group", "split", "id")


@dataclass(frozen=True)
class Columns:
    """What the user named; all optional."""

    prompt: str | None = None
    """A column, or a dotted path into nested objects."""
    answer: str | None = None
    group: str | None = None
    """The column of items that belong together."""
    split: str | None = None
    """`COLUMN`, or `COLUMN=VALUE` to keep only that split."""
    template: str | None = None
    """`{premise} {hypothesis}`: composes the prompt from columns."""
    id: str | None = None


@dataclass(frozen=True)
class Roles:
    """The roles as decided, ready to be applied to rows."""

    mapping: Mapping
    parts: tuple[tuple[str, str | None], ...] | None
    """(literal text, column) pairs of a template; None where one column is the prompt."""
    keep: str | None = None
    """The only value of the split column that is wanted."""
    choices: tuple[str, ...] = ()
    """One column of options, or several of one option each."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        own = (self.mapping.answer, self.mapping.group, self.mapping.split, self.mapping.id, *self.choices)
        parts = [self.mapping.prompt] if self.parts is None else [column for _, column in self.parts]
        return tuple(one for one in (*parts, *own) if one is not None)


def resolve(table: Table, columns: Columns, place: str) -> Roles:
    """Decide the roles. Raises InputError for a column that does not exist or cannot be guessed,
    UsageError for a prompt and a template at once, and for one column as prompt and answer.
    """
    if columns.prompt and columns.template:
        raise UsageError("a prompt column and a template were both given: name one of them")
    fixed = dict(table.defaults)
    guessed: list[str] = []

    def role(name: str, named: str | None, found: str | None) -> str | None:
        if named is not None:
            _check_column(table, named, place)
            return named
        if name in fixed:
            return fixed[name]
        if found is not None:
            guessed.append(name)
        return found

    split, keep = _split_of(table, columns.split, place)
    known = Names(table)
    group = role("group", columns.group, guess_group(known))
    split_role = role("split", split, guess_split(known))
    own = role("id", columns.id, guess_id(known, group))
    answer = role("answer", columns.answer, guess_answer(known, columns.prompt))
    prompt: str | None
    parts = None
    if columns.template:
        prompt, parts = columns.template, _parse_template(columns.template)
        for _, column in parts:
            if column is not None:
                _check_column(table, column, place)
    else:
        taken = tuple(one for one in (answer, group, split_role, own) if one is not None)
        prompt = role("prompt", columns.prompt, guess_prompt(known, answer, taken))
        if prompt is not None and "prompt" in guessed and "{" in prompt:
            parts = _parse_template(prompt)
    if prompt is None or answer is None:
        missing = "prompt" if prompt is None else "answer"
        raise InputError(
            f"{place}: no column is recognised as the {missing}; name one with --{missing}. "
            f"Columns: {_listed(table.columns)}"
        )
    if answer in ([prompt] if parts is None else [column for _, column in parts]):
        raise UsageError(
            f"{place}: column {answer!r} is both {'the prompt' if parts is None else 'in the template'} and the "
            "answer, so every answer would stand in its own prompt: name two different columns"
        )
    mapping = Mapping(prompt, answer, group, split_role, own, tuple(sorted(guessed, key=_ORDER.index)), table.format)
    return Roles(mapping, parts, keep, guess_choices(known, answer))


def _split_of(table: Table, named: str | None, place: str) -> tuple[str | None, str | None]:
    """(column, wanted value) of `COLUMN` or `COLUMN=VALUE`; a column may itself hold an equals sign."""
    if named is None or _exists(table, named) or "=" not in named:
        return named, None
    column, value = named.split("=", 1)
    _check_column(table, column, place)
    values = sorted({str(as_name(cell(row.values, column))) for row in table.rows})
    if value not in values:
        raise InputError(
            f"{place}: no row has {column}={value}.{did_you_mean(value, values)} Values: {_listed(values)}"
        )
    return column, value


def _exists(table: Table, column: str) -> bool:
    """True for a column, or a dotted path that some row has."""
    if column in table.columns:
        return True
    return "." in column and any(cell(row.values, column) is not MISSING for row in table.rows)


def _check_column(table: Table, column: str, place: str) -> None:
    """Raise InputError, with the columns there are, where `column` is none of them."""
    if not _exists(table, column):
        raise InputError(
            f"{place}: there is no column {column!r}.{did_you_mean(column, table.columns)} "
            f"Columns: {_listed(table.columns)}"
        )


def _parse_template(template: str) -> tuple[tuple[str, str | None], ...]:
    """The literal texts and columns of a template. Raises UsageError where it cannot be read."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError as error:
        raise UsageError(f"template {template!r}: {error}; write {{{{ and }}}} for plain braces") from error
    if any(spec or conversion for _, _, spec, conversion in parsed) or not any(one[1] for one in parsed):
        raise UsageError(f"template {template!r}: give columns as {{name}}, at least one, nothing else in it")
    if any(field == "" for _, field, _, _ in parsed):
        raise UsageError(f"template {template!r}: empty braces; name the column in them")
    return tuple((literal, field) for literal, field, _, _ in parsed)


def _listed(names: list[str]) -> str:
    """The first names there are, quoted."""
    shown = ", ".join(repr(one if len(one) <= 60 else one[:60] + "…") for one in names[:30])
    return shown + (f" and {len(names) - 30} more" if len(names) > 30 else "") if names else "none"
