"""What else in a row says where the right option stands, and would say so wrongly once the options are reordered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from audit.formats.table import as_plain
from audit.reading.printed_options import mark_of

__all__ = ["what_would_be_wrong"]

_SAME = 0.98
"""Share of the rows in which a column agrees with the gold by which it is taken to be one."""
_NAMING = 0.05
"""Share of the rows whose text names the right option by its letter or number, beyond which that is no accident."""

_NAMED = re.compile(
    r"\b(?i:answer|ans|option|choice)s?\b\W{0,3}(?:is\b\W{0,3})?(?:([A-Z]|\d)\b(?!['’])|(?<=['\"(])([a-z])(?=['\")]))"
)
"""`The answer is B`, `option (b)`, but not `the answer is a dog`."""
_LONG = 2_000
"""Characters of a text that are looked at, at its beginning and at its end."""


def what_would_be_wrong(
    rows: Sequence[dict[str, Any]], golds: Sequence[int], sizes: Sequence[int], known: Collection[str]
) -> str:
    """A clause on the first column that would be; empty if there is none.

    `golds` are the places of the right options, from 0, and `sizes` the numbers of options; `known` are the columns of
    the options and of the answer, which are written anew.
    """
    seen: Counter[str] = Counter()
    telling: Counter[tuple[str, str]] = Counter()
    for values, gold, size in zip(rows, golds, sizes, strict=True):
        for column, value in _flat(values, known):
            seen[column] += 1
            telling.update((column, how) for how in _tells(value, gold, size))
    for (column, how), count in telling.items():
        if how == "named" and count > max(_NAMING * seen[column], 2):
            return f"column {column!r} names options by their letters or numbers"
        if how != "named" and count >= _SAME * seen[column] and 2 * seen[column] > len(rows):
            if how == "list":
                return f"column {column!r} has an entry for each option, whose order would no longer be theirs"
            return f"column {column!r} tells the place of the right option too"
    return ""


def _tells(value: Any, gold: int, size: int) -> Iterator[str]:
    """In which ways a value may say where the gold stands."""
    if isinstance(value, (list, tuple)):
        if len(value) == size:
            yield "list"
        return
    text = as_plain(value)
    if text is None:
        return
    text = text.strip()
    if len(text) < 10:
        mark = mark_of(text.removesuffix(".0"))
        wanted = {"letter": chr(ord("a") + gold), "0": str(gold), "1": str(gold + 1)}
        yield from (how for how, name in wanted.items() if mark == name)
        return
    if text[0] == "[" and text[-1] == "]" and text.count(",") == size - 1:
        yield "list"
    parts = (text,) if len(text) <= 2 * _LONG else (text[:_LONG], text[-_LONG:])
    marks = {(match[1] or match[2]).casefold() for part in parts for match in _NAMED.finditer(part)}
    if marks & {chr(ord("a") + gold), str(gold + 1)}:
        yield "named"


def _flat(values: dict[str, Any], known: Collection[str], head: str = "", depth: int = 3) -> Iterator[tuple[str, Any]]:
    """Every value with its column, a dotted path within objects, without those of the `known` columns."""
    for name, value in values.items():
        column = f"{head}{name}"
        if column in known:
            continue
        if isinstance(value, dict) and depth:
            yield from _flat(value, known, f"{column}.", depth - 1)
        else:
            yield column, value
