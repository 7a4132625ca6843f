"""Hugging Face datasets: a folder on disk, an `hf://` address, or a Dataset in hand.

`datasets` is imported only here and only when needed. Code that a dataset brings along is never run: the
versions that the project asks for have no way to.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from audit.formats.parquet import named_labels
from audit.sources.hub_connection import check_reachable, is_offline, parse_address, silence
from audit.table import Row, Table
from generators.errors import InputError

__all__ = ["dataset_table", "folder_table", "hub_name", "hub_table"]

_MEDIA = ("Image", "Audio", "Video", "Pdf", "Nifti")


def hub_name(address: str) -> str:
    """`org/name` of an address, for tables."""
    return address.removeprefix("hf://").split("@")[0]


def hub_table(address: str) -> Table:
    """The rows of `hf://org/name[:config][@split]`; without a split, all of them with a `split` column.

    Raises InputError where the address cannot be read, names something on this disk, or the dataset cannot be had.
    """
    wanted = parse_address(address)
    from datasets import load_dataset

    with silence():
        offline = is_offline()
        if not offline:
            check_reachable(address, wanted.path)
        try:
            loaded = load_dataset(wanted.path, wanted.config, split=wanted.split)
        except Exception as error:  # the Hub's clients raise from four libraries, with no common base
            if offline and isinstance(error, ConnectionError):
                raise InputError(
                    f"{address}: cannot reach the Hub: HF_HUB_OFFLINE is set and the dataset is not in the cache"
                ) from error
            what = "cannot reach the Hub" if isinstance(error, ConnectionError) else "cannot be loaded"
            raise InputError(f"{address}: {what}: {_first_line(error)}") from error
        return dataset_table(loaded, address)


def folder_table(folder: Path, place: str) -> Table:
    """The rows of a dataset folder, as `save_to_disk` writes it or the Hub serves it; `place` names it in messages."""
    from datasets import load_dataset, load_from_disk

    saved = any((folder / name).is_file() for name in ("dataset_dict.json", "state.json"))
    with silence():
        try:
            # Absolute, so that a folder called `json` is a folder and not the reader of that name.
            loaded = load_from_disk(str(folder)) if saved else load_dataset(str(folder.resolve()))
        except Exception as error:  # as above
            raise InputError(f"{place}: cannot be loaded as a dataset folder: {_first_line(error)}") from error
        return dataset_table(loaded, place)


def dataset_table(dataset: Any, place: str = "Hugging Face Dataset") -> Table:
    """The rows of a Dataset, or of all splits of a DatasetDict; label numbers become label names.

    A split without any label (its golds are kept back) is set aside with a note. Pictures and sound are not
    decoded. Raises InputError for a streaming dataset.
    """
    kind = type(dataset).__name__
    if kind == "DatasetDict":
        return _of_splits(dataset, place)
    if kind != "Dataset":
        raise InputError(f"{place}: a {kind} cannot be audited; load it as a Dataset, without streaming")
    features = dataset.features
    media = [column for column, one in features.items() if type(one).__name__ in _MEDIA]
    plain = dataset.remove_columns(media).with_format(None)
    rows = [Row(f"row {number}", dict(one)) for number, one in enumerate(plain, 1)]
    names = {name: list(one.names) for name, one in features.items() if type(one).__name__ == "ClassLabel"}
    named_labels(rows, names)
    return Table("Hugging Face dataset", rows, list(plain.column_names))


def _of_splits(splits: Any, place: str) -> Table:
    """All splits after one another; rows are numbered inside their split."""
    if not splits:
        raise InputError(f"{place}: a dataset without splits")
    rows: list[Row] = []
    columns: dict[str, None] = {}
    notes: list[str] = []
    for name, dataset in splits.items():
        one = dataset_table(dataset, place)
        labels = [c for c, f in dataset.features.items() if type(f).__name__ == "ClassLabel"]
        if labels and one.rows and all(row.values[c] is None for row in one.rows for c in labels):
            notes.append(f"the split {name!r} has no labels and is set aside ({len(one.rows):,} rows)")
            continue
        columns.update(dict.fromkeys(one.columns))
        for row in one.rows:
            values = row.values if "split" in row.values else {**row.values, "split": str(name)}
            rows.append(Row(f"{name} {row.place}", values))
    notes.append(f"splits read: {', '.join(str(one) for one in splits)}")
    columns.setdefault("split", None)
    return Table("Hugging Face dataset", rows, list(columns), notes=tuple(notes))


def _first_line(error: Exception) -> str:
    """What went wrong, in one line."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
