"""Data that comes in typed columns: Parquet, Hugging Face Datasets, frames and lists of dicts."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.table import DEEPEST, WHOLE, Budget, Row, Sieve, Table, bare
from hansproof.generators.errors import InputError
from hansproof.generators.input import LIMIT, first_repeated, too_large

__all__ = ["check_type", "dataset_table", "frame_table", "is_frame", "parquet_table", "plain"]

_FORMAT = "Hugging Face dataset"
_MEDIA = ("Image", "Audio", "Video", "Pdf", "Nifti")


def dataset_table(
    dataset: Any, place: str = "Hugging Face Dataset", *, named: bool = True, budget: Budget = WHOLE
) -> Table:
    """The rows of a Dataset, or of all splits of a DatasetDict; label numbers become label names if `named`.

    A split whose labels are all withheld is set aside with a note. Images, audio and video are dropped, not decoded.
    Raises InputError for a streaming dataset, and for more rows than the budget has.
    """
    kind = type(dataset).__name__
    if kind == "DatasetDict":
        return _of_splits(dataset, place, named, budget)
    if kind != "Dataset":
        raise InputError(f"a {kind} cannot be audited; load it as a Dataset, without streaming", place)
    features = dataset.features
    media = [column for column, feature in features.items() if type(feature).__name__ in _MEDIA]
    plain = dataset.remove_columns(media).with_format(None)
    budget.check_rows(len(plain), place)
    sieve: Sieve[Row] = Sieve(budget, place)
    for number, values in enumerate(plain, 1):
        sieve.add(Row(f"row {number}", dict(values)), values, len(values))
    rows = sieve.kept
    if named:
        put_label_names(rows, {column: list(features[column].names) for column in _label_columns(features)})
    return Table(_FORMAT, rows, list(plain.column_names), sampled_from=sieve.sampled_from)


def put_label_names(rows: list[Row], names: dict[str, list[str]]) -> None:
    """Replace label numbers by their names in place; a number without a name (-1, unlabelled) becomes null."""
    for column, labels in names.items():
        for row in rows:
            number = row.values.get(column)
            if isinstance(number, int):
                row.values[column] = labels[number] if 0 <= number < len(labels) else None


def label_names(description: str) -> dict[str, list[str]]:
    """Column to label names, from the JSON description that `datasets` stores in a Parquet file; {} without one."""
    try:
        features = msgspec.json.decode(description)["info"]["features"]
        return {
            column: [str(name) for name in feature["names"]]
            for column, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel" and feature.get("names")
        }
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
        return {}  # the description is optional; without it the numbers stay


def _label_columns(features: Any) -> list[str]:
    return [column for column, feature in features.items() if type(feature).__name__ == "ClassLabel"]


def _of_splits(splits: Any, place: str, named: bool, budget: Budget) -> Table:
    """The rows of all splits, one split after another; rows are numbered within their split."""
    if not splits:
        raise InputError("a dataset without splits", place)
    rows: list[Row] = []
    columns: dict[str, None] = {}
    notes: list[str] = []
    for name, dataset in splits.items():
        table = dataset_table(dataset, place, named=named, budget=budget)
        labels = _label_columns(dataset.features)
        if labels and table.rows and all(row.values[label] is None for row in table.rows for label in labels):
            notes.append(f"the split {name!r} has no labels and is set aside ({len(table.rows):,} rows)")
            continue
        columns.update(dict.fromkeys(table.columns))
        for row in table.rows:
            values = row.values if "split" in row.values else {**row.values, "split": str(name)}
            rows.append(Row(f"{name} {row.place}", values))
    notes.append(f"splits read: {', '.join(str(name) for name in splits)}")
    columns.setdefault("split", None)
    return Table(_FORMAT, rows, list(columns), notes=tuple(notes))


@contextlib.contextmanager
def quiet_panics() -> Iterator[None]:
    """Send standard error nowhere while the block runs: there Rust reports a panic, past Python, on dozens of lines."""
    with contextlib.ExitStack() as stack:
        try:
            kept = os.dup(2)
        except OSError:  # no standard error
            yield
            return
        stack.callback(os.close, kept)
        stack.callback(os.dup2, kept, 2)
        os.dup2(stack.enter_context(Path(os.devnull).open("wb")).fileno(), 2)
        yield


_PIECE = 50_000
"""Rows that are in memory as columns at a time."""


def parquet_table(data: bytes, place: str, budget: Budget = WHOLE) -> Table:
    """The rows of a Parquet file, read piece by piece. Raises InputError if it is damaged or too large."""
    import polars as pl

    try:
        with quiet_panics():
            lazy = pl.scan_parquet(io.BytesIO(data))
            count = int(lazy.select(pl.len()).collect().item())
            budget.check_rows(count, place)
            columns = lazy.collect_schema()
            sieve: Sieve[Row] = Sieve(budget, place)
            for start in range(0, count, _PIECE):
                frame = lazy.slice(start, _PIECE).collect()
                named = [name for name, kind in columns.items() if kind in (pl.Categorical, pl.Enum)]
                # A text that stands in every row is there once in the frame, and a million times as objects of Python.
                if frame.with_columns(pl.col(named).cast(pl.String)).estimated_size() > LIMIT:
                    raise too_large(LIMIT, place)
                for number, values in enumerate(frame.iter_rows(named=True), start + 1):
                    sieve.add(Row(f"row {number}", values), values, len(values))
            description = pl.read_parquet_metadata(io.BytesIO(data)).get("huggingface", "")
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise InputError(f"damaged Parquet file: {(str(error).splitlines() or [''])[0]}", place) from error
    rows = sieve.kept
    put_label_names(rows, label_names(description))
    return Table("Parquet", rows, list(columns), sampled_from=sieve.sampled_from)


# Types are recognised by the name of their module, so that no library is imported to ask.

_FRAMES = (("polars", "DataFrame"), ("polars", "LazyFrame"), ("pandas", "DataFrame"))


def frame_table(source: Any) -> Table:
    """The rows of a frame. Raises InputError for an object of any other type."""
    check_type(source)
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    if library == "datasets":
        return dataset_table(source)
    if library == "polars":
        return _polars_table(source.collect() if kind == "LazyFrame" else source)
    if library == "pandas":
        return _pandas_table(source)
    return _of_columns(source) if isinstance(source, Mapping) else _of_records(source, "list of dicts")


def is_frame(source: Any) -> bool:
    """Whether something is a frame, a Hugging Face Dataset or a dict of lists."""
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    if library == "datasets" or (library, kind) in _FRAMES:
        return True
    return isinstance(source, Mapping) and bool(source) and all(isinstance(values, list) for values in source.values())


def check_type(source: Any) -> None:
    """Raise InputError for what is no frame, list, dict of lists or Hugging Face Dataset."""
    if is_frame(source) or isinstance(source, (list, tuple)):
        return
    library, kind = type(source).__module__.split(".")[0], type(source).__name__
    raise InputError(
        f"a {library}.{kind} is not a benchmark; pass a path, an hf:// address, a pandas or polars DataFrame, "
        "a list of dicts or a Hugging Face Dataset"
    )


def _polars_table(frame: Any) -> Table:
    """The rows of a polars DataFrame."""
    rows = [Row(f"row {number}", values) for number, values in enumerate(frame.iter_rows(named=True), 1)]
    if any(str(kind).startswith("Object") for kind in frame.dtypes):
        rows = [Row(row.place, plain(row.values)) for row in rows]
    return Table("polars DataFrame", rows, list(frame.columns))


def _pandas_table(frame: Any) -> Table:
    """The rows of a pandas DataFrame. Raises InputError for two columns of one name."""
    columns = [str(label) for label in frame.columns]
    if (repeated := first_repeated(columns)) is not None:
        raise InputError(f"the column {repeated!r} occurs more than once; rename it", "pandas DataFrame")
    cells = zip(*([plain(value) for value in frame.iloc[:, at].tolist()] for at in range(len(columns))))
    rows = [Row(f"row {number}", dict(zip(columns, values))) for number, values in enumerate(cells, 1)]
    return Table("pandas DataFrame", rows, columns)


def plain(value: Any, depth: int = 0) -> Any:
    """`bare` at every depth: pandas reads nested Parquet columns as numpy arrays, and dicts come from anywhere.

    What is nested deeper than `DEEPEST` stays as it is, for `is_too_deep` to refuse.
    """
    value = bare(value)
    if isinstance(value, (str, int, float)) or depth > DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {_key(key): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, depth + 1) for inner in value]
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
            rows.append(Row(f"row {number}", plain(record)))
        else:
            left_out.append(LeftOut(f"row {number}", "not a dict", f"of type {type(record).__name__}"))
    return Table.of(format, rows, left_out)
