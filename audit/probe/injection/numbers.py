"""Cues of two forms, length and format, injected into dense vectors: an item keeps its numbers or takes others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.features.table import FeatureTable
from audit.features.vectors import by_name
from audit.probe.crossfit import matrix
from audit.probe.logistic import Regularisation, fit
from audit.probe.training import Training

__all__ = ["NumberBed", "lengthened", "reformatted"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|[\r\n]+")
_BLANK = re.compile(r" ")


def lengthened(texts: Sequence[str], random: np.random.Generator) -> list[str]:
    """Each text followed by the last sentence of another one, drawn at random."""
    order = random.permutation(len(texts))
    donor = np.empty_like(order)
    donor[order] = np.roll(order, 1)
    return [f"{text} {_last_sentence(texts[other])}" for text, other in zip(texts, donor.tolist(), strict=True)]


def reformatted(texts: Sequence[str]) -> list[str]:
    """Each text with its first blank doubled and one more line end: nothing that a reader would see."""
    return [_BLANK.sub("  ", text, count=1) + "\n" for text in texts]


class NumberBed:
    """Two versions of the numbers of N texts, as they are and altered, between which a cue chooses item by item."""

    def __init__(self, table: FeatureTable, vector: str, altered: Sequence[str]) -> None:
        """`vector` is a dense one that the table has; `altered` are the N texts with the cue."""
        self.vector = by_name(vector)
        self.table = replace(table, levels={}, numbers={})
        self.plain = table.numbers[vector]
        self.altered = FeatureTable.build(altered, levels=(), dense=(vector,)).numbers[vector]

    def probabilities(self, y: Ints, fold: Ints, marked: NDArray[np.bool_], how: Regularisation) -> Floats:
        """(N, labels) out-of-fold probabilities of `y` (N,) if the items `marked` (N,) have the altered numbers."""
        values = np.where(marked[:, None], self.altered, self.plain)
        table = replace(self.table, numbers={self.vector.name: values})
        labels = int(y.max()) + 1
        out = np.empty((len(y), labels))
        for number in np.unique(fold).tolist():
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            X = matrix(table.design(self.vector, train, y[train]))
            out[test] = fit(Training(X[train], y[train]), how).probabilities(X[test], labels)
        return out


def _last_sentence(text: str) -> str:
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    return sentences[-1].strip() if sentences else text
