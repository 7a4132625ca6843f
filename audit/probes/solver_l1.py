"""L1-penalised logistic regression on a sparse matrix: compiled proximal Newton with coordinate descent.

Minimises  C * sum_i log(1 + exp(-y_i (x_i w + b))) + |w|_1 + |b|, the intercept penalised: liblinear's objective,
by liblinear's method (newGLMNET; Yuan, Ho & Lin 2012) and to liblinear's tolerance. The order of the columns is drawn
inside the call: liblinear keeps one random state for the whole process, so that two simultaneous fits change each
other's coefficients."""

from __future__ import annotations

import math

import numpy as np
from numpy import uint64
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from hansproof.audit.texts.compiled import inner, kernel

__all__ = ["solve_l1"]

# The inner problem, coordinate descent on the quadratic model of the loss, solved in two ways: by columns where there
# are many of them, and on the matrix of second derivatives where few are active.


@inner
def violation(g, w):  # type: ignore[no-untyped-def]
    """How far a coordinate is from its optimality condition; 0 at the optimum."""
    if w > 0.0:
        return abs(g + 1.0)
    if w < 0.0:
        return abs(g - 1.0)
    return max(0.0, abs(g) - 1.0)


@inner
def _best_step(g, h, w):  # type: ignore[no-untyped-def]
    """The step that minimises g d + h d^2 / 2 + |w + d|: soft thresholding."""
    if g + 1.0 < h * w:
        return -(g + 1.0) / h
    if g - 1.0 > h * w:
        return -(g - 1.0) / h
    return -w


@inner
def _shuffled(order, size, random):  # type: ignore[no-untyped-def]
    """Shuffle the first `size` entries (xorshift; Marsaglia 2003); returns the next state."""
    for k in range(size):
        random ^= random << np.uint64(13)
        random ^= random >> np.uint64(7)
        random ^= random << np.uint64(17)
        other = k + np.int64(random % np.uint64(size - k))
        order[k], order[other] = order[other], order[k]
    return random


@inner
def by_columns(entries, model, active, goal, random, w_new, pull):  # type: ignore[no-untyped-def]
    """Coordinate descent on the quadratic model, column by column; returns the sweeps and the random state.

    `entries` are those of a CSC matrix, `model` is (curvature of each row, first and second derivatives by column).
    Weights at 0, well inside their dead zone, are set aside and checked again at the end.
    """
    (indptr, rows, data), (curve, g, h), size = entries, model, active.shape[0]
    live, bound = size, np.inf
    for sweep in range(1000):
        random = _shuffled(active, live, random)
        total, top, k = 0.0, 0.0, 0
        while k < live:
            j = active[k]
            gj = g[j]
            start, stop = uint64(indptr[j]), uint64(indptr[j + 1])
            for q in range(start, stop):  # unsigned: numba checks a signed index for counting from the end
                i = uint64(rows[q])
                gj += data[q] * pull[i]
            if w_new[j] == 0.0 and abs(gj) + bound < 1.0:
                live -= 1
                active[k], active[live] = active[live], active[k]
                continue
            v = violation(gj, w_new[j])
            total += v
            top = max(top, v)
            d = _best_step(gj, h[j], w_new[j])
            if abs(d) >= 1e-12:
                w_new[j] += d
                for q in range(start, stop):
                    i = uint64(rows[q])
                    pull[i] += d * data[q] * curve[i]
            k += 1
        if total <= goal:
            if live == size:
                return sweep + 1, random
            live, bound = size, np.inf
        else:
            bound = top / curve.shape[0]
    return 1000, random


@inner
def _gram(entries, curve, h, active, gram):  # type: ignore[no-untyped-def]
    """Second derivatives of the active columns, row by row: a row adds the products of its own entries only."""
    (indptr, rows, data), n, size = entries, curve.shape[0], active.shape[0]
    starts = np.zeros(n + 1, np.int64)
    for a in range(size):
        for q in range(uint64(indptr[active[a]]), uint64(indptr[active[a] + 1])):
            starts[uint64(rows[q]) + uint64(1)] += 1
    for row in range(n):
        starts[row + 1] += starts[row]
    columns, values = np.zeros(starts[n], np.int64), np.zeros(starts[n])
    for a in range(size):
        for q in range(uint64(indptr[active[a]]), uint64(indptr[active[a] + 1])):
            i = uint64(rows[q])
            columns[starts[i]], values[starts[i]] = a, data[q]
            starts[i] += 1  # ends where the next row began
    start = uint64(0)
    for row in range(n):
        stop = uint64(starts[row])
        for s in range(start, stop):  # columns ascend within a row
            x, line = values[s] * curve[row], uint64(columns[s] * size)
            for t in range(s, stop):
                gram[line + uint64(columns[t])] += x * values[t]
        start = stop
    for a in range(size):
        gram[a * size + a] = h[active[a]]
        for b in range(a):
            gram[a * size + b] = gram[b * size + a]


