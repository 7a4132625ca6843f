"""The way in: anything that names or holds a benchmark becomes one `Benchmark`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from audit.benchmark import Benchmark
from audit.columns.items import check_rows, items_of
from audit.columns.roles import Columns, resolve
from audit.formats.formats import table_of
from audit.sources.content import bare_name, read
from audit.sources.folder import check_named, expand, is_dataset, is_folder, name_within
from audit.table import Table
from generators.errors import InputError, UsageError

__all__ = ["Columns", "expand", "load", "name_within"]


def load(
    source: Any, columns: Columns | None = None, *, name: str | None = None, max_left_out: float = 0.1
) -> Benchmark:
    """Read one benchmark.

    `source` is a path (JSONL, JSON, CSV, TSV or Parquet, also .gz and .zst; a Hugging Face dataset folder),
    an address `hf://org/name[:config][@split]`, `-` for standard input, a pandas or polars DataFrame, a list
    of dicts or a Hugging Face Dataset. `max_left_out` is the share of rows (0 to 1) that may be unusable.

    Whether it can be judged is not asked here: `kind` says so. Raises InputError where the source cannot be read or
    used, UsageError for options that contradict each other.
    """
    if not 0 <= max_left_out <= 1:
        raise UsageError(f"max_left_out is {max_left_out}; it must lie between 0 and 1")
    table, digest, place, called = _table(source)
    check_rows(table, place, max_left_out)
    roles = resolve(table, columns or Columns(), place)
    if table.benchmark:  # a run log's file is named after the model
        called = f"{table.benchmark} ({called})"
    return items_of(
        table, roles, name=name or called, source=place, place=place, sha256=digest, max_left_out=max_left_out
    )


def _table(source: Any) -> tuple[Table, str | None, str, str]:
    """(rows, digest of the bytes, what to call the source in messages, its short name)."""
    if not isinstance(source, (str, os.PathLike)):
        from audit.sources.frames import frame_table

        table = frame_table(source)
        return table, None, f"{table.format} ({len(table.rows):,} rows)", table.format
    named = os.fspath(source)
    if isinstance(named, bytes):
        named = os.fsdecode(named)
    check_named(named)
    if named.startswith("hf://"):
        from audit.sources.hub import hub_name, hub_table

        return hub_table(named), None, named, hub_name(named)
    path = Path(named)
    if named != "-" and is_folder(path):
        return _folder(named, path)
    content = read(named)
    short = "standard input" if named == "-" else bare_name(path)[0]
    return table_of(content), content.sha256, named, short


def _folder(named: str, path: Path) -> tuple[Table, str | None, str, str]:
    """A Hugging Face dataset folder, or a folder with exactly one benchmark in it."""
    if is_dataset(path):
        from audit.sources.hub import folder_table

        return folder_table(path, named), None, named, path.resolve().name
    files = expand(named)
    if len(files) > 1:
        raise InputError(f"{named}: a folder of {len(files)} benchmarks; load its files one by one")
    table, digest, _, short = _table(files[0])
    return table, digest, named, short
