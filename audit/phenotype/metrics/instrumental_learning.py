"""Instrumental learning: how fast values follow outcomes, and whether good news counts more. Lefebvre et al. (2017).

Four casinos of two machines; one learner is fitted to all casinos of a run. The fits have weak priors: without them a
run of nearly constant choices has no best learning rate, as the published fits show, which stop anywhere.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from audit.phenotype.fits.learner import fit_learner
from audit.phenotype.fits.statistic import Statistic, mean_over_rows, mean_over_runs
from audit.phenotype.metrics.metric import Measured, Metric
from audit.phenotype.records.table import Table

__all__ = ["METRICS", "measure"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TASK: Final = "instrumental-learning"
_PRIORS: Final = (0.1, 0.02)
"""Beta(1.1, 1.1) for learning rates (Daw 2011), exponential of mean 50 for the inverse temperature. A prior that is 0
for an inverse temperature of 0 would take random choices for those of somebody who hardly learns."""
_LIKELIHOOD: Final = (0.0, 0.0)

_CAUTION: Final = (
    "the references were fitted by an optimiser that stops before the maximum, and differently each time; compare "
    "phenotypes fitted here with each other"
)

METRICS: Final = (
    Metric(
        "instrumental-reward",
        _TASK,
        "performance",
        "Instrumental learning: reward",
        "mean reward",
        human=0.5523,
        random=0.4934,
    ),
    Metric(
        "learning-rate",
        _TASK,
        "behaviour",
        "Learning rate",
        "Rescorla-Wagner learning rate, fitted to each run and averaged",
        human=0.1854,
        random=0.4378,
        caution=_CAUTION,
    ),
    Metric(
        "optimism",
        _TASK,
        "behaviour",
        "Optimism bias",
        "learning rate from good news minus that from bad news, fitted to each run and averaged",
        human=0.1863,
        random=0.0361,
        caution=_CAUTION,
    ),
    Metric(
        "learning-rate-pooled",
        _TASK,
        "behaviour",
        "Learning rate, all runs at once",
        "one Rescorla-Wagner learning rate fitted to all runs together",
        variant_of="learning-rate",
    ),
    Metric(
        "optimism-pooled",
        _TASK,
        "behaviour",
        "Optimism bias, all runs at once",
        "the same difference, fitted to all runs together",
        variant_of="optimism",
    ),
)


def measure(table: Table, as_published: bool) -> Measured:
    """All metrics of the task; `as_published` fits by maximum likelihood, without priors, and every run.

    Otherwise a run in which no casino saw both of its arms chosen does not count.
    """
    priors = _LIKELIHOOD if as_published else _PRIORS
    runs, reward = len(table.runs), table.columns["reward"]
    casino = np.unique(table.columns["casino"], return_inverse=True)[1].astype(np.int64)
    choice = table.columns["choice"].astype(np.int64)
    rate, optimism = np.full(runs, np.nan), np.full(runs, np.nan)
    for number, rows in enumerate(table.each()):
        if as_published or _both_arms(casino[rows], choice[rows]):
            whole = np.array([0, len(choice[rows])])
            rate[number] = fit_learner(casino[rows], choice[rows], reward[rows], whole, False, *priors)[0]
            up, down = fit_learner(casino[rows], choice[rows], reward[rows], whole, True, *priors)[:2]
            optimism[number] = up - down
    nothing = "the same arm was chosen in every visit to a casino, in every run"
    sums = table.sums(reward, np.ones(len(reward)))
    known = ~np.isnan(rate)
    pooled = _pooled(table, casino, choice, known, priors)
    statistics = {
        "instrumental-reward": mean_over_rows(sums[:, 0], sums[:, 1], "no trials"),
        "learning-rate": mean_over_runs(rate, nothing),
        "optimism": mean_over_runs(optimism, nothing),
        "learning-rate-pooled": _fixed(pooled[0], nothing),
        "optimism-pooled": _fixed(pooled[1], nothing),
    }
    alike = int(runs - known.sum())
    notes = (f"learning is without {alike} of {runs} runs, with one arm chosen in each casino",) if alike else ()
    once = "one fit to all runs; the metric averaged over runs has an interval"
    return Measured(statistics, notes, {"learning-rate-pooled": once, "optimism-pooled": once})


def _both_arms(casino: Ints, choice: Ints) -> bool:
    arms = np.zeros((int(casino.max()) + 1, 2), dtype=bool)
    arms[casino, choice] = True
    return bool(arms.all(axis=1).any())


def _pooled(
    table: Table, casino: Ints, choice: Ints, known: NDArray[np.bool_], priors: tuple[float, float]
) -> tuple[float, float]:
    """Learning rate and optimism of one learner for all runs in `known`."""
    if not known.any():
        return np.nan, np.nan
    rows = known[table.run]
    start = np.concatenate([[0], np.cumsum(np.bincount(table.run, minlength=len(known))[known])])
    parts = (casino[rows], choice[rows], table.columns["reward"][rows], start)
    up, down = fit_learner(*parts, True, *priors)[:2]
    return fit_learner(*parts, False, *priors)[0], up - down


def _fixed(value: float, nothing: str) -> Statistic:
    return mean_over_runs(np.array([value]), nothing)
