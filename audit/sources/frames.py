"""What a Python caller holds: frames, lists of dicts, Hugging Face Datasets; told by the module's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit.benchmark import LeftOut
from audit.table import Row, Table
from generators.errors import InputError

__all__ = ["frame_table"]


def frame_table(source: Any) -> Table:
    """The rows of a frame. Raises InputError for an object of any other type."""
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    if library == "datasets":
        from audit.sources.hub import dataset_table

        return dataset_table(source)
    if library == "polars":
        from audit.formats.parquet import polars_table

        frame = source.collect() if kind == "LazyFrame" else source
        if type(frame).__name__ == "DataFrame":
            return polars_table(frame, "polars DataFrame")
    if library == "pandas" and kind == "DataFrame":
        columns = [str(one) for one in source.columns]
        if len(set(columns)) < len(columns):
            repeated = next(one for one in columns if columns.count(one) > 1)
            raise InputError(f"pandas DataFrame: the column {repeated!r} occurs more than once; rename it")
        cells = zip(*([_plain(one) for one in source.iloc[:, at].tolist()] for at in range(len(columns))))
        rows = [Row(f"row {number}", dict(zip(columns, one))) for number, one in enumerate(cells, 1)]
        return Table("pandas DataFrame", rows, columns)
    if isinstance(source, Mapping) and source and all(isinstance(one, list) for one in source.values()):
        if len({len(one) for one in source.values()}) > 1:
            raise InputError("dict of columns: the columns have different lengths")
        names = [str(one) for one in source]
        records: Sequence[Any] = [dict(zip(names, one)) for one in zip(*source.values())]
        return _of_records(records, "dict of columns")
    if isinstance(source, (list, tuple)):
        return _of_records(source, "list of dicts")
    raise InputError(
        f"a {library}.{kind} is no benchmark; give a path, an hf:// address, a pandas or polars DataFrame, "
        "a list of dicts or a Hugging Face Dataset"
    )


def _plain(value: Any) -> Any:
    """Arrays inside cells as lists: pandas reads nested Parquet columns as numpy arrays."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if hasattr(value, "tolist") and hasattr(value, "ndim") and value.ndim:
        return [_plain(one) for one in value.tolist()]
    return value


def _of_records(source: Sequence[Any], format: str) -> Table:
    """Rows by number; keys become texts, and what is no mapping is left out."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, one in enumerate(source, 1):
        if isinstance(one, Mapping):
            rows.append(Row(f"row {number}", {str(key): value for key, value in one.items()}))
        else:
            left_out.append(LeftOut(f"row {number}", "not a dict"))
    return Table.of(format, rows, left_out)
