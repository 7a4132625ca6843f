"""Made-up words injected at the level of counts: new columns beside those of the author's texts, nothing recounted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.features.ngrams import MIN_DOCUMENTS
from audit.features.vectors import by_name
from audit.probe.crossfit import matrix
from audit.probe.logistic import REGULARISATIONS, Regularisation, fit
from audit.probe.solvers.kinds import Entries
from audit.probe.training import Training

if TYPE_CHECKING:
    from audit.features.table import FeatureTable

__all__ = ["MODELS", "Marked", "WordBed"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

VECTOR = by_name("word-1-presence")
"""Where the words are injected: of the three weightings of single words, it finds many synonyms best."""

MODELS = tuple(replace(how, tolerance=1e-2) for how in REGULARISATIONS)
"""The audit's own, solved loosely: the mean kappa of many injections moves by less than .005, and fits take a fifth of
the time."""


class WordBed:
    """The author's texts as word presence, prepared once per fold, into which any number of cues can be injected."""

    def __init__(self, table: FeatureTable, y: Ints, fold: Ints) -> None:
        self.y, self.fold, self.labels = y, fold, int(y.max()) + 1
        self.parts = []
        for number in np.unique(fold).tolist():
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            X = matrix(table.design(VECTOR, train, y[train]))
            self.parts.append((train, test, Training(X[train], y[train]), X[test]))

    def probabilities(self, words: Ints, count: int, how: Regularisation) -> Floats:
        """(N, labels) out-of-fold probabilities if item i also contains made-up word `words[i]` of `count` (none: -1).

        As any word, a made-up word has a column only in training sets that contain it at least twice.
        """
        out = np.empty((len(self.y), self.labels))
        for train, test, base, held in self.parts:
            seen = words[train]
            kept = np.flatnonzero(np.bincount(seen[seen >= 0], minlength=count) >= MIN_DOCUMENTS)
            column = np.full(count + 1, -1, dtype=np.int64)  # the last is that of no word
            column[kept] = np.arange(len(kept))
            model = fit(Marked(base, column[words[train]], len(kept)), how)
            out[test] = model.probabilities(_beside(held, column[words[test]], len(kept)), self.labels)
        return out


class Marked(Training):
    """A training set of n rows with one more column per made-up word, sharing what `base` has prepared."""

    def __init__(self, base: Training, column: Ints, width: int) -> None:
        """`column` (n,) is the word of each row, from 0 to `width` - 1, or -1 for none."""
        self.base, self.column, self.width = base, column, width
        self.X = _beside(base.X, column, width)
        self.classes, self.coded = base.classes, base.coded

    @property
    def merged(self) -> Entries:
        """The kinds of the base, then the words, for L1."""
        base = self.base.merged
        rows = np.argsort(self.column, kind="stable")[np.count_nonzero(self.column < 0) :]
        ends = base.indptr[-1] + np.cumsum(np.bincount(self.column[rows], minlength=self.width))
        return Entries(
            np.concatenate([base.indptr, ends.astype(np.int32)]),
            np.concatenate([base.indices, rows.astype(np.int32)]),
            np.concatenate([base.data, np.ones(len(rows))]),
            base.width + self.width,
        )

    @property
    def scaled(self) -> Entries:
        """The kinds of the base that vary, then the words, for L2."""
        base = self.base.scaled
        X = sp.csr_matrix((base.data, base.indices, base.indptr), shape=(len(self.column), base.width))
        X = _beside(X, self.column, self.width)
        return Entries(X.indptr, X.indices, X.data, X.shape[1])

    def expand_l1(self, weights: Floats) -> Floats:
        """As in the base; the weights of the words stand before the intercept."""
        kinds = len(weights) - self.width
        return self._with_words(self.base.expand_l1(weights[:kinds]), weights[kinds:])

    def expand_l2(self, weights: Floats) -> Floats:
        """As in the base; the weights of the words stand before the intercept."""
        kinds = len(weights) - self.width - 1
        known = self.base.expand_l2(np.concatenate([weights[:kinds], weights[-1:]]))
        return self._with_words(known, weights[kinds:-1])

    @staticmethod
    def _with_words(known: Floats, words: Floats) -> Floats:
        return np.concatenate([known[:-1], words, known[-1:]])


def _beside(X: sp.csr_matrix, column: Ints, width: int) -> sp.csr_matrix:
    """X with `width` more columns: a 1 in `column[i]` of them at the end of row i, nothing where it is -1."""
    rows = np.flatnonzero(column >= 0)
    ends = X.indptr[1:][rows]
    starts = X.indptr.copy()
    starts[1:] += np.cumsum(column >= 0).astype(starts.dtype)
    indices = np.insert(X.indices, ends, (X.shape[1] + column[rows]).astype(X.indices.dtype))
    return sp.csr_matrix((np.insert(X.data, ends, 1.0), indices, starts), shape=(X.shape[0], X.shape[1] + width))
