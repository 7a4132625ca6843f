"""Names of the parts into which a column cuts items: subsets, conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from audit.formats.table import as_name, bare
from audit.notation import things

__all__ = ["NO_VALUE", "part_names", "without_value"]

NO_VALUE: Final = "(no value)"
"""The part of the items whose cell is empty, null, NaN or blank."""

_EXACT: Final = 2**53
"""Whole numbers below it are themselves as floats."""


def part_names(values: Iterable[Any]) -> list[str | None]:
    """The name of the part that each value puts its item into; None where there is no value.

    Numbers are called by their value, so that 1 and 1.0 are one part: a column of whole numbers with a gap is a column
    of floats to many programs. Texts stay as they are written.
    """
    return [as_name(_whole(value)) for value in values]


def without_value(names: Sequence[str | None], column: str, what: str) -> tuple[list[str], str]:
    """The names with `NO_VALUE` (or, where a part is called so, that in more brackets) for None, and a note that counts
    those; no note where there is none. `what` the parts are is a singular noun."""
    none = NO_VALUE
    while none in names:
        none = f"({none})"
    count = sum(name is None for name in names)
    note = ""
    if count:
        have, their = ("has", "its") if count == 1 else ("have", "their")
        every = things(len(names), "item")
        note = f"{count:,} of {every} {have} no value in column {column!r}: {their} {what} is {none!r}"
    return [none if name is None else name for name in names], note


def _whole(value: Any) -> Any:
    value = bare(value)
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT else value
