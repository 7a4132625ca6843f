"""Fits by scikit-learn, as the paper's code makes them: to reproduce its numbers, and as a second opinion on ours.

lbfgs stops after 100 iterations, converged or not. liblinear keeps one random state for the whole process, so these
fits run one at a time, each from the same state.
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

__all__ = ["published_weights"]


def published_weights(X: sp.csr_matrix, y: NDArray[np.int64], penalty: str, C: float) -> NDArray[np.float64]:
    """Weights (p + 1, m), intercept last, of scikit-learn's LogisticRegression on rows X (n, p), y (n,) from 0.

    `penalty` is `l2` (lbfgs, multinomial, default iterations) or `l1` (liblinear, one label against the rest). m is 1
    for two labels.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    labels = int(y.max()) + 1
    sides = [y] if penalty == "l2" else [(y == c).astype(int) for c in ([1] if labels == 2 else range(labels))]
    columns = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for side in sides:
            model = (
                LogisticRegression(C=C)
                if penalty == "l2"
                else LogisticRegression(C=C, l1_ratio=1, solver="liblinear", random_state=0)
            )
            model.fit(X, side)
            columns.append(np.vstack([model.coef_.T, model.intercept_]))
    return np.hstack(columns)
