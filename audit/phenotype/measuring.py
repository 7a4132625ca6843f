"""From records to a phenotype: measure each task, resample its runs, compare with people and random choices."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from audit.phenotype.intervals import Interval, intervals
from audit.phenotype.metrics.catalogue import MEASURES, METRICS
from audit.phenotype.metrics.metric import Measured, Metric
from audit.phenotype.records.table import Records
from audit.phenotype.result import NOT_PLAYED, SCHEMA, WIDE, MetricValue, Phenotype, TaskRuns
from generators.errors import InputError

__all__ = ["RESAMPLES", "phenotype"]

_NONE: Final = Interval(math.nan, math.nan, "")

RESAMPLES: Final = 2000
"""Bootstrap samples: the tails of an interval over ten runs then hold about 17 of them each."""

_DIGITS: Final = 12
"""Significant digits, and decimals, that are kept: later ones depend on the machine's linear algebra."""


def phenotype(records: Records, *, seed: int = 0, resamples: int = RESAMPLES, as_published: bool = False) -> Phenotype:
    """All metrics of the tasks in `records`, with 95 % intervals. The same records give the same phenotype.

    `as_published` keeps what the published analysis does and should not (Coda-Forno et al. 2024): learners fitted
    without priors, confidence unscaled where it is constant. Read the records with the same option. Raises InputError
    if there are no records.
    """
    if not records.tables:
        raise InputError("no records: there is nothing to measure")
    metrics: dict[str, MetricValue] = {}
    tasks = []
    for task, table in records.tables.items():
        measured = MEASURES[task](table, as_published)
        metrics |= _values(task, measured, seed, resamples, as_published)
        tasks.append(
            TaskRuns(task=task, runs=len(table.runs), rows=len(table.run), notes=[*table.notes, *measured.notes])
        )
    return Phenotype(
        schema=SCHEMA,
        name=records.name,
        tasks=tasks,
        metrics=[metrics.get(metric.name) or _absent(metric, as_published) for metric in METRICS],
        seed=seed,
        resamples=resamples,
        as_published=as_published,
    )


def _values(task: str, measured: Measured, seed: int, resamples: int, as_published: bool) -> dict[str, MetricValue]:
    values = {
        name: (math.nan, measured.unidentified[name]) if name in measured.unidentified else statistic.value()
        for name, statistic in measured.statistics.items()
    }
    resampled = {
        name: statistic
        for name, statistic in measured.statistics.items()
        if not math.isnan(values[name][0]) and name not in measured.no_interval
    }
    ends = intervals(resampled, seed=seed, task=task, resamples=resamples)
    catalogue = {metric.name: metric for metric in METRICS}
    out = {}
    for name, (value, reason) in values.items():
        missing = Interval(math.nan, math.nan, measured.no_interval.get(name, ""))
        metric = _anchored(catalogue[name], as_published)
        out[name] = _value(metric, value, reason, ends.get(name, missing), measured.cautions.get(name, ""))
    return out


def _absent(metric: Metric, as_published: bool) -> MetricValue:
    return _value(_anchored(metric, as_published), math.nan, NOT_PLAYED)


def _anchored(metric: Metric, as_published: bool) -> Metric:
    """The metric with the reference for random choices that the analysis asks for."""
    return replace(metric, random=metric.random_published) if as_published else metric


def _value(metric: Metric, value: float, reason: str, ends: Interval = _NONE, caution: str = "") -> MetricValue:
    standard = [_standard(metric, number) for number in (value, ends.low, ends.high)]
    if metric.human is not None and metric.random is not None and metric.human < metric.random:
        standard[1:] = standard[:0:-1]
    wide = WIDE if standard[1] <= 0 and standard[2] >= 1 else ""
    return MetricValue(
        name=metric.name,
        task=metric.task,
        kind=metric.kind,
        title=metric.title,
        meaning=metric.meaning,
        variant_of=metric.variant_of or None,
        value=_number(value),
        low=_number(ends.low),
        high=_number(ends.high),
        reason=reason or ends.reason or None,
        human=metric.human,
        random=metric.random,
        standard=_number(standard[0]),
        standard_low=_number(standard[1]),
        standard_high=_number(standard[2]),
        caution="; ".join(said for said in (metric.caution, caution, wide) if said) or None,
    )


def _standard(metric: Metric, value: float) -> float:
    if metric.human is None or metric.random is None:
        return math.nan
    return (value - metric.random) / (metric.human - metric.random)


def _number(value: float) -> float | None:
    return round(float(f"{value:.{_DIGITS}g}"), _DIGITS) + 0.0 if math.isfinite(value) else None
