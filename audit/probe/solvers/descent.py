"""Coordinate descent on the quadratic model of an L1-penalised loss: the inner problem of `l1`, solved in two ways.

By columns where there are many of them, and on the matrix of second derivatives where few are active. `l1` compiles
these into its own machine code, whose cache does not see this file: touch `l1.py` after an edit.
"""

from __future__ import annotations

import numpy as np
from numpy import uint64

from audit.features.compiled import kernel

__all__ = ["by_columns", "by_gram", "violation"]


@kernel
def violation(g, w):  # type: ignore[no-untyped-def]
    """How far a coordinate is from its optimality condition; 0 at the optimum."""
    if w > 0.0:
        return abs(g + 1.0)
    if w < 0.0:
        return abs(g - 1.0)
    return max(0.0, abs(g) - 1.0)


@kernel
def _best_step(g, h, w):  # type: ignore[no-untyped-def]
    """The step that minimises g d + h d^2 / 2 + |w + d|: soft thresholding."""
    if g + 1.0 < h * w:
        return -(g + 1.0) / h
    if g - 1.0 > h * w:
        return -(g - 1.0) / h
    return -w


@kernel
def _shuffled(order, size, random):  # type: ignore[no-untyped-def]
    """Shuffle the first `size` entries (xorshift; Marsaglia 2003); returns the next state."""
    for k in range(size):
        random ^= random << np.uint64(13)
        random ^= random >> np.uint64(7)
        random ^= random << np.uint64(17)
        other = k + np.int64(random % np.uint64(size - k))
        order[k], order[other] = order[other], order[k]
    return random


@kernel
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


@kernel
def _gram(entries, curve, h, active, gram):  # type: ignore[no-untyped-def]
    """Second derivatives of the active columns, row by row: a row adds the products of its own entries only."""
    (indptr, rows, data), n, size = entries, curve.shape[0], active.shape[0]
    starts = np.zeros(n + 1, np.int64)
    for a in range(size):
        for q in range(uint64(indptr[active[a]]), uint64(indptr[active[a] + 1])):
            starts[uint64(rows[q]) + uint64(1)] += 1
    for row in range(n):
        starts[row + 1] += starts[row]
    columns, values = np.empty(starts[n], np.int64), np.empty(starts[n])
    free = starts[:n].copy()
    for a in range(size):
        for q in range(uint64(indptr[active[a]]), uint64(indptr[active[a] + 1])):
            i = uint64(rows[q])
            columns[free[i]], values[free[i]] = a, data[q]
            free[i] += 1
    for row in range(n):
        start, stop = uint64(starts[row]), uint64(starts[row + 1])
        for s in range(start, stop):  # columns ascend within a row
            x = values[s] * curve[row]
            line = gram[columns[s]]
            for t in range(s, stop):
                line[uint64(columns[t])] += x * values[t]
    for a in range(size):
        gram[a, a] = h[active[a]]
        for b in range(a):
            gram[a, b] = gram[b, a]


@kernel
def by_gram(entries, model, active, goal, w_new):  # type: ignore[no-untyped-def]
    """The same on the matrix of second derivatives of the few active columns, for many rows and few columns.

    A sweep costs size^2 rather than the number of entries, so near-collinear columns, which take hundreds of sweeps,
    stay cheap (covariance updates; Friedman, Hastie & Tibshirani 2010).
    """
    (curve, g, h), size = model, active.shape[0]
    gram, u = np.zeros((size, size)), np.zeros(size)
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
                line = gram[a]
                for b in range(size):
                    u[b] += d * line[b]
        if total <= goal:
            break
