"""Parquet to rows; label names that Hugging Face stored in the file replace label numbers."""

from __future__ import annotations

import io

from audit.formats.budget import WHOLE, Budget, Sieve, check_columns
from audit.formats.hugging_face import label_names, put_label_names
from audit.formats.panics import quiet_panics
from audit.formats.table import Row, Table
from generators.errors import InputError
from generators.input import LIMIT, too_large

__all__ = ["parquet_table"]

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
            check_columns(len(columns), place)
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
