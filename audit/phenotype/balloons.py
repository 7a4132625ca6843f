"""Balloon risk: how far a balloon is pumped up before it is sold. Lejuez et al. (2002)."""

from __future__ import annotations

from typing import Final

import numpy as np

from hansproof.audit.phenotype.metric import Metric, TaskStatistics, mean_over_rows, metrics_of
from hansproof.audit.phenotype.task_records import TaskTable

__all__ = ["METRICS", "measure"]

_CAPACITIES: Final = (8, 32, 128)
"""The most pumps that a balloon of each kind can take."""

METRICS: Final = metrics_of(
    "balloons",
    Metric(
        "balloon-points",
        "performance",
        "Balloons: points",
        "mean points per balloon",
        human=12.8,
        random=0.8377,
        random_published=0.8848,
    ),
    Metric(
        "risk-taking",
        "behaviour",
        "Risk taking",
        "mean number of pumps per balloon, burst ones included",
        human=17.2227,
        random=0.9455,
        random_published=0.9919,
    ),
    Metric(
        "risk-taking-adjusted",
        "behaviour",
        "Risk taking, adjusted",
        "mean number of pumps of the balloons that did not burst",
        variant_of="risk-taking",
    ),
    *(
        Metric(
            f"risk-taking-adjusted-{capacity}",
            "behaviour",
            f"Risk taking, adjusted, up to {capacity}",
            f"mean number of pumps of the balloons that did not burst, of the kind that takes {capacity} at most",
            variant_of="risk-taking",
        )
        for capacity in _CAPACITIES
    ),
)


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task."""
    pumps, reward = table.columns["pumps"], table.columns["reward"]
    whole = 1 - table.columns["burst"]
    kinds = [whole * (table.columns["capacity"] == capacity) for capacity in _CAPACITIES]
    sums = table.sums(reward, pumps, np.ones(len(pumps)), pumps * whole, whole)
    statistics = {
        "balloon-points": mean_over_rows(sums[:, 0], sums[:, 2], "no balloons", (0.0, np.inf)),
        "risk-taking": mean_over_rows(sums[:, 1], sums[:, 2], "no balloons", (0.0, np.inf)),
        "risk-taking-adjusted": mean_over_rows(sums[:, 3], sums[:, 4], "every balloon burst", (0.0, np.inf)),
    }
    for capacity, kind in zip(_CAPACITIES, kinds):
        pumped = table.sums(pumps * kind, kind)
        nothing = f"no balloon that takes {capacity} pumps at most is known not to have burst"
        statistics[f"risk-taking-adjusted-{capacity}"] = mean_over_rows(
            pumped[:, 0], pumped[:, 1], nothing, (0.0, np.inf)
        )
    return TaskStatistics(statistics)
