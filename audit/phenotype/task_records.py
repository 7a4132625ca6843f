"""Records of one task as arrays: the columns of each task, and rows in an order of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from hansproof.audit.notation import things
from hansproof.audit.phenotype.metric import Floats, Ints, Statistic, mean_over_rows
from hansproof.generators.errors import Fault, InputError, unknown

__all__ = ["ANOMALIES", "COLUMNS", "Column", "Records", "TaskRow", "TaskTable", "make_records", "make_table"]

# One row per trial (per run for temporal discounting). Arms are numbers, 0 and 1, in the order of the item's metadata.

_LARGEST: Final = 1e9
"""No reward, mean or count of these tasks is larger."""


@dataclass(frozen=True)
class Column:
    """One column of the records of a task."""

    name: str
    low: float = -_LARGEST
    """Smallest value that it may hold."""
    high: float = _LARGEST
    whole: bool = False
    """Whether only whole numbers are values; `true` and `false` count as 1 and 0."""
    words: tuple[str, ...] = ()
    """Words that stand for 0, 1, ... in this order."""
    open: bool = False
    """Whether the ends themselves are not allowed."""
    needed: bool = True
    """Whether a metric uses it: a row without it is left out. Other columns may be absent."""
    theirs: str = ""
    """What CogBench calls it, if not the same."""

    @property
    def means(self) -> str:
        """`0 or 1`, `a number from 0 to 1`: what a fault says should stand there."""
        if self.words:
            return " or ".join(repr(word) for word in self.words)
        if self.whole and (self.low, self.high) == (0, 1):
            return "0 or 1"
        kind = "a whole number" if self.whole else "a number"
        if self.low == -_LARGEST:
            return kind
        if self.high == _LARGEST:
            return f"{kind} of at least {self.low:g}"
        return f"{kind} {'between' if self.open else 'from'} {self.low:g} {'and' if self.open else 'to'} {self.high:g}"


def _bit(name: str, theirs: str = "", *, needed: bool = True) -> Column:
    return Column(name, 0, 1, whole=True, needed=needed, theirs=theirs)


def _count(name: str, theirs: str = "", *, needed: bool = True) -> Column:
    return Column(name, 0, whole=True, needed=needed, theirs=theirs)


_ARMS: Final = (Column("mean_0", theirs="mean0"), Column("mean_1", theirs="mean1"))
_REWARDS: Final = tuple(Column(f"reward_{arm}", needed=False, theirs=f"reward{arm}") for arm in (0, 1))


ANOMALIES: Final[Mapping[str, str]] = {
    "present_bias": "present bias",
    "subadditivity": "subaddictivity",
    "delay_speedup": "delay-speedup asymmetry-1",
    "delay_length": "delay-length asymmetry-2",
}
"""Of temporal discounting: our name -> what CogBench calls it."""

COLUMNS: Final[Mapping[str, tuple[Column, ...]]] = {
    "probabilistic-reasoning": (
        Column("informative", words=("prior", "likelihood"), needed=False, theirs="informative_lh"),
        Column("prior", 0, 1, open=True),
        Column("likelihood", 0, 1, open=True, theirs="lh"),
        _bit("red", "red_observation"),
        Column("estimate", 0, 1, theirs="left_pred"),
    ),
    "horizon": (_count("trial"), *_ARMS, *_REWARDS, _bit("choice"), Column("reward")),
    "restless-bandit": (
        _count("block"),
        _count("trial", "block_trial"),
        _bit("choice"),
        Column("reward"),
        Column("confidence", 0, 1, needed=False),
        _bit("accurate"),
    ),
    "instrumental-learning": (
        _count("trial"),
        _count("casino", "task"),
        *(replace(column, needed=False) for column in _ARMS),
        *_REWARDS,
        _bit("choice"),
        Column("reward", 0, 1),
    ),
    "two-step": (
        _count("trial"),
        _bit("action", "action1"),
        _bit("state"),
        _bit("choice", "action2", needed=False),
        _bit("reward"),
        *(Column(f"chance_{arm}", 0, 1, needed=False, theirs=f"probs{'ABCD'[arm]}") for arm in range(4)),
    ),
    "temporal-discounting": (
        Column("score", 0, 19, whole=True),
        *(Column(series, 0, 5, whole=True, needed=False) for series in ("gain", "large_gain", "loss")),
        *(_bit(name, theirs, needed=False) for name, theirs in ANOMALIES.items()),
    ),
    "balloons": (
        _count("balloon", "trial", needed=False),
        _count("capacity", "max_pumps", needed=False),
        _count("pumps"),
        _bit("burst", "exploded"),
        Column("reward", 0),
    ),
}
"""Tasks in the order of the profile, and the columns of each. Every row also has `run`: any number or word."""


def number_in(column: Column, value: object) -> float:
    """The number that a cell holds; NaN for a blank one (None, NaN, no text).

    Raises ValueError, saying what should stand there, for anything else.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return math.nan
    if isinstance(value, str) and value.strip() in column.words:
        return float(column.words.index(value.strip()))
    if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        value = value.strip().casefold() == "true"
    # `float` would also read `1_000`, digits of other scripts and `nan` with a sign.
    if isinstance(value, str) and (len(value) > 40 or not value.isascii() or "_" in value):
        raise ValueError(column.means)
    if column.words and not isinstance(value, bool | int | float):
        raise ValueError(column.means)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(column.means) from error
    if math.isnan(number):
        return math.nan
    low, high = (0, len(column.words) - 1) if column.words else (column.low, column.high)
    outside = not low <= number <= high or (column.open and number in (low, high))
    if outside or ((column.whole or column.words) and number != int(number)):
        raise ValueError(column.means)
    return number


