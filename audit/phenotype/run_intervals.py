"""Bootstrap intervals over runs: runs are independent, trials within one are not.

Means and ratios, which a few skewed runs may make up, have studentised intervals (bootstrap-t: Efron & Tibshirani 1993,
chapter 12). The others have percentiles of the bootstrap distribution. These are too narrow for few runs, as an
interval by the normal distribution is; their levels are moved outwards so that the interval of a mean is as wide as
Student's (Hesterberg 2015, section 4.6).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from hansproof.audit.phenotype.metric import Floats, Statistic
from hansproof.audit.statistics.permutation import seeded

__all__ = ["FEWEST_RUNS", "Interval", "hull", "intervals", "percentiles", "resampled", "tail"]

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
