"""Predictions of a probe that was made elsewhere: their rows, joined to the items of a benchmark."""

from __future__ import annotations

import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from hansproof.audit.benchmark import Benchmark, Predictions
from hansproof.audit.formats.content import bare_name
from hansproof.audit.formats.table import Row, Table, as_name, as_plain, is_missing
from hansproof.audit.reading.given_options import Given
from hansproof.audit.reading.loading import Source, read_table
from hansproof.audit.reading.options import decide_golds
from hansproof.generators.errors import Fault, InputError, UsageError, near_miss

__all__ = ["GivenRows", "joined_predictions", "read_predictions"]


class GivenRows(NamedTuple):
    """The rows of one source of predictions."""

    place: str
    """The file, as it was named; the name of the predictions where there is none."""
    table: Table


_ONE = "p:"
"""How the column of the probability of one answer begins."""
_RUNS = ("repeat", "run", "split")
_NAMED = ("predicted", "prediction")
_TOLERANCE = 0.02
"""By which probabilities may miss 1: they are often rounded."""
_SHOWN = 3
_NO_NAME = re.compile(r"[^\w.+-]+")


def read_predictions(given: Source | Mapping[str, Source]) -> dict[str, GivenRows]:
    """The rows of each source by its name: `{name: source}`, or one source, named after its file.

    Raises InputError for what cannot be read, UsageError for a name that is empty, or that two sources have.
    """
    sources = dict(given) if isinstance(given, Mapping) else {_stem(given): given}
    tables: dict[str, GivenRows] = {}
    for called, source in sources.items():
        name = _NO_NAME.sub("-", called).strip("-")[:40]
        if not name or name in tables:
            raise UsageError(
                f"two predictions are called {name!r}" if name else "predictions need a name", "predictions"
            )
        table = read_table(source)
        if table.left_out:
            raise InputError(table.left_out[0].full_reason, f"{_place(source, name)}: {table.left_out[0].place}")
        tables[name] = GivenRows(_place(source, name), table)
    return tables


def _stem(source: Source) -> str:
    return bare_name(Path(os.fsdecode(source)))[0] if isinstance(source, str | os.PathLike) else "predictions"


def _place(source: Source, name: str) -> str:
    return os.fsdecode(source) if isinstance(source, str | os.PathLike) else name


@dataclass
class _Said:
    """What one row says of an item."""

    place: str
    item: int
    run: str
    fold: str | None
    chances: dict[str, float]
    """By what the file calls the answers."""


