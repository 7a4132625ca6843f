"""L1-penalised logistic regression on a sparse matrix: compiled proximal Newton with coordinate descent.

Minimises  C * sum_i log(1 + exp(-y_i (x_i w + b))) + |w|_1 + |b|, the intercept penalised: liblinear's objective,
by liblinear's method (newGLMNET; Yuan, Ho & Lin 2012) and to liblinear's tolerance. The columns' order is drawn
inside the call: liblinear keeps its random state for the whole process, so that two fits at once change
each other's coefficients.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.probe.compiled import kernel

__all__ = ["solve_l1"]


@kernel
def _violation(g, w):  # type: ignore[no-untyped-def]
    """How far a coordinate is from its optimality condition; 0 at the optimum."""
    if w > 0:
        return abs(g + 1.0)
    if w < 0:
        return abs(g - 1.0)
    return max(0.0, g - 1.0, -1.0 - g)


@kernel
def _proximal_newton(indptr, rows, data, sign, w, C, tol, max_outer, max_inner):  # type: ignore[no-untyped-def]
    p = w.shape[0]
    n = sign.shape[0]
    ridge = 1e-12  # keeps an all-but-empty column's curvature above 0
    z, z_step = np.zeros(n), np.zeros(n)
    residual, curve = np.empty(n), np.empty(n)
    g, h, w_new = np.zeros(p), np.zeros(p), np.zeros(p)
    active = np.arange(p)
    random = np.uint64(88172645463325252)
    loss = n * np.log(2.0)
    norm = 0.0
    first, inner_tol, last_max = -1.0, 1.0, np.inf
    for outer in range(max_outer):
        for i in range(n):
            e = 1.0 / (1.0 + np.exp(sign[i] * z[i])) if sign[i] * z[i] < 700 else 0.0
            residual[i] = -sign[i] * e * C
            curve[i] = C * e * (1.0 - e)
        total, largest, size = 0.0, 0.0, 0
        for j in range(p):
            gj, hj = 0.0, ridge
            for k in range(indptr[j], indptr[j + 1]):
                i, x = rows[k], data[k]
                gj += x * residual[i]
                hj += x * x * curve[i]
            g[j], h[j] = gj, hj
            v = _violation(gj, w[j])
            total += v
            largest = max(largest, v)
            # A zero weight whose gradient is well inside the dead zone is left out of this round.
            if w[j] != 0.0 or abs(gj) + (last_max / n if last_max < np.inf else 2.0) > 1.0:
                active[size] = j
                size += 1
        if first < 0.0:
            first = total
        if total <= tol * first:
            return outer
        last_max = largest
        w_new[:] = w
        z_step[:] = 0.0
        live, inner = size, 0
        bound = np.inf
        while inner < max_inner:
            change, top = 0.0, 0.0
            for k in range(live):
                random ^= random << np.uint64(13)
                random ^= random >> np.uint64(7)
                random ^= random << np.uint64(17)
                other = k + np.int64(random % np.uint64(live - k))
                active[k], active[other] = active[other], active[k]
            k = 0
            while k < live:
                j = active[k]
                gj = g[j] + (w_new[j] - w[j]) * ridge
                for q in range(indptr[j], indptr[j + 1]):
                    gj += data[q] * curve[rows[q]] * z_step[rows[q]]
                v = _violation(gj, w_new[j])
                if w_new[j] == 0.0 and abs(gj) + bound < 1.0:
                    live -= 1
                    active[k], active[live] = active[live], active[k]
                    continue
                top = max(top, v)
                change += v
                if gj + 1.0 < h[j] * w_new[j]:
                    d = -(gj + 1.0) / h[j]
                elif gj - 1.0 > h[j] * w_new[j]:
                    d = -(gj - 1.0) / h[j]
                else:
                    d = -w_new[j]
                if abs(d) >= 1e-12:
                    d = min(max(d, -10.0), 10.0)
                    w_new[j] += d
                    for q in range(indptr[j], indptr[j + 1]):
                        z_step[rows[q]] += d * data[q]
                k += 1
            inner += 1
            if change <= inner_tol * first:
                if live == size:
                    break
                live, bound = size, np.inf  # check the shrunk ones again before believing it
            else:
                bound = top / n
        # Line search on the true objective, Armijo with the decrease of the model.
        slope, new_norm = 0.0, 0.0
        for j in range(p):
            slope += g[j] * (w_new[j] - w[j])
            new_norm += abs(w_new[j])
        slope += new_norm - norm
        step = 1.0
        found = False
        for _ in range(30):
            fresh, fresh_norm = 0.0, 0.0
            for i in range(n):
                s = -sign[i] * (z[i] + step * z_step[i])
                fresh += max(s, 0.0) + np.log1p(np.exp(-abs(s)))
            for j in range(p):
                fresh_norm += abs(w[j] + step * (w_new[j] - w[j]))
            if C * (fresh - loss) + fresh_norm - norm <= 0.01 * step * slope:
                found = True
                break
            step *= 0.5
        if not found:
            return outer  # no descent left in double precision
        for j in range(p):
            w[j] += step * (w_new[j] - w[j])
        for i in range(n):
            z[i] += step * z_step[i]
        loss, norm = fresh, fresh_norm
        if inner == 1:
            inner_tol *= 0.25
    return max_outer


def solve_l1(
    indptr: NDArray[np.int32],
    rows: NDArray[np.int32],
    data: NDArray[np.float64],
    positive: NDArray[np.bool_],
    features: int,
    C: float,
    *,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> NDArray[np.float64]:
    """Weights (features,) at the optimum, for one label against the rest.

    `indptr`, `rows`, `data` are the columns of a CSC matrix whose last column is the constant 1 (its weight is the
    intercept); `positive` (n,) marks the items of the label. Converged when the summed violation has fallen to
    tol * min(positives, negatives) / n of its start, liblinear's rule.
    """
    count = int(positive.sum())
    n = len(positive)
    w = np.zeros(features)
    scaled = tol * max(min(count, n - count), 1) / n
    _proximal_newton(indptr, rows, data, np.where(positive, 1.0, -1.0), w, float(C), scaled, max_iter, 1000)
    return w
