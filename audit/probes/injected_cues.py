"""Cues put into texts: made-up words, and what each says of its item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hansproof.audit.probes.logistic import Regularisation, Training, fit
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.ngrams import MIN_DOCUMENTS
from hansproof.audit.texts.vectors import by_name

__all__ = ["Draws", "WordBed"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """The chances of N items, drawn once and used at every strength, so that kappa rises smoothly with strength."""

    y: Ints
    """(N,) the answers, with nothing in the texts that predicts them."""
    level: Floats
    """(N,) in [0, 1): the item's marker is its answer at every strength above this."""
    otherwise: Ints
    """(N,) the marker below it: answers in random order."""
    word: Floats
    """(N,) in [0, 1): which of the synonyms of its marker an item gets."""

    @classmethod
    def draw(cls, y: Ints, random: np.random.Generator) -> Draws:
        """The chances of N items with answers `y` (N,)."""
        return cls(y, random.random(len(y)), random.permutation(y), random.random(len(y)))

    def markers(self, strength: float) -> Ints:
        """(N,) the marker of each item: its answer with probability `strength`, otherwise any answer by its share.

        `strength` is the expected Cohen's kappa of a reader who answers with the marker.
        """
        return np.where(self.level < strength, self.y, self.otherwise)

    def columns(self, strength: float, synonyms: int) -> Ints:
        """(N,) the made-up word of each item, from 0: `synonyms` words stand for each marker, all equally often."""
        return self.markers(strength) * synonyms + np.floor(self.word * synonyms).astype(np.int64)


# Made-up words injected at the level of counts: new columns beside those of the author's texts, nothing recounted.

VECTOR = by_name("word-1-presence")
"""Where the words are injected: of the three weightings of single words, it finds many synonyms best."""


class WordBed:
    """The author's texts as word presence, prepared once per fold, into which any number of cues can be injected."""

    def __init__(self, table: FeatureTable, y: Ints, fold: Ints) -> None:
        self.y, self.fold, self.labels = y, fold, int(y.max()) + 1
        self.parts = []
        for number in np.unique(fold).tolist():
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            parts = table.parts(VECTOR, train, test, y[train])
            self.parts.append((train, test, Training(parts.train, y[train]), parts.held))

    def probabilities(self, words: Ints, count: int, how: Regularisation) -> Floats:
        """(N, labels) out-of-fold probabilities if item i also contains made-up word `words[i]` of `count` (none: -1).

        Rows that no part holds out have 0 throughout.

        As any word, a made-up word has a column only in training sets that contain it at least twice.
        """
        out = np.zeros((len(self.y), self.labels))
        for train, test, base, held in self.parts:
            seen = words[train]
            kept = np.flatnonzero(np.bincount(seen[seen >= 0], minlength=count) >= MIN_DOCUMENTS)
            column = np.full(count + 1, -1, dtype=np.int64)  # the last is that of no word
            column[kept] = np.arange(len(kept))
            model = fit(Marked(base, column[words[train]], len(kept)), how)
            beside = sp.hstack([_indicators(column[words[test]], len(kept)), held], format="csr")
            out[test] = model.probabilities(beside, self.labels)
        return out


class Marked(Training):
    """A training set of n rows with a column per made-up word before those of `base`, whose preparations it shares."""

    def __init__(self, base: Training, column: Ints, words: int) -> None:
        """`column` (n,) is the word of each row, from 0 to `words` - 1, or -1 for none."""
        self.base, self.width, self.count = base, base.width + words, words
        self.words = _indicators(column, words)
        self.classes, self.coded = base.classes, base.coded

    @property
    def merged(self) -> sp.csc_matrix:
        """The words, then the kinds of the base, for L1."""
        return sp.hstack([self.words.tocsc(), self.base.merged], format="csc")

    @property
    def scaled(self) -> sp.csr_matrix:
        """The words, then the kinds of the base but the constant 1, for L2."""
        return sp.hstack([self.words, self.base.scaled], format="csr")

    def expand_l1(self, weights: Floats) -> Floats:
        """As in the base, after the weights of the words."""
        return np.concatenate([weights[: self.count], self.base.expand_l1(weights[self.count :])])

    def expand_l2(self, weights: Floats) -> Floats:
        """As in the base, after the weights of the words."""
        return np.concatenate([weights[: self.count], self.base.expand_l2(weights[self.count :])])


def _indicators(column: Ints, width: int) -> sp.csr_matrix:
    """(n, width): a 1 in `column[i]` of row i, nothing where it is -1."""
    marked = column >= 0
    starts = np.concatenate(([0], np.cumsum(marked)))
    return sp.csr_matrix((np.ones(starts[-1]), column[marked], starts), shape=(len(column), width))
