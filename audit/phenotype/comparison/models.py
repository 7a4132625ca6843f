"""The table of models: one row per model with its base model, its features and its metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from audit.formats.delimited import delimited_table, delimiter_of
from audit.notation import armed, things
from audit.phenotype.metrics.catalogue import METRICS
from generators.errors import Fault, InputError, not_utf8, unknown
from generators.jsonl import read_bytes

__all__ = ["Complete", "ModelTable", "read_models"]

Floats = NDArray[np.float64]

_MODEL: Final = "model"
_BASE: Final = ("base_model", "base model", "base")
_FLAGS: Final = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0}
_BLANK: Final = ("", "na", "nan", "null", "none")


@dataclass(frozen=True)
class Complete:
    """The models that have all of some columns."""

    models: tuple[str, ...]
    bases: tuple[str, ...]
    values: Floats
    """(models, columns)"""
    notes: tuple[str, ...]
    """Which models were left out."""


@dataclass(frozen=True)
class ModelTable:
    """Models in the order of their names, with numbers; NaN where a cell is blank."""

    models: tuple[str, ...]
    bases: tuple[str, ...]
    """The base model of each; the model itself where the table has no such column."""
    columns: Mapping[str, Floats]
    """The columns of numbers, and of yes and no as 1 and 0, in the order of the file."""
    texts: tuple[str, ...]
    """Columns that hold other things."""
    place: str

    @property
    def metrics(self) -> list[str]:
        """Columns that are metrics of a phenotype, in the order of the profile."""
        names = [metric.name for metric in METRICS if not metric.variant_of]
        return [name for name in names if name in self.columns]

    @property
    def features(self) -> list[str]:
        """All other columns of numbers."""
        known = {metric.name for metric in METRICS}
        return [name for name in self.columns if name not in known]

    def complete(self, names: Sequence[str]) -> Complete:
        """The models with a number in each of the columns `names`.

        Raises UsageError for a column that the table has not, or that holds no numbers.
        """
        for name in names:
            if name in self.texts:
                raise InputError(f"column {name!r} holds text; give numbers, or yes and no", self.place)
            if name not in self.columns:
                raise unknown("column", name, self.columns, within=self.place)
        values = np.stack([self.columns[name] for name in names], axis=1)
        whole = np.asarray(~np.isnan(values).any(axis=1))
        left_out = [model for model, kept in zip(self.models, whole) if not kept]
        listed = ", ".join(left_out[:5]) + (", ..." if len(left_out) > 5 else "")
        notes = (f"{things(len(left_out), 'model')} left out for a blank: {listed}",) if left_out else ()
        kept = np.flatnonzero(whole).tolist()
        return Complete(tuple(self.models[k] for k in kept), tuple(self.bases[k] for k in kept), values[whole], notes)


def read_models(path: Path | str) -> ModelTable:
    """A CSV or TSV file with columns `model`, `base_model` (if there is one), features and metrics.

    Raises InputError, with its line, for a model without a name or named twice, and for infinite numbers.
    """
    place = str(path)
    try:
        text = read_bytes(path, place).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(error, place) from error
    table = delimited_table(text, place, delimiter_of(text, Path(path).suffix) or ",")
    if _MODEL not in table.columns:
        raise InputError("has no column 'model'; the first line names the columns", place)
    if not table.rows:
        raise InputError("holds no models", place)
    base = next((name for name in _BASE if name in table.columns), _MODEL)
    faults: list[Fault] = []
    rows = sorted(table.rows, key=lambda row: armed(str(row.values[_MODEL])).strip())
    models = [armed(str(row.values[_MODEL])).strip() for row in rows]
    for row, model, before in zip(rows, models, ["", *models]):
        if not model or model == before:
            faults.append(
                Fault(f"model {model!r} occurs twice" if model else "model has no name", f"{place}: {row.place}")
            )
    columns: dict[str, Floats] = {}
    texts = []
    for name in table.columns:
        if name in (_MODEL, base):
            continue
        cells = [str(row.values[name]).strip() for row in rows]
        numbers = [_number(cell) for cell in cells]
        if any(number is None for number in numbers):
            texts.append(name)
            continue
        columns[name] = np.array(numbers, dtype=np.float64)
        faults += [
            Fault(f"{name} is {cell[:40]!r}, which is no finite number", f"{place}: {row.place}")
            for row, cell, value in zip(rows, cells, columns[name])
            if math.isinf(value) or abs(value) > 1e12
        ]
    if faults:
        raise InputError.of(faults)
    bases = tuple(str(row.values[base]).strip() or model for row, model in zip(rows, models))
    return ModelTable(tuple(models), bases, columns, tuple(texts), place)


def _number(cell: str) -> float | None:
    """The number in a cell, NaN for a blank one; None for text."""
    if cell.casefold() in _BLANK:
        return math.nan
    if cell.casefold() in _FLAGS:
        return _FLAGS[cell.casefold()]
    try:
        return float(cell) if len(cell) <= 40 and cell.isascii() and "_" not in cell else None
    except ValueError:
        return None
