"""Weighting: from counts to the columns of one training set. Vocabulary, weights and selection use its rows alone.

`table` asks once per n-gram vector and training set which columns it has (`choose`) and then draws the rows that it
needs (`Columns.rows`): those to train on, those to predict. Loops over entries are compiled and release the
interpreter lock.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.features.compiled import kernel
from audit.features.ngrams import MIN_DOCUMENTS
from audit.features.selection import anova_f, best_columns

__all__ = ["Columns", "Scale", "choose"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_AS_COUNTED, _PRESENCE, _SUM, _NORM = 0, 1, 2, 3


@dataclass(frozen=True)
class Columns:
    """The columns of one n-gram vector as one training set chose them."""

    counts: csr_matrix
    """(N, P) the counts that the weights are computed from."""
    width: int
    """How many of the P columns of `counts` are used; they come first."""
    kept: NDArray[np.int32]
    """(p,) ids in `counts` of the columns, ascending."""
    factors: Floats
    """(P,) what a count is multiplied by; 0 for n-grams outside the vocabulary."""
    target: NDArray[np.int32]
    """(P,) the column of an n-gram, -1 if it has none."""
    rule: int
    """How a row is scaled."""

    def rows(self, rows: Ints) -> csr_matrix:
        """(len(rows), p) float64 weights of these texts, in this order, with sorted int32 indices."""
        counts = self.counts
        size = int((counts.indptr[rows + 1] - counts.indptr[rows]).sum())
        indptr, indices, data = np.empty(len(rows) + 1, np.int32), np.empty(size, np.int32), np.empty(size)
        entries, weighted = (counts.indptr, counts.indices, counts.data), (indptr, indices, data)
        used = _weigh(entries, rows, self.width, self.factors, self.target, self.rule, weighted)
        X = csr_matrix((data[:used], indices[:used], indptr), shape=(len(rows), len(self.kept)))
        X.has_sorted_indices = True
        return X


@dataclass(frozen=True)
class Scale:
    """How a dense vector is standardised: mean and deviation of the training rows, and which columns are constant."""

    mean: Floats
    deviation: Floats
    constant: NDArray[np.bool_]

    @classmethod
    def of(cls, seen: Floats) -> Scale:
        """The scale of the training rows `seen` (n, p)."""
        mean, deviation = seen.mean(axis=0), seen.std(axis=0)
        # Rounding gives a constant column a deviation in proportion to its mean.
        constant = deviation <= 10 * np.finfo(np.float64).eps * np.maximum(np.abs(mean), 1e-300)
        return cls(mean, np.where(constant, 1.0, deviation), constant)

    def apply(self, values: Floats) -> Floats:
        """`values` standardised; 0 where a column was constant."""
        scaled = values - self.mean
        scaled /= self.deviation
        scaled[:, self.constant] = 0.0
        return scaled


def choose(
    counts: csr_matrix,
    width: int,
    weighting: str,
    train: Ints,
    y: Ints,
    *,
    max_features: int,
    upstream_counts: bool,
) -> Columns:
    """The columns that the training rows choose.

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
    documents = np.zeros(counts.shape[1], dtype=np.int64)
    _count_documents(counts.indptr, counts.indices, train, width, documents)
    known = documents >= MIN_DOCUMENTS
    kept = np.flatnonzero(known)
    factors = known.astype(np.float64)
    rule = _AS_COUNTED
    if weighting == "tfidf":
        factors[kept] = np.log((1 + len(train)) / (1 + documents[kept])) + 1
        rule = _NORM
    elif not upstream_counts:
        rule = _SUM if weighting == "tf" else _PRESENCE
    columns = _columns(counts, width, kept, factors, rule)
    if len(kept) > max_features:
        columns = _columns(
            counts, width, kept[best_columns(anova_f(columns.rows(train), y), max_features)], factors, rule
        )
    return columns


def _columns(counts: csr_matrix, width: int, kept: Ints, factors: Floats, rule: int) -> Columns:
    target = np.full(counts.shape[1], -1, dtype=np.int32)
    target[kept] = np.arange(len(kept), dtype=np.int32)
    return Columns(counts, width, kept.astype(np.int32), factors, target, rule)


@kernel
def _count_documents(indptr, indices, rows, width, documents):  # type: ignore[no-untyped-def]
    """Add to `documents` how many of the rows have an entry in each of the first `width` columns."""
    for row in rows:
        for k in range(indptr[row], indptr[row + 1]):
            if indices[k] >= width:
                break
            documents[indices[k]] += 1


@kernel
def _weigh(entries, rows, width, factors, target, rule, weighted):  # type: ignore[no-untyped-def]
    """Fill `weighted` with the CSR of the weighted rows; returns the number of entries."""
    (indptr, indices, counts), (starts, columns, weights), used = entries, weighted, 0
    starts[0] = 0
    for i in range(rows.shape[0]):
        first, total = used, 0.0
        for k in range(indptr[rows[i]], indptr[rows[i] + 1]):
            j = indices[k]
            if j >= width:  # indices ascend within a row
                break
            factor = factors[j]
            if factor == 0.0:
                continue
            x = counts[k] * factor
            total += x * x if rule == _NORM else x
            if target[j] >= 0:
                columns[used] = target[j]
                weights[used] = 1.0 if rule == _PRESENCE else x
                used += 1
        if rule >= _SUM and used > first:
            divisor = math.sqrt(total) if rule == _NORM else total
            for k in range(first, used):
                weights[k] /= divisor
        starts[i + 1] = used
    return used
