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

__all__ = ["solve_l1"]


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
def _violation_at_zero(indptr, rows, data, sign, C):  # type: ignore[no-untyped-def]
    """The summed violation of a fit that has not begun, by which liblinear measures convergence."""
    total = 0.0
    for j in range(indptr.shape[0] - 1):
        g = 0.0
        for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
            g -= data[q] * sign[uint64(rows[q])]
        total += max(0.0, abs(0.5 * C * g) - 1.0)
    return total


@kernel
def _proximal_newton(indptr, rows, data, sign, C, tol, max_iter, w):  # type: ignore[no-untyped-def]
    p, n = w.shape[0], sign.shape[0]
    z, z_step, residual, curve, e = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    g, h, w_new, active = np.zeros(p), np.zeros(p), np.zeros(p), np.zeros(p, np.int64)
    random = np.uint64(88172645463325252)
    norm, reach = 0.0, 0.25
    for j in range(p):
        if w[j] != 0.0:
            norm += abs(w[j])
            for q in range(indptr[j], indptr[j + 1]):
                z[rows[q]] += w[j] * data[q]
    loss = _log_losses(z, z_step, 0.0, sign, e)
    first, inner_tol = -1.0, 1.0
    if norm > 0.0:
        first = _violation_at_zero(indptr, rows, data, sign, C)
        if first <= 0.0:  # the optimum is 0, wherever the fit began
            for j in range(p):
                w[j] = 0.0
            return 0
    for iteration in range(max_iter):
        for i in range(n):
            right = 1.0 / (1.0 + e[i])
            if sign[i] * z[i] < 0.0:
                right *= e[i]
            residual[i] = -sign[i] * C * (1.0 - right)
            curve[i] = C * right * (1.0 - right)
        total, largest, size, entries = 0.0, 0.0, 0, 0
        for j in range(p):
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
                entries += indptr[j + 1] - indptr[j]
        if first < 0.0:
            first = total
        if total <= tol * first:
            return iteration
        reach = largest / n
        # After a warm start, the inner problem is solved as finely as if the fit had come this far by itself.
        inner_tol = min(inner_tol, total / first)
        if size * size <= 6 * entries:
            by_gram(indptr, rows, data, curve, g, h, active, size, 0.1 * inner_tol * first, w_new)
            inner_tol *= 0.25
        else:
            for i in range(n):
                z_step[i] = 0.0
            fine = inner_tol * first
            sweeps, random = by_columns(indptr, rows, data, curve, g, h, active, size, fine, random, w_new, z_step)
            if sweeps <= 3:
                inner_tol *= 0.25
        for i in range(n):
            z_step[i] = 0.0
        for a in range(size):
            j = active[a]
            d = w_new[j] - w[j]
            if d != 0.0:
                for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
                    z_step[uint64(rows[q])] += d * data[q]
        # Line search on the true objective: Armijo, with the decrease that the model predicts.
        slope, wanted = 0.0, 0.0
        for j in range(p):
            slope += g[j] * (w_new[j] - w[j])
            wanted += abs(w_new[j])
        slope += wanted - norm
        step, fresh, fresh_norm, descends = 1.0, 0.0, 0.0, False
        for _ in range(30):
            fresh = _log_losses(z, z_step, step, sign, e)
            fresh_norm = 0.0
            for j in range(p):
                fresh_norm += abs(w[j] + step * (w_new[j] - w[j]))
            if C * (fresh - loss) + fresh_norm - norm <= 0.01 * step * slope:
                descends = True
                break
            step *= 0.5
        if not descends:
            return iteration  # no descent left in double precision: this is the optimum
        for j in range(p):
            w[j] += step * (w_new[j] - w[j])
        for i in range(n):
            z[i] += step * z_step[i]
        loss, norm = fresh, fresh_norm
    return max_iter


def solve_l1(
    indptr: NDArray[np.int32],
    rows: NDArray[np.int32],
    data: NDArray[np.float64],
    positive: NDArray[np.bool_],
    features: int,
    C: float,
    start: NDArray[np.float64] | None = None,
    *,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> NDArray[np.float64]:
    """Weights (features,) at the optimum, for one label against the rest.

    `indptr`, `rows`, `data` are the columns of a CSC matrix whose last column is the constant 1, so that its weight is
    the intercept; `positive` (n,) marks the items of the label; `start` (features,) is not changed. Converged when the
    summed violation has fallen to tol * min(positives, negatives) / n of its initial value, which is liblinear's rule.
    """
    count = int(positive.sum())
    n = len(positive)
    w = np.zeros(features) if start is None else start.astype(np.float64)
    scaled = tol * max(min(count, n - count), 1) / n
    _proximal_newton(indptr, rows, data, np.where(positive, 1.0, -1.0), float(C), scaled, max_iter, w)
    return w
