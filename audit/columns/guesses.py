"""What is guessed about columns from the tables of `usual_names`; `roles` says which guesses count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from audit.columns.cells import UnusableError, as_answer, as_name, as_prompt, is_blank
from audit.columns.usual_names import (
    ANSWERS,
    CHOICES,
    COMPOSED,
    GROUPS,
    IDS,
    LAYOUTS,
    LISTED_CHOICES,
    PROMPTS,
)
from audit.table import MISSING, Table, cell

__all__ = [
    "Names",
    "guess_answer",
    "guess_choices",
    "guess_group",
    "guess_id",
    "guess_prompt",
    "guess_split",
]

_SAMPLE = 50


class Names:
    """The table's columns under folded names, and a look at the first values of each."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.folded: dict[str, str] = {}
        for column in table.columns:
            key = column.strip().casefold().replace("-", "_").replace(" ", "_")
            if key not in self.folded or column == key:
                self.folded[key] = column

    def first(self, names: tuple[str, ...], test: Callable[[Any], bool] | None = None) -> str | None:
        """The first of `names` that is a column, and whose values pass `test` where there is one."""
        for name in names:
            column = self.folded.get(name)
            if column is not None and (test is None or self.passes(column, test)):
                return column
        return None

    def passes(self, column: str, test: Callable[[Any], bool]) -> bool:
        """True where some value of the first rows passes: a faulty row must not hide its column."""
        values = (cell(row.values, column) for row in islice(self.table.rows, _SAMPLE))
        return any(test(value) for value in values if value is not None and value is not MISSING)

    def empty(self, names: tuple[str, ...]) -> str | None:
        """The first of `names` that is a column without a single value."""
        for name in names:
            column = self.folded.get(name)
            if column is not None and all(is_blank(cell(row.values, column)) for row in self.table.rows):
                return column
        return None


def _is_text(value: Any) -> bool:
    try:
        return bool(as_prompt(value))
    except UnusableError:
        return False


def _is_label(value: Any) -> bool:
    try:
        return bool(as_answer(value)[0])
    except UnusableError:
        return False


def _is_worded(value: Any) -> bool:
    """True for text with a letter in it: numbers in a table are text as well, but no prompts."""
    return _is_text(value) and any(one.isalpha() for one in as_prompt(value))


def _layout(known: Names, answer: str | None = None) -> tuple[tuple[str, ...], str, tuple[str, ...]] | None:
    """(parts, gold, options) of the first layout all of whose columns are there, with the gold `answer` if given."""
    for parts, gold, options in LAYOUTS:
        found = [known.folded.get(one) for one in (*parts, gold, *options)]
        columns = tuple(one for one in found if one is not None)
        if len(columns) < len(found) or "prompt" in known.folded:
            continue
        if answer in (None, columns[len(parts)]) and known.passes(columns[len(parts)], _is_label):
            return columns[: len(parts)], columns[len(parts)], columns[len(parts) + 1 :]
    return None


def guess_answer(known: Names, taken: str | None = None) -> str | None:
    """The gold of a known layout, else the first usual name whose values are labels, else one that holds nothing."""
    layout = _layout(known)
    if layout is not None and layout[1] != taken:
        return layout[1]
    names = tuple(one for one in ANSWERS if known.folded.get(one) != taken)
    return known.first(names, _is_label) or known.empty(names)


def guess_split(known: Names) -> str | None:
    """A column that says so itself; no other name is unmistakable."""
    return known.first(("split",))


def guess_prompt(known: Names, answer: str | None, taken: tuple[str, ...] = ()) -> str | None:
    """`prompt`, else known parts as a template, else a usual name, else the only column of text without a role.

    `taken` are the columns that have one. Where nothing else is left, a usual name that holds nothing: that can be
    said of it.
    """
    names = tuple(one for one in ("prompt", *PROMPTS) if known.folded.get(one) != answer)
    if "prompt" in names and (column := known.first(("prompt",), _is_text)) is not None:
        return column
    layout = _layout(known, answer)
    if answer is not None and layout is not None:
        return _composed(layout[0])
    for parts in COMPOSED:
        found = [column for one in parts if (column := known.first((one,), _is_text)) is not None]
        if len(found) == len(parts) and answer not in found:
            return _composed(found)
    if (column := known.first(names, _is_text)) is not None:
        return column
    rest = [one for one in known.table.columns if one not in (answer, *taken)]
    if len(rest) == 1 and known.passes(rest[0], _is_text):
        return rest[0]
    worded = [one for one in rest if known.passes(one, _is_worded)]
    return worded[0] if answer is not None and len(worded) == 1 else known.empty(names)


def _composed(columns: Sequence[str]) -> str:
    """The template that puts each column on a line of its own; one column stands for itself."""
    return columns[0] if len(columns) == 1 else "\n".join(f"{{{one}}}" for one in columns)


def guess_group(known: Names) -> str | None:
    """A column of an unmistakable name that does group: some values repeat, and not all are one."""
    for name in GROUPS:
        column = known.folded.get(name)
        if column is None:
            continue
        values = [as_name(cell(row.values, column)) for row in known.table.rows]
        present = [one for one in values if one is not None]
        if 1 < len(set(present)) < len(present) and 2 * len(present) > len(values):
            return column
    return None


def guess_id(known: Names, group: str | None) -> str | None:
    """A usual name whose values are all present and all different."""
    for name in IDS:
        column = known.folded.get(name)
        if column is None or column == group:
            continue
        values = [as_name(cell(row.values, column)) for row in known.table.rows]
        if None not in values and len(set(values)) == len(values):
            return column
    return None


def guess_choices(known: Names, answer: str) -> tuple[str, ...]:
    """The column of options, or the columns of one option each."""
    layout = _layout(known, answer)
    if layout is not None and layout[2]:
        return layout[2]
    column = known.first(CHOICES)
    if column is not None and column != answer:
        return (column,)
    for names in LISTED_CHOICES:
        found = tuple(known.folded[one] for one in names if one in known.folded)
        if len(found) >= 2 and answer not in found:
            return found
    return ()
