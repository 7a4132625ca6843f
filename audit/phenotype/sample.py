"""Sample: what a participant's records come to, task by task, before they are numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from audit.phenotype.metrics.catalogue import MEASURES
from audit.phenotype.metrics.metric import Measured
from audit.phenotype.records.table import Records, TaskTable
from generators.errors import InputError

__all__ = ["Sample", "sample"]


@dataclass(frozen=True)
class Sample:
    """One participant, measured once for its phenotype and for its differences from others."""

    name: str
    tables: Mapping[str, TaskTable]
    """The records by task."""
    measured: Mapping[str, Measured]
    """The statistics by task."""
    as_published: bool
    """Whether known faults of the published analysis are kept."""

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
    return Sample(records.name, records.tables, measured, as_published)
