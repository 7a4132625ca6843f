"""Agreement between predictions and gold answers, corrected for chance in two ways that are often confused.

All functions take confusion counts (..., k, k), gold in rows and predicted in columns, and return (...), so that one
call serves one benchmark, thirteen vectors or a thousand bootstrap replicates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["accuracy", "balanced_accuracy", "cohen", "confusion", "uniform"]

Floats = NDArray[np.float64]


def confusion(gold: NDArray[np.int64], predicted: NDArray[np.int64], labels: int) -> NDArray[np.int64]:
    """Counts (labels, labels) of two (n,) arrays of label numbers; gold in rows."""
    return np.bincount(gold * labels + predicted, minlength=labels * labels).reshape(labels, labels)


def accuracy(counts: NDArray[np.generic]) -> Floats:
    """Share of items predicted correctly; NaN without items."""
    c = np.asarray(counts, dtype=np.float64)
    total = c.sum(axis=(-2, -1))
    return _ratio(np.trace(c, axis1=-2, axis2=-1), total)


def cohen(counts: NDArray[np.generic]) -> Floats:
    """kappa = (p_o - p_e) / (1 - p_e), p_e from the marginals of gold and prediction.

    0 is chance, 1 is a benchmark that gives itself away; always predicting one label gives exactly 0. NaN if p_e = 1,
    that is, if gold and prediction are the same single label. Cohen (1960).
    """
    c = np.asarray(counts, dtype=np.float64)
    total = c.sum(axis=(-2, -1))
    expected = _ratio((c.sum(axis=-1) * c.sum(axis=-2)).sum(axis=-1), total * total)
    return _ratio(accuracy(c) - expected, 1.0 - expected)


def uniform(counts: NDArray[np.generic]) -> Floats:
    """(accuracy - 1/k) / (1 - 1/k), k the number of labels: what Pacchiardi et al. (2024) call kappa.

    0 is a fair die, 1 is perfect; with unbalanced labels, always predicting the most common one scores above 0. Also
    called S (Bennett, Alpert & Goldstein 1954). NaN for k = 1.
    """
    k = counts.shape[-1]
    if k < 2:
        return np.full(counts.shape[:-2], np.nan)
    return np.asarray((accuracy(counts) - 1 / k) / (1 - 1 / k))


def balanced_accuracy(counts: NDArray[np.generic]) -> Floats:
    """Share of items predicted correctly per label, averaged over the labels that occur; NaN without items."""
    c = np.asarray(counts, dtype=np.float64)
    support = c.sum(axis=-1)
    recall = _ratio(np.diagonal(c, axis1=-2, axis2=-1), support)
    occurs = support > 0
    return _ratio(np.where(occurs, recall, 0.0).sum(axis=-1), occurs.sum(axis=-1).astype(np.float64))


def _ratio(top: Floats, bottom: Floats) -> Floats:
    """top / bottom; NaN if bottom is 0."""
    safe = np.where(bottom == 0, 1.0, bottom)
    return np.where(bottom == 0, np.nan, np.asarray(top, dtype=np.float64) / safe)
