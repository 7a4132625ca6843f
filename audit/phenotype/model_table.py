"""The table of models: principal components of their metrics, and regressions of metrics on features."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.formats.delimited import text_table
from hansproof.audit.formats.table import Row
from hansproof.audit.notation import armed, things
from hansproof.audit.phenotype.measuring import METRICS
from hansproof.audit.phenotype.metric import Floats
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.permutation import holm, seeded
from hansproof.generators.errors import Fault, InputError, UsageError, unknown

__all__ = ["Components", "ModelTable", "Regression", "components", "read_models", "regress"]

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
        inconclusive=_inconclusive(data, f"{len(names)} metrics", len(names) + 2, "dimensions from base models"),
        notes=[
            *data.notes,
            *([f"blank in all models, left out: {', '.join(blank)}"] if blank else []),
            *([f"the same in all models, left out: {', '.join(constant)}"] if constant else []),
        ],
    )


def _inconclusive(data: Complete, of: str, wanted: int, told: str) -> str | None:
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


# Mixed-effects regression of a metric on features of models, with a random intercept per base model. Models of one base
# share its training, so they are not independent. The fit is statsmodels' MixedLM by restricted maximum likelihood;
# p-values are Student's with between-within degrees of freedom (Schluchter & Elashoff 1990), which unlike normal ones
# hold for a dozen models, and are corrected for the number of features (Holm 1979).

_PER_FEATURE: Final = 5
"""With fewer models per feature, and one more, a regression is inconclusive."""
_METHODS: Final = ("bfgs", "lbfgs", "cg", "powell")
"""Each stops short on some tables; the best of their fits is taken."""
_NO_VARIANCE: Final = 1e-5
"""Of the residual variance: a smaller one between base models is none."""


class Coefficient(Record, frozen=True, kw_only=True):
    """The effect of one feature."""

    feature: str
    estimate: float
    """Change of the metric, in its own unit, per standard deviation of the feature; from no to yes for a flag."""
    low: float | None
    """Ends of the 95 % interval."""
    high: float | None
    p: float | None
    """Two-sided."""
    p_corrected: float | None
    """After Holm's correction for the features of this regression."""
    degrees: int
    """Of freedom: between base models if the feature is the same in all models of each, else within."""


class Regression(Record, frozen=True, kw_only=True):
    """One metric regressed on features."""

    metric: str
    models: int
    bases: int
    intercept: float
    coefficients: list[Coefficient]
    base_sd: float
    """Standard deviation between base models, in the unit of the metric."""
    residual_sd: float
    method: str
    """`mixed` or `least squares`: the latter where base models do not differ, or are not repeated."""
    inconclusive: str | None
    """Why so few models show nothing; None if there are enough."""
    notes: list[str]


class _Fit(NamedTuple):
    beta: Floats
    errors: Floats
    base_variance: float
    variance: float


def regress(table: ModelTable, metric: str, features: Sequence[str]) -> Regression:
    """Regress the column `metric` on the columns `features`, models grouped by their base model.

    Numeric features are standardised, flags are 0 and 1. Raises UsageError without features, for a metric among them
    and where statsmodels is missing, and InputError for a column of one value, for features that follow from others,
    and for fewer models than coefficients.
    """
    if not features:
        raise UsageError("a regression needs at least one feature; name columns of the table")
    if metric in features or len(set(features)) < len(features):
        raise UsageError("the metric and the features of a regression must be different columns")
    data = table.complete([metric, *features])
    outcome, design = data.values[:, 0], _design(data, features, table.place)
    bases = sorted(set(data.bases))
    notes = list(data.notes)
    fit = None
    if len(bases) == len(data.models):
        notes.append("no base model has two models, so nothing is grouped")
    elif len(bases) == 1:
        notes.append("all models have one base model, so nothing is grouped")
    else:
        index = np.array([bases.index(base) for base in data.bases])
        fit, said = _mixed(outcome, design, index)
        notes += [said] if said else []
    method = "mixed" if fit else "least squares"
    fit = fit or _least_squares(outcome, design)
    degrees = _degrees(design, data.bases, grouped=1 < len(bases) < len(data.models))
    return Regression(
        metric=metric,
        models=len(data.models),
        bases=len(bases),
        intercept=float(fit.beta[0]),
        coefficients=_coefficients(features, fit, degrees),
        base_sd=math.sqrt(fit.base_variance),
        residual_sd=math.sqrt(fit.variance),
        method=method,
        inconclusive=_inconclusive(
            data, things(len(features), "feature"), _PER_FEATURE * (len(features) + 1), "base models from features"
        ),
        notes=notes,
    )


