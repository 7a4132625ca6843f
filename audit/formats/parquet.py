"""Parquet to rows; label names that Hugging Face stored in the file replace label numbers."""

from __future__ import annotations

import io

from audit.formats.frames import polars_table
from audit.formats.hugging_face import label_names, put_label_names
from audit.formats.panics import quiet_panics
from audit.formats.table import Table
from generators.errors import InputError

__all__ = ["parquet_table"]


def parquet_table(data: bytes, place: str) -> Table:
    """The rows of a Parquet file. Raises InputError if it is damaged."""
    import polars as pl

    try:
        with quiet_panics():
            frame = pl.read_parquet(io.BytesIO(data))
            description = pl.read_parquet_metadata(io.BytesIO(data)).get("huggingface", "")
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise InputError(f"damaged Parquet file: {(str(error).splitlines() or [''])[0]}", place) from error
    table = polars_table(frame, "Parquet")
    put_label_names(table.rows, label_names(description))
    return table
