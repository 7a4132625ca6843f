"""From counts to one training set's columns: vocabulary, weights and selection from training rows only.

`table` calls `weigh` once for each n-gram vector and training set; the rows of all texts come out, so that
the probe may score whatever was held out.
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
    """All N rows over the columns that the training rows give, and which of `counts`' columns these are.

    `width`: only the first so many columns of `counts` are looked at (the unigrams, or all).
    Vocabulary: n-grams found in two training rows or more. Weights, for a text d and an n-gram t:

    - `tf`: count(t, d) / sum of count(., d) over the vocabulary;
    - `tfidf`: count(t, d) * (ln((1 + n) / (1 + df(t))) + 1), each row then divided by its Euclidean norm,
      with n training rows of which df(t) have t;
    - `presence`: 1 where t occurs in d.

    A text with nothing of the vocabulary is a row of zeros under all three. `upstream_counts` makes `tf` and
    `presence` return raw counts, as the code published with Pacchiardi et al. (2024) does. Of more than
    `max_features` columns those with the highest ANOVA F on the weighted training rows stay; weights are not
    computed anew. `y` holds the answers of the rows of `train`, in that order.
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
    # A row without entries has no place where its divisor, zero, would be used.
    X.data /= np.repeat(divisors, np.diff(X.indptr))
