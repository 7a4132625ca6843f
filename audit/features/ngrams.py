"""Counting: one sparse matrix per level, unigrams first and bigrams after them.

Token streams come from `pieces`. The counts go to `weighting`, which only reweights and selects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.features.compiled import kernel
from audit.features.tokens.pieces import TokenStream

__all__ = ["MIN_DOCUMENTS", "LevelCounts", "count"]

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
    words: Sequence[str] = ()
    """(U,) the word of each unigram column; empty for GPT-2 tokens."""

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
    n, starts = len(stream.starts) - 1, stream.starts
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[np.asarray(order, dtype=np.int64)] = np.arange(len(order), dtype=np.int32)
    tokens = ranks[stream.tokens]
    documents = _documents(tokens, starts, len(order))
    kept = np.flatnonzero(documents >= MIN_DOCUMENTS)
    column = np.full(len(order), -1, dtype=np.int32)
    column[kept] = np.arange(len(kept), dtype=np.int32)
    tokens = column[tokens]

    # A bigram in two texts has parts in two texts, so a pair with a dropped part need not be counted.
    pairs = np.empty(len(tokens), dtype=np.int32)
    keys = _number_pairs(tokens, starts, len(kept), pairs)
    pair_documents = _documents(pairs, starts, len(keys))
    kept_pairs = np.flatnonzero(pair_documents >= MIN_DOCUMENTS)
    kept_pairs = kept_pairs[np.argsort(keys[kept_pairs])]
    pair_column = np.full(len(keys), -1, dtype=np.int32)
    pair_column[kept_pairs] = np.arange(len(kept), len(kept) + len(kept_pairs), dtype=np.int32)

    begins = np.concatenate(([0], np.cumsum(np.concatenate((documents[kept], pair_documents[kept_pairs])))))
    size = int(begins[-1])
    indptr = np.zeros(n + 1, dtype=np.int32 if size < 2**31 else np.int64)
    indices, data = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    _fill(tokens, pairs, starts, pair_column, begins, indptr, indices, data)
    counts = csr_matrix((data, indices, indptr), shape=(n, len(begins) - 1))
    return LevelCounts(counts, np.asarray(order, dtype=np.int32)[kept], keys[kept_pairs])


@kernel
def _documents(ids, starts, width):  # type: ignore[no-untyped-def]
    """(width,) in how many texts each id occurs; an id below 0 is none."""
    documents, last = np.zeros(width, np.int64), np.full(width, -1, np.int64)
    for text in range(starts.shape[0] - 1):
        for k in range(starts[text], starts[text + 1]):
            if ids[k] >= 0 and last[ids[k]] != text:
                last[ids[k]] = text
                documents[ids[k]] += 1
    return documents


@kernel
def _number_pairs(columns, starts, width, ids):  # type: ignore[no-untyped-def]
    """Number the different pairs of neighbours within a text; returns the key of each, first column * width + second.

    Fills `ids` with the number of the pair that begins at each token, or -1. Open addressing in a table that grows.
    """
    distinct, size = 0, 1 << 12
    keys, table = np.empty(size, np.int64), np.full(2 * size, -1, np.int32)
    for text in range(starts.shape[0] - 1):
        for k in range(starts[text], starts[text + 1]):
            ids[k] = -1
            if k + 1 == starts[text + 1] or columns[k] < 0 or columns[k + 1] < 0:
                continue
            key = columns[k] * np.int64(width) + columns[k + 1]
            place = _place(key, keys, table)
            if table[place] < 0:
                if distinct == size:
                    size *= 4
                    longer, table = np.empty(size, np.int64), np.full(2 * size, -1, np.int32)
                    longer[:distinct] = keys
                    keys = longer
                    for known in range(distinct):
                        table[_place(keys[known], keys, table)] = known
                    place = _place(key, keys, table)
                keys[distinct], table[place] = key, distinct
                distinct += 1
            ids[k] = table[place]
    return keys[:distinct].copy()


@kernel
def _place(key, keys, table):  # type: ignore[no-untyped-def]
    """Where `key` is in the table, or the free place that is its own."""
    mask = np.uint64(table.shape[0] - 1)
    place = ((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24)) & mask
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def _fill(columns, pairs, starts, pair_column, begins, indptr, indices, data):  # type: ignore[no-untyped-def]
    """Fill the CSR arrays: by column first, in the order of the texts, and then by row, which leaves columns sorted.

    `begins` (p + 1,) says where each column begins if all are laid end to end.
    """
    size = begins[-1]
    rows, times, free = np.empty(size, np.int32), np.empty(size, np.int32), begins[:-1].copy()
    for text in range(starts.shape[0] - 1):
        for k in range(starts[text], starts[text + 1]):
            for j in (columns[k], pair_column[pairs[k]] if pairs[k] >= 0 else np.int32(-1)):
                if j < 0:
                    continue
                if free[j] > begins[j] and rows[free[j] - 1] == text:
                    times[free[j] - 1] += 1
                else:
                    rows[free[j]], times[free[j]] = text, 1
                    free[j] += 1
                    indptr[text + 1] += 1
    for text in range(starts.shape[0] - 1):
        indptr[text + 1] += indptr[text]
    put = indptr[:-1].copy()
    for j in range(begins.shape[0] - 1):
        for q in range(begins[j], begins[j + 1]):
            at = put[rows[q]]
            indices[at], data[at] = j, times[q]
            put[rows[q]] += 1
