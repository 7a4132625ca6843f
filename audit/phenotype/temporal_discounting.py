"""Temporal discounting: how often the smaller, sooner amount wins, and four anomalies. Ruggeri et al. (2022)."""

from __future__ import annotations

from typing import Final

import numpy as np

from hansproof.audit.phenotype.metric import Metric, TaskStatistics, mean_over_runs, metrics_of
from hansproof.audit.phenotype.task_records import TaskTable

__all__ = ["METRICS", "measure"]

_ANOMALIES: Final = ("present_bias", "subadditivity", "delay_speedup", "delay_length")

METRICS: Final = metrics_of(
    "temporal-discounting",
    Metric(
        "temporal-discounting",
        "behaviour",
        "Temporal discounting",
        "0 to 19; higher = more choices of the sooner sum (0 to 15, losses too), plus one for each of four anomalies",
        human=10.3,
        random=9.5,
        random_published=9.106,
    ),
    Metric(
        "discounting-anomalies",
        "behaviour",
        "Discounting anomalies",
        "how many of the four anomalies were shown",
        variant_of="temporal-discounting",
    ),
    Metric(
        "discounting-gains",
        "behaviour",
        "Temporal discounting of gains",
        "both baselines of gains, 0 to 10; more is less patient",
        variant_of="temporal-discounting",
    ),
    Metric(
        "discounting-losses",
        "behaviour",
        "Sooner payments of losses",
        "the baseline of losses, 0 to 5; more is more patient, for the sooner payment is the smaller one",
        variant_of="temporal-discounting",
    ),
)


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics: means over runs, each of which has one row."""
    rows = [part.start for part in table.each()]
    anomalies = np.sum([table.columns[name][rows] for name in _ANOMALIES], axis=0)
    gains = table.columns["gain"][rows] + table.columns["large_gain"][rows]
    baselines = "the records do not say what each baseline scored"
    statistics = {
        "temporal-discounting": mean_over_runs(table.columns["score"][rows], "no scores", (0.0, 19.0)),
        "discounting-anomalies": mean_over_runs(
            anomalies, "the records do not say which anomalies were shown", (0.0, 4.0)
        ),
        "discounting-gains": mean_over_runs(gains, baselines, (0.0, 10.0)),
        "discounting-losses": mean_over_runs(table.columns["loss"][rows], baselines, (0.0, 5.0)),
    }
    return TaskStatistics(statistics)
