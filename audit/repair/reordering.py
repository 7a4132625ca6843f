"""A source with the options of its items in another order: written in its own form, and read again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hansproof.audit.benchmark import Benchmark, Options
from hansproof.audit.formats.given import as_json
from hansproof.audit.formats.table import MISSING, Row, as_plain, cell
from hansproof.audit.reading.given_options import (
    LABEL_KEYS,
    LABEL_NAMES,
    TEXT_KEYS,
    Given,
    flags_of,
    from_cell,
    from_columns,
    read_literal,
)
from hansproof.audit.reading.loading import load, read_table
from hansproof.audit.reading.printed_options import mark_of
from hansproof.audit.reading.roles import Columns
from hansproof.audit.repair.records import Removal
from hansproof.audit.repair.rows import as_content, dumped_like, kept_rows
from hansproof.generators.errors import HansproofError

__all__ = ["SourceRows"]

# What else in a row says where the right option stands, and would say so wrongly once the options are reordered.

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


# `order` says which of the options that are there now stands first, second, ..., from 0. Whether the row then says what
# it should is for the caller to find out by reading it.

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


class SourceRows:
    """The rows of one source, and what they become with other orders of options."""

    def __init__(self, source: Any, columns: Columns) -> None:
        """`source` may be held (`audit.reading.loading.hold`); `columns` are those that the user named."""
        self._source, self._columns = source, columns
        self._edited: dict[str, dict[str, Any]] = {}

    def refusal(self, benchmark: Benchmark, orders: dict[int, list[int]]) -> str:
        """Why the items at these places of `benchmark` cannot be written with their options in other orders, as a
        clause; empty if they can. It is `audit.repair.items.Rewrite`.

        The rows are written and read again: they must give the same questions, the options in the new order, and the
        same right options; all else in them must be as it was.
        """
        options, columns = benchmark.options, benchmark.mapping.choices
        assert options is not None
        if any(question != prompt for question, prompt in zip(options.questions, benchmark.prompts, strict=True)):
            return "the prompts print the options"
        if not columns or benchmark.places is None:
            return "no column has the options"
        by_place = {row.place: row for row in read_table(self._source).rows}
        if not by_place.keys() >= set(benchmark.places):
            return "the items are no rows of the source"
        rows = [by_place[place] for place in benchmark.places]
        known = (*columns, benchmark.mapping.answer, *(f"{column.rpartition('.')[0]}.label" for column in columns))
        wrong = what_would_be_wrong([row.values for row in rows], options.gold, list(map(len, options.texts)), known)
        if wrong:
            return wrong
        reason = ""
        for points in (False, True):
            try:
                self._edited = self._written_with(rows, benchmark, orders, points)
            except UnwritableError as error:
                reason = str(error)
                continue
            reason = self._reads_wrong(benchmark, orders)
            if not reason:
                return ""
        self._edited = {}
        return reason

    def written(self, places: Sequence[str], removed: Sequence[Removal]) -> bytes:
        """The rows at `places`, with the options of those reordered that `removed` says were."""
        moved = {removal.place for removal in removed if removal.order is not None}
        edited = {place: values for place, values in self._edited.items() if place in moved}
        return kept_rows(self._source, places, edited)

    def _written_with(
        self, rows: Sequence[Row], benchmark: Benchmark, orders: dict[int, list[int]], points: bool
    ) -> dict[str, dict[str, Any]]:
        options, mapping = benchmark.options, benchmark.mapping
        assert options is not None
        return {
            rows[at].place: with_options_in_order(
                rows[at].values, mapping.choices, mapping.answer, order, options.gold[at], points=points
            )
            for at, order in orders.items()
        }

    def _reads_wrong(self, benchmark: Benchmark, orders: dict[int, list[int]]) -> str:
        """What is not as it should be in the rows as they would be written; empty if nothing is."""
        places, options = benchmark.places, benchmark.options
        assert places is not None
        assert options is not None
        try:
            content = as_content(self._source, kept_rows(self._source, places, self._edited))
            again = load(content, _as_read(self._columns, benchmark), max_left_out=0.0)
            rows = read_table(content).rows
        except (HansproofError, UnwritableError, RecursionError, UnicodeError) as error:
            return f"the rows cannot be written so that they can be read again ({error})"
        if len(rows) != len(places) or again.options is None or not _same_options(again.options, options, orders):
            return "the rows as they would be written are read otherwise"
        if again.prompts != benchmark.prompts:
            return "the prompts would not be as they were"
        read = {place: row.values for place, row in zip(places, rows, strict=True)}
        if any(as_json(values) != as_json(read[place]) for place, values in self._edited.items()):
            return "other columns would not be as they were"
        return ""


def _same_options(now: Options, then: Options, orders: dict[int, list[int]]) -> bool:
    """Whether the options stand in the new orders, with the same ones right."""
    if len(now.texts) != len(then.texts) or any(now.faults):
        return False
    for at, (texts, gold) in enumerate(zip(then.texts, then.gold, strict=True)):
        order = orders.get(at, range(len(texts)))
        if now.texts[at] != [texts[place] for place in order] or now.texts[at][now.gold[at]] != texts[gold]:
            return False
    return True


def _as_read(columns: Columns, benchmark: Benchmark) -> Columns:
    """The columns by name, so that they are not guessed anew from other values."""
    mapping = benchmark.mapping
    if columns.recipe is not None:
        return columns
    composed = columns.template is None and columns.prompt is None and "{" in mapping.prompt
    return replace(
        columns,
        prompt=columns.prompt if composed or columns.template else mapping.prompt,
        template=mapping.prompt if composed else columns.template,
        answer=mapping.answer,
        choices=",".join(mapping.choices),
    )
