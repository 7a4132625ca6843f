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

__all__ = ["Training"]

Floats = NDArray[np.float64]


class Training:
    """Rows X (n, p) with label numbers y (n,), in the forms that the solvers need."""

    def __init__(self, X: sp.csr_matrix, y: NDArray[np.int64]) -> None:
        self.X = X
        self.classes, self.coded = np.unique(y, return_inverse=True)
        """Label numbers that occur, ascending, and the position of each item's label among them."""

    @cached_property
    def _columns(self) -> sp.csc_matrix:
        """The columns, followed by the constant 1."""
        ones = sp.csr_matrix(np.ones((self.X.shape[0], 1)))
        columns = sp.hstack([self.X, ones], format="csc", dtype=np.float64)
        columns.sort_indices()
        return columns

    @cached_property
    def _twins(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """First column of each kind, the kind of each column, and how many columns each kind has.

        Two random sums tell columns apart: equal columns, added in the same order, give sums equal to the last bit.
        """
        random = np.random.Generator(np.random.PCG64(1)).random((2, self.X.shape[0]))
        sums = np.stack([self._columns.T @ row for row in random], axis=1)
        _, first, kind = np.unique(sums, axis=0, return_index=True, return_inverse=True)
        return first, kind.ravel(), np.bincount(kind.ravel(), minlength=len(first)).astype(np.float64)

    @cached_property
    def merged(self) -> sp.csc_matrix:
        """One column per kind (n, q), for L1; the intercept is one of them, or part of one."""
        return _as_int32(self._columns[:, self._twins[0]])

    @cached_property
    def _varying(self) -> NDArray[np.int64]:
        """Kinds whose column is not the same in every row."""
        columns = self.merged
        full = np.flatnonzero(np.diff(columns.indptr) == columns.shape[0])
        values = columns[:, full].data.reshape(len(full), -1)
        return np.setdiff1d(np.arange(columns.shape[1]), full[np.ptp(values, axis=1) == 0])

    @cached_property
    def scaled(self) -> sp.csr_matrix:
        """The r kinds that vary, each times the square root of its count (n, r), for L2."""
        keep = self._varying
        return _as_int32(sp.csr_matrix(self.merged[:, keep] @ sp.diags(np.sqrt(self._twins[2][keep]))))

    def expand_l1(self, weights: Floats) -> Floats:
        """Weights (p + 1, m) of all columns, intercept last, from (q, m) of the kinds."""
        _, kind, count = self._twins
        return np.asarray((weights / count[:, None])[kind])

    def expand_l2(self, weights: Floats) -> Floats:
        """Weights (p + 1, m) of all columns, intercept last, from (r + 1, m) of the kinds that vary."""
        _, kind, count = self._twins
        full = np.zeros((len(count), weights.shape[1]))
        full[self._varying] = weights[:-1] / np.sqrt(count[self._varying])[:, None]
        out = full[kind]
        out[-1] = weights[-1]
        return out


def _as_int32(X: sp.spmatrix) -> sp.spmatrix:
    """The same matrix with 32-bit indices, so that one compiled version serves all."""
    X.indptr, X.indices = X.indptr.astype(np.int32, copy=False), X.indices.astype(np.int32, copy=False)
    return X
