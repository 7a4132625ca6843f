"""L2-penalised logistic regression on a sparse matrix: a compiled truncated Newton method.

Minimises  C * sum_i loss(y_i, x_i w + b) + 1/2 ||w||^2,  the intercept b unpenalised: scikit-learn's objective.
Two labels share one score (binomial); more have one score per label (multinomial). The Newton system is solved by
conjugate gradients with a diagonal preconditioner (Steihaug 1983; Lin, Weng & Keerthi 2008), where one pass over the
rows gives a product with the Hessian. Unlike lbfgs with its default 100 iterations, it converges on raw counts. It
keeps no state outside the call and releases the interpreter lock, so any number of threads gives the same numbers.
"""

from __future__ import annotations

import math

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from audit.features.compiled import kernel

__all__ = ["solve_l2"]


@kernel
def _dot(a, b, size):  # type: ignore[no-untyped-def]
    """a . b over the first `size` entries. Loops are explicit throughout: array expressions take seconds to compile."""
    total = 0.0
    for i in range(size):
        total += a[i] * b[i]
    return total


@kernel
def _scores(indptr, indices, data, w, m, z):  # type: ignore[no-untyped-def]
    """z = X w + b; row j of w, m wide, starts at j * m, and the last row is the intercept."""
    m = uint64(m)  # unsigned throughout: numba checks each signed index for counting from the end
    n, last = uint64(indptr.shape[0] - 1), uint64(w.shape[0]) - m
    if m == 1:  # the same sums without an inner loop: half of the time
        for i in range(n):
            score = w[last]
            for k in range(uint64(indptr[i]), uint64(indptr[i + uint64(1)])):
                score += data[k] * w[uint64(indices[k])]
            z[i] = score
        return
    for i in range(n):
        at = i * m
        for c in range(m):
            z[at + c] = w[last + c]
        for k in range(uint64(indptr[i]), uint64(indptr[i + uint64(1)])):
            j, x = uint64(indices[k]) * m, data[k]
            for c in range(m):
                z[at + c] += x * w[j + c]


@kernel
def _loss(z, y, m, prob):  # type: ignore[no-untyped-def]
    """Sum of the log losses of scores z; fills `prob` with the probability of each label that has a score."""
    total = 0.0
    for i in range(y.shape[0]):
        if m == 1:
            s = z[i]
            e = math.exp(-abs(s))  # at most 1: no overflow
            prob[i] = 1.0 / (1.0 + e) if s >= 0.0 else e / (1.0 + e)
            total += max(s, 0.0) + math.log1p(e) - s * y[i]
        else:
            top = z[i * m]
            for c in range(1, m):
                top = max(top, z[i * m + c])
            norm = 0.0
            for c in range(m):
                e = math.exp(z[i * m + c] - top)
                prob[i * m + c] = e
                norm += e
            for c in range(m):
                prob[i * m + c] /= norm
            total += math.log(norm) + top - z[i * m + y[i]]
    return total


@kernel
def _derivatives(indptr, indices, data, y, prob, C, m, w, r, d, g, h):  # type: ignore[no-untyped-def]
    """Gradient g and diagonal h of the Hessian at w, in one pass over the rows; returns the largest |g|.

    r and d are work space for m numbers each.
    """
    m = uint64(m)
    size, last = uint64(w.shape[0]), uint64(w.shape[0]) - m
    for j in range(size):
        g[j], h[j] = w[j], 1.0
    for c in range(m):
        g[last + c] = 0.0
        h[last + c] = 1e-10  # the unpenalised intercept has no ridge of its own to keep h above 0
    for i in range(uint64(y.shape[0])):
        for c in range(m):
            q = prob[i * m + c]
            hit = y[i] if m == 1 else 1 if y[i] == c else 0
            r[c], d[c] = C * (q - hit), C * q * (1.0 - q)
            g[last + c] += r[c]
            h[last + c] += d[c]
        for k in range(uint64(indptr[i]), uint64(indptr[i + uint64(1)])):
            j, x = uint64(indices[k]) * m, data[k]
            for c in range(m):
                g[j + c] += r[c] * x
                h[j + c] += d[c] * x * x
    largest = 0.0
    for j in range(size):
        largest = max(largest, abs(g[j]))
    return largest


