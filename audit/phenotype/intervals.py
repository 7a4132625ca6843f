"""Bootstrap intervals over runs: runs are independent, trials within one are not.

Percentiles of the bootstrap distribution are too narrow for few runs, as an interval by the normal distribution is;
their levels are moved outwards so that the interval of a mean is as wide as Student's (Hesterberg 2015, section 4.6).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.phenotype.fits.statistic import Statistic
from audit.statistics.resampling import seeded

__all__ = ["FEWEST_RUNS", "Interval", "intervals"]

Floats = NDArray[np.float64]

FEWEST_RUNS: Final = 5
"""With fewer runs than this, there is no interval."""
_MISSING: Final = 0.05
"""Largest share of the resamples in which the metric may be undefined."""
_AT_ONCE: Final = 2_000_000
"""Runs drawn at once; more would only take memory."""


class Interval(NamedTuple):
    """A 95 % interval, or why there is none."""

    low: float
    high: float
    reason: str
    """Empty if there is an interval; otherwise its ends are NaN."""


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
        return dict.fromkeys(statistics, Interval(math.nan, math.nan, reason))
    values = _resampled(statistics, count, seeded(seed, "phenotype", task), resamples)
    return {name: _interval(values[name], count, level) for name in statistics}


def _resampled(
    statistics: Mapping[str, Statistic], runs: int, random: np.random.Generator, resamples: int
) -> dict[str, Floats]:
    """(resamples,) values of each statistic."""
    values: dict[str, list[Floats]] = {name: [] for name in statistics}
    step = max(1, _AT_ONCE // runs)
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        drawn = random.integers(0, runs, size=(many, runs))
        drawn += runs * np.arange(many)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=many * runs).reshape(many, runs).astype(np.float64)
        for name, statistic in statistics.items():
            values[name].append(statistic.resampled(weights @ statistic.sums))
    return {name: np.concatenate(parts) for name, parts in values.items()}


def _interval(values: Floats, runs: int, level: float) -> Interval:
    from scipy.stats import norm, t

    missing = float(np.isnan(values).mean())
    if missing > _MISSING:
        return Interval(math.nan, math.nan, f"undefined in {100 * missing:.0f} % of the resamples")
    known = values[~np.isnan(values)]
    if np.ptp(known) <= 1e-12 * np.abs(known).max(initial=0.0):
        return Interval(math.nan, math.nan, "all runs gave the same value")
    tail = norm.cdf(-math.sqrt(runs / (runs - 1)) * t.ppf(0.5 + level / 2, runs - 1))
    low, high = np.quantile(known, [tail, 1 - tail])
    return Interval(float(low), float(high), "")