_RUN_LENGTH: Final = 200
"""Characters of the name of a run."""


class TaskRow(NamedTuple):
    """One row before it is checked."""

    place: str
    """`line 812`."""
    values: Mapping[str, object]


@dataclass(frozen=True)
class TaskTable:
    """The records of one task, sorted by run and then by block and trial."""

    task: str
    runs: tuple[str, ...]
    """Names of the R runs; there is at least one."""
    run: Ints
    """(n,) the run of each row, as a number below R."""
    columns: Mapping[str, Floats]
    """(n,) each; NaN where a column that no metric needs is blank."""
    notes: tuple[str, ...] = ()
    """What was left out or mended, a sentence each."""
    source: Literal["ours", "cogbench", "people"] = "ours"
    """Whose files these are: `cogbench` for its models, `people` for its people, which it stores differently."""

    def sums(self, *values: Floats) -> Floats:
        """(R, q) sums over the rows of each run of q columns of shape (n,)."""
        return np.stack([np.bincount(self.run, value, len(self.runs)) for value in values], axis=1)

    def mean(
        self,
        values: Floats,
        nothing: str,
        limits: tuple[float, float] = (-np.inf, np.inf),
        *,
        where: Floats | None = None,
        by_run: bool = False,
    ) -> Statistic:
        """The mean of `values` (n,) over the rows `where` (n,) it is 1, by default all; see `mean_over_rows`."""
        counted = np.ones(len(values)) if where is None else where
        total, count = self.sums(values * counted, counted).T
        return mean_over_rows(total, count, nothing, limits, by_run=by_run)

    def each(self) -> list[slice]:
        """Where the rows of each of the R runs are."""
        ends = np.cumsum(np.bincount(self.run, minlength=len(self.runs))).tolist()
        return [slice(start, end) for start, end in zip([0, *ends], ends)]


