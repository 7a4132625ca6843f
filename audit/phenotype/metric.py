"""What a metric is: a number that depends on runs only through sums; pooled least squares; intervals over runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.statistics.permutation import seeded

__all__ = [
    "FEWEST_RUNS",
    "Floats",
    "Interval",
    "Ints",
    "Metric",
    "Statistic",
    "TaskStatistics",
    "coefficient",
    "hull",
    "independent",
    "intervals",
    "mean_over_rows",
    "mean_over_runs",
    "percentiles",
    "resampled",
    "tail",
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
    unit: str = ""
    """As the figure shows it: `points per trial`; empty for variants."""
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


# Bootstrap intervals over runs: runs are independent, trials within one are not. Means and ratios, which a few skewed
# runs may make up, have studentised intervals (bootstrap-t: Efron & Tibshirani 1993, chapter 12). The others have
# percentiles of the bootstrap distribution. These are too narrow for few runs, as an interval by the normal
# distribution is; their levels are moved outwards so that the interval of a mean is as wide as Student's (Hesterberg
# 2015, section 4.6).


FEWEST_RUNS: Final = 5
"""With fewer runs than this, there is no interval."""
_IN_TAIL: Final = 20
"""Resamples that each tail holds at least: few runs have levels far out, and get more resamples than were asked for."""
_MISSING: Final = 0.05
"""Largest share of the resamples in which the metric may be undefined."""
_AT_ONCE: Final = 2_000_000
"""Runs drawn at once; more would only take memory."""


class Interval(NamedTuple):
    """A 95 % interval, or why there is none."""

    low: float = math.nan
    high: float = math.nan
    reason: str = ""
    """Empty if there is an interval; otherwise its ends are NaN."""
    p: float = math.nan
    """Two-sided, of 0; NaN where it was not asked for."""


def intervals(
    statistics: Mapping[str, Statistic], *, seed: int, task: str, resamples: int, level: float = 0.95
) -> dict[str, Interval]:
    """Intervals of all statistics of a task, all from the same resamples of its R runs.

    Undefined with fewer than `FEWEST_RUNS` runs, where the statistic is undefined in more than 5 % of the resamples,
    and where all runs gave the same value, which says nothing about other runs.
    """
    runs = {len(statistic.sums) for statistic in statistics.values()}
    count = max(runs, default=0)
    if count < FEWEST_RUNS:
        reason = f"an interval needs at least {FEWEST_RUNS} runs"
        return dict.fromkeys(statistics, Interval(reason=reason))
    edge = tail(count, level)
    every = {(name, k): each for name, whole in statistics.items() for k, each in enumerate(whole.versions)}
    drawn = resampled(every, count, seeded(seed, "phenotype", task), max(resamples, math.ceil(_IN_TAIL / edge)))
    ends = {key: _interval(each, drawn[key], edge, level) for key, each in every.items()}
    return {name: hull([ends[name, k] for k in range(len(whole.versions))]) for name, whole in statistics.items()}


def hull(ends: Sequence[Interval]) -> Interval:
    """The interval that spans all, and the largest p; the first of them that is undefined, if one is."""
    undefined = [each for each in ends if each.reason]
    if undefined:
        return undefined[0]
    lows, highs, _, ps = zip(*ends, strict=True)
    return Interval(min(lows), max(highs), "", max(ps))


def resampled(
    statistics: Mapping[tuple[str, int], Statistic], runs: int, random: np.random.Generator, resamples: int
) -> dict[tuple[str, int], Floats]:
    """(2, resamples) values and standard errors of each statistic; NaN for errors that it has not."""
    values: dict[tuple[str, int], list[Floats]] = {name: [] for name in statistics}
    step = max(1, _AT_ONCE // runs)
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        drawn = random.integers(0, runs, size=(many, runs))
        drawn += runs * np.arange(many)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=many * runs).reshape(many, runs).astype(np.float64)
        for name, statistic in statistics.items():
            totals = weights @ statistic.sums
            errors = statistic.error(totals) if statistic.error else np.full(many, np.nan)
            values[name].append(np.stack([statistic.resampled(totals), errors]))
    return {name: np.concatenate(parts, axis=1) for name, parts in values.items()}


def tail(runs: int, level: float) -> float:
    """The level of a percentile that makes the interval of a mean as wide as Student's."""
    from scipy.stats import norm, t

    return float(norm.cdf(-math.sqrt(runs / (runs - 1)) * t.ppf(0.5 + level / 2, runs - 1)))


def percentiles(drawn: Floats, edge: float, alike: str) -> Interval:
    """The interval between the levels `edge` and 1 - `edge` of what was drawn (B,); `alike` is the reason of an
    undefined one where all is the same."""
    known = drawn[~np.isnan(drawn)]
    missing = 1 - len(known) / len(drawn)
    if missing > _MISSING:
        return Interval(reason=f"undefined in {100 * missing:.0f} % of the resamples")
    if np.ptp(known) <= 1e-12 * np.abs(known).max(initial=0.0):
        return Interval(reason=alike)
    low, high = np.quantile(known, [edge, 1 - edge]).tolist()
    return Interval(low, high)


def _interval(statistic: Statistic, drawn: Floats, edge: float, level: float) -> Interval:
    values, errors = drawn
    plain = percentiles(values, edge, "all runs gave the same value")
    if plain.reason:
        return plain
    low, high = (statistic.error and _studentised(statistic, values, errors, level)) or plain[:2]
    least, most = statistic.limits
    return Interval(max(low, least), min(high, most))


def _studentised(statistic: Statistic, values: Floats, errors: Floats, level: float) -> tuple[float, float] | None:
    """Ends of the bootstrap-t interval; None where many resamples drew runs that are all equal, which have no error."""
    totals = statistic.sums.sum(axis=0, keepdims=True)
    value, error = statistic.formula(totals)[0], np.asarray(statistic.error and statistic.error(totals))[0]
    known = ~np.isnan(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        distances = (values[known] - value) / errors[known]
    # Without an error a distance is infinite; it is 0 where the value is that of all runs, too.
    distances = np.sort(np.where(np.isnan(distances), 0.0, distances))
    edge = (1 - level) / 2 * (len(distances) - 1)
    lowest, highest = distances[math.floor(edge)], distances[math.ceil(len(distances) - 1 - edge)]
    if not (math.isfinite(lowest) and math.isfinite(highest)):
        return None
    return float(value - highest * error), float(value - lowest * error)
