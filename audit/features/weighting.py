"""Weighting: from counts to the columns of one training set. Vocabulary, weights and selection use its rows alone.

`table` calls `weigh` once per n-gram vector and training set. The result has the rows of all texts, so that the probe
can score those held out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.features.ngrams import MIN_DOCUMENTS, columns_of
from audit.features.selection import anova_f, best_columns

__all__ = ["weigh"]


def weigh(
    counts: csr_matrix,
    width: int,
    weighting: str,
    train: NDArray[np.int64],
    y: NDArray[np.int64],
    *,
    max_features: int,
    upstream_counts: bool,
) -> tuple[csr_matrix, NDArray[np.int32]]:
    """All N rows over the columns chosen from the training rows, and the ids of these columns in `counts`.

    Only the first `width` columns of `counts` are used (the unigrams, or all). The vocabulary is every n-gram that
    occurs in at least two training rows. Weights, for a text d and an n-gram t:

    - `tf`: count(t, d) / sum of count(., d) over the vocabulary;
    - `tfidf`: count(t, d) * (ln((1 + n) / (1 + df(t))) + 1), each row then divided by its Euclidean norm,
      with n training rows, df(t) of which contain t;
    - `presence`: 1 if t occurs in d.

    A text without any n-gram of the vocabulary is a row of zeros. `upstream_counts` makes `tf` and `presence` return
    raw counts, as the code published with Pacchiardi et al. (2024) does. If there are more than `max_features`
    columns, those with the highest ANOVA F on the weighted training rows remain; the weights stay as they are. `y`
    holds the answers of the rows of `train`, in that order.
    """
    documents = np.bincount(counts[train].indices, minlength=counts.shape[1])
    documents[width:] = 0
    kept = np.flatnonzero(documents >= MIN_DOCUMENTS)
    X = columns_of(counts, kept)
    X.data = X.data.astype(np.float64)
    if weighting == "tfidf":
        X.data *= (np.log((1 + len(train)) / (1 + documents[kept])) + 1)[X.indices]
        _divide_rows(X, np.sqrt(_row_sums(X, X.data**2)))
    elif weighting == "tf" and not upstream_counts:
        _divide_rows(X, _row_sums(X, X.data))
    elif weighting == "presence" and not upstream_counts:
        X.data.fill(1.0)
    if X.shape[1] > max_features:
        best = best_columns(anova_f(X[train], y), max_features)
        X, kept = columns_of(X, best), kept[best]
    X.has_sorted_indices = True
    return X, kept.astype(np.int32)


def _row_sums(X: csr_matrix, values: NDArray[np.float64]) -> NDArray[np.float64]:
    entries = csr_matrix((values, X.indices, X.indptr), shape=X.shape)
    return np.asarray(entries @ np.ones(X.shape[1]), dtype=np.float64)


def _divide_rows(X: csr_matrix, divisors: NDArray[np.float64]) -> None:
    # The divisor of a row without entries is zero, but nothing is divided by it.
    X.data /= np.repeat(divisors, np.diff(X.indptr))