@inner
def by_gram(entries, model, active, goal, w_new):  # type: ignore[no-untyped-def]
    """The same on the matrix of second derivatives of the few active columns, for many rows and few columns.

    A sweep costs size^2 rather than the number of entries, so near-collinear columns, which take hundreds of sweeps,
    stay cheap (covariance updates; Friedman, Hastie & Tibshirani 2010).
    """
    (curve, g, h), size = model, active.shape[0]
    gram, u = np.zeros(size * size), np.zeros(size)
    for a in range(size):
        u[a] = g[active[a]]
    _gram(entries, curve, h, active, gram)
    for _ in range(5000):
        total = 0.0
        for a in range(size):
            j = active[a]
            total += violation(u[a], w_new[j])
            d = _best_step(u[a], h[j], w_new[j])
            if abs(d) >= 1e-12:
                w_new[j] += d
                for b in range(size):
                    u[b] += d * gram[a * size + b]
        if total <= goal:
            break


_MOST_STEPS = 100


@inner
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


@inner
def _violation_at_zero(entries, sign, C):  # type: ignore[no-untyped-def]
    """The summed violation at 0, by which liblinear measures convergence."""
    (indptr, rows, data), total = entries, 0.0
    for j in range(indptr.shape[0] - 1):
        g = 0.0
        for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
            g -= data[q] * sign[uint64(rows[q])]
        total += max(0.0, abs(0.5 * C * g) - 1.0)
    return total


@inner
def _add_scores(entries, columns, w_new, w, z):  # type: ignore[no-untyped-def]
    """z += X (w_new - w), for weights that differ in these columns only."""
    indptr, rows, data = entries
    for j in columns:
        d = w_new[j] - w[j]
        if d != 0.0:
            for q in range(uint64(indptr[j]), uint64(indptr[j + 1])):
                z[uint64(rows[q])] += d * data[q]


@inner
def _residuals(z, e, sign, C, residual, curve):  # type: ignore[no-untyped-def]
    """Fill in the first and second derivatives of the losses by the scores z; e holds exp(-|z|)."""
    for i in range(z.shape[0]):
        right = 1.0 / (1.0 + e[i])
        if sign[i] * z[i] < 0.0:
            right *= e[i]
        residual[i] = -sign[i] * C * (1.0 - right)
        curve[i] = C * right * (1.0 - right)


@inner
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


@inner
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
def _proximal_newton(entries, sign, C, tol, w, active, space):  # type: ignore[no-untyped-def]
    p, n = w.shape[0], sign.shape[0]
    (z, z_step, residual, curve, e), (g, h, w_new) = space
    model, scores, weights = (curve, g, h), (z, z_step), (w, w_new)
    random = np.uint64(88172645463325252)
    norm, reach, inner_tol = 0.0, 0.25, 1.0
    for j in range(p):
        norm += abs(w[j])
    _add_scores(entries, active, w, w_new, z)
    loss = _log_losses(z, z_step, 0.0, sign, e)
    first = _violation_at_zero(entries, sign, C)
    if first <= 0.0:  # the optimum is 0, wherever the fit began
        w[:] = 0.0
        return
    for _ in range(_MOST_STEPS):
        _residuals(z, e, sign, C, residual, curve)
        total, largest, size, count = _derivatives(entries, residual, model, reach, w, w_new, active)
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
    X: csc_matrix, positive: NDArray[np.bool_], C: float, start: NDArray[np.float64] | None = None, *, tol: float = 1e-4
) -> NDArray[np.float64]:
    """Weights (features,) at the optimum, for one label against the rest.

    `X` (n, features) has the constant 1 as its last column, whose weight is the intercept;
    `positive` (n,) marks the items of the label, at least one and not all; `start` (features,) is not changed. Without
    it, the fit begins at the share of the label. Converged when the summed violation has fallen to tol *
    min(positives, negatives) / n of that at 0, which is liblinear's rule.
    """
    count = int(positive.sum())
    n = len(positive)
    scaled = tol * min(count, n - count) / n
    if start is None:
        start = np.append(np.zeros(X.shape[1] - 1), math.log(count / (n - count)))
    entries, sign = (X.indptr, X.indices, X.data), np.where(positive, 1.0, -1.0)
    w = start.copy()
    # Allocated here: numba compiles every kind of array that a kernel makes.
    space = tuple(tuple(np.zeros(size) for _ in range(k)) for k, size in ((5, n), (3, len(w))))
    _proximal_newton(entries, sign, float(C), scaled, w, np.arange(len(w)), space)
    return w
