"""Records in files: a table, several tasks, a folder, or the column names of CogBench."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from hansproof.audit.formats.delimited import text_table
from hansproof.audit.notation import first_of, things
from hansproof.audit.phenotype.task_records import ANOMALIES, COLUMNS, Column, Records, TaskRow, TaskTable, make_table
from hansproof.generators.errors import InputError, unknown

__all__ = ["read_records"]

# CogBench (Coda-Forno et al. 2024) has one table per task and model, `<Task>/data/<model>.csv`; people are the model
# `human`. What is mended is said in a note; with `as_published` it stays as it is, because the published numbers come
# from it.

TASKS: Final[Mapping[str, str]] = {
    "ProbabilisticReasoning": "probabilistic-reasoning",
    "HorizonTask": "horizon",
    "RestlessBandit": "restless-bandit",
    "InstrumentalLearning": "instrumental-learning",
    "TwoStepTask": "two-step",
    "TemporalDiscounting": "temporal-discounting",
    "BART": "balloons",
}
"""Their name of a task -> ours."""

_PLANETS: Final = {"X": 0, "Y": 1}
_ALIENS: Final = {"D": (0, 0), "F": (0, 1), "J": (1, 0), "K": (1, 1)}
"""Letter -> the planet on which the alien lives, and its number there."""
_CHOSEN: Final = ("action", "state", "choice")


def is_theirs(task: str, columns: Sequence[str]) -> bool:
    """Whether as many columns of a table of `task` have their names as ours, and some are theirs alone."""
    ours = sum(column.name in columns for column in COLUMNS[task])
    theirs = sum(_theirs(column) in columns for column in COLUMNS[task])
    return theirs >= ours and any(column.theirs in columns for column in COLUMNS[task])


def renamed(task: str, rows: Sequence[TaskRow], *, as_published: bool = False) -> tuple[list[TaskRow], list[str]]:
    """Their rows of a task (at least one) under our names, and what was mended.

    Raises InputError for a column that is absent.
    """
    place, columns = rows[0]
    names = {column.name: _theirs(column) for column in COLUMNS[task]}
    absent = [names[column.name] for column in COLUMNS[task] if column.needed and names[column.name] not in columns]
    if absent:
        wanted = ", ".join(repr(name) for name in absent)
        raise InputError(f"records of {task} need the {'column' if len(absent) == 1 else 'columns'} {wanted}", place)
    known = [(ours, column) for ours, column in names.items() if column in columns]
    renamed_rows = [
        TaskRow(place, {"run": values.get("run"), **{ours: values.get(column) for ours, column in known}})
        for place, values in rows
        # A row with nothing but the number of its run is a run that was never made.
        if any(str(values.get(column) or "").strip() for column in names.values())
    ]
    notes = []
    if len(renamed_rows) < len(rows):
        notes.append(f"{things(len(rows) - len(renamed_rows), 'run')} with nothing but a number left out")
    order = [name for name in ("block", "trial", "balloon") if name in names]
    if as_published and task in _ROW_BY_ROW:
        renamed_rows = _numbered(renamed_rows)
    elif order:
        renamed_rows = _restarted(renamed_rows, order, notes)
    if task == "probabilistic-reasoning":
        renamed_rows = _estimates(renamed_rows, notes, as_published)
    elif task in _MENDED and (task == "two-step" or not as_published):
        renamed_rows = _MENDED[task](renamed_rows, notes)
    return renamed_rows, notes


_ROW_BY_ROW: Final = ("two-step", "instrumental-learning")
"""Tasks whose published analysis takes the rows of a run one after another, whatever trial they name."""


def _numbered(rows: list[TaskRow]) -> list[TaskRow]:
    """The rows of each run, numbered anew in their order."""
    counts: dict[str, Iterator[int]] = defaultdict(count)
    return [TaskRow(place, {**values, "trial": next(counts[str(values.get("run"))])}) for place, values in rows]


def _restarted(rows: list[TaskRow], order: Sequence[str], notes: list[str]) -> list[TaskRow]:
    """A run that has trials twice and begins anew is two runs: another process had taken the same number."""
    keys = [tuple(_float(row.values.get(name)) for name in order) for row in rows]
    if any(math.isnan(number) for key in keys for number in key):  # nothing by which rows could be ordered
        return rows
    runs = [str(row.values.get("run")) for row in rows]
    twice = {run for (run, _), times in Counter(zip(runs, keys)).items() if times > 1}
    last: dict[str, tuple[float, ...]] = {}
    starts: Counter[str] = Counter()
    parted = []
    for row, run, key in zip(rows, runs, keys):
        starts[run] += run in twice and key < last.get(run, key)
        last[run] = key
        parted.append(TaskRow(row.place, {**row.values, "run": f"{run} / {starts[run] + 1}"}) if starts[run] else row)
    if again := starts.total():
        notes.append(f"{things(again, 'run')} with the number of another, begun anew, counted as a run of its own")
    return parted


def _estimates(rows: list[TaskRow], notes: list[str], as_published: bool) -> list[TaskRow]:
    """Where a reply had no number, a whole number from 1 to 99 was drawn and stored in place of a probability."""
    drawn = [_whole(values.get("estimate")) for _, values in rows]
    in_place = 1 if as_published else None
    mended = []
    for (place, values), number in zip(rows, drawn):
        informative = _INFORMATIVE.get(str(values.get("informative") or "").strip().casefold())
        estimate = values.get("estimate") if number is None else in_place
        mended.append(TaskRow(place, {**values, "informative": informative, "estimate": estimate}))
    if above := sum(number is not None for number in drawn):
        did = "taken as 1, as published" if as_published else "left out"
        notes.append(f"{things(above, 'estimate')} above 1, drawn where a reply had no number: {did}")
    return mended


_INFORMATIVE: Final = {"true": "likelihood", "1": "likelihood", "false": "prior", "0": "prior"}


def _whole(value: object) -> int | None:
    text = str(value).strip().removesuffix(".0")
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= 2 and int(text) > 1 else None


def _trials(rows: list[TaskRow], notes: list[str]) -> list[TaskRow]:
    """Each trial was stored twice, the second time with the casino of the next."""
    first: dict[tuple[str, str], TaskRow] = {}
    for row in rows:
        first.setdefault((str(row.values.get("run")), str(row.values.get("trial"))), row)
    if doubled := len(rows) - len(first):
        notes.append(f"{things(doubled, 'row')} of trials that were stored twice left out")
    return list(first.values())


def _blocks(rows: list[TaskRow], notes: list[str]) -> list[TaskRow]:
    """The last trial of a block was held against the better arm of the next block."""
    blocks: dict[tuple[str, str], list[tuple[float, int, float]]] = {}
    for at, (_, values) in enumerate(rows):
        trial, choice, accurate = (_float(values.get(name)) for name in ("trial", "choice", "accurate"))
        # The better arm: 1 where the right choice was arm 1; NaN where a cell holds no number.
        sound = choice in (0, 1) and accurate in (0, 1) and not math.isnan(trial)
        better = float(choice == accurate) if sound else math.nan
        blocks.setdefault((str(values.get("run")), str(values.get("block"))), []).append((trial, at, better))
    wrong = []
    for block in blocks.values():
        *before, last = [better for _, _, better in sorted(block)]
        if len(before) > 1 and len(set(before)) == 1 and before[0] + last == 1:  # NaN is not
            wrong.append(max(block)[1])
    for at in wrong:
        place, values = rows[at]
        rows[at] = TaskRow(place, {**values, "accurate": 1 - int(_float(values["accurate"]))})
    if wrong:
        notes.append(
            f"{things(len(wrong), 'last trial')} of {things(len(blocks), 'block')} had been held against the better "
            "arm of the next block; now against that of its own"
        )
    return rows


def _float(value: object) -> float:
    """The number in a cell; NaN for anything else, which is told with its place where rows are checked."""
    try:
        return float(str(value))
    except ValueError:
        return math.nan


def _letters(rows: list[TaskRow], notes: list[str]) -> list[TaskRow]:
    """Planets and aliens by letters. An alien of the other planet, or none at all, is no legal choice, and no metric
    uses it; a day on no planet is left out."""
    mended, lost, strangers = [], [], 0
    for place, values in rows:
        action, state, alien = ("" if values.get(name) is None else str(values[name]).strip() for name in _CHOSEN)
        if odd := [letter for letter in (action, state) if letter and letter not in _PLANETS]:
            lost.append(f"{odd[0][:40]!r}, {place}")
            continue
        planet, number = _ALIENS.get(alien, (None, None))
        strangers += alien != "" and planet != _PLANETS.get(state)
        chosen = number if planet == _PLANETS.get(state) else None
        codes = zip(_CHOSEN, (_PLANETS.get(action), _PLANETS.get(state), chosen))
        mended.append(TaskRow(place, {**values, **dict(codes)}))
    if lost:
        notes.append(f"{things(len(lost), 'day')} on a planet that is neither X nor Y left out (the first: {lost[0]})")
    if strangers:
        notes.append(f"{things(strangers, 'alien')} of the other planet chosen, which no metric uses")
    return mended


def _anomalies(rows: list[TaskRow], notes: list[str]) -> list[TaskRow]:
    """An anomaly was stored as 1 for the second option, which scores nothing; present bias as 1 whatever was chosen.

    The questions came only if a factor of the first series was worth waiting for, and otherwise all but present bias
    stayed 0, as if each had its point: with a score that the series alone can reach, nobody can tell.
    """
    mended, unknown = [], 0
    for place, values in rows:
        anomalies = {name: str(values.get(name) or "").strip().removesuffix(".0") for name in ANOMALIES}
        score = str(values.get("score") or "").strip().removesuffix(".0")
        silent = list(anomalies.values()) == ["1", "0", "0", "0"]
        if silent and score.isdecimal() and int(score) in _UNASKED:
            unknown += 1
            points: dict[str, object] = dict.fromkeys(anomalies)
        else:
            points = {name: _POINT.get(flag, values.get(name)) for name, flag in anomalies.items()}
            points["present_bias"] = None if points["present_bias"] == 0 else points["present_bias"]
        mended.append(TaskRow(place, {**values, **points}))
    notes.append("anomalies had been stored the other way round, and present bias as 1 whatever was chosen, left out")
    if unknown:
        notes.append(f"{things(unknown, 'run')} in which the questions about anomalies may not have been asked")
    return mended


_POINT: Final[Mapping[str, object]] = {"0": 1, "1": 0}
"""What was stored of an anomaly -> its point in the score."""
_UNASKED: Final = range(5, 16)
"""The scores of runs without questions about anomalies: 5 of the first series and 0 to 10 of the others."""

_MENDED: Final[Mapping[str, Callable[[list[TaskRow], list[str]], list[TaskRow]]]] = {
    "instrumental-learning": _trials,
    "restless-bandit": _blocks,
    "two-step": _letters,
    "temporal-discounting": _anomalies,
}

# A table is CSV, TSV or JSON lines, in our column names or in those of CogBench, and its columns say which task it is.
# A file of several tasks has a column `task`.

_SUFFIXES = (".csv", ".tsv", ".jsonl")


def read_records(path: Path | str, *, model: str = "", as_published: bool = False) -> Records:
    """The records in a file, or in a folder: CogBench's, one of its tasks, or one file per task.

    `model` says which of several models of a folder is meant. `as_published` keeps the known faults of CogBench's
    files, which are mended otherwise; the notes of each table say how. Of several files those that cannot be used are
    left out, and the records say why. Raises InputError, with its place, if none can be used, and UsageError for a
    model that the folder does not have.
    """
    path = Path(path)
    files, name = _files(path, model) if path.is_dir() else ([path], model or path.stem)
    tables: dict[str, TaskTable] = {}
    faults: dict[str, InputError] = {}
    for file in files:
        try:
            made = _tables(file, as_published)
        except InputError as error:
            faults[_named(file)] = error
            continue
        for table in made:
            if table.task in tables:
                raise InputError(f"holds a second table of {table.task}; leave one", str(file))
            tables[table.task] = table
    if not tables:
        raise next(iter(faults.values()))
    unread = {
        task: f"the file cannot be used: {error.faults[0]}" + (", and more" if len(error.faults) > 1 else "")
        for task, error in faults.items()
    }
    return Records({task: tables[task] for task in COLUMNS if task in tables}, name, unread)


def _files(folder: Path, model: str) -> tuple[list[Path], str]:
    """The files of one model, in the order of their names, and the model's name."""
    top = folder / "Experiments" if (folder / "Experiments").is_dir() else folder
    inside = [top / theirs for theirs in TASKS if (top / theirs).is_dir()]
    at = folder.resolve()
    if (at.parent if at.name == "data" else at).name in TASKS:
        inside = [folder]
    if not inside:
        files = [file for file in sorted(folder.iterdir()) if file.suffix in _SUFFIXES and file.is_file()]
        named = [file for file in files if file.stem in COLUMNS or file.stem in TASKS]
        if not named:
            raise InputError(
                "holds no records; expected files such as horizon.csv, or folders such as HorizonTask", str(folder)
            )
        return named, model or folder.resolve().name
    # Beside `data`, CogBench has tables of scores.
    tables = [
        file for task in inside for file in sorted((task / "data" if (task / "data").is_dir() else task).glob("*.csv"))
    ]
    models = sorted({file.stem for file in tables})
    if not models:
        raise InputError("its folders of tasks hold no CSV files", str(folder))
    if not model and len(models) > 1:
        raise InputError(f"holds several models; name one of them: {first_of(models, 20)}", str(folder))
    model = model or models[0]
    if model not in models:
        raise unknown("model", model, models, within=str(folder))
    return [file for file in tables if file.stem == model], model


