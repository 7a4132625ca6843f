"""Instrumental learning: how fast values follow outcomes, by a fitted learner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import kappa, p_is
from hansproof.audit.phenotype.metric import Floats, Ints, Statistic, TaskStatistics, mean_over_runs
from hansproof.audit.phenotype.task_records import TaskTable
from hansproof.audit.texts.compiled import kernel

__all__ = ["measure"]

# V <- V + alpha (reward - V), from V = .5; P(arm) is the softmax of beta V. The two-rate learner has alpha+ for
# positive prediction errors and alpha- for the others. Rescorla & Wagner (1972); Lefebvre et al. (2017).

_VALLEYS = 4
"""Local minima of the grid that are searched."""

_MOST = 1e5
"""Largest inverse temperature: that of the published fits."""


@kernel
def _advantages(up, down, casino, choice, reward, start, out):  # type: ignore[no-untyped-def]
    """By how much the value of the chosen arm exceeds that of the other, trial by trial."""
    values = np.full((int(casino.max()) + 1, 2), 0.5)
    for run in range(len(start) - 1):
        values[:] = 0.5
        for t in range(start[run], start[run + 1]):
            place, arm = casino[t], choice[t]
            out[t] = values[place, arm] - values[place, 1 - arm]
            error = reward[t] - values[place, arm]
            values[place, arm] += (up if error > 0 else down) * error


@kernel
def _surprise(beta, advantage):  # type: ignore[no-untyped-def]
    """Minus the log-likelihood of the choices."""
    total, product = 0.0, 1.0
    for t in range(len(advantage)):
        x = -beta * advantage[t]
        if x > 30:  # where log(1 + exp(x)) is x to the last digit
            total += x
        else:
            product *= 1 + math.exp(x)
            if product > 1e100:
                total += math.log(product)
                product = 1.0
    return total + math.log(product)


@kernel
def _best_beta(advantage, rate, guess):  # type: ignore[no-untyped-def]
    """(beta, minus the log posterior) at the best beta: concave in beta, so Newton within a bracket finds it."""
    low, high, beta = 0.0, _MOST, guess
    for _ in range(60):
        slope, curve = -rate, 0.0
        for t in range(len(advantage)):
            d = advantage[t]
            p = 1 / (1 + math.exp(min(beta * d, 700.0)))
            slope += d * p
            curve += d * d * p * (1 - p)
        if slope > 0:
            low = beta
        else:
            high = beta
        new = beta + slope / curve if curve > 0 else high
        if not low < new < high:
            new = 0.5 * (low + high) if high < _MOST or low > _MOST / 2 else beta * 4
        change = abs(new - beta)
        beta = min(max(new, 1e-9), _MOST)
        if change < 1e-9 * beta + 1e-12:
            break
    return beta, _surprise(beta, advantage) + rate * beta


@kernel
def _cost(a, b, task, guess, advantage):  # type: ignore[no-untyped-def]
    """(beta, minus the log posterior) of a pair of learning rates, at the best beta."""
    trials, two_rates, edge, rate = task
    casino, choice, reward, start = trials
    _advantages(a, b, casino, choice, reward, start, advantage)
    beta, cost = _best_beta(advantage, rate, guess)
    if edge > 0:
        cost -= edge * math.log(a * (1 - a)) + (edge * math.log(b * (1 - b)) if two_rates else 0.0)
    return beta, cost


@kernel
def _lowest(grid, tried):  # type: ignore[no-untyped-def]
    """(row, column) of the lowest local minimum of a grid that was not tried yet; row -1 without any."""
    least, row, column = math.inf, -1, -1
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            around = grid[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]
            if not tried[i, j] and grid[i, j] < least and grid[i, j] <= around.min():
                least, row, column = grid[i, j], i, j
    return row, column


@kernel
def _searched(reached, width, low, task, advantage):  # type: ignore[no-untyped-def]
    """The best (cost, alpha+, alpha-, beta) around `found`, within ever narrower steps."""
    cost, a, b, beta = reached
    while width > 1e-7:
        moved, centre, beside, warm = False, a, b, beta
        for i in range(-1, 2):
            for j in range(-1, 2):
                x = min(max(centre + i * width, low), 1 - low)
                y = min(max(beside + j * width, low), 1 - low) if task[1] else x
                if (i == 0 and j == 0) or (not task[1] and j != 0):
                    continue
                new, height = _cost(x, y, task, warm, advantage)
                if height < cost - 1e-12:
                    cost, a, b, beta, moved = height, x, y, new, True
        if not moved:
            width *= 0.5
    return cost, a, b, beta


@kernel
def fit_learner(casino, choice, reward, start, two_rates, edge, rate):  # type: ignore[no-untyped-def]
    """The best (alpha+, alpha-, beta, minus the log posterior) of all runs jointly.

    A grid of learning rates, then a search around each of its best local minima, of which a run may have several.
    Arrays (n,) hold whole runs one after another; `start` (runs + 1,) says where each begins. Priors, up to constants:
    alpha^edge (1 - alpha)^edge, and exp(-rate beta); with zeros this is maximum likelihood.
    """
    advantage, task = np.empty(len(choice)), ((casino, choice, reward, start), two_rates, edge, rate)
    points = 13 if two_rates else 25
    across = points if two_rates else 1
    low = 1e-6 if edge > 0 else 0.0
    step = (1 - 2 * low) / (points - 1)
    grid, betas = np.empty((points, across)), np.empty((points, across))
    tried = np.zeros((points, across), dtype=np.bool_)
    for i in range(points):
        for j in range(across):
            a = low + step * i
            betas[i, j], grid[i, j] = _cost(a, low + step * j if two_rates else a, task, 3.0, advantage)
    best, up, down, beta = math.inf, 0.5, 0.5, 1.0
    for _ in range(_VALLEYS):
        row, column = _lowest(grid, tried)
        if row < 0:
            break
        tried[row, column] = True
        a = low + step * row
        reached = grid[row, column], a, low + step * column if two_rates else a, betas[row, column]
        reached = _searched(reached, 0.5 * step, low, task, advantage)
        if reached[0] < best - 1e-9:
            best, up, down, beta = reached
    return up, down, beta, best


# Four casinos of two machines; one learner is fitted to all casinos of a run. The fits have weak priors: without them a
# run of nearly constant choices has no best learning rate, as the published fits show, which stop anywhere.

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


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
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
    known = ~np.isnan(rate)
    pooled = _pooled(table, casino, choice, known, priors)
    statistics = {
        "instrumental-reward": table.mean(reward, "no trials", (0.0, 1.0), by_run=as_published),
        "learning-rate": _spanning([rate, *(other[0] for other in others)], nothing, (0.0, 1.0)),
        "optimism": _spanning([optimism, *(other[1] for other in others)], nothing, (-1.0, 1.0)),
        "learning-rate-pooled": mean_over_runs(np.array([pooled.rate]), nothing),
        "optimism-pooled": mean_over_runs(np.array([pooled.optimism]), nothing),
    }
    alike = int(runs - known.sum())
    notes = (f"learning is without {alike} of {runs} runs, with one arm chosen in each casino",) if alike else ()
    once = "one fit to all runs; the metric averaged over runs has an interval"
    lost = {} if as_published or pooled.p < _LEVEL else dict.fromkeys(_FITTED, f"{_CHANCE} ({p_is(pooled.p)})")
    return TaskStatistics(
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
    if not statistic.others:
        return ""
    weak, stiff = _RECOVERED
    said = []
    ends = [other.value()[0] for other in statistic.others]
    if np.ptp(ends) > _NOTEWORTHY:  # NaN is not
        said.append(
            f"the prior has a say: {kappa(ends[0], 3)} if learning rates are nearly flat beforehand (Beta(1.01, "
            f"1.01)), {kappa(ends[1], 3)} under Beta(2, 2); the interval spans these"
        )
    if beta < weak:
        said.append(
            f"choices follow values weakly (inverse temperature {kappa(beta, 1)}), where fits of simulated learners "
            "give learning rates that lean to .5, and half of the optimism or less"
        )
    if beta > stiff:
        said.append(
            f"choices hardly leave values (inverse temperature {kappa(beta, 1)}), where fits of simulated learners "
            "give up to .1 too much optimism"
        )
    return "; ".join(said)
