"""L2-penalised logistic regression on a sparse matrix: a compiled truncated Newton method.

Minimises  C * sum_i loss(y_i, x_i w + b) + 1/2 ||w||^2,  the intercept b unpenalised: scikit-learn's objective.
Two labels share one score (binomial); more have one score per label (multinomial). The Newton system is solved by
conjugate gradients with a diagonal preconditioner (Steihaug 1983; Lin, Weng & Keerthi 2008), where one pass over the
rows gives a product with the Hessian. Unlike lbfgs with its default 100 iterations, it converges on raw counts. It
keeps no state outside the call and releases the interpreter lock, so any number of threads gives the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic
from numpy import uint64
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hansproof.audit.texts.compiled import inner, kernel

__all__ = ["solve_l2"]

# numba compiles such short inner loops to one instruction per sum, so these two are written out for LLVM. Each sum has
# its terms in the order of the entries on any processor: nothing is fused or reordered. `width` is even.

_INDEX = ir.IntType(64)
_GROUPS = ((4, 3), (4, 2), (4, 1), (2, 1))
"""Lanes of a vector and vectors that share a pass over the entries, from wide to narrow."""


@intrinsic
def row_times(typingctx, entries, span, width, weights, last, sums, at):  # type: ignore[no-untyped-def]
    """sums[at + c] = weights[last + c] + the sum of data[k] * weights[indices[k] * width + c] for start <= k < stop.

    That is for all c below `width`; `entries` are (indices, data), `span` is (start, stop).
    """
    u = types.uint64
    signature = types.void(entries, span, u, weights, u, sums, u)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        indices, data, start, stop, width, weights, last, sums, at = _opened(
            context, builder, signature.args, arguments
        )
        for lane, vector, count in _grouped(builder, width):
            totals = [cgutils.alloca_once(builder, vector) for _ in range(count)]
            for v, total in enumerate(totals):
                builder.store(_load(builder, weights, _sum(builder, last, lane, v * vector.count), vector), total)
            with cgutils.for_range_slice(builder, start, stop, _INDEX(1), _INDEX) as (k, _):
                first, x = _entry(builder, indices, data, k, width, lane, vector)
                for v, total in enumerate(totals):
                    term = builder.fmul(x, _load(builder, weights, _sum(builder, first, v * vector.count), vector))
                    builder.store(builder.fadd(builder.load(total), term), total)
            for v, total in enumerate(totals):
                _store(builder, builder.load(total), sums, _sum(builder, at, lane, v * vector.count))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def add_row(typingctx, entries, span, width, factors, sums):  # type: ignore[no-untyped-def]
    """sums[indices[k] * width + c] += data[k] * factors[c] for start <= k < stop and all c below `width`."""
    u = types.uint64
    signature = types.void(entries, span, u, factors, sums)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        indices, data, start, stop, width, factors, sums = _opened(context, builder, signature.args, arguments)
        for lane, vector, count in _grouped(builder, width):
            places = [_sum(builder, lane, v * vector.count) for v in range(count)]
            own = [_load(builder, factors, place, vector) for place in places]
            with cgutils.for_range_slice(builder, start, stop, _INDEX(1), _INDEX) as (k, _):
                first, x = _entry(builder, indices, data, k, width, lane, vector)
                for v, factor in enumerate(own):
                    at = _sum(builder, first, v * vector.count)
                    _store(builder, builder.fadd(_load(builder, sums, at, vector), builder.fmul(x, factor)), sums, at)
        return context.get_dummy_value()

    return signature, generate


def _opened(context: Any, builder: Any, kinds: Any, values: Any) -> Iterator[Any]:
    """The arguments, those of tuples one by one, with a pointer to the data in place of each array."""
    for kind, value in zip(kinds, values, strict=True):
        if isinstance(kind, BaseTuple):
            yield from _opened(context, builder, kind.types, cgutils.unpack_tuple(builder, value))
        else:
            yield context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value


def _grouped(builder: Any, width: Any) -> Iterator[tuple[Any, Any, int]]:
    """For each group of lanes that the caller then writes code for: its first lane, the vector type, how many."""
    begin = _INDEX(0)
    for lanes, count in _GROUPS:
        step = _INDEX(lanes * count)
        end = builder.add(begin, builder.mul(builder.udiv(builder.sub(width, begin), step), step))
        with cgutils.for_range_slice(builder, begin, end, step, _INDEX) as (lane, _):
            yield lane, ir.VectorType(ir.DoubleType(), lanes), count
        begin = end


def _entry(builder: Any, indices: Any, data: Any, k: Any, width: Any, lane: Any, vector: Any) -> tuple[Any, Any]:
    """Where the numbers of entry k begin, and its value in every lane."""
    column = builder.zext(builder.load(builder.gep(indices, [k])), _INDEX)
    value = builder.load(builder.gep(data, [k]))
    anything = ir.Constant(vector, ir.Undefined)
    alone = builder.insert_element(anything, value, ir.IntType(32)(0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.add(builder.mul(column, width), lane), builder.shuffle_vector(alone, anything, everywhere)


def _sum(builder: Any, first: Any, *others: Any) -> Any:
    for other in others:
        first = builder.add(first, _INDEX(other) if isinstance(other, int) else other)
    return first


def _load(builder: Any, pointer: Any, at: Any, vector: Any) -> Any:
    place = builder.bitcast(builder.gep(pointer, [at]), vector.as_pointer())
    return builder.load(place, align=8)


def _store(builder: Any, value: Any, pointer: Any, at: Any) -> None:
    builder.store(value, builder.bitcast(builder.gep(pointer, [at]), value.type.as_pointer()), align=8)


_MOST_STEPS = 100


@inner
def _dot(a, b, size):  # type: ignore[no-untyped-def]
    """a . b over the first `size` entries. Loops are explicit throughout: array expressions take seconds to compile."""
    total = 0.0
    for i in range(size):
        total += a[i] * b[i]
    return total


@inner
def _scores(entries, w, width, z):  # type: ignore[no-untyped-def]
    """z = X w + b; row j of w starts at j * width, and the last row is the intercept."""
    indptr, indices, data = entries
    width = uint64(width)  # unsigned throughout: numba checks each signed index for counting from the end
    n, last = uint64(indptr.shape[0] - 1), uint64(w.shape[0]) - width
    for i in range(n):
        start, stop = uint64(indptr[i]), uint64(indptr[i + uint64(1)])
        if width == 1:
            score = w[last]
            for k in range(start, stop):
                score += data[k] * w[uint64(indices[k])]
            z[i] = score
        else:
            row_times((indices, data), (start, stop), width, w, last, z, i * width)


@inner
def _loss(z, y, m, width, prob):  # type: ignore[no-untyped-def]
    """Sum of the log losses of scores z; fills `prob` with the probability of each label that has a score."""
    total, product = 0.0, 1.0
    for i in range(y.shape[0]):
        if m == 1:
            s = z[i]
            e = math.exp(-abs(s))  # at most 1: no overflow
            prob[i] = 1.0 / (1.0 + e) if s >= 0.0 else e / (1.0 + e)
            total += max(s, 0.0) - s * y[i]
            product *= 1.0 + e  # one logarithm for each block of factors
            if product > 1e300:
                total += math.log(product)
                product = 1.0
        else:
            at = i * width
            top = z[at]
            for c in range(1, m):
                top = max(top, z[at + c])
            norm = 0.0
            for c in range(m):
                e = math.exp(z[at + c] - top)
                prob[at + c] = e
                norm += e
            for c in range(m):
                prob[at + c] /= norm
            total += math.log(norm) + top - z[at + y[i]]
    return total + math.log(product)


@inner
def _scale(entries, width, bend, h):  # type: ignore[no-untyped-def]
    """Fill in h, the diagonal of the Hessian of a model that gives each label its share; `bend` is C p (1 - p)."""
    indptr, indices, data = entries
    last, n = h.shape[0] - width, indptr.shape[0] - 1
    for k in range(uint64(indptr[n])):
        h[uint64(indices[k]) * uint64(width)] += data[k] * data[k]
    for at in range(0, last, width):
        squares = h[at]
        for c in range(width):
            h[at + c] = 1.0 + bend[c] * squares
    for c in range(width):
        h[last + c] = n * bend[c] + 1e-10  # the unpenalised intercept has no ridge of its own to keep h above 0


@inner
def _gradient(problem, y, prob, w, r, g):  # type: ignore[no-untyped-def]
    """Gradient g at w, in one pass over the rows; returns the largest |g|.

    `r` is space for `width` numbers, 0 beyond the first m.
    """
    (indptr, indices, data), C, m, width = problem
    width = uint64(width)
    size, last = uint64(w.shape[0]), uint64(w.shape[0]) - width
    for j in range(size):
        g[j] = w[j]
    for c in range(width):
        g[last + c] = 0.0
    m = uint64(m)
    for i in range(uint64(y.shape[0])):
        for c in range(m):
            hit = y[i] if m == 1 else 1 if y[i] == c else 0
            r[c] = C * (prob[i * width + c] - hit)
            g[last + c] += r[c]
        start, stop = uint64(indptr[i]), uint64(indptr[i + uint64(1)])
        if width == 1:
            for k in range(start, stop):
                g[uint64(indices[k])] += r[0] * data[k]
        else:
            add_row((indices, data), (start, stop), width, r, g)
    largest = 0.0
    for j in range(size):
        largest = max(largest, abs(g[j]))
    return largest


@inner
def _hessian_times(problem, prob, v, t, out):  # type: ignore[no-untyped-def]
    """out = H v, H = I (but 0 on the intercept) + C X' D X, row by row; t is work space for `width` numbers."""
    (indptr, indices, data), C, m, width = problem
    width = uint64(width)
    size, last = uint64(v.shape[0]), uint64(v.shape[0]) - width
    for j in range(last):
        out[j] = v[j]
    for j in range(last, size):
        out[j] = 0.0
    for i in range(uint64(indptr.shape[0] - 1)):
        start, stop = uint64(indptr[i]), uint64(indptr[i + uint64(1)])
        if width == 1:
            score = v[last]
            for k in range(start, stop):
                score += data[k] * v[uint64(indices[k])]
            p = prob[i]
            pull = C * p * (score - p * score)
            out[last] += pull
            for k in range(start, stop):
                out[uint64(indices[k])] += data[k] * pull
            continue
        row_times((indices, data), (start, stop), width, v, last, t, uint64(0))
        at, mean = i * width, 0.0
        for c in range(uint64(m)):
            mean += prob[at + c] * t[c]
        for c in range(uint64(m)):
            # With one score this is p (1 - p) t = p (t - p t).
            t[c] = C * prob[at + c] * (t[c] - mean)
            out[last + c] += t[c]
        add_row((indices, data), (start, stop), width, t, out)


