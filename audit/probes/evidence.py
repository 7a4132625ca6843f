"""Why the probe knows: the n-grams it relies on, and the items that give themselves away.

The probe is refitted on all items, with the regularisation and the solver that scored them, and only to be looked at:
every probability shown beside it is out of fold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.logistic import Regularisation, Training, fit
from hansproof.audit.result.audit_result import Cue, Giveaway, Occurrence
from hansproof.audit.result.record import or_least
from hansproof.audit.statistics.association import z_scores

if TYPE_CHECKING:
    from hansproof.audit.probes.kappas import MeasuredScheme
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["Evidence", "best_ngrams", "shown_model"]

Ints = NDArray[np.int64]

_FEW = 5
"""An answer with fewer items has no cues: its n-grams are those of single texts. Nor do fewer items make a cue."""
_MOST_TIMES, _SHOWN = 20, 10
_CLEARLY = 2.0
"""Standard errors by which a number of occurrences must beat the n-gram itself, since the best of several is taken."""


def best_ngrams(scheme: MeasuredScheme, vector: str) -> Scores:
    """The scores of `vector` if it has n-grams to show, otherwise of the vector with the largest kappa that has.

    Dense vectors (readability, length) have none, and nor have whole options.
    """
    kappas = {measured.vector: or_least(measured.matched) for measured in scheme.result.vectors}
    shown = [scores for scores in scheme.scores if scores.vector.kind == "ngram" and scores.vector.table != "whole"]
    return max(shown, key=lambda scores: (scores.vector.name == vector, kappas[scores.vector.name]))


def shown_model(regularisations: Sequence[str], candidates: Sequence[Regularisation]) -> Regularisation:
    """The regression whose weights are shown: the one chosen in most folds, with the solver of that run.

    `regularisations` names the choice of each fold, among `candidates`. Trees have no weight per n-gram and answer: if
    they won in every fold, the first regression among the candidates is shown in their place.
    """
    linear = {how.name: how for how in candidates if how.linear}
    chosen = Counter(name for name in regularisations if name in linear)
    return linear[chosen.most_common(1)[0][0] if chosen else next(iter(linear))]


class Evidence:
    """The probe of one n-gram vector, refitted on all items, or on those that may be learnt from."""

    def __init__(
        self,
        table: FeatureTable,
        y: Ints,
        labels: Sequence[str],
        scores: Scores,
        fitting: Fitting,
        learnt: Ints | None = None,
    ) -> None:
        """The evidence behind `scores`, from the same vector, counts, regularisation and solver.

        `learnt` are the rows of `table` that it is fitted on and counts; None for all.
        """
        self.how = shown_model(scores.regularisation, fitting.candidates)
        """The regression behind the weights."""
        self._table, self._y, self._labels, self._vector = table, y, labels, scores.vector
        rows = np.arange(len(y))
        self._rows = rows if learnt is None else learnt
        held, known = rows[:0] if learnt is None else rows, y[self._rows]
        parts = table.parts(self._vector, self._rows, held, known, upstream_counts=fitting.upstream_counts)
        self._learnt, self._columns = parts.train, parts.columns
        self._X = parts.train if learnt is None else parts.held
        self._weights = fit(Training(self._learnt, known), self.how).label_weights(len(labels))

    def cues(self) -> list[Cue]:
        """The n-grams with the largest standardised weight for each label, strongest first.

        The standardised weight is the weight times the feature's standard deviation, so that a rare n-gram does not
        come first merely for its large weight.
        """
        mean = np.asarray(self._learnt.mean(axis=0)).ravel()
        square = np.asarray(self._learnt.multiply(self._learnt).mean(axis=0)).ravel()
        spread = np.sqrt(np.maximum(square - mean**2, 0.0))
        counts = self._table.counts(self._vector.level)[self._rows][:, self._columns].tocsc()
        y, cues = self._y[self._rows], []
        for c, label in enumerate(self._labels):
            if (y == c).sum() < _FEW:
                continue
            share = float((y == c).mean())
            strength = self._weights[:, c] * spread
            best = np.lexsort((np.arange(len(strength)), -strength))[:_SHOWN]
            for j in best[strength[best] > 0].tolist():
                entries = slice(counts.indptr[j], counts.indptr[j + 1])
                rows, often = counts.indices[entries], counts.data[entries]
                times = 1 if self._vector.weighting == "presence" else _times(often, y[rows] == c, share)
                counted = y[rows[often >= times]]
                count, hits = len(counted), int((counted == c).sum())
                numbers = cue_statistics(count, hits, len(y), share)
                cues.append(
                    Cue(
                        ngram=self._table.ngram_text(self._vector.level, int(self._columns[j])),
                        level=self._vector.level,
                        label=label,
                        coefficient=float(self._weights[j, c]),
                        count=count,
                        count_label=hits,
                        times=times,
                        **numbers,
                    )
                )
        return cues

    def giveaways(
        self, scores: Scores, prompts: Sequence[str], ids: Sequence[str], places: Sequence[str] | None = None
    ) -> list[Giveaway]:
        """The items whose gold answer got the highest out-of-fold probability in `scores`, and why.

        `prompts`, `ids` and `places` (where the source has each item, if known) are (N,).
        """
        gold = scores.probabilities[np.arange(len(scores.units)), self._y[scores.units]]
        best = np.lexsort((scores.units, -gold))[:_SHOWN]
        giveaways = []
        for at in best.tolist():
            row, predicted = int(scores.units[at]), int(scores.probabilities[at].argmax())
            giveaways.append(
                Giveaway(
                    id=ids[row],
                    prompt=prompts[row],
                    answer=self._labels[int(self._y[row])],
                    predicted=self._labels[predicted],
                    probability=float(gold[at]),
                    cues=self.occurrences(row, predicted),
                    place=None if places is None else places[row],
                )
            )
        return giveaways

    def occurrences(self, row: int, label: int, most: int = 6) -> list[Occurrence]:
        """Where the n-grams of text `row` stand that point to answer `label`, the `most` heaviest."""
        first, last = self._X.indptr[row], self._X.indptr[row + 1]
        columns = self._X.indices[first:last]
        share = self._weights[columns, label] * self._X.data[first:last]
        total = float(share[share > 0].sum())
        best = [k for k in np.lexsort((columns, -share))[:most].tolist() if share[k] > 0]
        weight = {int(self._columns[columns[k]]): float(share[k]) / total for k in best}
        spans = self._table.spans(self._vector.level, row, list(weight))
        return [
            Occurrence(start=int(start), end=int(end), label=self._labels[label], weight=weight[int(column)])
            for start, end, column in sorted(spans)
        ]


def _times(often: NDArray[np.int32], hit: NDArray[np.bool_], share: float) -> int:
    """How often an n-gram must occur to be a cue: once, unless more occurrences go with the answer far better.

    `often` has its number of occurrences in each text that contains it, `hit` whether that text has the answer.
    """

    def z(times: int) -> float:
        rows = often >= times
        return float(z_scores(int(rows.sum()), int(hit[rows].sum()), share))

    steps = [times for times in range(2, min(int(often.max()), _MOST_TIMES) + 1) if (often >= times).sum() >= _FEW]
    best = max(steps, key=z, default=1)
    return best if best > 1 and z(best) > z(1) + _CLEARLY else 1


def cue_statistics(count: int, hits: int, n: int, share: float) -> dict[str, Any]:
    """The numbers of a `Cue` that occurs in `count` (at least 1) of n items, `hits` of them with the answer.

    `share` is the answer's share of all items.

    - z as in `audit.statistics.association.z_scores`; NaN if every item has the answer.
    - PMI = log2((hits / count) / share). With no hits it would be minus infinity; half a hit is counted instead.
    - productivity = hits / count and coverage = count / n, after Niven & Kao (2019), who define them for pairs.
    """
    productivity = hits / count
    z = float(z_scores(count, hits, share))
    pmi = math.log2(max(hits, 0.5) / count / share)
    return {"z": z, "pmi": pmi, "productivity": productivity, "coverage": count / n}
