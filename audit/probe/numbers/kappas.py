"""The kappas of one scheme with all that is said of them, whatever was predicted: labels, or one option of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.probe.numbers.measured import Measured, S, Stretch
from audit.records.numbers import SchemeName
from audit.records.record import or_least
from audit.result import SchemeResult, Settings, VectorResult
from audit.statistics.intervals import Errors, lower_bounds
from audit.statistics.resampling import seeded
from audit.statistics.significance import Null, Significance

__all__ = ["Kappas", "interval_ends", "median_over_splits", "number"]

Floats = NDArray[np.float64]


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...


class _Fitted(Protocol):
    @property
    def validation(self) -> float: ...
    @property
    def regularisation(self) -> list[str]: ...
    @property
    def features(self) -> int: ...


@dataclass(frozen=True)
class Kappas:
    """V kappas, each the median over S splits."""

    values: Floats
    """(V, S)"""
    middle: Floats
    """(V,) medians; NaN where undefined."""
    counted: NDArray[np.bool_]
    """(V,) which decide the verdict."""
    errors: Errors
    tested: Significance
    stretch: Stretch
    ends: tuple[Floats, Floats]
    """(V,) of the 95 % intervals."""
    upper: Floats
    """(V,) larger kappas are ruled out."""
    bounds: Floats
    """(V,) lower bounds that hold for all counted vectors at once; NaN for the others."""

    @classmethod
    def judged(
        cls,
        values: Floats,
        counted: NDArray[np.bool_],
        null: Null,
        errors_of: Callable[..., Errors],
        at_threshold: float,
        settings: Settings,
        refitted: Callable[[list[int], float], Stretch],
    ) -> Kappas:
        """What is said of kappas (V, S) under their `null`.

        `errors_of` takes the keywords `stretch` and `stretched_by` of `audit.statistics.intervals.errors_of`, and
        `at_threshold` is the standard error of a kappa as large as the threshold. `refitted` is given the three counted
        vectors with the largest kappas and the standard deviation of the first one's null distribution. The resampling
        draws do not depend on the scheme.
        """
        middle = median_over_splits(values)
        order = np.argsort(-np.where(counted & ~np.isnan(middle), middle, -np.inf), kind="stable")
        strongest: list[int] = order[: min(3, int(counted.sum()))].tolist()
        stretch = refitted(strongest, null.sd(strongest[0]))
        tested = null.test(counted, alpha=settings.alpha, stretch=stretch.null)
        errors = errors_of(stretch=stretch.sampling, stretched_by=stretch.degrees)
        bounds = np.full(len(values), np.nan)
        chosen = np.flatnonzero(counted)
        own = Errors(errors.influence[chosen], errors.se[chosen], errors.degrees, errors.widening[chosen])
        bounds[chosen] = lower_bounds(middle[chosen], own, 1 - settings.leak_alpha, seeded(settings.seed, "bounds"))
        wider = replace(errors, se=np.fmax(errors.se, errors.widening * at_threshold))
        ends, upper = interval_ends(middle, errors), interval_ends(middle, wider)[1]
        return cls(values, middle, counted, errors, tested, stretch, ends, upper, bounds)

    def entry(
        self,
        v: int,
        named: _Named,
        fitted: _Fitted,
        *,
        uniform: float,
        accuracy: float,
        cohen: tuple[float, float, float] = (np.nan, np.nan, np.nan),
        balanced_accuracy: float = np.nan,
    ) -> VectorResult:
        """The record of the vector in place `v`; `cohen` is that of its most probable answers, with its interval."""
        known = not np.isnan(self.middle[v])
        return VectorResult(
            vector=named.name,
            label=named.label,
            matched=number(self.middle[v]),
            matched_low=number(self.ends[0][v]),
            matched_high=number(self.ends[1][v]),
            upper=number(self.upper[v]),
            # t intervals know nothing of -1 and 1, beyond which no kappa can lie.
            bound=number(np.clip(self.bounds[v], -1, 1)) if np.isfinite(self.bounds[v]) else None,
            split_sd=number(float(np.std(self.values[v], ddof=1))) if self.values.shape[1] > 1 else None,
            cohen=number(cohen[0]),
            cohen_low=number(cohen[1]),
            cohen_high=number(cohen[2]),
            uniform=number(uniform),
            accuracy=float(accuracy),
            balanced_accuracy=number(balanced_accuracy),
            p=number(self.tested.p[v]) if known else None,
            p_corrected=number(self.tested.corrected[v]) if known else None,
            validation=number(fitted.validation),
            regularisation=dict(sorted(Counter(fitted.regularisation).items())),
            features=fitted.features,
            counted=bool(self.counted[v]),
        )

    def measured(
        self,
        name: SchemeName,
        scores: list[S],
        vectors: list[VectorResult],
        *,
        scored: int,
        majority_accuracy: float,
        majority_uniform: float | None,
    ) -> Measured[S]:
        """The scheme called `name`, of whose vectors each has an entry and scores; `scored` items were predicted."""
        headline, tied = _headline(vectors)
        result = SchemeResult(
            scheme=name,
            splits=self.values.shape[1],
            scored=scored,
            vectors=vectors,
            headline=headline,
            tied=tied,
            majority_accuracy=majority_accuracy,
            majority_uniform=majority_uniform,
            p_floor=self.tested.floor,
            sampling_stretch=self.stretch.sampling,
            null_stretch=self.stretch.null,
        )
        spread = np.fmax(self.errors.se, self.tested.sd)
        fixed = self.tested.sd / self.stretch.null
        return Measured(result, scores, self.errors, self.tested.critical, spread, fixed)


def median_over_splits(values: Floats) -> Floats:
    """(V,) medians of (V, S) over the splits that have a number; NaN without any."""
    known = [row[~np.isnan(row)] for row in values]
    return np.array([float(np.median(row)) if len(row) else np.nan for row in known])


def interval_ends(kappas: Floats, errors: Errors) -> tuple[Floats, Floats]:
    """(V,) lower and upper ends of 95 % intervals, within the range of kappa; infinite where the error is."""
    half = errors.half_width()
    known = np.isfinite(half)
    return (
        np.where(known, np.maximum(kappas - half, -1.0), kappas - half),
        np.where(known, np.minimum(kappas + half, 1.0), kappas + half),
    )


def number(value: float) -> float | None:
    """None for NaN and infinities: what is undefined."""
    return float(value) if np.isfinite(value) else None


def _headline(vectors: Sequence[VectorResult]) -> tuple[str, list[str]]:
    """The counted vector with the best validation, the first in a tie, and the others tied with it."""
    counted = [vector for vector in vectors if vector.counted] or list(vectors)
    best = max(or_least(vector.validation) for vector in counted)
    tied = [vector.vector for vector in counted if or_least(vector.validation) == best]
    return tied[0], tied[1:]
