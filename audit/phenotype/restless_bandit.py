"""The restless bandit: does confidence go with being right? Ershadmanesh et al. (2023).

Two arms change places every 18 to 22 trials; each choice comes with a confidence. The quadratic scoring rule QSR is
1 - (accurate - confidence)^2, averaged: 1 for who is certain where right and certain of being wrong elsewhere.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hansproof.audit.phenotype.metric import Metric, TaskStatistics, mean_over_rows, mean_over_runs, metrics_of
from hansproof.audit.phenotype.task_records import TaskTable

__all__ = ["METRICS", "measure"]

_NARROW: Final = 0.2
"""A smaller span of confidence within a run is stretched more than fivefold by scaling."""

METRICS: Final = metrics_of(
    "restless-bandit",
    Metric(
        "restless-bandit-reward",
        "performance",
        "Restless bandit: reward",
        "mean points per trial",
        human=54.8839,
        random=50.0,
        random_published=49.9828,
    ),
    Metric(
        "metacognition",
        "behaviour",
        "Metacognition",
        "quadratic scoring rule (QSR), mean over runs; confidence scaled to 0 to 1 within each run",
        human=0.7651,
        random=0.6631,
        random_published=0.6638,
    ),
    Metric(
        "restless-bandit-accuracy",
        "performance",
        "Restless bandit: share on the better arm",
        "share of the trials on the arm that was better in their block",
        variant_of="restless-bandit-reward",
    ),
    Metric(
        "metacognition-unscaled",
        "behaviour",
        "Metacognition, unscaled",
        "quadratic scoring rule (QSR), mean over runs; confidence as stated",
        variant_of="metacognition",
    ),
)


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task. In a run of constant confidence there is nothing to scale: it does not count, or, with
    `as_published`, counts unscaled."""
    accurate, confidence, reward = (table.columns[name] for name in ("accurate", "confidence", "reward"))
    plain = np.full(len(table.runs), np.nan)
    scaled = np.full(len(table.runs), np.nan)
    spans = np.full(len(table.runs), np.nan)
    for number, rows in enumerate(table.each()):
        stated = ~np.isnan(confidence[rows])
        right, sure = accurate[rows][stated], confidence[rows][stated]
        if not len(sure):
            continue
        plain[number] = np.mean(1 - (right - sure) ** 2)
        low, high = float(sure.min()), float(sure.max())
        spans[number] = high - low or np.nan
        if high > low:
            scaled[number] = np.mean(1 - (right - (sure - low) / (high - low)) ** 2)
        elif as_published:
            scaled[number] = plain[number]
    narrow = int(np.sum(spans < _NARROW))
    constant = int(np.sum(np.isnan(scaled) & ~np.isnan(plain)))
    silent = int(np.sum(np.isnan(plain)))
    nothing = (
        "no confidence was stated" if silent == len(plain) else "confidence is the same in every trial of each run"
    )
    sums = table.sums(reward, accurate, np.ones(len(reward)))
    statistics = {
        "restless-bandit-reward": mean_over_rows(sums[:, 0], sums[:, 2], "no trials"),
        "restless-bandit-accuracy": mean_over_rows(sums[:, 1], sums[:, 2], "no trials", (0.0, 1.0)),
        "metacognition": mean_over_runs(scaled, nothing, (0.0, 1.0)),
        "metacognition-unscaled": mean_over_runs(plain, nothing, (0.0, 1.0)),
    }
    notes = []
    if constant:
        notes.append(f"metacognition is without {constant} of {len(plain)} runs, whose confidence never changes")
    if silent:
        notes.append(f"metacognition is without {silent} of {len(plain)} runs, which state no confidence")
    stretched = (
        f"confidence spans less than {_NARROW:g} in {narrow} of {len(plain)} runs, and scaling stretches that to "
        "all of 0 to 1; metacognition, unscaled takes it as stated"
    )
    return TaskStatistics(statistics, tuple(notes), cautions={"metacognition": stretched} if narrow else {})
