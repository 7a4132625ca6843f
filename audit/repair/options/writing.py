"""The options of one row in another order, in the row's own form. What cannot be written so is refused.

`order` says which of the options that are there now stands first, second, ..., from 0. Whether the row then says what
it should is for the caller to find out by reading it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from audit.formats.table import MISSING, cell
from audit.reading.given_options import (
    LABEL_KEYS,
    LABEL_NAMES,
    TEXT_KEYS,
    Given,
    flags_of,
    from_cell,
    from_columns,
    read_literal,
)
from audit.repair.rows import dumped_like

__all__ = ["UnwritableError", "with_options_in_order"]

_POINTER = re.compile(r"(.*?)(\d{1,2}|(?<![A-Za-z])[A-Za-z]|(?<=[a-z])[A-Z])([)\].:\s]*)", re.S)


class UnwritableError(ValueError):
    """The options of a row cannot be written in another order; the reason is a clause."""


def with_options_in_order(
    values: dict[str, Any], columns: Sequence[str], answer: str, order: Sequence[int], gold: int, *, points: bool
) -> dict[str, Any]:
    """A copy of a row with its options, in one of `columns` or one in each, in the given order.

    `gold` is the place of the right one before; `points` says that the answer is a letter or number that points at it,
    which then changes too. Raises UnwritableError.
    """
    before = _given(values, columns)
    if sorted(order) != list(range(len(before.texts))):
        raise UnwritableError("the options of a row are not where those of the others are")
    now = dict(values)
    if len(columns) > 1:
        cells = [cell(values, column) for column in columns]
        for column, value in zip(columns, _in_order(cells, before, order), strict=True):
            now = _with_cell(now, column, value)
    else:
        (column,) = columns
        now = _with_cell(now, column, _ordered(cell(values, column), before, order))
    if _given(now, columns).texts != tuple(before.texts[place] for place in order):
        raise UnwritableError(f"the form of the options in {', '.join(map(repr, columns))} cannot be kept")
    given = cell(values, answer)
    flags = flags_of(given)
    if flags is not None and len(flags) == len(order):
        return _with_cell(now, answer, _ordered(given, before, order))
    by = before.places[list(order).index(gold)] - before.places[gold]
    if points:
        return _with_cell(now, answer, _pointing(given, by))
    text = before.texts[gold]
    if isinstance(given, str) and given.strip() != text and given.endswith(text):  # `B. fish`
        return _with_cell(now, answer, _pointing(given.removesuffix(text), by) + text)
    return now


def _given(values: dict[str, Any], columns: Sequence[str]) -> Given:
    if len(columns) > 1:
        return from_columns(values, columns, [""] * len(columns))
    (column,) = columns
    return from_cell(cell(values, column))


def _with_cell(values: dict[str, Any], column: str, value: Any) -> dict[str, Any]:
    """A copy with another value in `column`, which may be a dotted path."""
    if column in values:
        return {**values, column: value}
    head, _, rest = column.partition(".")
    if not rest or not isinstance(values.get(head), dict):
        raise UnwritableError(f"there is no column {column!r} in a row")
    return {**values, head: _with_cell(values[head], rest, value)}


def _ordered(value: Any, given: Given, order: Sequence[int]) -> Any:
    """The options in one value, whatever its form."""
    if isinstance(value, str):
        inner, dump = _spelled(value)
        return dump(_ordered(inner, given, order))
    if isinstance(value, (list, tuple)):
        return _in_order(value, given, order)
    if not isinstance(value, dict):
        raise UnwritableError("an enumeration in one text cannot be reordered")
    key = next((key for key in TEXT_KEYS if isinstance(value.get(key), (list, tuple))), None)
    if key is None:
        return _in_object(value, given, order)
    now = {**value, key: _in_order(value[key], given, order)}
    for name, inner in value.items():
        if name == key or not isinstance(inner, (list, tuple)):
            continue
        if name not in LABEL_KEYS:
            raise UnwritableError(f"the list {name!r} beside the options would have to be reordered with them")
        if given.gold >= 0:  # scores belong to their texts; letters belong to their places
            now[name] = _in_order(inner, given, order)
    return now


def _in_object(value: dict[Any, Any], given: Given, order: Sequence[int]) -> dict[Any, Any]:
    """Letters to texts keep their letters; texts to scores change places."""
    if given.marks:
        return dict(zip(value, _in_order(list(value.values()), given, order), strict=True))
    return dict(_in_order(list(value.items()), given, order))


def _in_order(values: Sequence[Any], given: Given, order: Sequence[int]) -> list[Any]:
    """The values at the places of the options in another order; missing options stay where they are."""
    if len(values) <= max(given.places, default=0):
        raise UnwritableError("a list beside the options has fewer entries")
    now = list(values)
    for place, other in enumerate(order):
        here, there = given.places[place], given.places[other]
        now[here] = _instead(values[here], values[there], given.texts[place], given.texts[other])
    return now


def _instead(here: Any, there: Any, old: str, new: str) -> Any:
    """What stands in a place once the option `old` makes way for `new`: a letter before it, or beside it, stays."""
    if isinstance(here, dict) and isinstance(there, dict):
        return {**there, **{name: here[name] for name in LABEL_NAMES if name in here}}
    if isinstance(here, str) and isinstance(there, str) and here.strip() != old:
        head, same, tail = here.rpartition(old)
        if not same or not there.rstrip().endswith(new):
            raise UnwritableError("the letters before the options cannot be told from them")
        return f"{head}{new}{tail}"
    return there


def _spelled(text: str) -> tuple[Any, Callable[[Any], str]]:
    """The list or object that a text spells, and how to spell another one like it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        return value, lambda other: dumped_like(text, other)
    try:
        value = read_literal(text)
    except ValueError:
        value = None
    if not isinstance(value, (list, dict)) or repr(value) != text:
        raise UnwritableError("the options stand in one text, in a form that cannot be kept")
    return value, repr


def _pointing(answer: Any, by: int) -> Any:
    """An answer that points `by` places further: 3 for 1, `(C)` for `(A)`, `option3` for `option1`."""
    if isinstance(answer, (list, tuple)) and len(answer) == 1:
        return [_pointing(answer[0], by)]
    if isinstance(answer, int) and not isinstance(answer, bool):
        return answer + by
    if isinstance(answer, float) and answer == int(answer):
        return answer + by
    match = _POINTER.fullmatch(answer) if isinstance(answer, str) and len(answer) < 100 else None
    if match is None or answer is MISSING:
        raise UnwritableError("the answers point at options in a form that cannot be changed")
    head, mark, tail = match.groups()
    moved = str(int(mark) + by) if mark.isdigit() else chr(ord(mark) + by)
    if mark.isalpha() and not (moved.isascii() and moved.isalpha()):
        raise UnwritableError("the answers point at options by letters that do not follow each other")
    return f"{head}{moved}{tail}"
