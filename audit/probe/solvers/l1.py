"""L1-penalised logistic regression on a sparse matrix: compiled proximal Newton with coordinate descent.

Minimises  C * sum_i log(1 + exp(-y_i (x_i w + b))) + |w|_1 + |b|, the intercept penalised: liblinear's objective,
by liblinear's method (newGLMNET; Yuan, Ho & Lin 2012) and to liblinear's tolerance. The order of the columns is drawn
inside the call: liblinear keeps one random state for the whole process, so that two simultaneous fits change each
other's coefficients.
"""

from __future__ import annotations

import math

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from audit.features.compiled import kernel
from audit.probe.solvers.descent import by_columns, by_gram, violation
from audit.probe.solvers.kinds import Entries

__all__ = ["solve_l1"]

_MOST_STEPS = 100


@kernel
def _log_losses(z, z_step, step, sign, e):  # type: ignore[no-untyped-def]
    """Sum of log(1 + exp(-sign (z + step z_step))); fills e with exp(-|.|). One logarithm for each block of factors."""
    total, product = 0.0, 1.0
    for i in range(z.shape[0]):
        s = -sign[i] * (z[i] + step * z_step[i])
        e[i] = math.exp(-abs(s))
        if s > 0.0:
            total += s
        product *= 1.0 + e[i]
        if product > 1e300:
            total += math.log(product)
            product = 1.0
    return total + math.log(product)


@kernel
def _violation_at_zero(entries, sign, C):  # type: ignore[no-untyped-def]
    """The summed violation of a fit that has not begun, by which liblinear measures convergence."""
    (indptr, rows, data), total = entries, 0.0
    for j in range(indptr.shape[0] - 1):
        g = 0.0
        for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
            g -= data[q] * sign[uint64(rows[q])]
        total += max(0.0, abs(0.5 * C * g) - 1.0)
    return total


@kernel
def _add_scores(entries, columns, w_new, w, z):  # type: ignore[no-untyped-def]
    """z += X (w_new - w), for weights that differ in these columns only."""
    indptr, rows, data = entries
    for j in columns:
        d = w_new[j] - w[j]
        if d != 0.0:
            for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
                z[uint64(rows[q])] += d * data[q]


@kernel
def _residuals(z, e, sign, C, residual, curve):  # type: ignore[no-untyped-def]
    """Fill in the first and second derivatives of the losses by the scores z; e holds exp(-|z|)."""
    for i in range(z.shape[0]):
        right = 1.0 / (1.0 + e[i])
        if sign[i] * z[i] < 0.0:
            right *= e[i]
        residual[i] = -sign[i] * C * (1.0 - right)
        curve[i] = C * right * (1.0 - right)


@kernel
def _derivatives(entries, residual, model, reach, w, w_new, active):  # type: ignore[no-untyped-def]
    """Fill in g, h, w_new and `active`; returns the summed and the largest violation, the active columns and their
    entries."""
    (indptr, rows, data), (curve, g, h) = entries, model
    total, largest, size, count = 0.0, 0.0, 0, 0
    for j in range(w.shape[0]):
        gj, hj = 0.0, 1e-12  # keeps the curvature of an almost empty column above 0
        for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
            row = uint64(rows[q])
            gj += data[q] * residual[row]
            hj += data[q] * data[q] * curve[row]
        g[j], h[j], w_new[j] = gj, hj, w[j]
        v = violation(gj, w[j])
        total += v
        largest = max(largest, v)
        # A zero weight whose gradient is well inside the dead zone sits out this round.
        if w[j] != 0.0 or abs(gj) + reach > 1.0:
            active[size] = j
            size += 1
            count += indptr[j + 1] - indptr[j]
    return total, largest, size, count


@kernel
def _searched(scores, e, sign, C, g, weights, loss, norm):  # type: ignore[no-untyped-def]
    """(step, loss, norm) of a line search on the true objective, step 0 where none descends: Armijo, with the decrease
    that the model predicts. `scores` and `weights` are the present ones, then their full steps and ends."""
    (z, z_step), (w, w_new) = scores, weights
    slope, wanted, step = 0.0, 0.0, 1.0
    for j in range(w.shape[0]):
        slope += g[j] * (w_new[j] - w[j])
        wanted += abs(w_new[j])
    slope += wanted - norm
    for _ in range(30):
        fresh, fresh_norm = _log_losses(z, z_step, step, sign, e), 0.0
        for j in range(w.shape[0]):
            fresh_norm += abs(w[j] + step * (w_new[j] - w[j]))
        if C * (fresh - loss) + fresh_norm - norm <= 0.01 * step * slope:
            return step, fresh, fresh_norm
        step *= 0.5
    return 0.0, loss, norm


@kernel
def _proximal_newton(entries, sign, C, tol, w):  # type: ignore[no-untyped-def]
    p, n = w.shape[0], sign.shape[0]
    z, z_step, residual, curve, e = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    g, h, w_new, active = np.zeros(p), np.zeros(p), np.zeros(p), np.arange(p)
    model, scores, weights = (curve, g, h), (z, z_step), (w, w_new)
    random = np.uint64(88172645463325252)
    norm, reach, first, inner_tol = 0.0, 0.25, -1.0, 1.0
    for j in range(p):
        norm += abs(w[j])
    _add_scores(entries, active, w, w_new, z)
    loss = _log_losses(z, z_step, 0.0, sign, e)
    if norm > 0.0:
        first = _violation_at_zero(entries, sign, C)
        if first <= 0.0:  # the optimum is 0, wherever the fit began
            w[:] = 0.0
            return
    for _ in range(_MOST_STEPS):
        _residuals(z, e, sign, C, residual, curve)
        total, largest, size, count = _derivatives(entries, residual, model, reach, w, w_new, active)
        if first < 0.0:
            first = total
        if total <= tol * first:
            return
        reach, inner = largest / n, active[:size]
        # After a warm start, the inner problem is solved as finely as if the fit had come this far by itself.
        inner_tol = min(inner_tol, total / first)
        z_step[:] = 0.0
        if size * size <= 6 * count:
            by_gram(entries, model, inner, 0.1 * inner_tol * first, w_new)
            inner_tol *= 0.25
        else:
            sweeps, random = by_columns(entries, model, inner, inner_tol * first, random, w_new, z_step)
            z_step[:] = 0.0
            if sweeps <= 3:
                inner_tol *= 0.25
        _add_scores(entries, inner, w_new, w, z_step)
        step, loss, norm = _searched(scores, e, sign, C, g, weights, loss, norm)
        if step == 0.0:
            return  # no descent left in double precision: this is the optimum
        for j in range(p):
            w[j] += step * (w_new[j] - w[j])
        for i in range(n):
            z[i] += step * z_step[i]


def solve_l1(
    entries: Entries,
    positive: NDArray[np.bool_],
    C: float,
    start: NDArray[np.float64] | None = None,
    *,
    tol: float = 1e-4,
) -> NDArray[np.float64]:
    """Weights (features,) at the optimum, for one label against the rest.

    `entries` are the columns of a CSC matrix whose last column is the constant 1, so that its weight is the intercept;
    `positive` (n,) marks the items of the label; `start` (features,) is not changed. Converged when the summed
    violation has fallen to tol * min(positives, negatives) / n of its initial value, which is liblinear's rule.
    """
    count = int(positive.sum())
    n = len(positive)
    w = np.zeros(entries.width) if start is None else start.astype(np.float64)
    scaled = tol * max(min(count, n - count), 1) / n
    _proximal_newton(entries.arrays, np.where(positive, 1.0, -1.0), float(C), scaled, w)
    return w
