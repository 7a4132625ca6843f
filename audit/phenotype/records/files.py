"""Records in files: a table of one task, a file of several tasks, or a folder with a table per task.

A table is CSV, TSV or JSON lines, in our column names or in those of CogBench, and its columns say which task it is. A
file of several tasks has a column `task`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit.formats.delimited import delimited_table, delimiter_of
from audit.phenotype.records import upstream
from audit.phenotype.records.columns import COLUMNS
from audit.phenotype.records.table import Records, TaskRow, TaskTable, make_table
from generators.errors import InputError, not_utf8, unknown
from generators.jsonl import json_fault, read_bytes

__all__ = ["read_records"]

_SUFFIXES = (".csv", ".tsv", ".jsonl")


def read_records(path: Path | str, *, model: str = "", as_published: bool = False) -> Records:
    """The records in a file, or in a folder: `<Task>/<model>.csv`, or one file per task.

    `model` says which of several models of a folder is meant. `as_published` keeps the known faults of CogBench's
    files, which are mended otherwise; the notes of each table say how. Raises InputError, with its place, for whatever
    cannot be read, and UsageError for a model that the folder does not have.
    """
    path = Path(path)
    if path.is_dir():
        files, name = _files(path, model)
    else:
        files, name = [path], model or path.stem
    tables: dict[str, TaskTable] = {}
    for file in files:
        for table in _tables(file, as_published):
            if table.task in tables:
                raise InputError(f"holds a second table of {table.task}; leave one", str(file))
            tables[table.task] = table
    return Records({task: tables[task] for task in COLUMNS if task in tables}, name)


def _files(folder: Path, model: str) -> tuple[list[Path], str]:
    """The files of one model, in the order of their names, and the model's name."""
    inside = [folder / theirs for theirs in upstream.TASKS if (folder / theirs).is_dir()]
    if not inside:
        files = [file for file in sorted(folder.iterdir()) if file.suffix in _SUFFIXES and file.is_file()]
        named = [file for file in files if file.stem in COLUMNS or file.stem in upstream.TASKS]
        if not named:
            raise InputError(
                "holds no records; expected files such as horizon.csv, or folders such as HorizonTask", str(folder)
            )
        return named, model or folder.resolve().name
    tables = [file for task in inside for file in sorted(task.glob("*.csv"))]
    models = sorted({file.stem for file in tables})
    if not models:
        raise InputError("its folders of tasks hold no CSV files", str(folder))
    if not model and len(models) > 1:
        raise InputError(f"holds several models; name one of them: {', '.join(models[:20])}", str(folder))
    model = model or models[0]
    if model not in models:
        raise unknown("model", model, models, within=str(folder))
    return [file for file in tables if file.stem == model], model


def _tables(file: Path, as_published: bool) -> list[TaskTable]:
    called = str(file)
    data = read_bytes(file, called)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(error, called) from error
    if "\0" in text:
        raise InputError("is not text: it holds a zero byte", called)
    rows = _lines(text, called) if text.lstrip().startswith("{") else _delimited(text, file.suffix, called)
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
    return [_table(task, entries, columns, as_published) for task, entries in by_task.items()]


def _table(task: str, rows: list[TaskRow], columns: list[str], as_published: bool) -> TaskTable:
    if task not in COLUMNS:
        error = unknown("task", task, COLUMNS)
        raise InputError(error.reason, rows[0].place)
    notes: list[str] = []
    if upstream.is_theirs(task, columns):
        rows, notes = upstream.renamed(task, rows, as_published=as_published)
    return make_table(task, rows, notes)


def _ours(task: str, columns: list[str]) -> bool:
    return {column.name for column in COLUMNS[task] if column.needed} <= set(columns)


def _recognised(columns: list[str], file: Path, called: str) -> str:
    """The task of a table: what its name says, or else its columns."""
    for name in (file.stem, file.parent.name):
        if name in COLUMNS or name in upstream.TASKS:
            return upstream.TASKS.get(name, name)
    ours = [task for task in COLUMNS if _ours(task, columns)]
    # Our columns of the horizon task are among those of instrumental learning.
    task = upstream.task_of(columns) or (max(ours, key=lambda task: len(COLUMNS[task])) if ours else "")
    if not task:
        shown = ", ".join(repr(column) for column in columns[:12])
        raise InputError(f"its columns are those of no task: {shown}", called)
    return task


def _delimited(text: str, suffix: str, called: str) -> list[TaskRow]:
    delimiter = delimiter_of(text, suffix)
    if delimiter is None and text.strip():
        delimiter = ","  # a table of a single column
    if delimiter is None:
        return []
    table = delimited_table(text, called, delimiter)
    return [TaskRow(f"{called}: {row.place}", row.values) for row in table.rows]


def _lines(text: str, called: str) -> list[TaskRow]:
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{called}: line {number}"
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(json_fault(error), place) from error
        if not isinstance(record, Mapping):
            raise InputError("a record is an object with the names of its columns", place)
        rows.append(TaskRow(place, record))
    return rows
