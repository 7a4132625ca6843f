"""Selection: the ANOVA F of each n-gram over the answers of one training set.

`weighting` calls it only if there are more columns than allowed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

__all__ = ["anova_f", "best_columns"]


def anova_f(X: csr_matrix, y: NDArray[np.int64]) -> NDArray[np.float64]:
    """One-way analysis of variance of each column over the classes of y: F = MS_between / MS_within.

    X is (n, p) CSR, y is (n,), the result is (p,). A constant column is NaN; a column that varies only between the
    classes is infinite. Equal to scikit-learn's `f_classif` up to rounding, and it stays in CSR. All values are NaN if
    there is one class, or as many classes as rows. Fisher (1925).
    """
    n, p = X.shape
    classes, codes = np.unique(y, return_inverse=True)
    k = len(classes)
    if k < 2 or n <= k:
        return np.full(p, np.nan)
    sizes = np.bincount(codes)
    # The sums over the rows of each class are one product with the indicator matrix.
    indicator = csr_matrix((np.ones(n), codes.astype(np.int32), np.arange(n + 1)), shape=(n, k))
    sums = np.asarray((X.T @ indicator).todense())
    squares = np.bincount(X.indices, weights=X.data**2, minlength=p)
    correction = sums.sum(axis=1) ** 2 / n
    between = (sums**2 / sizes).sum(axis=1) - correction
    total = squares - correction
    within = total - between
    # Cancellation leaves noise of either sign where the true value is zero; noise must not pass for a variance.
    noise = 64 * np.finfo(np.float64).eps * squares
    between[between <= noise] = 0.0
    within[within <= noise] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((between / (k - 1)) / (within / (n - k)), dtype=np.float64)


def best_columns(scores: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """The `limit` columns with the highest scores, ascending. Ties go to the lower column; NaN comes last."""
    worst_last = np.where(np.isnan(scores), -np.inf, scores)
    return np.sort(np.argsort(-worst_last, kind="stable")[:limit])
