"""All metrics in the order of the profile: the table of tasks, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from audit.phenotype.metrics import (
    balloons,
    horizon,
    instrumental_learning,
    probabilistic_reasoning,
    restless_bandit,
    temporal_discounting,
    two_step,
)
from audit.phenotype.metrics.metric import Measured, Metric
from audit.phenotype.records.table import TaskTable

__all__ = ["MEASURES", "METRICS"]

_TASKS: Final = (
    probabilistic_reasoning,
    horizon,
    restless_bandit,
    instrumental_learning,
    two_step,
    temporal_discounting,
    balloons,
)

METRICS: Final[tuple[Metric, ...]] = tuple(metric for task in _TASKS for metric in task.METRICS)
"""By task; within one: performance, behaviour, variants."""

MEASURES: Final[Mapping[str, Callable[[TaskTable, bool], Measured]]] = {
    task.METRICS[0].task: task.measure for task in _TASKS
}
"""By task: records -> statistics."""
