"""lm-evaluation-harness tasks: a YAML file that names the data and how documents become prompts and golds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.benchmark import LeftOut
from audit.formats.harnesses.lm_eval_samples import gold_option
from audit.formats.harnesses.templates import Renderer, UnfitError, renderer
from audit.formats.harnesses.yaml_text import CodeReference, is_code, parse_yaml
from audit.formats.table import Row, Table
from generators.errors import InputError
from generators.input import read_regular

__all__ = ["Task", "is_task", "task_of", "task_table"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"))
_LOCAL = ("json", "csv", "parquet", "text")
_SPLITS = (("test_split", "test"), ("validation_split", "validation"), ("training_split", "train"))
_INCLUDES = 5
"""Most files that one file includes."""
_FILES = 20
"""Most files that make one task."""


@dataclass(frozen=True)
class Task:
    """What a task says of its data."""

    name: str
    files: tuple[Path, ...]
    """The local files of the split that is evaluated; empty where the data are on the Hub."""
    address: str
    """`hf://org/name:config@split`; empty where the data are local."""
    fields: Mapping[str, Any]
    """`doc_to_text`, `doc_to_target` and `doc_to_choice`, as written."""
    notes: tuple[str, ...] = ()


def is_task(value: Any) -> bool:
    """True for a mapping that names one task with data or a file that it includes, or how a document is asked."""
    if not isinstance(value, dict) or isinstance(value.get("task"), list):
        return False
    named = "task" in value and ("dataset_path" in value or "include" in value)
    asked = any(key in value for key in ("doc_to_text", "doc_to_target", "doc_to_choice"))
    return named or (asked and any(key in value for key in ("dataset_path", "include", "task")))


def task_of(value: dict[Any, Any], path: Path, place: str) -> Task:
    """The data of a task and its templates, with included files merged in.

    Raises InputError for what only code could tell, and for data that are remote or outside the task's folder.
    """
    merged = _with_includes(value, path, place)
    for field in ("doc_to_text", "doc_to_target", "dataset_path"):
        written = merged.get(field)
        if is_code(written) or "class" in merged:
            held = written if isinstance(written, CodeReference) else merged.get("class")
            code = held.written if isinstance(held, CodeReference) else f"class {held}"
            raise InputError(
                f"{field} of this task is Python code ({code}), which is never run: audit its data set"
                f"{_data_set(merged)} with --prompt or --template, and --answer",
                place,
            )
        if written is None:
            raise InputError(f"a task without {field}: audit its data set{_data_set(merged)} itself", place)
    fields = {key: merged[key] for key in ("doc_to_text", "doc_to_target", "doc_to_choice") if key in merged}
    notes: tuple[str, ...] = ()
    if merged.get("process_docs") is not None:
        notes = ("the task changes its documents by Python code (process_docs), which is never run",)
    name = merged.get("task") if isinstance(merged.get("task"), str) else ""
    keyword = merged.get("dataset_kwargs")
    files = keyword.get("data_files") if isinstance(keyword, dict) else None
    if merged["dataset_path"] in _LOCAL or files is not None:
        return Task(str(name), _files(files, merged, path, place), "", fields, notes)
    return Task(str(name), (), _address(merged), fields, notes)


def task_table(task: Task, table: Table, place: str) -> Table:
    """The documents with the `prompt`, `answer` and `choices` that the task makes of them; unfit ones are listed.

    Raises InputError for templates that are not supported, and if no document fits.
    """
    make = {
        name: _maker(task.fields[field], table.columns, field, place)
        for name, field in (("prompt", "doc_to_text"), ("choices", "doc_to_choice"), ("answer", "doc_to_target"))
        if task.fields.get(field) is not None
    }
    rows: list[Row] = []
    left_out = list(table.left_out)
    for row in table.rows:
        try:
            made = {name: fill(row.values) for name, fill in make.items()}
        except UnfitError as error:
            left_out.append(LeftOut(row.place, "the task's templates do not fit", str(error)))
            continue
        if isinstance(options := made.get("choices"), (list, tuple)):
            made["answer"] = gold_option(made["answer"], [str(option) for option in options])
        rows.append(Row(row.place, {**row.values, **made}))
    if not rows and table.rows:
        columns = ", ".join(repr(name) for name in table.columns[:20])
        raise InputError(f"the task's templates fit no document: {left_out[-1].detail}. Fields: {columns}", place)
    return Table.of(
        "lm-evaluation-harness task", rows, left_out, notes=(*table.notes, *task.notes), defaults=_ROLES,
        benchmark=task.name,
    )  # fmt: skip


def _maker(written: Any, columns: list[str], field: str, place: str) -> Renderer:
    """What makes a value of a document: a template, a constant, or a list of them."""
    if is_code(written):
        raise InputError(f"{field} is Python code ({written.written}), which is never run", place)
    if isinstance(written, str):
        # Only a prompt keeps the white space around it; a YAML block ends with a line that nobody meant.
        return renderer(written if field == "doc_to_text" else written.strip(), columns, field, place)
    if isinstance(written, list):
        makers = [_maker(member, columns, field, place) for member in written]
        return lambda document: [make(document) for make in makers]
    return lambda document: written


def _with_includes(value: dict[Any, Any], path: Path, place: str, read: set[Path] | None = None) -> dict[Any, Any]:
    """The keys of a task over those of the files that it includes, of which later ones win, and so on.

    `read` are the files that were read already: none is read twice, so a few files cannot multiply each other.
    """
    names = value.get("include")
    if names is None:
        return value
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > _INCLUDES:
        raise InputError("`include` does not name a file", place)
    read = {path.resolve()} if read is None else read
    merged: dict[Any, Any] = {}
    for name in names:
        if "://" in name or Path(name).is_absolute() or "\0" in name:
            raise InputError(f"{name!r} is included, but not by a path relative to the task", place)
        included = path.parent / name
        if included.resolve() in read or len(read) > _FILES:
            raise InputError(f"the file {name!r} is included more than once, or is one of too many", place)
        read.add(included.resolve())
        merged |= _with_includes(_included(included, name, place), included, place, read)
    return {**merged, **value}


def _included(path: Path, name: str, place: str) -> dict[Any, Any]:
    """The keys of one included file. Raises InputError if it cannot be read, or is not a mapping."""
    try:
        data = read_regular(path)
    except OSError as error:
        raise InputError(f"the included file {name!r} cannot be read: {error.strerror or error}", place) from error
    base = parse_yaml(data, str(path))
    if not isinstance(base, dict):
        raise InputError(f"the included file {name!r} is not a task", place)
    return base


def _files(data_files: Any, merged: dict[Any, Any], path: Path, place: str) -> tuple[Path, ...]:
    """The files of the split that is evaluated."""
    if isinstance(data_files, dict):
        split = _split(merged)
        if split not in data_files:
            known = ", ".join(repr(key) for key in data_files)
            raise InputError(f"data_files has no split {split!r}; it has {known or 'none'}", place)
        data_files = data_files[split]
    names = [data_files] if isinstance(data_files, str) else data_files
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError("data_files names no file of this task's folder", place)
    return tuple(_within(path.parent, name, place) for name in names)


def _within(folder: Path, name: str, place: str) -> Path:
    """A file in the folder of the task. Raises InputError for a remote one and one elsewhere."""
    if "://" in name:
        raise InputError(f"{name} is remote: download it and audit the file", place)
    if Path(name).is_absolute() or ".." in Path(name).parts or "\0" in name:
        raise InputError(f"{name!r} is not in the folder of the task: audit that file itself", place)
    return folder / name


def _split(merged: dict[Any, Any]) -> str:
    """The split that the harness evaluates: the test split, else the validation split, else what there is."""
    return next((str(merged[key]) for key, _ in _SPLITS if merged.get(key)), "train")


def _address(merged: dict[Any, Any]) -> str:
    config = f":{merged['dataset_name']}" if merged.get("dataset_name") else ""
    return f"hf://{merged['dataset_path']}{config}@{_split(merged)}"


def _data_set(merged: dict[Any, Any]) -> str:
    path = merged.get("dataset_path")
    return f" {_address(merged)}" if isinstance(path, str) and path not in _LOCAL else ""