@inner
def _direction(problem, prob, g, h, forcing, s, work):  # type: ignore[no-untyped-def]
    """Conjugate gradients on H s = -g, preconditioned by h, until the residual has shrunk by the factor `forcing`."""
    (r, d, hd, t), size, rq = work, g.shape[0], 0.0
    for j in range(size):
        s[j], r[j] = 0.0, -g[j]
        d[j] = r[j] / h[j]
        rq += r[j] * d[j]
    stop = forcing * forcing * rq
    for step in range(250):
        _hessian_times(problem, prob, d, t, hd)
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
def _newton(problem, bend, y, tol, w, space):  # type: ignore[no-untyped-def]
    entries, C, m, width = problem
    n, size, last = y.shape[0], w.shape[0], w.shape[0] - width
    (z, z_step, prob), (g, h, s, r, d, hd), (t, u) = space
    work = r, d, hd, t
    _scale(entries, width, bend, h)
    _scores(entries, w, width, z)
    ww = _dot(w, w, last)
    value = C * _loss(z, y, m, width, prob) + 0.5 * ww
    for _ in range(_MOST_STEPS):
        largest = _gradient(problem, y, prob, w, u, g) / (C * n)
        # The tolerance is one of weights that are nearly right: of many rare features, each has a small gradient at 0.
        if largest <= tol and (ww > 0.0 or largest <= 1e-12):
            return
        # Exact directions pay off only near the optimum (Eisenstat & Walker 1996).
        forcing = min(0.5, math.sqrt(largest * 10.0))
        _direction(problem, prob, g, h, forcing, s, work)
        _scores(entries, s, width, z_step)
        slope, ws, ss = _dot(g, s, size), _dot(w, s, last), _dot(s, s, last)
        step, moved, descends = 1.0, 0.0, False
        for _ in range(40):
            for i in range(n * width):  # scores are linear in the step: no pass over the matrix
                z[i] += (step - moved) * z_step[i]
            moved = step
            fresh = C * _loss(z, y, m, width, prob) + 0.5 * (ww + 2.0 * step * ws + step * step * ss)
            if fresh <= value + 1e-4 * step * slope:
                descends = True
                break
            step *= 0.5
        if not descends:
            return  # no descent left in double precision: this is the optimum
        for j in range(size):
            w[j] += step * s[j]
        value, ww = fresh, _dot(w, w, last)


