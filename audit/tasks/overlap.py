"""What the test part has in common with the training part: texts, near-duplicates, templates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hansproof.audit.result.tasks import SharedItem
from hansproof.audit.texts.sentences import UNSPACED
from hansproof.audit.texts.similarity import FRAME, LONGEST, distinct_texts

__all__ = ["NEAR", "Overlap", "examples", "find_overlap"]

# Weighted Jaccard similarity of words and word pairs: the rarer, the heavier, so shared instructions count for nothing.
# Only texts that share one of their rarest are compared (prefix filter; Chaudhuri, Ganti & Kaushik 2006).

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEAR = 0.7
"""Smallest similarity of near-duplicates: one other word in a sentence of fifteen, not two."""

_MOST = 100
"""Texts compared because of one shared word or pair. What more texts have in common is a phrase of the benchmark."""

_TEXTS, _PAIRS = 1000, 50_000
"""Compared at a time."""

_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+(?:['.,][^\W_{UNSPACED}]+)*|[^\w\s]")


class Matches(NamedTuple):
    """The most similar other text of each text."""

    place: Ints
    """(n,) its place among the others; -1 if none is similar enough."""
    similarity: Floats
    """(n,) from 0 to 1; 0 if none is similar enough."""


def near_matches(texts: Sequence[str], others: Sequence[str], least: float = NEAR) -> Matches:
    """For each of `texts`, the most similar of `others`, if the similarity is at least `least`.

    Texts must be folded (`audit.texts.sentences.fold_text`) and different within each sequence. Of several that are
    equally similar, the first is taken. Where both are one sequence, no text matches itself. Only the first `LONGEST`
    words of a text count, and numbers count as written.
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
        kept = (similarity >= least) & ((rows != columns) if texts is others else True)
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


Bools = NDArray[np.bool_]

_EXAMPLES = 10
_BEFORE, _LETTERS = 60, 240
"""Characters of an extract before the first difference, and in all."""

Kind = Literal["conflict", "duplicate", "near-duplicate", "template"]


@dataclass(frozen=True)
class Overlap:
    """For each of m test items, a training item that it has something in common with; arrays are (m,)."""

    duplicate: Ints
    """Row of a training item with the same text, the same answer if there is one, or with the same right option;
    -1 without."""
    conflict: Ints
    """Row of a training item with the same text and another answer; -1 without."""
    near: Ints
    """Row of the training item with the most similar text, where there is no duplicate; -1 without."""
    similarity: NDArray[np.float64]
    template: Ints
    """Row of a training item of the same group; -1 without."""

    @property
    def copied(self) -> Bools:
        """Which items are duplicates or near-duplicates of a training item."""
        return np.asarray((self.duplicate >= 0) | (self.near >= 0))

    @property
    def shared(self) -> Bools:
        """Which items share their text, nearly their text, or their template with a training item."""
        return np.asarray(self.copied | (self.template >= 0))

    def shared_with(self, ids: Sequence[str]) -> dict[int, tuple[str, str]]:
        """(what is shared, id of the training item) by the place of each test item that shares something."""
        kinds = (("template", self.template), ("near-duplicate", self.near), ("duplicate", self.duplicate))
        return {
            at: (kind, ids[other])
            for kind, others in kinds  # the last of several kinds counts
            for at, other in enumerate(others.tolist())
            if other >= 0
        }


def find_overlap(
    texts: Sequence[str], y: Ints, groups: Ints, train: Ints, test: Ints, own: Ints | None = None
) -> Overlap:
    """Compare the rows `test` with the rows `train`; `texts`, `y` and `groups` are those of all N items.

    Reads texts and groups; answers only tell conflicts from duplicates. Where items have options of their own, one
    whose right option is that of a training item is a duplicate as well: `own` (N,) numbers right options, -1 for those
    that say nothing.
    """
    distinct, number = distinct_texts(texts)
    by_text: dict[int, list[int]] = {}
    for row in train.tolist():
        by_text.setdefault(int(number[row]), []).append(row)
    same, conflict = (
        np.array([
            next((other for other in by_text.get(int(number[row]), ()) if (y[other] == y[row]) == agrees), -1)
            for row in test.tolist()
        ])
        for agrees in (True, False)
    )  # fmt: skip
    duplicate = np.where(same >= 0, same, conflict)
    near, similarity = np.full(len(test), -1, dtype=np.int64), np.zeros(len(test))
    alone = np.flatnonzero(duplicate < 0)
    ours, place = np.unique(number[test[alone]], return_inverse=True)
    if len(ours):
        theirs, first = np.unique(number[train], return_index=True)
        matches = near_matches([distinct[text] for text in ours], [distinct[text] for text in theirs])
        near[alone] = np.where(matches.place >= 0, train[first[matches.place]], -1)[place]
        similarity[alone] = matches.similarity[place]
    if own is not None:
        copy = np.where((duplicate < 0) & (near < 0) & (own[test] >= 0), _first(own, train, test), -1)
        duplicate = np.maximum(duplicate, copy)
    return Overlap(duplicate, conflict, near, similarity, _first(groups, train, test))


def _first(number: Ints, train: Ints, test: Ints) -> Ints:
    """The first of the rows `train` with the `number` (N,) of each of the rows `test`; -1 without."""
    firsts = dict(zip(number[train][::-1].tolist(), train[::-1].tolist(), strict=True))
    return np.array([firsts.get(key, -1) for key in number[test].tolist()], dtype=np.int64)


def examples(
    overlap: Overlap, test: Ints, texts: Sequence[str], answers: Sequence[str], ids: Sequence[str], *, templates: bool
) -> list[SharedItem]:
    """Up to ten conflicts, duplicates, near-duplicates (most similar first) and, with `templates`, shared templates."""
    plain = np.where(overlap.conflict < 0, overlap.duplicate, -1)
    apart = np.where(overlap.copied, -1, overlap.template)
    kinds: list[tuple[Kind, Ints]] = [
        ("conflict", overlap.conflict),
        ("duplicate", plain),
        ("near-duplicate", overlap.near),
        ("template", apart if templates else np.full_like(apart, -1)),
    ]
    listed = []
    for kind, others in kinds:
        places = np.flatnonzero(others >= 0)
        for at in places[np.argsort(-overlap.similarity[places], kind="stable")][:_EXAMPLES].tolist():
            row, other = int(test[at]), int(others[at])
            ours, theirs = _extracts(texts[row], texts[other])
            listed.append(
                SharedItem(
                    kind=kind,
                    test=ids[row],
                    train=ids[other],
                    similarity=float(overlap.similarity[at]) if kind == "near-duplicate" else None,
                    test_text=ours,
                    train_text=theirs,
                    test_answer=answers[row],
                    train_answer=answers[other],
                )
            )
    return listed


def _extracts(ours: str, theirs: str) -> tuple[str, str]:
    """Both texts from a little before their first difference; from their beginning where they are equal."""
    start = next((k for k, (a, b) in enumerate(zip_longest(ours, theirs)) if a != b), 0)
    start = max(0, start - _BEFORE)
    return _extract(ours, start), _extract(theirs, start)


def _extract(text: str, start: int) -> str:
    part = text[start : start + _LETTERS]
    return f"{'…' if start else ''}{part}{'…' if start + _LETTERS < len(text) else ''}"
