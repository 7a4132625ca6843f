"""One training set, prepared once for all fits on it: equal columns merged, constant ones set aside.

Texts share their instructions, and rare words come in fixed phrases, so half the n-grams of a benchmark may occur in
exactly the same items as another n-gram. An L2 fit gives such twins equal weights, so k of them are one column times
sqrt(k). For L1, every way of sharing the weight is optimal, and an even share favours none. A column that never varies
adds nothing to the unpenalised intercept: its L2 weight is exactly 0.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.probe.solvers.kinds import Arrays, Entries, columns_of_kinds, find_kinds, rows_of_kinds

__all__ = ["Training"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Training:
    """Rows X (n, p) with label numbers y (n,), in the forms that the solvers need."""

    def __init__(self, X: sp.csr_matrix, y: Ints) -> None:
        self.X = X
        self.classes, self.coded = np.unique(y, return_inverse=True)
        """Label numbers that occur, ascending, and the position of each item's label among them."""

    @cached_property
    def _rows(self) -> Arrays:
        X = self.X
        if not X.has_sorted_indices:
            X = X.sorted_indices()
        return (
            X.indptr.astype(np.int32, copy=False),
            X.indices.astype(np.int32, copy=False),
            np.ascontiguousarray(X.data, dtype=np.float64),
        )

    @cached_property
    def _kinds(self) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
        """First column of each kind, the kind of each column, columns per kind, and whether the kind varies.

        Two random sums tell columns apart: equal columns, added in the same order, give sums equal to the last bit.
        The last column is the constant 1.
        """
        n, p = self.X.shape
        random = np.random.Generator(np.random.PCG64(1)).random((2, n))
        return find_kinds(self._rows, random, p)

    @cached_property
    def merged(self) -> Entries:
        """One column per kind (n, q), by column, for L1; the intercept is one of them, or part of one."""
        first, kind, _, _ = self._kinds
        return columns_of_kinds(self._rows, first, kind)

    @cached_property
    def scaled(self) -> Entries:
        """The r kinds that vary, each times the square root of its count (n, r), by row, for L2."""
        first, kind, count, varies = self._kinds
        return rows_of_kinds(self._rows, first, kind, np.sqrt(count), varies)

    def expand_l1(self, weights: Floats) -> Floats:
        """Weights (p + 1, m) of all columns, intercept last, from (q, m) of the kinds."""
        _, kind, count, _ = self._kinds
        return np.asarray((weights / count[:, None])[kind])

    def expand_l2(self, weights: Floats) -> Floats:
        """Weights (p + 1, m) of all columns, intercept last, from (r + 1, m) of the kinds that vary."""
        _, kind, count, varies = self._kinds
        full = np.zeros((len(count), weights.shape[1]))
        full[varies] = weights[:-1] / np.sqrt(count[varies])[:, None]
        out = full[kind]
        out[-1] = weights[-1]
        return out

    def shrink_l1(self, weights: Floats) -> Floats:
        """(q, m) weights of the kinds from (p + 1, m) of all columns: where a fit may start."""
        _, kind, count, _ = self._kinds
        return np.stack([np.bincount(kind, column, len(count)) for column in weights.T], axis=1)

    def shrink_l2(self, weights: Floats) -> Floats:
        """(r + 1, m) weights of the kinds that vary and the intercept from (p + 1, m): where a fit may start."""
        _, _, count, varies = self._kinds
        full = self.shrink_l1(np.vstack([weights[:-1], np.zeros((1, weights.shape[1]))]))
        return np.vstack([full[varies] / np.sqrt(count[varies])[:, None], weights[-1:]])
