"""What a Python caller holds: frames, lists of dicts, Hugging Face Datasets.

Types are recognised by the name of their module, so that no library is imported to ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit.benchmark import LeftOut
from audit.formats.table import DEEPEST, Row, Table, bare
from generators.errors import InputError
from generators.input import first_repeated

__all__ = ["check_type", "frame_table", "polars_table"]


_FRAMES = (("polars", "DataFrame"), ("polars", "LazyFrame"), ("pandas", "DataFrame"))


def frame_table(source: Any) -> Table:
    """The rows of a frame. Raises InputError for an object of any other type."""
    check_type(source)
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    if library == "datasets":
        from audit.formats.hugging_face import dataset_table

        return dataset_table(source)
    if library == "polars":
        return polars_table(source.collect() if kind == "LazyFrame" else source, "polars DataFrame")
    if library == "pandas":
        return _pandas_table(source)
    return _of_columns(source) if isinstance(source, Mapping) else _of_records(source, "list of dicts")


def check_type(source: Any) -> None:
    """Raise InputError for what is no frame, list, dict of lists or Hugging Face Dataset."""
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    if library == "datasets" or (library, kind) in _FRAMES or isinstance(source, (list, tuple)):
        return
    if isinstance(source, Mapping) and source and all(isinstance(values, list) for values in source.values()):
        return
    raise InputError(
        f"a {library}.{kind} is not a benchmark; pass a path, an hf:// address, a pandas or polars DataFrame, "
        "a list of dicts or a Hugging Face Dataset"
    )


def polars_table(frame: Any, format: str) -> Table:
    """The rows of a polars DataFrame."""
    rows = [Row(f"row {number}", values) for number, values in enumerate(frame.iter_rows(named=True), 1)]
    if any(str(kind).startswith("Object") for kind in frame.dtypes):
        rows = [Row(row.place, _plain(row.values)) for row in rows]
    return Table(format, rows, list(frame.columns))


def _pandas_table(frame: Any) -> Table:
    """The rows of a pandas DataFrame. Raises InputError for two columns of one name."""
    columns = [str(label) for label in frame.columns]
    if (repeated := first_repeated(columns)) is not None:
        raise InputError(f"the column {repeated!r} occurs more than once; rename it", "pandas DataFrame")
    cells = zip(*([_plain(value) for value in frame.iloc[:, at].tolist()] for at in range(len(columns))))
    rows = [Row(f"row {number}", dict(zip(columns, values))) for number, values in enumerate(cells, 1)]
    return Table("pandas DataFrame", rows, columns)


def _plain(value: Any, depth: int = 0) -> Any:
    """`bare` at every depth: pandas reads nested Parquet columns as numpy arrays, and dicts come from anywhere.

    What is nested deeper than `DEEPEST` stays as it is, for `is_too_deep` to refuse.
    """
    value = bare(value)
    if isinstance(value, (str, int, float)) or depth > DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {_key(key): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, depth + 1) for inner in value]
    return value


def _key(key: Any) -> str:
    key = bare(key)
    return key if isinstance(key, str) else str(key)


def _of_columns(source: Mapping[Any, list[Any]]) -> Table:
    """The rows of a dict of columns. Raises InputError for columns of different lengths."""
    if len({len(values) for values in source.values()}) > 1:
        raise InputError("the columns have different lengths", "dict of columns")
    names = [_key(key) for key in source]
    return _of_records([dict(zip(names, values)) for values in zip(*source.values())], "dict of columns")


def _of_records(source: Sequence[Any], format: str) -> Table:
    """Numbered rows with text keys; entries that are not mappings are left out."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, record in enumerate(source, 1):
        if isinstance(record, Mapping):
            rows.append(Row(f"row {number}", _plain(record)))
        else:
            left_out.append(LeftOut(f"row {number}", "not a dict", f"of type {type(record).__name__}"))
    return Table.of(format, rows, left_out)
