"""The horizon task: is the first free choice drawn to the lesser-known arm? With its logistic fits."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import things
from hansproof.audit.phenotype.metric import Floats, Ints, Statistic, TaskStatistics, independent
from hansproof.audit.phenotype.task_records import TaskTable

__all__ = ["measure"]

# Rows with the same design are one cell, so many bootstrap samples are fitted at once by Newton steps. A likelihood
# without a maximum (separation) has no fit; Firth's penalty (1993), the Jeffreys prior, gives an estimate there, too.

_STEPS: Final = 200
"""Penalised fits that are nearly separated approach their maximum slowly."""
_CONVERGED: Final = 1e-8
"""Largest change of a coefficient in the last step, per unit of its column."""
_LARGEST_STEP: Final = 4.0
"""Of any linear predictor in one step: longer ones are shortened, so that Newton does not overshoot."""
_FARTHEST: Final = 30.0
"""A larger linear predictor is that of a choice never made otherwise: separation."""


def logit_coefficient(
    design: Floats, choice: Floats, run: Ints, runs: int, which: int, *, sign: float = 1.0, penalised: bool = False
) -> Statistic:
    """`sign` times coefficient `which` of the logistic fit of `choice` (n,) in 0, 1 on `design` (n, k).

    Undefined where only one arm was chosen, under separation (unless `penalised`), where columns of the design depend
    on each other, and with fewer rows than coefficients. Separated resamples of a sample that is not are fitted with
    the penalty: few games are easily separated when some of them are drawn twice.
    """
    cells, cell = np.unique(design, axis=0, return_inverse=True) if len(design) else (design, np.zeros(0, np.int64))
    width = len(cells)
    flat = run * 2 * width + 2 * cell.ravel() + choice.astype(np.int64)
    sums = np.bincount(flat, minlength=runs * 2 * width).reshape(runs, 2 * width).astype(np.float64)

    def fitted(totals: Floats, *, penalised: bool) -> Floats:
        counts = totals.reshape(len(totals), width, 2)
        return np.asarray(sign * fit_logits(cells, counts[:, :, 0], counts[:, :, 1], penalised=penalised)[:, which])

    def why_undefined(totals: Floats) -> str:
        counts = totals.reshape(width, 2)
        return _reason(cells, counts[:, 0], counts[:, 1])

    return Statistic(
        sums,
        partial(fitted, penalised=penalised),
        why_undefined,
        None if penalised else partial(fitted, penalised=True),
    )


def fit_logits(cells: Floats, zeros: Floats, ones: Floats, *, penalised: bool = False) -> Floats:
    """(B, k) coefficients of B fits; NaN where there is none.

    `cells` (m, k) are the distinct designs; `zeros` and `ones` (B, m) how often each choice was made in them.
    """
    samples, k = len(zeros), cells.shape[1]
    trials = zeros + ones
    products = np.einsum("mi,mj->mij", cells, cells).reshape(len(cells), k * k)
    exists = independent((trials @ products).reshape(samples, k, k)) & (trials.sum(axis=1) >= k)
    if not penalised:
        exists &= (zeros.sum(axis=1) > 0) & (ones.sum(axis=1) > 0)
    out = np.full((samples, k), np.nan)
    beta = np.zeros((int(exists.sum()), k))
    trials, ones, active = trials[exists], ones[exists], np.arange(int(exists.sum()))
    done = np.zeros(len(beta), dtype=bool)
    unit = np.abs(cells).max(axis=0, initial=0.0)
    for _ in range(_STEPS):
        if not len(active):
            break
        share = 1 / (1 + np.exp(-beta[active] @ cells.T))
        weight = trials[active] * share * (1 - share)
        information = (weight @ products).reshape(-1, k, k)
        fitting = independent(information)
        active, share, weight = active[fitting], share[fitting], weight[fitting]
        information = information[fitting]
        residual = ones[active] - trials[active] * share
        if penalised:
            leverage = weight * np.einsum("mi,bij,mj->bm", cells, np.linalg.inv(information), cells, optimize=True)
            residual = residual + leverage * (0.5 - share)
        step = np.linalg.solve(information, (residual @ cells)[:, :, None])[:, :, 0]
        reach = np.abs(step @ cells.T).max(axis=1, initial=0.0)
        beta[active] += step * np.minimum(1, _LARGEST_STEP / np.maximum(reach, _LARGEST_STEP))[:, None]
        converged = (np.abs(step) * unit).max(axis=1, initial=0.0) < _CONVERGED
        near = np.abs(beta[active] @ cells.T).max(axis=1, initial=0.0) < _FARTHEST
        done[active[converged & near]] = True
        active = active[~converged & near]
    out[exists] = np.where(done[:, None], beta, np.nan)
    return out


def _reason(cells: Floats, zeros: Floats, ones: Floats) -> str:
    """Why there is no fit: Albert and Anderson (1984) show that separation is the only reason beside these."""
    trials, k = zeros + ones, cells.shape[1] if cells.ndim == 2 else 0
    if trials.sum() < k or not len(cells):
        return f"too few games ({trials.sum():.0f}) for {k} coefficients; play about 200"
    if not zeros.any() or not ones.any():
        return "the same arm was chosen in every game"
    if not independent(np.einsum("m,mi,mj->ij", trials, cells, cells)[None])[0]:
        return "too few different games to tell the effects of the predictors apart; play about 200"
    if _separated(cells, zeros, ones):
        return (
            "separation: the choices are perfectly predictable from the predictors, so the coefficient is infinite; "
            "more games may help"
        )
    return "the fit did not converge"


def _separated(cells: Floats, zeros: Floats, ones: Floats) -> bool:
    """Whether some coefficients put every choice on its own side of 0 or on it, and one not on it (Konis 2007)."""
    from scipy.optimize import linprog

    sides = np.concatenate([cells[ones > 0], -cells[zeros > 0]])
    solved = linprog(-sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(len(sides)), bounds=(-1, 1))
    return bool(solved.status == 0 and -solved.fun > 1e-6)


# Wilson et al. (2014). Four forced choices show one arm three times and the other once (unequal information), or each
# twice (equal); then come one or six free choices. Exploring pays only if choices follow.

_FORCED: Final = 4


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task."""
    runs, trial, choice = len(table.runs), table.columns["trial"], table.columns["choice"]
    free = (trial >= _FORCED).astype(np.float64)
    reward = table.columns["reward"]

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
        "horizon-reward": table.mean(reward, "no trials"),
        "horizon-reward-free": table.mean(reward, "no free choices", where=free),
        "directed-exploration": logit_coefficient(*directed),
        "random-exploration": logit_coefficient(*random, sign=-1.0),
        "directed-exploration-penalised": logit_coefficient(*directed, penalised=True),
        "random-exploration-penalised": logit_coefficient(*random, sign=-1.0, penalised=True),
    }
    odd = runs - len(equal) - len(unequal)
    notes = (
        (f"{things(odd, 'game')} without four forced choices and a first free one: not in the logits",) if odd else ()
    )
    return TaskStatistics(statistics, notes)
