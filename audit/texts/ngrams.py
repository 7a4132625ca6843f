"""N-grams counted, and the weighted and selected columns that one training set draws from the counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from hansproof.audit.texts.compiled import kernel
from hansproof.audit.texts.tokens import TokenStream

__all__ = ["MIN_DOCUMENTS", "LevelCounts", "choose", "count"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MIN_DOCUMENTS = 2
"""Texts that an n-gram must be in to have a column."""


@dataclass(frozen=True)
class LevelCounts:
    """How often each n-gram occurs in each of N texts.

    An n-gram has a column only if it occurs in at least two texts, because no training set can need another one.
    Unigrams keep the order given to `count`; longer ones are sorted by their first parts, then by their last.
    """

    counts: csr_matrix
    """(N, U + B) int32, sorted indices; after the bigrams come trigrams, where they were asked for."""
    token_ids: NDArray[np.int32]
    """(U,) token of each unigram column."""
    longer: tuple[NDArray[np.int64], ...]
    """(B,) ascending, for bigrams and each longer n: column of all parts but the last * U + column of the last."""
    words: Sequence[str] = ()
    """(U,) the word of each unigram column; empty for GPT-2 tokens."""

    @property
    def unigrams(self) -> int:
        """U, the number of unigram columns."""
        return len(self.token_ids)

    def parts(self, column: int) -> tuple[int, ...]:
        """The one or two unigram columns that make up the n-gram of `column`."""
        start = self.unigrams
        for keys in self.longer:
            if start <= column < start + len(keys):
                first, last = divmod(int(keys[column - start]), self.unigrams)
                return *self.parts(first), last
            start += len(keys)
        return (int(column),)


def count(stream: TokenStream, order: Sequence[int] | NDArray[np.int32], longest: int = 2) -> LevelCounts:
    """How often each n-gram of 1 to `longest` tokens occurs in each text of a token stream.

    `order` lists all token ids in the order that their columns get.
    """
    n = len(stream.starts) - 1
    text = np.repeat(np.arange(n, dtype=np.int32), np.diff(stream.starts))
    rank = np.empty(len(order), dtype=np.int32)
    rank[np.asarray(order, dtype=np.int64)] = np.arange(len(order), dtype=np.int32)
    ids, keys = rank[stream.tokens], np.arange(len(order), dtype=np.int64)
    at: slice | NDArray[np.int64] = slice(None)
    blocks: list[csr_matrix] = []
    kept: list[NDArray[np.int64]] = []
    words = before = np.empty(0, dtype=np.int32)  # (T,) the column of the word, and of the n-gram, at each token; or -1
    for size in range(1, longest + 1):
        if size > 1:  # a longer n-gram in two texts has parts in two texts, so others need not be numbered
            first, last = slice(max(len(text) - size + 1, 0)), slice(size - 1, None)
            at = np.flatnonzero((text[first] == text[last]) & (before[first] >= 0) & (words[last] >= 0))
            keys, ids = np.unique(before[at] * np.int64(len(kept[0])) + words[at + size - 1], return_inverse=True)
        ends = np.searchsorted(text[at], np.arange(n + 1))
        counts = csr_matrix((np.ones(len(ids), np.int32), ids.astype(np.int32), ends), shape=(n, len(keys)))
        counts.sum_duplicates()  # sorts in place: `ids` must be copied
        shared = np.flatnonzero(np.bincount(counts.indices, minlength=len(keys)) >= MIN_DOCUMENTS)
        column = np.full(len(keys), -1, dtype=np.int32)
        column[shared] = np.arange(len(shared), dtype=np.int32) + sum(map(len, kept))
        before = np.full(len(text), -1, dtype=np.int32)
        before[at] = column[ids]
        words = before if size == 1 else words
        blocks.append(counts[:, shared])
        kept.append(keys[shared])
    counts = csr_matrix(hstack(blocks, format="csr", dtype=np.int32))
    counts.sort_indices()
    return LevelCounts(counts, np.asarray(order, dtype=np.int32)[kept[0]], tuple(kept[1:]))


# Selection: the ANOVA F of each n-gram over the answers of one training set, if there are more columns than allowed.


def anova_f(blocks: Iterable[csr_matrix], y: Ints, p: int) -> Floats:
    """One-way analysis of variance of each of p columns over the classes of y: F = MS_between / MS_within.

    `blocks` are the n rows of X (n, p), some at a time, y is (n,), the result is (p,). A constant column is NaN; a
    column that varies only between the classes is infinite. Equal to scikit-learn's `f_classif` up to rounding, and it
    stays in CSR. All values are NaN if there is one class, or as many classes as rows. Fisher (1925).
    """
    n = len(y)
    classes, codes = np.unique(y, return_inverse=True)
    k = len(classes)
    if k < 2 or n <= k:
        return np.full(p, np.nan)
    sizes, sums, squares, at = np.bincount(codes), np.zeros((p, k)), np.zeros(p), 0
    for X in blocks:
        own = codes[at : at + X.shape[0]].astype(np.int32)
        # The sums over the rows of each class are one product with the indicator matrix.
        indicator = csr_matrix((np.ones(len(own)), own, np.arange(len(own) + 1)), shape=(len(own), k))
        sums += (X.T @ indicator).todense()
        squares += np.bincount(X.indices, weights=X.data**2, minlength=p)
        at += len(own)
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


# Vocabulary, weights and selection use the rows of the training set alone. The table asks once per n-gram vector and
# training set which columns it has (`choose`), and then draws the rows that it needs (`Columns.rows`).

_AS_COUNTED, _PRESENCE, _SUM, _NORM = 0, 1, 2, 3

_BLOCK = 100_000
"""Rows of which all columns are weighed at a time; of all rows, this was the most memory that an audit took."""


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


def choose(
    counts: csr_matrix, width: int, weighting: str, train: Ints, y: Ints, *, max_features: int, upstream_counts: bool
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
        blocks = (columns.rows(train[at : at + _BLOCK]) for at in range(0, len(train), _BLOCK))
        best = best_columns(anova_f(blocks, y, len(kept)), max_features)
        columns = _columns(counts, width, kept[best], factors, rule)
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