def _design(data: Complete, features: Sequence[str], place: str) -> Floats:
    """(models, features + 1) with a column of ones first."""
    models = len(data.models)
    if models < len(features) + 2:
        raise InputError(
            f"{things(models, 'model')} with all columns are too few for {things(len(features), 'feature')}; "
            f"at least {len(features) + 2} are needed",
            place,
        )
    columns = [np.ones(models)]
    for name, values in zip(["the metric", *features], data.values.T):
        if np.ptp(values) == 0:
            raise InputError(f"{name} has the same value in all {models} models; it cannot be compared", place)
        if name != "the metric":
            flag = set(values.tolist()) == {0.0, 1.0}
            columns.append(values if flag else (values - values.mean()) / values.std(ddof=1))
        if np.linalg.matrix_rank(np.stack(columns, axis=1), tol=1e-8) < len(columns):
            raise InputError(f"{name} follows from the features before it; leave one of them out", place)
    return np.stack(columns, axis=1)


def _mixed(outcome: Floats, design: Floats, index: NDArray[np.int64]) -> tuple[_Fit | None, str]:
    """The mixed fit; or None, and what to say, if base models do not differ or no optimiser converges."""
    try:
        from statsmodels.api import MixedLM
    except ImportError as error:
        raise UsageError("mixed-effects regression needs statsmodels; run: pip install 'hansproof[mixed]'") from error
    scale = float(outcome.std())
    fits = []
    said = ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MixedLM(outcome / scale, design, groups=index)
        for method in _METHODS:
            try:
                fits.append(model.fit(reml=True, method=[method]))
            except (np.linalg.LinAlgError, ValueError) as error:  # at the edge of what variances may be
                said = f" ({error})"
        fits = [fit for fit in fits if fit.converged and np.isfinite(fit.bse_fe).all()]
    if not fits:
        return None, f"the mixed fit did not converge{said}; least squares instead, intervals may be too short"
    fitted = max(fits, key=lambda fit: float(fit.llf))
    between, within = float(np.asarray(fitted.cov_re)[0, 0]), float(fitted.scale)
    errors = np.asarray(fitted.bse_fe, dtype=np.float64)
    if between < _NO_VARIANCE * within:
        return None, "singular fit: base models do not differ beyond their features; least squares instead"
    beta = np.asarray(fitted.fe_params, dtype=np.float64)
    return _Fit(beta * scale, errors * scale, between * scale**2, within * scale**2), ""


def _least_squares(outcome: Floats, design: Floats) -> _Fit:
    inverse = np.linalg.pinv(design)  # of features that nearly follow from others, too
    beta = inverse @ outcome
    residual = outcome - design @ beta
    variance = float(residual @ residual) / (len(outcome) - design.shape[1])
    return _Fit(beta, np.sqrt((inverse**2).sum(axis=1) * variance), 0.0, variance)


def _degrees(design: Floats, bases: Sequence[str], *, grouped: bool) -> list[int]:
    """Degrees of freedom of each feature: also in a singular fit, one of base models has fewer than these."""
    models, width = design.shape
    if not grouped:
        return [models - width] * (width - 1)
    names = sorted(set(bases))
    members = [np.array([base == name for base in bases]) for name in names]
    between = [all(np.ptp(column[own]) == 0 for own in members) for column in design.T[1:]]
    outer = len(names) - 1 - sum(between)
    inner = models - len(names) - (width - 1 - sum(between))
    return [outer if same else inner for same in between]


def _coefficients(features: Sequence[str], fit: _Fit, degrees: Sequence[int]) -> list[Coefficient]:
    from scipy.stats import t

    beta, error, freedom = fit.beta[1:], fit.errors[1:], np.array(degrees, dtype=np.float64)
    known = (freedom >= 1) & (error > 0)
    safe, freedom = np.where(known, error, np.nan), np.where(known, freedom, np.nan)
    half, p = t.ppf(0.975, freedom) * safe, 2 * t.sf(np.abs(beta) / safe, freedom)
    low, high, corrected = beta - half, beta + half, holm(p)
    return [
        Coefficient(
            feature=feature,
            estimate=float(beta[at]),
            low=_or_none(low[at]),
            high=_or_none(high[at]),
            p=_or_none(p[at]),
            p_corrected=_or_none(corrected[at]),
            degrees=max(degrees[at], 0),
        )
        for at, feature in enumerate(features)
    ]


def _or_none(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