@dataclass
class _File:
    """The rows of one file on the way to `Predictions`."""

    name: str
    place: str
    benchmark: Benchmark
    table: Table
    columns: list[str] = field(init=False)
    """Those that hold what is predicted."""

    def __post_init__(self) -> None:
        every = self.table.columns
        chances = [column for column in every if column.startswith(_ONE)]
        self.columns = chances or [column for column in ("probabilities", *_NAMED) if column in every][:1]
        ids = ["id", *filter(None, [self.benchmark.mapping.id])]
        self.id = next((column for column in ids if column in every), None)
        if self.id is None or not self.columns:
            wanted = "'id'" if self.id is None else f"'predicted', 'probabilities' or '{_ONE}ANSWER'"
            raise InputError(f"has no column {wanted}; its columns are {', '.join(map(repr, every[:20]))}", self.place)
        self.run = next((column for column in _RUNS if column in every), None)
        self.is_named = self.columns[0] in _NAMED

    def said(self, places: Mapping[str, int], unknown: dict[str, None]) -> list[_Said]:
        """Every row of an item; ids that no item has are put into `unknown`. Raises InputError with all faults."""
        said, faults = [], list[Fault]()
        for row in self.table.rows:
            id = as_name(row.values.get(self.id or ""))
            if id is not None and id not in places:
                unknown[id] = None
                continue
            try:
                if id is None:
                    raise ValueError("no id")
                run = as_name(row.values.get(self.run)) if self.run else None
                fold = as_name(row.values.get("fold")) if "fold" in self.table.columns else None
                if fold is None and "fold" in self.table.columns:
                    raise ValueError("no fold, which other rows have")
                said.append(_Said(row.place, places[id], run or "", fold, self._chances(row, places[id])))
            except ValueError as error:
                faults.append(Fault(str(error), f"{self.place}: {row.place}"))
        if faults:
            raise InputError.of(faults)
        return said

    def _chances(self, row: Row, item: int) -> dict[str, float]:
        """Raises ValueError for what are no probabilities, and where nothing is predicted."""
        values = [row.values.get(column) for column in self.columns]
        if self.is_named:
            text = as_plain(values[0])
            if text is None or is_missing(values[0]) or not text.strip():
                raise ValueError("nothing is predicted")
            return {text.strip(): 1.0}
        given: Any = values[0]
        if self.columns[0].startswith(_ONE):
            given = {name[len(_ONE) :]: value for name, value in zip(self.columns, values) if not _is_empty(value)}
        elif isinstance(given, list | tuple) and self.benchmark.options is not None:
            options = self.benchmark.options.texts[item]
            if _is_drawn(self.benchmark):
                raise ValueError(f"the replies have no order of their own: name them {_called(self.benchmark)}")
            if len(given) != len(options):
                raise ValueError(f"{len(given)} probabilities for {len(options)} options")
            given = dict(zip(options, given))
        if not isinstance(given, dict) or not given:
            raise ValueError("no probabilities by answer, such as {'yes': 0.9, 'no': 0.1}")
        chances = {str(name).strip(): _probability(name, value) for name, value in given.items()}
        total = math.fsum(chances.values())
        if abs(total - 1) > _TOLERANCE:
            raise ValueError(f"the probabilities sum to {total:.4g}, not to 1")
        return chances


def _is_empty(value: Any) -> bool:
    return is_missing(value) or value == ""


