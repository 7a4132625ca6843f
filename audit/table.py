"""A table: rows with their places. Every format makes one, and `audit.columns` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.benchmark import LeftOut

__all__ = ["MISSING", "Row", "Table", "cell"]


class _Missing:
    """The type of `MISSING`."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""The value of a column that a row lacks, which is not the same as a column that holds null."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record of the source, and where it is."""

    place: str
    """`line 812` or `row 812`, counted from 1."""
    values: dict[str, Any]


@dataclass(frozen=True)
class Table:
    """All rows of one source. Reading them has succeeded; nothing else has been checked."""

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
    """The name of the benchmark where the source states it, as run logs do."""

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
