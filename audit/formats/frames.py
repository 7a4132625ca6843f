"""What a Python caller holds: frames, lists of dicts, Hugging Face Datasets.

Types are recognised by the name of their module, so that no library is imported to ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table
from generators.errors import InputError
from generators.input.repeated import first_repeated

__all__ = ["frame_table", "polars_table"]


def frame_table(source: Any) -> Table:
    """The rows of a frame. Raises InputError for an object of any other type."""
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    if library == "datasets":
        from audit.formats.hugging_face import dataset_table

        return dataset_table(source)
    if library == "polars":
        frame = source.collect() if kind == "LazyFrame" else source
        if type(frame).__name__ == "DataFrame":
            return polars_table(frame, "polars DataFrame")
    if library == "pandas" and kind == "DataFrame":
        return _pandas_table(source)
    if isinstance(source, Mapping) and source and all(isinstance(values, list) for values in source.values()):
        return _of_columns(source)
    if isinstance(source, (list, tuple)):
        return _of_records(source, "list of dicts")
    raise InputError(
        f"a {library}.{kind} is not a benchmark; pass a path, an hf:// address, a pandas or polars DataFrame, "
        "a list of dicts or a Hugging Face Dataset"
    )


def polars_table(frame: Any, format: str) -> Table:
    """The rows of a polars DataFrame."""
    rows = [Row(f"row {number}", values) for number, values in enumerate(frame.iter_rows(named=True), 1)]
    return Table(format, rows, list(frame.columns))


def _pandas_table(frame: Any) -> Table:
    """The rows of a pandas DataFrame. Raises InputError for two columns of one name."""
    columns = [str(label) for label in frame.columns]
    if (repeated := first_repeated(columns)) is not None:
        raise InputError(f"the column {repeated!r} occurs more than once; rename it", "pandas DataFrame")
    cells = zip(*([_plain(value) for value in frame.iloc[:, at].tolist()] for at in range(len(columns))))
    rows = [Row(f"row {number}", dict(zip(columns, values))) for number, values in enumerate(cells, 1)]
    return Table("pandas DataFrame", rows, columns)


def _plain(value: Any) -> Any:
    """Arrays inside cells as lists: pandas reads nested Parquet columns as numpy arrays."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if hasattr(value, "tolist") and hasattr(value, "ndim") and value.ndim:
        return [_plain(inner) for inner in value.tolist()]
    return value


def _of_columns(source: Mapping[Any, list[Any]]) -> Table:
    """The rows of a dict of columns. Raises InputError for columns of different lengths."""
    if len({len(values) for values in source.values()}) > 1:
        raise InputError("the columns have different lengths", "dict of columns")
    names = [str(key) for key in source]
    return _of_records([dict(zip(names, values)) for values in zip(*source.values())], "dict of columns")


def _of_records(source: Sequence[Any], format: str) -> Table:
    """Numbered rows with text keys; entries that are not mappings are left out."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, record in enumerate(source, 1):
        if isinstance(record, Mapping):
            rows.append(Row(f"row {number}", {str(key): value for key, value in record.items()}))
        else:
            left_out.append(LeftOut(f"row {number}", "not a dict"))
    return Table.of(format, rows, left_out)