def _probability(name: object, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError(f"the probability of {str(name)!r} is {value!r}, no number from 0 to 1")
    return number


def joined_predictions(benchmark: Benchmark, tables: Mapping[str, GivenRows], *, per_item: bool) -> list[Predictions]:
    """The predictions of each file for the items of a benchmark, of which each has options of its own if `per_item`.

    Rows of other items are left out if every item has its prediction: a file may cover rows that are not audited.
    Raises InputError, with the place, for items without a prediction or with two, for ids, answers and options that
    the benchmark does not have, and for probabilities that are none or do not sum to 1.
    """
    places: dict[str, int] = {}
    for place, id in enumerate(benchmark.ids):
        if places.setdefault(id, place) != place:
            raise InputError(
                f"two items are called {id!r}, so predictions cannot be joined; name the column of the ids with --id",
                benchmark.source,
            )
    options = benchmark.options
    wanted = options.usable if per_item and options is not None else range(len(benchmark.prompts))
    return [
        _joined(_File(name, of.place, benchmark, of.table), places, wanted, per_item) for name, of in tables.items()
    ]


def _joined(file: _File, places: Mapping[str, int], wanted: Collection[int], per_item: bool) -> Predictions:
    unknown: dict[str, None] = {}
    said = file.said(places, unknown)
    runs = _by_run(file, said)
    ids = file.benchmark.ids
    for run, rows in runs.items():
        missing = [ids[item] for item in wanted if item not in rows]
        if missing:
            lost = (
                f"{len(missing):,} of {len(wanted):,} items have no prediction{f' in the run {run!r}' if run else ''}"
            )
            other = f"; no item is called {_some(list(unknown))}" if unknown else ""
            raise InputError(f"{lost}: {_some(missing)}{other}", file.place)
    name_of = _option_names(file, said) if per_item else _label_names(file)
    chances: list[list[dict[str, float]]] = []
    faults: list[Fault] = []
    for rows in runs.values():
        chances.append([{} for _ in ids])
        for item, row in rows.items():
            try:
                for name, chance in row.chances.items():
                    known = name_of(name, item)
                    chances[-1][item][known] = chances[-1][item].get(known, 0.0) + chance
            except ValueError as error:
                faults.append(Fault(str(error), f"{file.place}: {row.place}"))
    if faults:
        raise InputError.of(faults)
    folds = [[rows[item].fold or "" if item in rows else "" for item in range(len(ids))] for rows in runs.values()]
    divided = any(len(set(fold)) > 1 for fold in folds)
    return Predictions(file.name, file.place, chances, folds if divided else None, file.is_named)


def _by_run(file: _File, said: Sequence[_Said]) -> dict[str, dict[int, _Said]]:
    """The rows of each run by their items. Raises InputError for a second one of an item."""
    runs: dict[str, dict[int, _Said]] = defaultdict(dict)
    for row in said:
        first = runs[row.run].setdefault(row.item, row)
        if first is not row:
            raise InputError(
                f"a second prediction for {file.benchmark.ids[row.item]!r}, beside that in {first.place}; runs are "
                f"told apart by a column 'repeat'",
                f"{file.place}: {row.place}",
            )
    if not runs:
        raise InputError("none of its ids is that of an item", file.place)
    return runs


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(map(repr, names[:_SHOWN])) + (f" and {more:,} more" if more > 0 else "")


def _label_names(file: _File) -> Callable[[str, int], str]:
    known = dict.fromkeys(file.benchmark.answers)

    def name_of(name: str, item: int) -> str:
        if name not in known:
            raise ValueError(
                f"{name!r} is no answer of the benchmark.{near_miss(name, known)} Known: {_some([*known])}"
            )
        return name

    return name_of


def _option_names(file: _File, said: Sequence[_Said]) -> Callable[[str, int], str]:
    """By the one reading that fits all rows best, as golds are read: the text, a letter, a number from 0 or from 1.

    Replies to prompts may be named by their columns, and must be where their order was drawn.
    """
    options = file.benchmark.options
    assert options is not None
    if all(name in file.benchmark.mapping.choices for row in said for name in row.chances):
        return lambda name, item: _by_column(file.benchmark, name, item)
    if _is_drawn(file.benchmark):
        raise InputError(
            f"the replies have no order of their own: name them {_called(file.benchmark)} in the predictions",
            file.place,
        )
    every = dict.fromkeys((name, row.item) for row in said for name in row.chances)
    pairs = [pair for pair in every if options.texts[pair[1]]]
    golds = decide_golds([name for name, _ in pairs], [Given.of(options.texts[item]) for _, item in pairs])
    if golds.refusal:
        raise InputError(
            "its options can be read in two ways, as numbers from 0 or from 1 or as texts; name them by letters or "
            "by their texts",
            file.place,
        )
    read = dict(zip(pairs, golds.index))

    def name_of(name: str, item: int) -> str:
        place = read.get((name, item), -1)
        if place < 0:
            raise ValueError(f"{name!r} names no option of the item {file.benchmark.ids[item]!r}")
        return options.texts[item][place]

    return name_of


def _is_drawn(benchmark: Benchmark) -> bool:
    """Whether options are replies in an order that was drawn, because columns say which was chosen."""
    return benchmark.options is not None and benchmark.options.pairs and not benchmark.options.ordered


def _called(benchmark: Benchmark) -> str:
    return " or ".join(map(repr, benchmark.mapping.choices))


def _by_column(benchmark: Benchmark, name: str, item: int) -> str:
    """The option that stands in the column `name`: a drawn order begins, as the columns do, with the chosen one."""
    assert benchmark.options is not None
    options, gold = benchmark.options.texts[item], benchmark.options.gold[item]
    columns, places = benchmark.mapping.choices, list(range(len(options)))
    if _is_drawn(benchmark):
        places.sort(key=lambda place: place != gold)
    if len(options) != len(columns):
        raise ValueError(f"{len(columns)} columns for {len(options)} options, so that columns do not name them")
    return options[places[columns.index(name)]]
