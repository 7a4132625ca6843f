"""L2-penalised logistic regression on a sparse matrix: a compiled truncated Newton method.

Minimises  C * sum_i loss(y_i, x_i w + b) + 1/2 ||w||^2,  the intercept b unpenalised: scikit-learn's objective.
Two labels are one score (binomial), more are one score a label (multinomial). The Newton system is solved by
conjugate gradients with a diagonal preconditioner (Steihaug 1983; Lin, Weng & Keerthi 2008), which needs one pass
over the rows for a product with the Hessian. Unlike lbfgs at its default 100 iterations it converges on raw
counts, it keeps no state outside the call, and it lets go of the interpreter lock: any number of threads
gives the same numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.probe.compiled import kernel

__all__ = ["solve_l2"]


@kernel
def _scores(indptr, indices, data, w, z):  # type: ignore[no-untyped-def]
    """z = X w + b for every row; the last row of w is the intercept."""
    n, m = z.shape
    p = w.shape[0] - 1
    for i in range(n):
        for c in range(m):
            z[i, c] = w[p, c]
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            x = data[k]
            for c in range(m):
                z[i, c] += x * w[j, c]


@kernel
def _losses(z, y, prob):  # type: ignore[no-untyped-def]
    """Sum of log losses; fills `prob` with the probability of each scored label."""
    n, m = z.shape
    total = 0.0
    for i in range(n):
        if m == 1:
            s = z[i, 0]
            # log(1 + e^s) without overflow: for large s it is s itself.
            log1p = max(s, 0.0) + np.log1p(np.exp(-abs(s)))
            total += log1p - (s if y[i] == 1 else 0.0)
            prob[i, 0] = 1.0 / (1.0 + np.exp(-s)) if s >= 0 else np.exp(s) / (1.0 + np.exp(s))
        else:
            top = z[i, 0]
            for c in range(1, m):
                top = max(top, z[i, c])
            norm = 0.0
            for c in range(m):
                prob[i, c] = np.exp(z[i, c] - top)
                norm += prob[i, c]
            for c in range(m):
                prob[i, c] /= norm
            total += np.log(norm) + top - z[i, y[i]]
    return total


@kernel
def _gradient(indptr, indices, data, y, prob, C, w, g, h):  # type: ignore[no-untyped-def]
    """Gradient and diagonal of the Hessian, in one pass over the rows."""
    n, m = prob.shape
    p = w.shape[0] - 1
    g[:] = w
    h[:] = 1.0
    for c in range(m):
        g[p, c] = 0.0
        h[p, c] = 1e-10  # the unpenalised intercept has no ridge of its own to keep h above 0
    for i in range(n):
        for c in range(m):
            r = C * (prob[i, c] - (1.0 if (y[i] == c if m > 1 else y[i] == 1) else 0.0))
            d = C * prob[i, c] * (1.0 - prob[i, c])
            g[p, c] += r
            h[p, c] += d
            for k in range(indptr[i], indptr[i + 1]):
                g[indices[k], c] += r * data[k]
                h[indices[k], c] += d * data[k] * data[k]


@kernel
def _hessian_times(indptr, indices, data, prob, C, v, out):  # type: ignore[no-untyped-def]
    """out = H v, H = I (not on the intercept) + C X' D X, row by row."""
    n, m = prob.shape
    p = v.shape[0] - 1
    out[:] = v
    out[p] = 0.0
    t = np.empty(m)
    for i in range(n):
        for c in range(m):
            t[c] = v[p, c]
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            for c in range(m):
                t[c] += data[k] * v[j, c]
        if m == 1:
            t[0] *= C * prob[i, 0] * (1.0 - prob[i, 0])
        else:
            mean = 0.0
            for c in range(m):
                mean += prob[i, c] * t[c]
            for c in range(m):
                t[c] = C * prob[i, c] * (t[c] - mean)
        for c in range(m):
            out[p, c] += t[c]
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            for c in range(m):
                out[j, c] += data[k] * t[c]


@kernel
def _newton(indptr, indices, data, y, w, C, tol, max_iter):  # type: ignore[no-untyped-def]
    n = indptr.shape[0] - 1
    m = w.shape[1]
    z, prob, z_step = np.zeros((n, m)), np.empty((n, m)), np.empty((n, m))
    g, h = np.empty_like(w), np.empty_like(w)
    s, r, d, q, hd = np.empty_like(w), np.empty_like(w), np.empty_like(w), np.empty_like(w), np.empty_like(w)
    _scores(indptr, indices, data, w, z)
    value = C * _losses(z, y, prob) + 0.5 * np.sum(w[:-1] * w[:-1])
    for iteration in range(max_iter):
        _gradient(indptr, indices, data, y, prob, C, w, g, h)
        size = np.max(np.abs(g))
        if size <= tol * C * n:
            return iteration
        # Conjugate gradients on H s = -g, less exactly while far from the optimum (Eisenstat & Walker 1996).
        s[:] = 0.0
        r[:] = -g
        q[:] = r / h
        d[:] = q
        rq = np.sum(r * q)
        stop = min(0.25, np.sqrt(size / (C * n))) ** 2 * rq
        for _ in range(200):
            _hessian_times(indptr, indices, data, prob, C, d, hd)
            curvature = np.sum(d * hd)
            if curvature <= 1e-300:
                break
            alpha = rq / curvature
            s += alpha * d
            r -= alpha * hd
            q[:] = r / h
            fresh = np.sum(r * q)
            if fresh <= stop:
                break
            d *= fresh / rq
            d += q
            rq = fresh
        # Backtracking line search; scores are linear in the step, so they are computed once.
        _scores(indptr, indices, data, s, z_step)
        slope = np.sum(g * s)
        wing, ww, ss = np.sum(w[:-1] * s[:-1]), np.sum(w[:-1] * w[:-1]), np.sum(s[:-1] * s[:-1])
        step = 1.0
        z += z_step
        for _ in range(40):
            fresh_value = C * _losses(z, y, prob) + 0.5 * (ww + 2 * step * wing + step * step * ss)
            if fresh_value <= value + 1e-4 * step * slope:
                break
            step *= 0.5
            z -= step * z_step
        else:
            return iteration  # no descent left in double precision: this is the optimum
        w += step * s
        value = fresh_value
    return max_iter


def solve_l2(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    y: NDArray[np.int64],
    labels: int,
    features: int,
    C: float,
    *,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> NDArray[np.float64]:
    """Weights (features + 1, m) at the optimum; the last row is the intercept.

    `indptr`, `indices`, `data` are the rows of a CSR matrix, `y` (n,) holds 0 .. labels - 1, each at least once;
    m is 1 for two labels (the score of label 1) and `labels` otherwise. Converged when the largest gradient
    entry is at most `tol` an item (scikit-learn's own scale, whose default this is).
    """
    w = np.zeros((features + 1, 1 if labels == 2 else labels))
    _newton(indptr, indices, data, y, w, float(C), float(tol), max_iter)
    return w