@kernel
def _hessian_times(indptr, indices, data, prob, C, m, v, t, out):  # type: ignore[no-untyped-def]
    """out = H v, H = I (but 0 on the intercept) + C X' D X, row by row; t is work space for m numbers."""
    m = uint64(m)
    size, last = uint64(v.shape[0]), uint64(v.shape[0]) - m
    for j in range(last):
        out[j] = v[j]
    for j in range(last, size):
        out[j] = 0.0
    if m == 1:
        for i in range(uint64(indptr.shape[0] - 1)):
            start, stop = uint64(indptr[i]), uint64(indptr[i + uint64(1)])
            score = v[last]
            for k in range(start, stop):
                score += data[k] * v[uint64(indices[k])]
            p = prob[i]
            pull = C * p * (score - p * score)
            out[last] += pull
            for k in range(start, stop):
                out[uint64(indices[k])] += data[k] * pull
        return
    for i in range(uint64(indptr.shape[0] - 1)):
        start, stop = uint64(indptr[i]), uint64(indptr[i + uint64(1)])
        for c in range(m):
            t[c] = v[last + c]
        for k in range(start, stop):
            j, x = uint64(indices[k]) * m, data[k]
            for c in range(m):
                t[c] += x * v[j + c]
        mean = 0.0
        for c in range(m):
            mean += prob[i * m + c] * t[c]
        for c in range(m):
            # With one score this is p (1 - p) t = p (t - p t).
            t[c] = C * prob[i * m + c] * (t[c] - mean)
            out[last + c] += t[c]
        for k in range(start, stop):
            j, x = uint64(indices[k]) * m, data[k]
            for c in range(m):
                out[j + c] += x * t[c]


@kernel
def _direction(indptr, indices, data, prob, C, m, g, h, forcing, s, r, d, hd, t):  # type: ignore[no-untyped-def]
    """Conjugate gradients on H s = -g, preconditioned by h, until the residual has shrunk by the factor `forcing`."""
    size = g.shape[0]
    rq = 0.0
    for j in range(size):
        s[j], r[j] = 0.0, -g[j]
        d[j] = r[j] / h[j]
        rq += r[j] * d[j]
    stop = forcing * forcing * rq
    for step in range(250):
        _hessian_times(indptr, indices, data, prob, C, m, d, t, hd)
        curvature = _dot(d, hd, size)
        if curvature <= 1e-300:
            return step
        alpha, fresh = rq / curvature, 0.0
        for j in range(size):
            s[j] += alpha * d[j]
            r[j] -= alpha * hd[j]
            fresh += r[j] * r[j] / h[j]
        if fresh <= stop:
            return step
        beta = fresh / rq
        for j in range(size):
            d[j] = r[j] / h[j] + beta * d[j]
        rq = fresh
    return 250


@kernel
def _newton(indptr, indices, data, y, C, m, tol, max_iter, w):  # type: ignore[no-untyped-def]
    n, size, last = y.shape[0], w.shape[0], w.shape[0] - m
    z, z_step, prob = np.zeros(n * m), np.zeros(n * m), np.zeros(n * m)
    g, h, s, r, d, hd = (
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
    )
    t, u = np.zeros(m), np.zeros(m)
    _scores(indptr, indices, data, w, m, z)
    value = C * _loss(z, y, m, prob) + 0.5 * _dot(w, w, last)
    for iteration in range(max_iter):
        largest = _derivatives(indptr, indices, data, y, prob, C, m, w, t, u, g, h) / (C * n)
        if largest <= tol:
            return iteration
        # Exact directions pay off only near the optimum (Eisenstat & Walker 1996).
        forcing = min(0.5, math.sqrt(largest * 10.0))
        _direction(indptr, indices, data, prob, C, m, g, h, forcing, s, r, d, hd, t)
        _scores(indptr, indices, data, s, m, z_step)
        slope, ww, ws, ss = _dot(g, s, size), _dot(w, w, last), _dot(w, s, last), _dot(s, s, last)
        step, moved, descends = 1.0, 0.0, False
        for _ in range(40):
            for i in range(n * m):  # scores are linear in the step: no pass over the matrix
                z[i] += (step - moved) * z_step[i]
            moved = step
            fresh = C * _loss(z, y, m, prob) + 0.5 * (ww + 2.0 * step * ws + step * step * ss)
            if fresh <= value + 1e-4 * step * slope:
                descends = True
                break
            step *= 0.5
        if not descends:
            return iteration  # no descent left in double precision: this is the optimum
        for j in range(size):
            w[j] += step * s[j]
        value = fresh
    return max_iter


def solve_l2(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: NDArray[np.float64],
    y: NDArray[np.int64],
    labels: int,
    features: int,
    C: float,
    start: NDArray[np.float64] | None = None,
    *,
    tol: float = 1e-4,
    max_iter: int = 100,
) -> NDArray[np.float64]:
    """Weights (features + 1, m) at the optimum; the last row is the intercept.

    `indptr`, `indices`, `data` are the rows of a CSR matrix, `y` (n,) holds 0 .. labels - 1, each at least once;
    m is 1 for two labels (the score of label 1) and `labels` otherwise. `start` has the form of the result. Converged
    when the largest gradient entry per item is at most `tol`; scale and default are those of scikit-learn.
    """
    m = 1 if labels == 2 else labels
    w = np.zeros((features + 1) * m) if start is None else start.astype(np.float64).ravel()
    _newton(indptr, indices, data, y, float(C), m, float(tol), max_iter, w)
    return w.reshape(-1, m)
