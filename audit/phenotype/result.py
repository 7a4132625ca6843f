"""The phenotype as records: every metric with its interval, and where it lies between random choices and people."""

from __future__ import annotations

from typing import Final, Literal

from hansproof.audit.result.record import Record
from hansproof.audit.result.shown import Rows, Shown

__all__ = ["NOT_PLAYED", "OTHER_STORIES", "SCHEMA", "UNFINISHED", "WIDE", "MetricValue", "Phenotype", "TaskRuns"]

SCHEMA: Final = "hansproof.phenotype/1"

NOT_PLAYED: Final = "the task was not played"
"""Why the metrics of a task without records are undefined."""
OTHER_STORIES: Final = "other stories are left out; --subset measures one"
UNFINISHED: Final = "runs that were not finished are left out"
"""How notes on what was left out of a task begin; reports tell those of all tasks in one line."""
WIDE: Final = "the interval holds random choices and the average person alike: these runs cannot tell them apart"
"""The caution of an interval that holds both 0 and 1."""


class MetricValue(Record, frozen=True, kw_only=True):
    """One metric of one participant."""

    name: str
    """`directed-exploration`."""
    task: str
    kind: Literal["performance", "behaviour"]
    title: str
    meaning: str
    variant_of: str | None
    """The metric that this is another version of; None for the sixteen of the profile."""
    value: float | None
    low: float | None
    """Ends of the 95 % bootstrap interval over runs."""
    high: float | None
    reason: str | None
    """Why the value, or else its interval, is undefined."""
    human: float | None
    """Published average of people; its standard error is not known."""
    random: float | None
    """What random choices reach, by theory or by our own simulation; as published if the analysis is."""
    standard: float | None
    """(value - random) / (human - random): 0 is random, 1 the average person; the sign is kept."""
    standard_low: float | None
    """Ends of the interval of `standard`; the references count as known, and only those of random choices are."""
    standard_high: float | None
    caution: str | None
    """What to know before comparing the value with the references."""


class TaskRuns(Record, frozen=True, kw_only=True):
    """How much of a task was played."""

    task: str
    runs: int
    rows: int
    notes: list[str]
    """What was left out or mended, a sentence each."""


class Phenotype(Shown, Record, frozen=True, kw_only=True):
    """All metrics of one participant: a model, an agent, a person."""

    schema: str
    name: str
    tasks: list[TaskRuns]
    metrics: list[MetricValue]
    """In the order of the catalogue; tasks that were not played are there, too, undefined."""
    seed: int
    resamples: int
    as_published: bool
    """Whether known faults of the published analysis were kept."""

    @property
    def profile(self) -> list[MetricValue]:
        """The sixteen metrics of the profile: performance, then behaviour."""
        main = [metric for metric in self.metrics if metric.variant_of is None]
        return [metric for kind in ("performance", "behaviour") for metric in main if metric.kind == kind]

    @property
    def variants(self) -> list[MetricValue]:
        """Other versions of some metrics."""
        return [metric for metric in self.metrics if metric.variant_of is not None]

    def metric(self, name: str) -> MetricValue:
        """The metric of this name. Raises KeyError for another name."""
        return next(metric for metric in self.metrics if metric.name == name)

    def headline(self) -> str:
        """Which tasks were measured, on how many runs."""
        known = sum(metric.value is not None for metric in self.profile)
        played = ", ".join(f"{task.task} ({task.runs:,})" for task in self.tasks if task.runs)
        return f"{self.name or 'the participant'}: {known} of {len(self.profile)} metrics, from runs of {played}"

    def rows(self) -> Rows:
        """One row: its name, a base model to be filled in, and its metrics."""
        profile = self.profile
        names = ["model", "base_model", *(metric.name for metric in profile)]
        return [names, [self.name, self.name, *(metric.value for metric in profile)]]