def _named(file: Path) -> str:
    """The task that the name of a file or of its folders says; empty for none."""
    names = (file.stem, file.parent.name, file.parent.parent.name if file.parent.name == "data" else "")
    return next((TASKS.get(name, name) for name in names if name in COLUMNS or name in TASKS), "")


def _tables(file: Path, as_published: bool) -> list[TaskTable]:
    called = str(file)
    table = text_table(called)
    rows = [TaskRow(f"{called}: {row.place}", row.values) for row in table.rows]
    if not rows:
        raise InputError("holds no rows", called)
    by_task: dict[str, list[TaskRow]] = {}
    columns = list(rows[0].values)
    # CogBench's instrumental task calls its casinos `task`.
    if "task" in columns and (task := str(rows[0].values["task"])) and not task.replace(".", "").isdigit():
        for row in rows:
            by_task.setdefault(str(row.values.get("task")), []).append(row)
    else:
        by_task[_recognised(columns, file, called)] = rows
    people = file.stem == "human"
    return [_table(task, entries, columns, people, as_published) for task, entries in by_task.items()]


def _table(task: str, rows: list[TaskRow], columns: list[str], people: bool, as_published: bool) -> TaskTable:
    if task not in COLUMNS:
        error = unknown("task", task, COLUMNS)
        raise InputError(error.reason, rows[0].place)
    if not is_theirs(task, columns):
        return make_table(task, rows)
    rows, notes = renamed(task, rows, as_published=as_published)
    return make_table(task, rows, notes, "people" if people else "cogbench")


def _recognised(columns: list[str], file: Path, called: str) -> str:
    """The task of a table: what its name says, or else its columns, by their names or ours."""
    tasks = [
        task
        for task, own in COLUMNS.items()
        if {each.name for each in own if each.needed} <= {*columns}
        or {_theirs(each) for each in own if each.needed} <= {*columns}
    ]
    # The columns of the horizon task are among those of instrumental learning.
    task = _named(file) or max(tasks, key=lambda task: len(COLUMNS[task]), default="")
    if not task:
        shown = ", ".join(repr(column) for column in columns[:12])
        raise InputError(f"its columns are those of no task: {shown}", called)
    return task


def _theirs(column: Column) -> str:
    return column.theirs or column.name