def solve_l2(X: csr_matrix, y: NDArray[np.int64], labels: int, C: float, *, tol: float = 1e-4) -> NDArray[np.float64]:
    """Weights (features + 1, m) at the optimum; the last row is the intercept.

    `X` is (n, features), `y` (n,) holds 0 .. labels - 1, each at least once; m is 1 for two labels (the score of label
    1) and `labels` otherwise. The fit begins at the shares of the labels. Converged when the largest gradient entry per
    item is at most `tol`; scale and default are those of scikit-learn.
    """
    m = 1 if labels == 2 else labels
    width = 1 if m == 1 else m + m % 2  # an even number of scores, of which the last may stay 0, fills vectors
    shares = np.bincount(y) / len(y)
    w, bend = np.zeros((X.shape[1] + 1, width)), np.zeros(width)
    w[-1, :m] = np.log(shares[-m:]) - (np.log(shares[0]) if m == 1 else 0.0)
    bend[:m] = C * (shares * (1 - shares))[-m:]
    # Allocated here: numba compiles every kind of array that a kernel makes.
    space = tuple(tuple(np.zeros(size) for _ in range(k)) for k, size in ((3, len(y) * width), (6, w.size), (2, width)))
    _newton(((X.indptr, X.indices, X.data), float(C), m, width), bend, y, float(tol), w.ravel(), space)
    return np.ascontiguousarray(w[:, :m])
