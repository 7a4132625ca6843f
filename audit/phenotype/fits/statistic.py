"""Statistic: a number that depends on a set of runs only through sums over them.

All metrics are of this kind (means, regressions, a logit over few distinct games), so a bootstrap over runs needs no
second look at the records: it adds up the runs that it drew and applies the same formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Statistic", "mean_over_rows", "mean_over_runs"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Statistic:
    """A metric before it is a number."""

    sums: Floats
    """(R, q) what each of R runs contributes."""
    formula: Callable[[Floats], Floats]
    """Totals (B, q) of B sets of runs -> values (B,), NaN where undefined."""
    why_undefined: Callable[[Floats], str]
    """Totals (q,) for which the value is undefined -> the reason."""
    fallback: Callable[[Floats], Floats] | None = None
    """What resamples take where `formula` is undefined in them; nothing by default."""
    error: Callable[[Floats], Floats] | None = None
    """Totals (B, q) -> standard errors (B,) of the values; with them intervals are studentised."""
    limits: tuple[float, float] = (-np.inf, np.inf)
    """What the value can be; intervals end there."""
    others: tuple[Statistic, ...] = ()
    """The same metric under other assumptions that the data cannot rule out: the interval spans theirs, too."""

    def resampled(self, totals: Floats) -> Floats:
        """(B,) values of B resamples with these totals."""
        values = self.formula(totals)
        missing = np.flatnonzero(np.isnan(values))
        if self.fallback and len(missing):
            values[missing] = self.fallback(totals[missing])
        return values

    def value(self) -> tuple[float, str]:
        """The value of all runs together, and why it is undefined where it is NaN."""
        totals = self.sums.sum(axis=0)
        value = float(self.formula(totals[None])[0])
        return value, self.why_undefined(totals) if np.isnan(value) else ""


def mean_over_rows(
    numerator: Floats, denominator: Floats, nothing: str, limits: tuple[float, float] = (-np.inf, np.inf)
) -> Statistic:
    """Sums (R,) divided by counts (R,), both added up over the runs; `nothing` is said where the counts are 0."""
    a, b = numerator, denominator
    sums = np.stack([a, b, a * a, a * b, b * b], axis=1)
    return Statistic(sums, _ratio, lambda totals: nothing, error=_ratio_error, limits=limits)


def mean_over_runs(values: Floats, nothing: str, limits: tuple[float, float] = (-np.inf, np.inf)) -> Statistic:
    """The mean of one value per run (R,); runs where it is NaN do not count, and `nothing` is said if no run does."""
    known = ~np.isnan(values)
    return mean_over_rows(np.where(known, values, 0.0), known.astype(np.float64), nothing, limits)


def _ratio(totals: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(totals[:, 1] > 0, totals[:, 0] / totals[:, 1], np.nan)


def _ratio_error(totals: Floats) -> Floats:
    """Of a ratio of sums over runs, linearised: sqrt(sum (a - ratio b)^2) / sum b (Cochran 1977, section 6.4)."""
    ratio = _ratio(totals)
    squares = totals[:, 2] - 2 * ratio * totals[:, 3] + ratio**2 * totals[:, 4]
    # What rounding leaves of equal runs is no spread.
    squares = np.where(squares > 1e-12 * totals[:, 2], squares, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(squares) / totals[:, 1])
