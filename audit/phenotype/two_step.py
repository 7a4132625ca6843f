"""The two-step task: what follows from a reward after a rare journey? Daw et al. (2011).

Who knows how journeys lead on (model-based) leaves after a reward that a rare journey brought; who does not
(model-free) stays after any reward. The product of reward and journey tells them apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hansproof.audit.notation import per_cent, things
from hansproof.audit.phenotype.metric import Metric, TaskStatistics, coefficient, mean_over_rows, metrics_of
from hansproof.audit.phenotype.task_records import TaskTable

__all__ = ["METRICS", "measure"]

_EFFECTS: Final = ("model-basedness", "model-freeness")
_CEILING: Final = 0.9
"""Where more of the first choices stay, or change, effects on their probability are squeezed."""

METRICS: Final = metrics_of(
    "two-step",
    Metric(
        "two-step-reward",
        "performance",
        "Two-step task: reward",
        "share of trials that were rewarded",
        human=0.527,
        random=0.5,
        random_published=0.5001,
    ),
    Metric(
        "model-basedness",
        "behaviour",
        "Model-basedness",
        "effect of reward times journey (common +1, rare -1) on staying with the first choice",
        human=0.02629,
        random=0.0,
        random_published=0.00093,
        caution="people and random choices are only .026 apart, and the error of the average of people is not known",
    ),
    Metric(
        "model-freeness",
        "behaviour",
        "Effect of reward on staying",
        "effect of reward (+1, -1) on staying with the first choice, in the same regression",
        variant_of="model-basedness",
    ),
)


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task; only days that follow each other tell whether the choice stayed."""
    action, state, trial = (table.columns[name] for name in ("action", "state", "trial"))
    follows = (table.run[1:] == table.run[:-1]) & (trial[1:] == trial[:-1] + 1)
    reward = table.columns["reward"] * 2 - 1
    common = np.where(action == state, 1.0, -1.0)
    design = np.stack([np.ones(len(reward)), reward, common, reward * common], axis=1)[:-1][follows]
    stay = (action[1:] == action[:-1]).astype(np.float64)[follows]
    run, runs = table.run[:-1][follows], len(table.runs)
    share = float(stay.mean()) if len(stay) else 0.5
    same = "the first choice never changed" if share == 1 else "the first choice changed every day"
    sums = table.sums(table.columns["reward"], np.ones(len(reward)))
    statistics = {
        "two-step-reward": mean_over_rows(sums[:, 0], sums[:, 1], "no trials", (0.0, 1.0)),
        "model-basedness": coefficient(design, stay, run, runs, 3, constant=same),
        "model-freeness": coefficient(design, stay, run, runs, 1, constant=same),
    }
    gaps = int(np.sum((table.run[1:] == table.run[:-1]) & ~follows))
    notes = (f"{things(gaps, 'day')} without the day after: not in the regression",) if gaps else ()
    near = share if share > 0.5 else 1 - share
    squeezed = (
        f"the first choice {'stayed' if share > 0.5 else 'changed'} on {per_cent(near, 0)} of the days; so near to all "
        "of them, any effect on the probability looks small"
    )
    cautions = dict.fromkeys(_EFFECTS, squeezed) if near > _CEILING else {}
    return TaskStatistics(statistics, notes, cautions=cautions)
