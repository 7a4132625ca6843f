"""The way in: anything that names or holds a benchmark becomes one `Benchmark`.

Three stages: `reading.files` and `reading.hub` fetch the bytes, `formats` turns them into a table, `reading.roles` and
`reading.items` decide what each column means and make the items."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.formats.content import STDIN, Content, bare_name, read
from hansproof.audit.formats.releases import with_label_list
from hansproof.audit.formats.table import WHOLE, Budget, Table, check_sample
from hansproof.audit.harnesses.legal_bench import with_base_prompt
from hansproof.audit.reading.files import check_named, expand, follow, is_folder, is_pointer, name_within, table_of
from hansproof.audit.reading.hub import folder_dataset, hub_dataset, is_dataset
from hansproof.audit.reading.items import check_rows, items_of
from hansproof.audit.reading.preferences import find_preferences
from hansproof.audit.reading.recipes import find_recipe, fitted
from hansproof.audit.reading.roles import Columns, check_sure, resolve
from hansproof.audit.result.audit_result import RecipeUsed
from hansproof.generators.errors import InputError, UsageError

__all__ = ["Columns", "SeveralError", "Source", "check_source", "expand", "hold", "load", "name_within", "read_table"]

Source: TypeAlias = Any
"""Whatever `load` reads: a path, an address, a frame, a list of dicts, a Dataset."""


class SeveralError(InputError):
    """A folder of several benchmarks where one is wanted; `files` are theirs."""

    def __init__(self, source: str, files: Sequence[str]) -> None:
        super().__init__(f"a folder of {len(files)} benchmarks; name one of its files, such as {files[0]}", source)
        self.files = tuple(files)


def load(
    source: Any,
    columns: Columns | None = None,
    *,
    name: str | None = None,
    max_left_out: float = 0.1,
    max_rows: int | None = None,
    seed: int = 42,
    predicted: bool = True,
) -> Benchmark:
    """Read one benchmark.

    `source` is a path (JSONL, JSON, CSV, TSV or Parquet, optionally .gz or .zst; a log or task of a harness; a
    benchmark as its authors release it; a Hugging Face dataset folder),
    an address `hf://org/name[:config][@split]`, `-` for standard input, a pandas or polars DataFrame, a list
    of dicts or a Hugging Face Dataset. `max_left_out` is the largest share of rows (0 to 1) that may be unusable. Of
    more than `max_rows` rows a sample of so many is read, which the content of the rows and `seed` choose, and a note
    says so; without it, more than a million rows are refused. A benchmark with a single answer is refused where answers
    are to be `predicted`; replies to it can be scored.

    Loading does not decide whether the benchmark can be judged; `reading.task_kind` does. Raises InputError if the
    source cannot be read or used, UsageError if options contradict each other or name a recipe that does not exist.
    """
    if not 0 <= max_left_out <= 1:
        raise UsageError(f"max_left_out is {max_left_out}; it must be between 0 and 1")
    columns = columns or Columns()
    recipe = None if columns.recipe is None else find_recipe(columns.recipe)
    budget = Budget(check_sample(max_rows), seed)
    table, digest, place, short_name = _table(source, budget)
    table = budget.applied(table, place)
    check_rows(table, place, max_left_out)
    used: RecipeUsed | None = None
    if recipe is not None:
        table, columns, used = fitted(recipe, table, columns, place)
    pairs = find_preferences(table, columns) if recipe is None else None
    if pairs is not None:
        table = pairs.table
        check_rows(table, place, max_left_out)
    roles = resolve(table, columns if pairs is None else pairs.columns, place)
    if predicted and pairs is None:
        check_sure(table, roles, columns, place)
    if table.benchmark not in ("", short_name):  # a run log's file is named after the model
        short_name = f"{table.benchmark} ({short_name})"
    benchmark = items_of(
        table,
        roles,
        name=name or short_name,
        source=place,
        sha256=digest,
        max_left_out=max_left_out,
        predicted=predicted,
    )
    benchmark = benchmark if pairs is None else pairs.named(benchmark, columns)
    return benchmark if used is None else replace(benchmark, recipe=used)


def hold(source: Any) -> Any:
    """What `load` and `read_table` take in place of a source, so that they read the same bytes, and only once.

    A file and standard input become their content; a folder, an address and a frame stay as they are. Raises
    InputError if the content cannot be read.
    """
    if not isinstance(source, (str, os.PathLike)):
        return source
    named = os.fsdecode(source)
    check_named(named)
    if named.startswith("hf://") or (named != "-" and is_folder(named)):
        return source
    return read(named)


def check_source(source: Any) -> None:
    """Raise InputError for a source of a type that `load` does not read, and for a path that leads nowhere.

    For a source that is read only later. It opens no file that is there, and no connection.
    """
    if isinstance(source, (str, os.PathLike)):
        named = os.fsdecode(source)
        check_named(named)
        if named != "-" and not named.startswith("hf://") and not os.path.exists(named):  # noqa: PTH110
            read(named)  # which says why
    elif not isinstance(source, Content):
        from hansproof.audit.formats.frames import check_type

        check_type(source)


def read_table(source: Any) -> Table:
    """The rows of a source, before anything is decided about its columns. Raises InputError if it cannot be read."""
    table, _, place, _ = _table(source)
    return WHOLE.applied(table, place)


def _table(source: Any, budget: Budget = WHOLE) -> tuple[Table, str | None, str, str]:
    """(rows, digest of the bytes, what messages call the source, its short name)."""
    if isinstance(source, Content):
        return _of_content(source, budget)
    if not isinstance(source, (str, os.PathLike)):
        from hansproof.audit.formats.frames import frame_table

        table = frame_table(source)
        return table, None, f"{table.format} ({len(table.rows):,} rows)", table.format
    named = os.fsdecode(source)
    check_named(named)
    if named.startswith("hf://"):
        from hansproof.audit.formats.frames import dataset_table

        return dataset_table(hub_dataset(named), named, budget=budget), None, named, named[5:].split("@")[0]
    path = Path(named)
    if named != "-" and is_folder(path):
        return _folder(named, path, budget)
    return _of_content(read(named), budget)


def _of_content(content: Content, budget: Budget) -> tuple[Table, str | None, str, str]:
    if content.place == STDIN:
        return table_of(content, budget), content.sha256, "-", STDIN
    path = Path(content.place)
    short_name = bare_name(path)[0]
    if is_pointer(content):
        table, digest = follow(content, budget)
        return table, digest, content.place, short_name
    table = with_label_list(with_base_prompt(table_of(content, budget), path), path)
    return table, content.sha256, content.place, short_name


def _folder(named: str, path: Path, budget: Budget) -> tuple[Table, str | None, str, str]:
    """A Hugging Face dataset folder, or one that holds exactly one benchmark."""
    if is_dataset(path):
        from hansproof.audit.formats.frames import dataset_table

        return dataset_table(folder_dataset(path, named), named, budget=budget), None, named, path.resolve().name
    files = expand(named)
    if len(files) > 1:
        raise SeveralError(named, files)
    only, sha256, _, short_name = _table(files[0], budget)
    return only, sha256, named, short_name
