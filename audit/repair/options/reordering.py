"""A source with the options of its items in another order: written, and read again before anybody relies on it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from audit.benchmark import Benchmark, Options
from audit.formats.table import Row
from audit.reading.loading import load, read_table
from audit.reading.roles import Columns
from audit.repair.options.beside import what_would_be_wrong
from audit.repair.options.writing import UnwritableError, with_options_in_order
from audit.repair.records import Removal
from audit.repair.rows import as_content, as_written, kept_rows
from generators.errors import HansproofError

__all__ = ["SourceRows"]


class SourceRows:
    """The rows of one source, and what they become with other orders of options."""

    def __init__(self, source: Any, columns: Columns) -> None:
        """`source` may be held (`audit.reading.loading.hold`); `columns` are those that the user named."""
        self._source, self._columns = source, columns
        self._edited: dict[str, dict[str, Any]] = {}

    def refusal(self, benchmark: Benchmark, orders: dict[int, list[int]]) -> str:
        """Why the items at these places of `benchmark` cannot be written with their options in other orders, as a
        clause; empty if they can. It is `audit.repair.subject.Rewrite`.

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
        edited = as_written(self._source, self._edited)
        if any(_plain(values) != _plain(read[place]) for place, values in edited.items()):
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


def _plain(values: Any) -> str:
    """Values as JSON, in which NaN equals NaN and half a surrogate pair can be written."""
    return json.dumps(values, default=str)
