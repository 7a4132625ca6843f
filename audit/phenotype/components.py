"""The table of models, and the principal components of their metrics: how many dimensions there are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hansproof.audit.formats.delimited import text_table
from hansproof.audit.formats.table import Row
from hansproof.audit.notation import armed, things
from hansproof.audit.phenotype.measuring import METRICS
from hansproof.audit.phenotype.metric import Floats
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.permutation import seeded
from hansproof.generators.errors import Fault, InputError, UsageError, unknown

__all__ = ["Complete", "Components", "ModelTable", "components", "inconclusive", "read_models"]

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
    table = text_table(place)
    if _MODEL not in table.columns:
        raise InputError("has no column 'model'; the first line names the columns", place)
    if not table.rows:
        raise InputError("holds no models", place)
    base = next((name for name in _BASE if name in table.columns), _MODEL)
    faults: list[Fault] = []
    rows = sorted(table.rows, key=lambda row: armed(_cell(row, _MODEL)))
    models = [armed(_cell(row, _MODEL)) for row in rows]
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
        cells = [_cell(row, name) for row in rows]
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
    bases = tuple(_cell(row, base) or model for row, model in zip(rows, models))
    return ModelTable(tuple(models), bases, columns, tuple(texts), place)


def _cell(row: Row, name: str) -> str:
    return str(row.values.get(name, "")).strip()


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


# Components count that explain more than those of metrics shuffled between models (parallel analysis, Horn 1965); what
# models of a base have in common, which alone makes metrics look related, is shuffled between bases.

_FEWEST_MODELS: Final = 10
_FEWEST_BASES: Final = 5
"""With fewer models or base models than these, nothing is shown."""
_SHUFFLES: Final = 999


class Component(Record, frozen=True, kw_only=True):
    """One principal component."""

    share: float
    """Of the variance of all metrics that it explains."""
    chance: float
    """95th percentile of that share if the metrics had nothing to do with each other."""
    counts: bool
    """Whether this and every component before it explain more than by chance."""
    loadings: dict[str, float]
    """Correlation of each metric with the component; the largest is positive."""


class ModelScores(Record, frozen=True, kw_only=True):
    """Where one model lies."""

    model: str
    base_model: str
    scores: list[float]
    """On each component, in standard deviations."""


class Components(Record, frozen=True, kw_only=True):
    """The principal components of some metrics."""

    metrics: list[str]
    components: list[Component]
    models: list[ModelScores]
    dimensions: int
    """How many components count."""
    inconclusive: str | None
    """Why so few models show nothing; None if there are enough."""
    notes: list[str]


def components(table: ModelTable, metrics: Sequence[str] = (), *, seed: int = 0) -> Components:
    """Principal components of the columns `metrics`; by default, of all metrics of the profile that the table has.

    Metrics that are the same in all models are left out, with a note. Raises UsageError for fewer than two metrics,
    and InputError for fewer than three models.
    """
    from sklearn.decomposition import PCA

    names = list(dict.fromkeys(metrics)) or table.metrics
    blank = [name for name in names if name in table.columns and np.isnan(table.columns[name]).all()]
    names = [name for name in names if name not in blank]
    if len(names) < 2:
        raise UsageError("principal components need at least two metrics; name columns of the table")
    data = table.complete(names)
    if len(data.models) < 3:
        raise InputError(f"{len(data.models)} models have all {len(names)} metrics; at least 3 are needed", table.place)
    spread = np.ptp(data.values, axis=0) > 0
    constant = [name for name, varies in zip(names, spread) if not varies]
    names = [name for name, varies in zip(names, spread) if varies]
    if len(names) < 2:
        raise InputError("fewer than two metrics differ between the models", table.place)
    values = data.values[:, spread]
    values = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    count = min(len(names), len(data.models) - 1)
    fitted = PCA(n_components=count, svd_solver="full").fit(values)
    chance = _chance(values, data.bases, count, seed)
    rank = int(np.sum(fitted.explained_variance_ > 1e-10))
    axes = fitted.components_[:rank]
    axes = axes * np.where(axes[np.arange(rank), np.abs(axes).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]
    spreads = np.sqrt(fitted.explained_variance_[:rank])
    scores = values @ axes.T / spreads
    beyond = fitted.explained_variance_ratio_[:rank] > chance[:rank]
    dimensions = rank if beyond.all() else int(beyond.argmin())
    return Components(
        metrics=names,
        components=[
            Component(
                share=float(fitted.explained_variance_ratio_[k]),
                chance=float(chance[k]),
                counts=k < dimensions,
                loadings={name: float(axes[k, j] * spreads[k]) for j, name in enumerate(names)},
            )
            for k in range(rank)
        ],
        models=[
            ModelScores(model=model, base_model=base, scores=scores[row].tolist())
            for row, (model, base) in enumerate(zip(data.models, data.bases))
        ],
        dimensions=dimensions,
        inconclusive=inconclusive(data, f"{len(names)} metrics", len(names) + 2, "dimensions from base models"),
        notes=[
            *data.notes,
            *([f"blank in all models, left out: {', '.join(blank)}"] if blank else []),
            *([f"the same in all models, left out: {', '.join(constant)}"] if constant else []),
        ],
    )


def inconclusive(data: Complete, of: str, wanted: int, told: str) -> str | None:
    """Why so few models say nothing `of` so many features or metrics, for which `wanted` are needed, at least ten; None
    if there are enough. What cannot be `told` from what otherwise stands in the reason."""
    wanted, bases = max(wanted, _FEWEST_MODELS), len(set(data.bases))
    if len(data.models) < wanted:
        return f"{things(len(data.models), 'model')} are too few for {of}; at least {wanted} are needed"
    if bases < _FEWEST_BASES:
        return f"{bases} base models are too few to tell {told}; at least {_FEWEST_BASES} are needed"
    return None


def _chance(values: Floats, bases: Sequence[str], count: int, seed: int) -> Floats:
    """(count,) 95th percentiles of the shares of variance once every metric is shuffled: the means of the base models
    between these, and how far models are from them between the models."""
    random = seeded(seed, "phenotype", "components")
    base = np.unique(np.array(bases), return_inverse=True)[1]
    means = np.stack([np.bincount(base, column) for column in values.T], axis=1) / np.bincount(base)[:, None]
    rest = values - means[base]
    shares = np.empty((_SHUFFLES, count))
    for shuffle in range(_SHUFFLES):
        mixed = random.permuted(means, axis=0)[base] + random.permuted(rest, axis=0)
        mixed -= mixed.mean(axis=0)
        spread = np.sqrt(np.mean(mixed**2, axis=0))
        singular = np.linalg.svd(mixed / np.where(spread > 0, spread, 1.0), compute_uv=False)[:count] ** 2
        shares[shuffle] = singular / singular.sum()
    return np.quantile(shares, 0.95, axis=0)
