"""Counting: one sparse matrix per level, unigrams first and bigrams after them.

Token streams come from `pieces`. The counts go to `weighting`, which only reweights and selects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from audit.features.pieces import TokenStream

__all__ = ["MIN_DOCUMENTS", "LevelCounts", "columns_of", "count"]

MIN_DOCUMENTS = 2


@dataclass(frozen=True)
class LevelCounts:
    """How often each n-gram occurs in each of N texts.

    An n-gram has a column only if it occurs in at least two texts, because no training set can need another one.
    Unigrams keep the order given to `count`; bigrams are sorted by their first part, then by their second.
    """

    counts: csr_matrix
    """(N, U + B) int32, sorted indices."""
    token_ids: NDArray[np.int32]
    """(U,) token of each unigram column."""
    pairs: NDArray[np.int64]
    """(B,) ascending: for each bigram, column of its first part * U + column of its second."""

    @property
    def unigrams(self) -> int:
        """U, the number of unigram columns."""
        return len(self.token_ids)

    def parts(self, column: int) -> tuple[int, ...]:
        """The one or two unigram columns that make up the n-gram of `column`."""
        if column < self.unigrams:
            return (int(column),)
        first, second = divmod(int(self.pairs[column - self.unigrams]), self.unigrams)
        return first, second


def count(stream: TokenStream, order: Sequence[int] | NDArray[np.int32]) -> LevelCounts:
    """Unigram and bigram counts of a token stream.

    `order` lists all token ids in the order that their columns get.
    """
    n = len(stream.starts) - 1
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[np.asarray(order, dtype=np.int64)] = np.arange(len(order), dtype=np.int32)
    tokens = ranks[stream.tokens]
    # Counting sorts the ids in place, but bigrams need their original order.
    unigrams, kept = _frequent(tokens.copy(), stream.starts, n, len(order))
    column = np.full(len(order), -1, dtype=np.int32)
    column[kept] = np.arange(len(kept), dtype=np.int32)
    tokens = column[tokens]

    # A bigram in two texts has parts in two texts, so a pair with a dropped part need not be counted.
    paired = (tokens[:-1] >= 0) & (tokens[1:] >= 0)
    ends = stream.starts[1:-1]
    paired[ends[(ends > 0) & (ends < len(tokens))] - 1] = False
    keys = tokens[:-1][paired] * np.int64(len(kept)) + tokens[1:][paired]
    starts = np.concatenate(([0], np.cumsum(paired)))[np.minimum(stream.starts, len(paired))]
    del paired
    pairs, ids = np.unique(keys, return_inverse=True)
    del keys
    bigrams, kept_pairs = _frequent(ids.astype(np.int32), starts, n, len(pairs))
    joint = hstack([unigrams, bigrams], format="csr", dtype=np.int32)
    token_ids = np.asarray(order, dtype=np.int32)[kept]
    return LevelCounts(joint, token_ids, pairs[kept_pairs])


def _frequent(
    ids: NDArray[np.int32], starts: NDArray[np.int64], n: int, width: int
) -> tuple[csr_matrix, NDArray[np.int64]]:
    """Counts of the ids that occur in enough texts, and these ids."""
    counts = csr_matrix((np.ones(len(ids), dtype=np.int32), ids, starts), shape=(n, width))
    counts.sum_duplicates()
    documents = np.bincount(counts.indices, minlength=width)
    kept = np.flatnonzero(documents >= MIN_DOCUMENTS)
    return columns_of(counts, kept), kept


def columns_of(matrix: csr_matrix, kept: NDArray[np.int64]) -> csr_matrix:
    """`matrix[:, kept]` for ascending `kept`, in one pass over the entries."""
    target = np.full(matrix.shape[1], -1, dtype=np.int32)
    target[kept] = np.arange(len(kept), dtype=np.int32)
    indices = target[matrix.indices]
    chosen = indices >= 0
    starts = np.concatenate(([0], np.cumsum(chosen)))[matrix.indptr].astype(matrix.indptr.dtype)
    return csr_matrix((matrix.data[chosen], indices[chosen], starts), shape=(matrix.shape[0], len(kept)))
