"""Instrumental learning: how fast values follow outcomes, and whether good news counts more. Lefebvre et al. (2017).

Four casinos of two machines; one learner is fitted to all casinos of a run. The fits have weak priors: without them a
run of nearly constant choices has no best learning rate, as the published fits show, which stop anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.notation import kappa, p_is
from audit.phenotype.fits.learner import fit_learner
from audit.phenotype.fits.statistic import Statistic, mean_over_rows, mean_over_runs
from audit.phenotype.metrics.metric import Measured, Metric
from audit.phenotype.records.table import TaskTable

__all__ = ["METRICS", "measure"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TASK: Final = "instrumental-learning"
_PRIORS: Final = (0.1, 0.02)
"""Beta(1.1, 1.1) for learning rates (Daw 2011), exponential of mean 50 for the inverse temperature. A prior that is 0
for an inverse temperature of 0 would take random choices for those of somebody who hardly learns."""
_LIKELIHOOD: Final = (0.0, 0.0)
_LEVEL: Final = 0.05
_FITTED: Final = ("learning-rate", "optimism", "learning-rate-pooled", "optimism-pooled")
_CHANCE: Final = "the choices follow the rewards no better than random ones do, so they show no learning rate"

_OTHER_PRIORS: Final = ((0.01, 0.02), (1.0, 0.02))
"""Nearly flat learning rates, and Beta(2, 2): records that leave the choice between these open have wider intervals."""
_RECOVERED: Final = (2.0, 15.0)
"""Inverse temperatures between which simulated learners come out again (benchmarks/phenotype/recovery.py)."""
_NOTEWORTHY: Final = 0.05
"""A larger difference between these priors is said."""

_CAUTION: Final = (
    "the published average of people was fitted by an optimiser that stops before the maximum, and differently each "
    "time; compare phenotypes fitted here with each other"
)

METRICS: Final = (
    Metric(
        "instrumental-reward",
        _TASK,
        "performance",
        "Instrumental learning: reward",
        "mean reward",
        human=0.5523,
        random=0.5,
        random_published=0.4934,
    ),
    Metric(
        "learning-rate",
        _TASK,
        "behaviour",
        "Learning rate",
        "Rescorla-Wagner learning rate, fitted to each run and averaged",
        human=0.1854,
        random=0.485,
        random_published=0.4378,
        caution=_CAUTION,
    ),
    Metric(
        "optimism",
        _TASK,
        "behaviour",
        "Optimism bias",
        "learning rate from good news minus that from bad news, fitted to each run and averaged",
        human=0.1863,
        random=-0.025,
        random_published=0.0361,
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


def measure(table: TaskTable, as_published: bool) -> Measured:
    """All metrics of the task; `as_published` fits by maximum likelihood, without priors, and every run.

    Otherwise a run in which no casino saw both of its arms chosen does not count.
    """
    priors = _LIKELIHOOD if as_published else _PRIORS
    runs, reward = len(table.runs), table.columns["reward"]
    casino = np.unique(table.columns["casino"], return_inverse=True)[1].astype(np.int64)
    choice = table.columns["choice"].astype(np.int64)
    usable = [as_published or _both_arms(casino[rows], choice[rows]) for rows in table.each()]

    def each(priors: tuple[float, float]) -> Floats:
        """(2, runs): the learning rate and the optimism of each run."""
        out = np.full((2, runs), np.nan)
        for number, rows in enumerate(table.each()):
            if usable[number]:
                parts = (casino[rows], choice[rows], reward[rows], np.array([0, len(choice[rows])]))
                up, down = fit_learner(*parts, True, *priors)[:2]
                out[:, number] = fit_learner(*parts, False, *priors)[0], up - down
        return out

    rate, optimism = each(priors)
    others = [] if as_published else [each(other) for other in _OTHER_PRIORS]
    nothing = "the same arm was chosen in every visit to a casino, in every run"
    sums = table.sums(reward, np.ones(len(reward)))
    known = ~np.isnan(rate)
    pooled = _pooled(table, casino, choice, known, priors)
    statistics = {
        "instrumental-reward": mean_over_rows(sums[:, 0], sums[:, 1], "no trials", (0.0, 1.0)),
        "learning-rate": _spanning([rate, *(other[0] for other in others)], nothing, (0.0, 1.0)),
        "optimism": _spanning([optimism, *(other[1] for other in others)], nothing, (-1.0, 1.0)),
        "learning-rate-pooled": _fixed(pooled.rate, nothing),
        "optimism-pooled": _fixed(pooled.optimism, nothing),
    }
    alike = int(runs - known.sum())
    notes = (f"learning is without {alike} of {runs} runs, with one arm chosen in each casino",) if alike else ()
    once = "one fit to all runs; the metric averaged over runs has an interval"
    lost = {} if as_published or pooled.p < _LEVEL else dict.fromkeys(_FITTED, f"{_CHANCE} ({p_is(pooled.p)})")
    return Measured(
        statistics,
        notes,
        {"learning-rate-pooled": once, "optimism-pooled": once},
        {} if np.isnan(pooled.p) else lost,
        {name: said for name in _FITTED[:2] if (said := _doubts(statistics[name], pooled.beta))},
    )


def _both_arms(casino: Ints, choice: Ints) -> bool:
    arms = np.zeros((int(casino.max()) + 1, 2), dtype=bool)
    arms[casino, choice] = True
    return bool(arms.all(axis=1).any())


class _Pooled(NamedTuple):
    """One learner for all runs."""

    rate: float
    optimism: float
    beta: float
    p: float
    """Of choices that do not depend on the rewards; NaN where nothing was fitted."""


def _pooled(
    table: TaskTable, casino: Ints, choice: Ints, known: NDArray[np.bool_], priors: tuple[float, float]
) -> _Pooled:
    """One learner for all runs in `known`, and whether it says more of their choices than chance does.

    Without an effect of values (beta = 0) the likelihood has no learning rate in it. Twice the gain is then the largest
    of a process over learning rates (Davies 1987), and chi-square with two degrees of freedom bounds it in practice.
    """
    from scipy.stats import chi2

    if not known.any():
        return _Pooled(np.nan, np.nan, np.nan, np.nan)
    rows = known[table.run]
    start = np.concatenate([[0], np.cumsum(np.bincount(table.run, minlength=len(known))[known])])
    parts = (casino[rows], choice[rows], table.columns["reward"][rows], start)
    up, down = fit_learner(*parts, True, *priors)[:2]
    rate, _, beta, cost = fit_learner(*parts, False, *priors)
    edge, scale = priors
    surprise = cost - scale * beta + (edge * np.log(rate * (1 - rate)) if edge else 0.0)
    gain = np.log(2) * len(parts[1]) - surprise
    return _Pooled(rate, up - down, beta, float(chi2.sf(2 * gain, 2)))


def _spanning(values: Sequence[Floats], nothing: str, limits: tuple[float, float]) -> Statistic:
    """The mean over runs of the first, with an interval that spans the others."""
    first, *others = (mean_over_runs(each, nothing, limits) for each in values)
    return replace(first, others=tuple(others))


def _doubts(statistic: Statistic, beta: float) -> str:
    """What to know of a fitted metric of these records; empty if there is nothing."""
    weak, stiff = _RECOVERED
    said = [_by_prior(statistic)] if statistic.others else []
    if statistic.others and beta < weak:
        said.append(
            f"choices follow values weakly (inverse temperature {kappa(beta, 1)}), where fits of simulated learners "
            "give learning rates that lean to .5, and half of the optimism or less"
        )
    if statistic.others and beta > stiff:
        said.append(
            f"choices hardly leave values (inverse temperature {kappa(beta, 1)}), where fits of simulated learners "
            "give up to .1 too much optimism"
        )
    return "; ".join(each for each in said if each)


def _by_prior(statistic: Statistic) -> str:
    """How far the prior decides the value; empty if it hardly does."""
    ends = [other.value()[0] for other in statistic.others]
    if not ends or not np.ptp(ends) > _NOTEWORTHY:
        return ""
    return (
        f"the prior has a say: {kappa(ends[0], 3)} if learning rates are nearly flat beforehand (Beta(1.01, 1.01)), "
        f"{kappa(ends[1], 3)} under Beta(2, 2); the interval spans these"
    )


def _fixed(value: float, nothing: str) -> Statistic:
    return mean_over_runs(np.array([value]), nothing)
