"""Why the probe knows: the n-grams it leans on, and the items that give themselves away.

The probe shown here is refitted on all items, for looking at only; every probability beside it is out of fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.probe.crossfit import Fitting, Scores, matrix
from audit.probe.logistic import REGULARISATIONS, Model, fit
from audit.probe.training import Training
from audit.result import Cue, Giveaway, Occurrence

if TYPE_CHECKING:
    from audit.features.table import Design, FeatureTable
    from audit.features.vectors import Vector

__all__ = ["Evidence", "cue_statistics"]

Ints = NDArray[np.int64]

_FEW = 5  # items of an answer below which its n-grams are those of single texts


class Evidence:
    """The probe of one n-gram vector, refitted on all items."""

    def __init__(
        self, table: FeatureTable, y: Ints, labels: Sequence[str], vector: Vector, how: str, fitting: Fitting
    ) -> None:
        self._table, self._y, self._labels, self._vector = table, y, labels, vector
        everything = np.arange(len(y))
        self._design: Design = table.design(vector, everything, y, upstream_counts=fitting.upstream_counts)
        self._X: sp.csr_matrix = matrix(self._design)
        candidates = {one.name: one for one in REGULARISATIONS}
        self._model: Model = fit(Training(self._X, y), candidates.get(how, REGULARISATIONS[0]))
        self._weights = self._model.label_weights(len(labels))

    def cues(self, per_label: int = 10) -> list[Cue]:
        """The n-grams with the largest standardised weight for each label, strongest first.

        Standardised: weight times the feature's standard deviation, so that a rare n-gram does not
        come first for a large weight alone.
        """
        mean = np.asarray(self._X.mean(axis=0)).ravel()
        square = np.asarray(self._X.multiply(self._X).mean(axis=0)).ravel()
        spread = np.sqrt(np.maximum(square - mean**2, 0.0))
        present = (self._X != 0).astype(np.int64).tocsc()
        out = []
        for c, label in enumerate(self._labels):
            if (self._y == c).sum() < _FEW:
                continue
            strength = self._weights[:, c] * spread
            best = np.lexsort((np.arange(len(strength)), -strength))[:per_label]
            for j in best[strength[best] > 0].tolist():
                rows = present.indices[present.indptr[j] : present.indptr[j + 1]]
                count, hits = len(rows), int((self._y[rows] == c).sum())
                share = float((self._y == c).mean())
                z, pmi, productivity, coverage = cue_statistics(count, hits, len(self._y), len(self._labels), share)
                out.append(
                    Cue(
                        ngram=self._text(j),
                        level=self._vector.level,
                        label=label,
                        coefficient=float(self._weights[j, c]),
                        count=count,
                        count_label=hits,
                        z=z,
                        pmi=pmi,
                        productivity=productivity,
                        coverage=coverage,
                    )
                )
        return out

    def giveaways(
        self, scores: Scores, prompts: Sequence[str], ids: Sequence[str], most: int = 10, spans: int = 6
    ) -> list[Giveaway]:
        """The items whose gold answer `scores` gave the highest out-of-fold probability, and why."""
        gold = scores.probabilities[np.arange(len(scores.rows)), self._y[scores.rows]]
        best = np.lexsort((scores.rows, -gold))[:most]
        out = []
        for at in best.tolist():
            row, predicted = int(scores.rows[at]), int(scores.predicted[at])
            out.append(
                Giveaway(
                    id=ids[row],
                    prompt=prompts[row],
                    answer=self._labels[int(self._y[row])],
                    predicted=self._labels[predicted],
                    probability=float(gold[at]),
                    cues=self._occurrences(row, predicted, spans),
                )
            )
        return out

    def _occurrences(self, row: int, label: int, most: int) -> list[Occurrence]:
        start, stop = self._X.indptr[row], self._X.indptr[row + 1]
        columns = self._X.indices[start:stop]
        share = self._weights[columns, label] * self._X.data[start:stop]
        total = float(share[share > 0].sum())
        best = [k for k in np.lexsort((columns, -share))[:most].tolist() if share[k] > 0]
        weight = {int(self._design.columns[columns[k]]): float(share[k]) / total for k in best}
        found = self._table.spans(self._vector.level, row, list(weight))
        return [
            Occurrence(start=int(a), end=int(b), label=self._labels[label], weight=weight[int(column)])
            for a, b, column in sorted(found)
        ]

    def _text(self, feature: int) -> str:
        return self._table.ngram_text(self._vector.level, int(self._design.columns[feature]))


def cue_statistics(count: int, hits: int, n: int, labels: int, share: float) -> tuple[float, float, float, float]:
    """z, PMI, productivity and coverage of an n-gram in `count` of n items, `hits` of these with the answer.

    z = (hits / count - 1/k) / sqrt(1/k (1 - 1/k) / count), Gardner et al. (2021); PMI = log2 of hits / count
    over `share`, the answer's share of all items; productivity = hits / count and coverage = count / n,
    Niven & Kao (2019). PMI of an n-gram that never goes with the answer is minus infinity in theory and
    log2 of half a hit here.
    """
    p, p0 = hits / count, 1 / labels
    z = (p - p0) / float(np.sqrt(p0 * (1 - p0) / count))
    return z, float(np.log2(max(hits, 0.5) / count / share)), p, count / n
