"""Parquet and polars frames to rows; label names that Hugging Face wrote beside the data are put in."""

from __future__ import annotations

import io
from typing import Any

import msgspec

from audit.table import Row, Table
from generators.errors import InputError

__all__ = ["named_labels", "parquet_table", "polars_table"]


def parquet_table(data: bytes, place: str) -> Table:
    """The rows of a Parquet file. Raises InputError where it is damaged."""
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(data))
        stored = pl.read_parquet_metadata(io.BytesIO(data)).get("huggingface", "")
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{place}: damaged Parquet file: {str(error).splitlines()[0]}") from error
    return polars_table(frame, "Parquet", _class_names(stored))


def polars_table(frame: Any, format: str, names: dict[str, list[str]] | None = None) -> Table:
    """The rows of a polars DataFrame; `names` gives label names for columns of label numbers."""
    columns = list(frame.columns)
    rows = [Row(f"row {number}", one) for number, one in enumerate(frame.iter_rows(named=True), 1)]
    named_labels(rows, names or {})
    return Table(format, rows, columns)


def named_labels(rows: list[Row], names: dict[str, list[str]]) -> None:
    """Replace label numbers by their names in place; numbers without a name (-1, unlabelled) become null."""
    for column, labels in names.items():
        for row in rows:
            number = row.values.get(column)
            if isinstance(number, int):
                row.values[column] = labels[number] if 0 <= number < len(labels) else None


def _class_names(stored: str) -> dict[str, list[str]]:
    """Column to label names, from the description that `datasets` stores in a Parquet file."""
    try:
        features = msgspec.json.decode(stored)["info"]["features"]
        return {
            column: [str(name) for name in one["names"]]
            for column, one in features.items()
            if isinstance(one, dict) and one.get("_type") == "ClassLabel" and one.get("names")
        }
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
        return {}  # the description is a courtesy of the writer; without it the numbers stay
