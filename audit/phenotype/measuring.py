"""From records to a phenotype: the catalogue of metrics, each measured, resampled and compared."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations
from typing import Final

import msgspec
import numpy as np

from hansproof.audit.phenotype import instrumental_learning, task_measures
from hansproof.audit.phenotype.metric import (
    FEWEST_RUNS,
    Floats,
    Interval,
    Metric,
    TaskStatistics,
    hull,
    intervals,
    percentiles,
    resampled,
    tail,
)
from hansproof.audit.phenotype.result import NOT_PLAYED, SCHEMA, WIDE, MetricValue, Phenotype, TaskRuns
from hansproof.audit.phenotype.task_records import Records, TaskTable
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.permutation import holm, seeded
from hansproof.generators.errors import InputError, Progress, unwatched

__all__ = [
    "MEASURES",
    "METRICS",
    "MOST",
    "RESAMPLES",
    "MetricDifference",
    "Sample",
    "differences",
    "phenotype",
    "phenotype_of",
    "sample",
]

_CATALOGUE: Final = (files("hansproof.audit.phenotype") / "metrics.csv").read_text(encoding="utf-8")

METRICS: Final[tuple[Metric, ...]] = tuple(
    msgspec.convert({name: cell for name, cell in row.items() if cell}, Metric, strict=False)
    for row in csv.DictReader(_CATALOGUE.splitlines())
)
"""By task; within one: performance, behaviour, variants."""

MEASURES: Final[Mapping[str, Callable[[TaskTable, bool], TaskStatistics]]] = {
    "probabilistic-reasoning": task_measures.probabilistic_reasoning,
    "horizon": task_measures.horizon,
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
    human = metric.human
    random = metric.random_published if taken.as_published else metric.random
    standard = [math.nan] * 3
    if human is not None and random is not None:
        standard = [(number - random) / (human - random) for number in (value, ends.low, ends.high)]
        standard[1:] = standard[1:] if human > random else standard[:0:-1]
    wide = WIDE if standard[1] <= 0 and standard[2] >= 1 else ""
    said = measured.cautions.get(metric.name, "")
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
        caution="; ".join(filter(None, (metric.caution, said, wide))) or None,
    )


def _number(value: float, digits: int = _DIGITS) -> float | None:
    return round(float(f"{value:.{digits}g}"), _DIGITS) + 0.0 if math.isfinite(value) else None


# By how much two participants differ in each metric. A few participants are too few for a regression on what they are,
# but their runs tell whether they differ. Runs are resampled as for the phenotypes: together where both participants
# played the very same episodes, so that what the episodes make easy or hard for both cancels out, else each on its own.
# The interval is the percentile interval with levels moved outwards as for few runs (Hesterberg 2015, section 4.6), and
# p is the level at which it would just touch 0.
# Where hardly any resample lies beyond 0, their spread as a standard error says how far it is (Student's t).

MOST: Final = 3
"""Participants that are compared two by two; of more, a table of differences shows nothing that a figure does not."""

_FEWEST: Final = 9_999
"""Resamples at least."""
_RARE: Final = 5
"""Resamples beyond 0 of which so few do not tell how small p is: ten runs could show no p below .006, which no
correction for sixteen metrics survives."""


class MetricDifference(Record, frozen=True, kw_only=True):
    """One metric of two participants."""

    metric: str
    title: str
    first: str
    second: str
    """Names of the participants."""
    value: float | None
    """The metric of the first less that of the second, in its own unit."""
    low: float | None
    """Ends of the 95 % bootstrap interval, not corrected for the number of metrics."""
    high: float | None
    p: float | None
    """Two-sided, of no difference."""
    p_corrected: float | None
    """After Holm's correction for all metrics of all pairs."""
    paired: bool
    """Whether both played the very same episodes."""
    reason: str | None
    """Why the difference, or else its interval, is undefined."""


