"""What a metric is: a number that depends on runs only through sums; and pooled least squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Floats",
    "Ints",
    "Metric",
    "Statistic",
    "TaskStatistics",
    "coefficient",
    "independent",
    "mean_over_rows",
    "mean_over_runs",
]

# All metrics are of this kind (means, regressions, a logit over few distinct games), so a bootstrap over runs needs no
# second look at the records: it adds up the runs that it drew and applies the same formula.

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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

    @property
    def versions(self) -> tuple[Statistic, ...]:
        """This one, and those under other assumptions."""
        return self, *self.others

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
    numerator: Floats,
    denominator: Floats,
    nothing: str,
    limits: tuple[float, float] = (-np.inf, np.inf),
    *,
    by_run: bool = False,
) -> Statistic:
    """Sums (R,) divided by counts (R,), both added up over the runs; `nothing` is said where the counts are 0.

    With `by_run`, the mean of the runs' own means, as published: short runs count as much as long ones.
    """
    a, b = numerator, denominator
    if by_run:
        return mean_over_runs(_ratio(np.stack([a, b], axis=1)), nothing, limits)
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


_SINGULAR = 1e-10
"""Of the largest eigenvalue of the scaled X'X: a smaller one says that columns depend on each other."""


def independent(gram: Floats) -> NDArray[np.bool_]:
    """Which of the matrices (B, k, k) can be inverted, whatever the units of the columns."""
    scale = np.sqrt(np.maximum(np.diagonal(gram, axis1=1, axis2=2), np.finfo(float).tiny))
    values = np.linalg.eigvalsh(gram / (scale[:, :, None] * scale[:, None, :]))
    return np.asarray(values[:, 0] > _SINGULAR * values[:, -1])


def coefficient(design: Floats, outcome: Floats, run: Ints, runs: int, which: int, *, constant: str = "") -> Statistic:
    """Coefficient `which` of the least-squares fit of `outcome` (n,) on `design` (n, k), all rows of all runs pooled.

    Undefined with fewer rows than coefficients, and where columns of the design depend on each other; with `constant`
    also for that reason where a binary outcome is the same in all rows.
    """
    k = design.shape[1]
    products = np.einsum("ni,nj->nij", design, design).reshape(len(design), k * k)
    cells = np.column_stack([np.ones(len(design)), products, design * outcome[:, None], outcome])
    sums = np.stack([np.bincount(run, column, runs) for column in cells.T], axis=1).astype(np.float64)

    def formula(totals: Floats) -> Floats:
        rows, gram, moments = totals[:, 0], totals[:, 1 : 1 + k * k].reshape(-1, k, k), totals[:, 1 + k * k : -1]
        exists = (rows >= k) & independent(gram)
        if constant:
            exists &= (totals[:, -1] > 0) & (totals[:, -1] < rows)
        out = np.full(len(totals), np.nan)
        out[exists] = np.linalg.solve(gram[exists], moments[exists][:, :, None])[:, which, 0]
        return out

    def why_undefined(totals: Floats) -> str:
        if totals[0] < k:
            return f"too few trials for {k} coefficients: {totals[0]:.0f}"
        if constant and totals[-1] in (0, totals[0]):
            return constant
        return "the predictors do not vary independently"

    return Statistic(sums, formula, why_undefined)


@dataclass(frozen=True)
class Metric:
    """One metric: its name, what it says, and what people and random choices reach on it."""

    task: str
    name: str
    """`directed-exploration`; unique among all metrics."""
    kind: Literal["performance", "behaviour"]
    title: str
    """As the figure shows it: `Directed exploration`."""
    meaning: str
    """What the number is, in one sentence."""
    human: float | None = None
    """Published average of people (Coda-Forno et al. 2024), without a standard error; None where there is none."""
    random: float | None = None
    """What random choices reach: from theory, or simulated with a small error (benchmarks/phenotype)."""
    random_published: float | None = None
    """The published value of random choices: one simulation, whose noise is part of it."""
    variant_of: str = ""
    """The metric that this is another version of; empty for the sixteen of the profile."""
    caution: str = ""
    """What to know before comparing it with the references."""


@dataclass(frozen=True)
class TaskStatistics:
    """The statistics of one task, before they are numbers."""

    statistics: Mapping[str, Statistic]
    """By the name of the metric."""
    notes: tuple[str, ...] = ()
    """What was not used, a sentence each."""
    no_interval: Mapping[str, str] = field(default_factory=dict)
    """Metrics that cannot be bootstrapped, and why."""
    unidentified: Mapping[str, str] = field(default_factory=dict)
    """Metrics of which these records say nothing, though the formula gives a number, and why."""
    cautions: Mapping[str, str] = field(default_factory=dict)
    """What these records say of how far some metrics can be trusted, beside what holds for all records."""
    no_human: Mapping[str, str] = field(default_factory=dict)
    """Metrics whose average of people was measured in another way, and how: these records have none to compare with."""