@dataclass(frozen=True)
class Records:
    """The records of one participant (a model, an agent, a person): some or all of the seven tasks."""

    tables: Mapping[str, TaskTable] = field(default_factory=dict)
    """By task, in the order of `COLUMNS`."""
    name: str = ""
    """Whose records these are."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """Task -> why its file could not be used."""


def make_records(rows: Mapping[str, Iterable[Mapping[str, object]]], name: str = "") -> Records:
    """Check rows that a program has: for each task its records, dicts with the columns of `COLUMNS` and `run`.

    A task without rows is left out. Raises InputError with the place of every fault (`horizon: record 812`), and
    UsageError for an unknown task.
    """
    for task in rows:
        if task not in COLUMNS:
            raise unknown("task", task, COLUMNS)
    placed = {
        task: [TaskRow(f"{task}: record {number}", row) for number, row in enumerate(rows[task], start=1)]
        for task in COLUMNS
        if task in rows
    }
    return Records({task: make_table(task, entries) for task, entries in placed.items() if entries}, name)


def make_table(
    task: str,
    rows: Iterable[TaskRow],
    notes: Iterable[str] = (),
    source: Literal["ours", "cogbench", "people"] = "ours",
) -> TaskTable:
    """Check the rows of one task. Columns that no metric knows are ignored.

    Rows in which a needed column is blank are left out, and a note counts them. Raises InputError with the place of
    every fault: a column that is absent, a value that it cannot hold, a trial, a balloon or a questionnaire that
    occurs twice in a run, no usable row.
    """
    rows = list(rows)
    needed = [column.name for column in COLUMNS[task] if column.needed]
    if absent := [name for name in needed if rows and name not in rows[0].values]:
        wanted = f"{'column' if len(absent) == 1 else 'columns'} {', '.join(map(repr, absent))}"
        raise InputError(f"records of {task} need {wanted}", rows[0].place)
    faults: list[tuple[int, str]] = []
    runs = [_run(row.values.get("run"), number, faults) for number, row in enumerate(rows)]
    numbers = [_numbers(column, [row.values.get(column.name) for row in rows], faults) for column in COLUMNS[task]]
    if faults:
        faults.sort(key=lambda fault: fault[0])
        raise InputError.of([Fault(reason, rows[number].place) for number, reason in faults])
    usable = np.ones(len(rows), dtype=bool)
    said = list(notes)
    for column, values in zip(COLUMNS[task], numbers):
        if column.needed and (blank := np.flatnonzero(usable & np.isnan(values))).size:
            usable[blank] = False
            said.append(_left_out(column.name, len(blank), rows[blank[0]].place))
    if not usable.any():
        raise InputError(f"has no usable row of {task}{': ' + said[-1] if said else ''}", rows[0].place if rows else "")
    kept = np.flatnonzero(usable)
    table, ranks = _sorted(task, [runs[row] for row in kept], np.stack(numbers, axis=1)[kept], tuple(said))
    if twice := _twice(table, kept[ranks], any(row.values.get("run") is not None for row in rows)):
        raise InputError.of([Fault(reason, rows[number].place) for number, reason in twice])
    return replace(table, source=source)


def _numbers(column: Column, values: list[object], faults: list[tuple[int, str]]) -> Floats:
    """(n,) the numbers of one column; what is wrong with the others is added to `faults`, with their row."""
    numbers = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        try:
            numbers[row] = number_in(column, value)
        except ValueError as error:
            faults.append((row, f"{column.name} is {_shown(value)}, not {error}"))
    return numbers


def _run(value: object, row: int, faults: list[tuple[int, str]]) -> tuple[bool, float, str]:
    """A key that sorts runs: numbers by size, then words; one run where no run is named."""
    if value is None:
        return False, 0.0, "0"
    text = str(value).strip() if isinstance(value, str | int | float) else ""
    if isinstance(value, bool) or not 0 < len(text) <= _RUN_LENGTH:
        faults.append((row, f"run is {_shown(value)}, not a number or a short name"))
    try:
        number = float(text)
    except ValueError:
        return True, 0.0, text
    whole = math.isfinite(number) and abs(number) < 2**53 and number == int(number)
    return (False, number, str(int(number))) if whole else (True, 0.0, text)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _left_out(name: str, count: int, place: str) -> str:
    if count == 1:
        return f"1 row has no {name} and is left out ({place})"
    return f"{things(count, 'row')} have no {name} and are left out (the first: {place})"


def _sorted(
    task: str, names: list[tuple[bool, float, str]], values: Floats, notes: tuple[str, ...]
) -> tuple[TaskTable, Ints]:
    """The table, and the number among the given rows of each of its rows."""
    order = sorted(set(names))
    index = {name: number for number, name in enumerate(order)}
    run = np.array([index[name] for name in names], dtype=np.int64)
    columns = {column.name: values[:, place] for place, column in enumerate(COLUMNS[task])}
    keys = [columns[name] for name in ("trial", "balloon", "block") if name in columns]
    # Ties (rows without trials) are broken by everything else, so that the order of the file never matters.
    ranks = np.lexsort((*reversed(values.T), *keys, run))
    sorted_columns = {name: column[ranks] for name, column in columns.items()}
    return TaskTable(task, tuple(name[2] for name in order), run[ranks], sorted_columns, notes), ranks


def _twice(table: TaskTable, rows: Ints, named: bool) -> list[tuple[int, str]]:
    """Which of `rows`, those of the table, are a trial or a balloon that another row of the same run is, too; where
    runs are `named`, also a second questionnaire."""
    name = next((name for name in ("trial", "balloon") if name in table.columns), "")
    if not name and not (named and table.task == "temporal-discounting"):
        return []
    keys = np.stack([table.run, *(table.columns[key] for key in ("block", name) if key in table.columns)])
    # A balloon without a number is NaN, which equals nothing.
    doubled = np.flatnonzero((keys[:, 1:] == keys[:, :-1]).all(axis=0)).tolist()
    what = {at: f"{name} {table.columns[name][at]:g}" if name else "a questionnaire" for at in doubled}
    said = [f"run {table.runs[table.run[at]]} has {what[at]} twice" for at in doubled]
    return sorted((int(max(rows[at], rows[at + 1])), reason) for at, reason in zip(doubled, said))