def differences(
    samples: Sequence[Sample], *, seed: int = 0, resamples: int = _FEWEST, progress: Progress = unwatched
) -> list[MetricDifference]:
    """The difference in each metric of the profile for each pair of participants, the earlier less the later.

    At least 9,999 resamples are drawn. Metrics whose task a pair has not both played are left out. Undefined where the
    metric is for one of them, and without an interval for fewer than 5 runs.
    """
    pairs = list(combinations(samples, 2))
    made = []
    for number, (first, second) in enumerate(pairs):
        shared = [task for task in first.tables if task in second.tables]
        for done, task in enumerate(shared):
            progress(f"bootstrap of differences, pair {number + 1} of {len(pairs)}", done, len(shared))
            made += _of_task(first, second, task, seed, max(resamples, _FEWEST))
    corrected = holm(np.array([math.nan if each.p is None else each.p for each in made])).tolist() if made else []
    return [msgspec.structs.replace(each, p_corrected=_p(p)) for each, p in zip(made, corrected)]


def _of_task(first: Sample, second: Sample, task: str, seed: int, resamples: int) -> list[MetricDifference]:
    both = first, second
    values = [each.values(task) for each in both]
    own = [metric for metric in METRICS if metric.task == task and not metric.variant_of]
    metrics = [metric for metric in own if all(metric.name in known for known in values)]
    runs = [each.tables[task].runs for each in both]
    # The numbers of CogBench's runs say nothing of their episodes, which were drawn anew for each model.
    paired = runs[0] == runs[1] and all(each.tables[task].source == "ours" for each in both)
    few = min(map(len, runs))
    reasons = {metric.name: _unusable(metric, both, task, values) for metric in metrics}
    if few < FEWEST_RUNS:
        reasons = {
            name: reason or f"an interval needs at least {FEWEST_RUNS} runs of both" for name, reason in reasons.items()
        }
    drawn = []
    for place, each in enumerate(both):
        # The same draws for both take the same episodes.
        random = seeded(seed, "phenotype", "differences", task, "" if paired else str(place))
        wanted = {
            (name, k): statistic
            for name, reason in reasons.items() if not reason
            for k, statistic in enumerate(each.measured[task].statistics[name].versions)
        }  # fmt: skip
        drawn.append({key: made[0] for key, made in resampled(wanted, len(runs[place]), random, resamples).items()})
    made = []
    for metric in metrics:
        versions = [drawn[0][key] - drawn[1][key] for key in drawn[0] if key[0] == metric.name]
        reason = reasons[metric.name]
        tested = Interval(reason=reason) if reason else hull([_test(each, few) for each in versions])
        made.append(
            MetricDifference(
                metric=metric.name,
                title=metric.title,
                first=first.name,
                second=second.name,
                value=_number(values[0][metric.name][0] - values[1][metric.name][0], 10),
                low=_number(tested.low, 10),
                high=_number(tested.high, 10),
                p=_p(tested.p),
                p_corrected=None,
                paired=paired,
                reason=tested.reason or None,
            )
        )
    return made


def _unusable(metric: Metric, both: Sequence[Sample], task: str, values: Sequence[dict[str, tuple[float, str]]]) -> str:
    """Why a difference has no value or no interval; empty where it has both."""
    for each, known in zip(both, values):
        value, reason = known[metric.name]
        reason = reason if math.isnan(value) else each.measured[task].no_interval.get(metric.name, "")
        if reason:
            return f"{each.name or 'unnamed'}: {reason}"
    return ""


def _test(drawn: Floats, runs: int) -> Interval:
    """Interval and p from the differences (B,) of resamples."""
    from scipy.stats import norm, t

    interval = percentiles(drawn, tail(runs, 0.95), "all resamples gave the same difference")
    if interval.reason:
        return interval
    known = drawn[~np.isnan(drawn)]
    beyond = min(np.sum(known <= 0), np.sum(known >= 0)) + 1
    # The level of the tail in which 0 lies, moved inwards as those of the interval were moved outwards.
    shrunk = math.sqrt((runs - 1) / runs)
    distance = norm.ppf(beyond / (len(known) + 1)) * shrunk
    if beyond <= _RARE:
        distance = min(distance, -abs(float(np.median(known))) / float(known.std()) * shrunk)
    return interval._replace(p=min(1.0, 2 * float(t.cdf(distance, runs - 1))))


def _p(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None
