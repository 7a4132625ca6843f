"""Near-duplicates between two sets of texts: weighted Jaccard similarity of words and word pairs, in near-linear time.

A word or pair weighs the logarithm of how rare it is, so that shared instructions count for nothing and shared names
for much. Two texts that are similar enough must share one of their rarest words or pairs, so only texts that do are
compared: the prefix filter of Chaudhuri, Ganti & Kaushik (2006).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.texts.similarity import FRAME, LONGEST

__all__ = ["NEAR", "Matches", "near_matches"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEAR = 0.7
"""Smallest similarity of near-duplicates: one other word in a sentence of fifteen, not two."""

_MOST = 100
"""Texts compared because of one shared word or pair. What more texts have in common is a phrase of the benchmark."""

_TEXTS, _PAIRS = 1000, 50_000
"""Compared at a time."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['.,][^\W_{_UNSPACED}]+)*|[^\w\s]")


class Matches(NamedTuple):
    """The most similar other text of each text."""

    place: Ints
    """(n,) its place among the others; -1 if none is similar enough."""
    similarity: Floats
    """(n,) from 0 to 1; 0 if none is similar enough."""


def near_matches(texts: Sequence[str], others: Sequence[str], least: float = NEAR) -> Matches:
    """For each of `texts`, the most similar of `others`, if the similarity is at least `least`.

    Texts must be folded (`audit.texts.sentences.fold_text`) and different within each sequence. Of several that are
    equally similar, the first is taken. Only the first `LONGEST` words of a text count, and numbers count as written.
    """
    weighted = _weighted([*texts, *others])
    rarest = _rarest(weighted, least)
    n = len(texts)
    ours, theirs = csr_matrix(weighted[:n]), csr_matrix(weighted[n:])
    total = np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel()
    posted = _first_in_each_column(rarest[n:], _MOST).T.tocsr()
    place, best = np.full(n, -1, dtype=np.int64), np.zeros(n)
    for start in range(0, n, _TEXTS):
        common = (csr_matrix(rarest[start : min(start + _TEXTS, n)]) @ posted).tocoo()
        rows, columns = common.row.astype(np.int64) + start, common.col.astype(np.int64)
        similarity = _jaccard(ours, theirs, rows, columns, total[rows] + total[n + columns])
        kept = similarity >= least
        rows, columns, similarity = rows[kept], columns[kept], similarity[kept]
        order = np.lexsort((columns, -similarity, rows))
        first = order[np.unique(rows[order], return_index=True)[1]]
        place[rows[first]], best[rows[first]] = columns[first], similarity[first]
    return Matches(place, best)


def _weighted(texts: Sequence[str]) -> csr_matrix:
    """(n, m) square roots of the weights of the words and pairs in each text, columns from the rarest on.

    The dot product of two rows is the weight that they share.
    """
    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(word, len(numbers)) for word in _words(text)] for text in texts]
    row = np.repeat(np.arange(len(texts)), [len(words) for words in coded])
    word = np.array([number for words in coded for number in words], dtype=np.int64)
    within = row[1:] == row[:-1]
    pair = word[:-1][within] * len(numbers) + word[1:][within] + len(numbers)
    keys, column = np.unique(np.concatenate([word, pair]), return_inverse=True)
    rows = np.concatenate([row, row[1:][within]])
    counted = csr_matrix((np.ones(len(rows)), (rows, column)), shape=(len(texts), max(len(keys), 1)))
    rows, columns = np.repeat(np.arange(len(texts)), np.diff(counted.indptr)), counted.indices
    spread = np.bincount(columns, minlength=len(keys))
    weight = np.sqrt(np.log((1 + len(texts)) / np.maximum(spread, 1)))
    if len(texts) > 10:
        weight[spread > FRAME * len(texts)] = 0.0
    rank = np.empty(len(keys), dtype=np.int64)
    rank[np.argsort(spread, kind="stable")] = np.arange(len(keys))
    kept = weight[columns] > 0
    made = csr_matrix((weight[columns[kept]], (rows[kept], rank[columns[kept]])), shape=(len(texts), max(len(keys), 1)))
    made.sort_indices()
    return made


def _words(text: str) -> list[str]:
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return [match[0] for match in islice(_WORD.finditer(folded), LONGEST)]


def _rarest(weighted: csr_matrix, least: float) -> csr_matrix:
    """(n, m) 1 for the rarest entries of each row, so many that the others weigh less than `least` of the row.

    Similar texts share at least that much weight, so the rarest of what they share is among these, in both.
    """
    weight = weighted.data**2
    before = np.concatenate([[0.0], np.cumsum(weight)])
    starts = before[weighted.indptr[:-1]]
    total = before[weighted.indptr[1:]] - starts
    row = np.repeat(np.arange(weighted.shape[0]), np.diff(weighted.indptr))
    kept = before[:-1] - starts[row] <= (1 - least) * total[row] + 1e-9
    return csr_matrix(
        (np.ones(int(kept.sum()), dtype=np.int32), (row[kept], weighted.indices[kept])), shape=weighted.shape
    )


def _first_in_each_column(matrix: csr_matrix, most: int) -> csr_matrix:
    """`matrix` with only the first `most` entries of each column."""
    columns = csr_matrix(matrix).tocsc()
    place = np.arange(columns.nnz) - np.repeat(columns.indptr[:-1], np.diff(columns.indptr))
    columns.data[place >= most] = 0
    columns.eliminate_zeros()
    return columns.tocsr()


def _jaccard(ours: csr_matrix, theirs: csr_matrix, rows: Ints, columns: Ints, weights: Floats) -> Floats:
    """(pairs,) shared weight over joint weight; `weights` are the sums of both texts."""
    shared = np.empty(len(rows))
    for start in range(0, len(rows), _PAIRS):
        here = slice(start, start + _PAIRS)
        shared[here] = np.asarray(ours[rows[here]].multiply(theirs[columns[here]]).sum(axis=1)).ravel()
    return np.asarray(shared / np.maximum(weights - shared, 1e-12))
