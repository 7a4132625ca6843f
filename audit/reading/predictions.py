"""Predictions of a probe that was made elsewhere: their rows, joined to the items of a benchmark."""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from hansproof.audit.benchmark import Benchmark, Predictions
from hansproof.audit.formats.content import bare_name
from hansproof.audit.formats.given import called, given
from hansproof.audit.formats.table import Row, Table, as_name, is_blank
from hansproof.audit.notation import one_line
from hansproof.audit.reading.given_options import Given, column_marks
from hansproof.audit.reading.loading import Source, read_table
from hansproof.audit.reading.options import decide_golds
from hansproof.generators.errors import Fault, InputError, UsageError, unknown

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
_SHOWN, _WIDTH = 3, 60
"""Names that a message shows, and characters of each: options may be long."""
_NO_NAME = re.compile(r"[^\w.+-]+")

_ToChoose: TypeAlias = Mapping[int, Given | None]
"""The options of each item that needs a prediction; None where all have the same labels."""


def read_predictions(sources: Source | Mapping[str, Source]) -> dict[str, GivenRows]:
    """The rows of each source by its name: `{name: source}`, or one source, named after its file.

    Raises InputError for what cannot be read, UsageError for a name that is empty, or that two sources have.
    """
    if not isinstance(sources, Mapping):
        is_path = isinstance(sources, str | os.PathLike)
        sources = {bare_name(Path(os.fsdecode(sources)))[0] if is_path else "predictions": sources}
    tables: dict[str, GivenRows] = {}
    for wanted, source in sources.items():
        name = _NO_NAME.sub("-", str(wanted)).strip("-")[:40]
        if not name or name in tables:
            raise UsageError(
                f"two predictions are called {name!r}" if name else "predictions need a name", "predictions"
            )
        held = given(source, name)
        table, place = read_table(held), called(held)
        if table.left_out:
            raise InputError(table.left_out[0].full_reason, f"{place}: {table.left_out[0].place}")
        tables[name] = GivenRows(place, table)
    return tables


def joined_predictions(benchmark: Benchmark, tables: Mapping[str, GivenRows], *, per_item: bool) -> list[Predictions]:
    """The predictions of each file for the items of a benchmark, of which each has options of its own if `per_item`.

    Rows of other items are left out if every item has its prediction: a file may cover rows that are not audited.
    Raises InputError, with the place, for items without a prediction or with two, for ids, answers and options that
    the benchmark does not have, and for probabilities that are none or do not sum to 1.
    """
    id, times = Counter(benchmark.ids).most_common(1)[0]
    if times > 1:
        raise InputError(
            f"two items are called {id!r}, so predictions cannot be joined; name the column of the ids with --id",
            benchmark.source,
        )
    usable = benchmark.options.usable if per_item and benchmark.options is not None else range(len(benchmark.ids))
    options = {item: _options(benchmark, item) if per_item else None for item in usable}
    return [_joined(name, rows, benchmark, options) for name, rows in tables.items()]


def _options(benchmark: Benchmark, item: int) -> Given:
    """The options of an item, by the columns that they stand in if each has one.

    Where their order was drawn because columns say which reply was chosen, they have no places. The first of two
    columns is that of the gold; which text stood in which of several others is not known.
    """
    options, columns = benchmark.options, list(benchmark.mapping.choices)
    assert options is not None
    texts, drawn = tuple(options.texts[item]), options.pairs and not options.ordered
    if len(columns) != len(texts) or (drawn and len(columns) > 2):
        columns = []
    if not drawn:
        return Given.of(texts, column_marks(columns) if columns else (), columns=columns)
    return Given(texts, columns=tuple(columns if options.gold[item] == 0 else reversed(columns)))


class _Said(NamedTuple):
    """What one row says of an item."""

    place: str
    fold: str
    chances: dict[str | int, float]
    """By what the file calls the answers, or by their places in a list."""


def _joined(name: str, rows: GivenRows, benchmark: Benchmark, options: _ToChoose) -> Predictions:
    every, ids, labels = rows.table.columns, benchmark.ids, dict.fromkeys(benchmark.answers)
    said = [column for column in every if column.startswith(_ONE)]
    said = said or [column for column in ("probabilities", *_NAMED) if column in every][:1]
    usual = (("id", benchmark.mapping.id), _RUNS, ("fold",))
    where = [next((column for column in names if column in every), None) or "" for names in usual]
    if not where[0] or not said:
        wanted = f"'predicted', 'probabilities' or '{_ONE}ANSWER'" if where[0] else "'id'"
        raise InputError(f"has no column {wanted}; its columns are {', '.join(map(repr, every[:20]))}", rows.place)
    runs = _runs(rows, where, said, ids, options)
    text_of, faults = _texts(rows.place, labels, options, runs), list[Fault]()
    chances = [[dict[str, float]() for _ in ids] for _ in runs]
    for filled, run in zip(chances, runs):
        for item, row in run.items():
            for spelt, chance in row.chances.items():
                if (text := text_of.get((spelt, item))) is not None:
                    filled[item][text] = filled[item].get(text, 0.0) + chance
                    continue
                own = options[item]
                kind, within = ("answer", "") if own is None else ("option", f"the item {ids[item]!r}")
                known = [
                    one_line(text, _WIDTH) for text in (labels if own is None else sorted(own.columns) or own.texts)
                ]
                error = unknown(kind, one_line(str(spelt), _WIDTH), known, within=within)
                faults.append(Fault(error.reason, f"{rows.place}: {row.place}"))
    if faults:
        raise InputError.of(faults)
    folds = [[run[item].fold if item in run else "" for item in range(len(ids))] for run in runs]
    divided = all(len({row.fold for row in run.values()}) > 1 for run in runs)
    return Predictions(name, rows.place, chances, folds if divided else None, said[0] in _NAMED)


