"""Hugging Face Datasets to rows; label numbers become label names."""

from __future__ import annotations

from typing import Any

import msgspec

from audit.formats.budget import WHOLE, Budget, Sieve
from audit.formats.table import Row, Table
from generators.errors import InputError

__all__ = ["dataset_table", "label_names", "put_label_names"]

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
