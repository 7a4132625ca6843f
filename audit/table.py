"""Rows with their places: what every reader makes and `roles` and `items` read, whatever the format was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from audit.benchmark import LeftOut

__all__ = ["MISSING", "Row", "Table", "cell", "did_you_mean"]


class _Missing:
    """The type of `MISSING`: a row that lacks a column, which is not the same as one that holds null."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


@dataclass(frozen=True, slots=True)
class Row:
    """One record of the source and where it stands."""

    place: str
    """`line 812` or `row 812`, counted from 1."""
    values: dict[str, Any]


@dataclass(frozen=True)
class Table:
    """All rows of one source; nothing is checked yet but that they could be read."""

    format: str
    """In words, for the report: `JSONL`."""
    rows: list[Row]
    columns: list[str]
    """Every column that occurs, in order of first appearance."""
    left_out: tuple[LeftOut, ...] = ()
    """Rows that could not be read."""
    notes: tuple[str, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    """(role, column) pairs that the format itself fixes, as run logs do."""
    benchmark: str = ""
    """The benchmark's name where the source tells it, as run logs do."""

    @classmethod
    def of(cls, format: str, rows: list[Row], left_out: Sequence[LeftOut] = (), **more: Any) -> Table:
        """A table whose columns are the keys of its rows, in order of first appearance."""
        columns: dict[str, None] = {}
        for row in rows:
            columns.update(dict.fromkeys(row.values))
        return cls(format, rows, list(columns), tuple(left_out), **more)


def cell(values: dict[str, Any], column: str) -> Any:
    """The value of `column`, which may be a dotted path into nested objects; MISSING where there is none."""
    if column in values:
        return values[column]
    if "." not in column:
        return MISSING
    value: Any = values
    for part in column.split("."):
        if not isinstance(value, dict) or part not in value:
            return MISSING
        value = value[part]
    return value


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """` Did you mean 'label'?` for a slip of the pen, else the empty text."""
    folded = {one.casefold(): one for one in reversed(known)}
    close = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return f" Did you mean {folded[close[0]]!r}?" if close else ""
