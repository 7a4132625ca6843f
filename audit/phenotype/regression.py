"""Mixed-effects regression of a metric on features of models, with a random intercept per base model.

Models of one base share its training, so they are not independent. The fit is statsmodels' MixedLM by restricted
maximum likelihood; p-values are Student's with between-within degrees of freedom (Schluchter & Elashoff 1990), which
unlike normal ones hold for a dozen models, and are corrected for the number of features (Holm 1979).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import things
from hansproof.audit.phenotype.components import Complete, ModelTable, inconclusive
from hansproof.audit.phenotype.metric import Floats
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.permutation import holm
from hansproof.generators.errors import InputError, UsageError

__all__ = ["Regression", "regress"]

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
        inconclusive=inconclusive(
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
    statsmodels = _statsmodels()
    scale = float(outcome.std())
    fits = []
    said = ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = statsmodels.MixedLM(outcome / scale, design, groups=index)
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


def _statsmodels() -> Any:
    try:
        import statsmodels.api as statsmodels
    except ImportError as error:
        raise UsageError("mixed-effects regression needs statsmodels; run: pip install 'hansproof[mixed]'") from error
    return statsmodels