def _runs(
    rows: GivenRows, where: Sequence[str], said: Sequence[str], ids: Sequence[str], options: _ToChoose
) -> list[dict[int, _Said]]:
    """What each run says of the items that need it; `where` are the columns of id, run and fold, empty texts for those
    that are not there. Raises InputError with all faults of the rows."""
    runs: dict[str, dict[int, _Said]] = defaultdict(dict)
    faults, strange, items = list[Fault](), dict[str, None](), {id: item for item, id in enumerate(ids)}
    for row in rows.table.rows:
        id, run, fold = (as_name(row.values.get(column)) for column in where)
        if id is not None and id not in items:
            strange[id] = None
        if id is not None and items.get(id) not in options:
            continue
        try:
            if id is None or (fold is None and where[2]):
                raise ValueError("no id" if id is None else "no fold, which other rows have")
            own = _Said(row.place, fold or "", _chances(row, said, options[items[id]]))
            if (first := runs[run or ""].setdefault(items[id], own)) is not own:
                beside = f"a second prediction for {id!r}, beside that in {first.place}"
                raise ValueError(f"{beside}; runs are told apart by a column 'repeat'")
        except ValueError as error:
            faults.append(Fault(str(error), f"{rows.place}: {row.place}"))
    if faults:
        raise InputError.of(faults)
    for name, made in runs.items() or [("", {})]:
        if missing := [ids[item] for item in options if item not in made]:
            lost = (
                f"{len(missing):,} of {len(options):,} items have no prediction{f' in the run {name!r}' * bool(name)}"
            )
            other = f"; no item is called {_some(list(strange))}" if strange else ""
            raise InputError(f"{lost}: {_some(missing)}{other}", rows.place)
    return list(runs.values())


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(map(repr, names[:_SHOWN])) + (f" and {more:,} more" if more > 0 else "")


def _chances(row: Row, columns: Sequence[str], own: Given | None) -> dict[str | int, float]:
    """Raises ValueError for what are no probabilities, and where nothing is predicted."""
    value: Any = row.values.get(columns[0])
    if columns[0] in _NAMED:
        if (text := as_name(value)) is None:
            raise ValueError("nothing is predicted")
        return {text: 1.0}
    if columns[0].startswith(_ONE):
        value = {name[len(_ONE) :]: of for name in columns if not is_blank(of := row.values.get(name))}
    elif isinstance(value, list | tuple) and own is not None:
        if not own.places:
            names = " or ".join(map(repr, sorted(own.columns))) or "by their texts"
            raise ValueError(f"the replies have no order of their own: name them {names}")
        if len(value) != len(own.texts):
            raise ValueError(f"{len(value)} probabilities for {len(own.texts)} options")
        value = dict(enumerate(value))
    if not isinstance(value, dict) or not value:
        raise ValueError("no probabilities by answer, such as {'yes': 0.9, 'no': 0.1}")
    chances = {name.strip() if isinstance(name, str) else name: _probability(name, of) for name, of in value.items()}
    total = math.fsum(chances.values())
    if abs(total - 1) > _TOLERANCE:
        raise ValueError(f"the probabilities sum to {total:.4g}, not to 1")
    return chances


def _probability(name: object, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError(f"the probability of {str(name)!r} is {value!r}, no number from 0 to 1")
    return number


def _texts(
    place: str, labels: Collection[str], options: _ToChoose, runs: Sequence[dict[int, _Said]]
) -> dict[tuple[str | int, int], str]:
    """The label, or the text of the option, that each name means of each item.

    Options are named as golds are, in the one reading that fits all rows best: by text, column, letter, or number.
    """
    pairs = dict.fromkeys((name, item) for run in runs for item, said in run.items() for name in said.chances)
    by_item = {item: own for item, own in options.items() if own is not None}
    if not by_item:
        return {(name, item): str(name) for name, item in pairs if name in labels}
    named = [(name, item) for name, item in pairs if isinstance(name, str)]
    golds = decide_golds([name for name, _ in named], [by_item[item] for _, item in named])
    if golds.refusal:
        ways = "as numbers from 0 or from 1 or as texts; name them by letters or by their texts"
        raise InputError(f"its options can be read in two ways, {ways}", place)
    places = {(at, item): at for at, item in pairs if isinstance(at, int)} | dict(zip(named, golds.index))
    return {(name, item): by_item[item].texts[at] for (name, item), at in places.items() if at >= 0}
