"""The horizon task: is the first free choice drawn to the lesser-known arm, and is it less careful when more follow?

Wilson et al. (2014). Four forced choices show one arm three times and the other once (unequal information), or each
twice (equal); then come one or six free choices. Exploring pays only if choices follow.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from audit.notation import things
from audit.phenotype.fits.logit import logit_coefficient
from audit.phenotype.fits.statistic import mean_over_rows
from audit.phenotype.metrics.metric import Measured, Metric
from audit.phenotype.records.table import TaskTable

__all__ = ["METRICS", "measure"]

Floats = NDArray[np.float64]

_TASK: Final = "horizon"
_FORCED: Final = 4

METRICS: Final = (
    Metric(
        "horizon-reward",
        _TASK,
        "performance",
        "Horizon task: reward",
        "mean points per trial, forced ones included",
        human=51.6128,
        random=50.0,
        random_published=50.4264,
    ),
    Metric(
        "directed-exploration",
        _TASK,
        "behaviour",
        "Directed exploration",
        "logit effect of the horizon (long +1, short -1) on choosing the less-seen arm, where information is unequal",
        human=0.3258,
        random=0.0,
        random_published=-0.0444,
    ),
    Metric(
        "random-exploration",
        _TASK,
        "behaviour",
        "Random exploration",
        "minus the logit interaction of mean difference and horizon, where information is equal",
        human=0.01744,
        random=0.0,
        random_published=0.001,
        caution="people and random choices are only .017 apart, and the error of the average of people is not known",
    ),
    Metric(
        "horizon-reward-free",
        _TASK,
        "performance",
        "Horizon task: reward of free choices",
        "mean points per free choice",
        variant_of="horizon-reward",
    ),
    Metric(
        "directed-exploration-penalised",
        _TASK,
        "behaviour",
        "Directed exploration, penalised",
        "the same coefficient with Firth's penalty, which exists under separation",
        variant_of="directed-exploration",
    ),
    Metric(
        "random-exploration-penalised",
        _TASK,
        "behaviour",
        "Random exploration, penalised",
        "the same coefficient with Firth's penalty, which exists under separation",
        variant_of="random-exploration",
    ),
)


def measure(table: TaskTable, as_published: bool) -> Measured:
    """All metrics of the task."""
    runs, trial, choice = len(table.runs), table.columns["trial"], table.columns["choice"]
    free = (trial >= _FORCED).astype(np.float64)
    reward = table.columns["reward"]
    sums = table.sums(reward, np.ones(len(reward)), reward * free, free)

    def per_run(rows: NDArray[np.bool_], values: Floats) -> Floats:
        return np.bincount(table.run[rows], values[rows], runs).astype(np.float64)

    forced = trial < _FORCED
    count = per_run(forced, np.ones(len(trial)))
    seen = per_run(forced, choice)  # how often arm 1 was shown
    usable = (count == _FORCED) & (per_run(trial == _FORCED, np.ones(len(trial))) == 1)
    first = per_run(trial == _FORCED, choice)
    difference = per_run(trial == _FORCED, table.columns["mean_1"] - table.columns["mean_0"])
    long = np.where(per_run(trial > _FORCED, np.ones(len(trial))) > 0, 1.0, -1.0)

    equal = np.flatnonzero(usable & (seen == 2))
    unequal = np.flatnonzero(usable & ((seen == 1) | (seen == 3)))
    # Arm 1 is the less-seen one if it was shown once; otherwise the arms change places.
    flip = np.where(seen[unequal] == 1, 1.0, -1.0)
    lesser = np.where(flip > 0, first[unequal], 1 - first[unequal])

    def design(games: NDArray[np.intp], sign: Floats | float = 1.0) -> Floats:
        d, h = difference[games] * sign, long[games]
        return np.stack([d, h, d * h, np.ones(len(games))], axis=1)

    directed = (design(unequal, flip), lesser, unequal, runs, 1)
    random = (design(equal), first[equal], equal, runs, 2)
    statistics = {
        "horizon-reward": mean_over_rows(sums[:, 0], sums[:, 1], "no trials"),
        "horizon-reward-free": mean_over_rows(sums[:, 2], sums[:, 3], "no free choices"),
        "directed-exploration": logit_coefficient(*directed),
        "random-exploration": logit_coefficient(*random, sign=-1.0),
        "directed-exploration-penalised": logit_coefficient(*directed, penalised=True),
        "random-exploration-penalised": logit_coefficient(*random, sign=-1.0, penalised=True),
    }
    odd = runs - len(equal) - len(unequal)
    notes = (
        (f"{things(odd, 'game')} without four forced choices and a first free one: not in the logits",) if odd else ()
    )
    return Measured(statistics, notes)
