"""The Rescorla-Wagner learner with a softmax: values learnt from prediction errors, one pair of arms per casino.

V <- V + alpha (reward - V), from V = .5; P(arm) is the softmax of beta V. The two-rate learner has alpha+ for positive
prediction errors and alpha- for the others. Rescorla & Wagner (1972); Lefebvre et al. (2017).
"""

from __future__ import annotations

import math

import numpy as np

from audit.texts.compiled import kernel

__all__ = ["fit_learner"]

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
def _searched(found, width, low, task, advantage):  # type: ignore[no-untyped-def]
    """The best (cost, alpha+, alpha-, beta) around `found`, within ever narrower steps."""
    cost, a, b, beta = found
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
        found = grid[row, column], a, low + step * column if two_rates else a, betas[row, column]
        found = _searched(found, 0.5 * step, low, task, advantage)
        if found[0] < best - 1e-9:
            best, up, down, beta = found
    return up, down, beta, best
