"""From records to a phenotype: the catalogue of metrics, each measured, resampled and compared."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final

import msgspec

from hansproof.audit.phenotype import horizon, instrumental_learning, task_measures
from hansproof.audit.phenotype.metric import Metric, TaskStatistics
from hansproof.audit.phenotype.result import NOT_PLAYED, SCHEMA, WIDE, MetricValue, Phenotype, TaskRuns
from hansproof.audit.phenotype.run_intervals import Interval, intervals
from hansproof.audit.phenotype.task_records import Records, TaskTable
from hansproof.generators.errors import InputError, Progress, unwatched

__all__ = ["MEASURES", "METRICS", "RESAMPLES", "Sample", "phenotype", "phenotype_of", "sample"]

_CATALOGUE: Final = (files("hansproof.audit.phenotype") / "metrics.csv").read_text(encoding="utf-8")

METRICS: Final[tuple[Metric, ...]] = tuple(
    msgspec.convert({name: cell for name, cell in row.items() if cell}, Metric, strict=False)
    for row in csv.DictReader(_CATALOGUE.splitlines())
)
"""By task; within one: performance, behaviour, variants."""

MEASURES: Final[Mapping[str, Callable[[TaskTable, bool], TaskStatistics]]] = {
    "probabilistic-reasoning": task_measures.probabilistic_reasoning,
    "horizon": horizon.measure,
    "restless-bandit": task_measures.restless_bandit,
    "instrumental-learning": instrumental_learning.measure,
    "two-step": task_measures.two_step,
    "temporal-discounting": task_measures.temporal_discounting,
    "balloons": task_measures.balloons,
}
"""By task: records -> statistics."""


@dataclass(frozen=True)
class Sample:
    """One participant, measured once for its phenotype and for its differences from others."""

    name: str
    tables: Mapping[str, TaskTable]
    """The records by task."""
    measured: Mapping[str, TaskStatistics]
    """The statistics by task."""
    as_published: bool
    """Whether known faults of the published analysis are kept."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """Task -> why its file could not be used."""

    def values(self, task: str) -> dict[str, tuple[float, str]]:
        """Metric of the task -> its value, and why it is undefined where it is NaN."""
        measured = self.measured[task]
        return {
            name: (math.nan, measured.unidentified[name]) if name in measured.unidentified else statistic.value()
            for name, statistic in measured.statistics.items()
        }


def sample(records: Records, *, as_published: bool = False) -> Sample:
    """The statistics of all tasks in `records`. Raises InputError if there are no records."""
    if not records.tables:
        raise InputError("no records: there is nothing to measure")
    measured = {task: MEASURES[task](table, as_published) for task, table in records.tables.items()}
    return Sample(records.name, records.tables, measured, as_published, records.unread)


RESAMPLES: Final = 2000
"""Bootstrap samples: the tails of an interval over ten runs then hold about 17 of them each."""

_DIGITS: Final = 12
"""Significant digits, and decimals, that are kept: later ones depend on the machine's linear algebra."""


def phenotype(records: Records, *, seed: int = 0, resamples: int = RESAMPLES, as_published: bool = False) -> Phenotype:
    """All metrics of the tasks in `records`, with 95 % intervals. The same records give the same phenotype.

    `as_published` keeps what the published analysis does and should not (Coda-Forno et al. 2024): learners fitted
    without priors, confidence unscaled where it is constant, rewards averaged over runs of any length. Read the records
    with the same option. Raises InputError if there are no records.
    """
    return phenotype_of(sample(records, as_published=as_published), seed=seed, resamples=resamples)


def phenotype_of(
    taken: Sample, *, seed: int = 0, resamples: int = RESAMPLES, progress: Progress = unwatched
) -> Phenotype:
    """The phenotype of what was measured. `progress` counts the tasks whose runs are resampled."""
    values: dict[str, tuple[float, str]] = {}
    ends: dict[str, Interval] = {}
    tasks = []
    for done, (task, table) in enumerate(taken.tables.items()):
        progress(f"bootstrap of {taken.name or 'runs'}", done, len(taken.tables))
        measured, known = taken.measured[task], taken.values(task)
        resampled = {
            name: statistic
            for name, statistic in measured.statistics.items()
            if not math.isnan(known[name][0]) and name not in measured.no_interval
        }
        values |= known
        ends |= {name: Interval(reason=reason) for name, reason in measured.no_interval.items()}
        ends |= intervals(resampled, seed=seed, task=task, resamples=resamples)
        tasks.append(
            TaskRuns(task=task, runs=len(table.runs), rows=len(table.run), notes=[*table.notes, *measured.notes])
        )
    absent = {metric.name: (math.nan, taken.unread.get(metric.task, NOT_PLAYED)) for metric in METRICS}
    return Phenotype(
        schema=SCHEMA,
        name=taken.name,
        tasks=tasks,
        metrics=[
            _value(metric, taken, *(absent | values)[metric.name], ends.get(metric.name, Interval()))
            for metric in METRICS
        ],
        seed=seed,
        resamples=resamples,
        as_published=taken.as_published,
    )


def _value(metric: Metric, taken: Sample, value: float, reason: str, ends: Interval) -> MetricValue:
    measured = taken.measured.get(metric.task, TaskStatistics({}))
    human = None if metric.name in measured.no_human else metric.human
    random = metric.random_published if taken.as_published else metric.random
    standard = [math.nan] * 3
    if human is not None and random is not None:
        standard = [(number - random) / (human - random) for number in (value, ends.low, ends.high)]
        standard[1:] = standard[1:] if human > random else standard[:0:-1]
    wide = WIDE if standard[1] <= 0 and standard[2] >= 1 else ""
    said = [each.get(metric.name, "") for each in (measured.no_human, measured.cautions)]
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
        human=human,
        random=random,
        standard=_number(standard[0]),
        standard_low=_number(standard[1]),
        standard_high=_number(standard[2]),
        caution="; ".join(filter(None, (metric.caution, *said, wide))) or None,
    )


def _number(value: float) -> float | None:
    return round(float(f"{value:.{_DIGITS}g}"), _DIGITS) + 0.0 if math.isfinite(value) else None
