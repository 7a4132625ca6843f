"""From the scores of one scheme to its numbers: kappas, intervals, p-values, power and the headline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.probe import kappa
from audit.probe.crossfit import Ints, Scores
from audit.probe.power import detectable_kappa
from audit.probe.resampling import bootstrap_kappas, holm, permutation_p, seeded
from audit.result import SchemeGap, SchemeResult, Settings, VectorResult

__all__ = ["STRAY", "Measured", "measure", "scheme_gap"]


STRAY = 0.01
"""An answer with a smaller share of the items is a slip, not one more way of being wrong by chance."""


@dataclass(frozen=True)
class Measured:
    """A scheme's result, with the scores and the bootstrap replicates that paired differences need."""

    result: SchemeResult
    scores: list[Scores]
    replicates: NDArray[np.float64]
    """(vectors, times) Cohen's kappas; NaN in replicates without one."""

    def of(self, vector: str) -> tuple[Scores, NDArray[np.float64]]:
        """The scores and replicates of the vector with this name."""
        at = [scores.vector.name for scores in self.scores].index(vector)
        return self.scores[at], self.replicates[at]


def measure(
    name: str, y: Ints, groups: Ints, labels: int, scores: list[Scores], settings: Settings, counted: set[str]
) -> Measured:
    """Statistics of `scores` against gold labels `y` (N,); `groups` (N,) are what is permuted and resampled.

    `counted` names the vectors that decide the verdict and that Holm's correction covers. The resampling draws do not
    depend on the scheme's name, so that two schemes on the same items are compared draw by draw.
    """
    rows = scores[0].rows
    gold = y[rows]
    held = np.unique(groups[rows], return_inverse=True)[1]
    predicted = np.stack([vector.predicted for vector in scores])
    tables = np.stack([kappa.confusion(gold, row, labels) for row in predicted])
    p, _ = permutation_p(gold, predicted, held, settings.permutations, seeded(settings.seed, "permutation"))
    cohen, uniform = kappa.cohen(tables), kappa.uniform(tables)
    p = np.where(np.isnan(cohen), np.nan, p)
    deciding = np.array([vector.vector.name in counted for vector in scores])
    corrected = holm(np.where(deciding, p, np.nan))
    replicates = bootstrap_kappas(gold, predicted, held, labels, settings.bootstrap, seeded(settings.seed, "bootstrap"))
    low, high = _percentiles(replicates)
    accuracy, balanced = kappa.accuracy(tables), kappa.balanced_accuracy(tables)
    vectors = [
        VectorResult(
            vector=known.vector.name,
            label=known.vector.label,
            cohen=_number(cohen[v]),
            cohen_low=_number(low[v]),
            cohen_high=_number(high[v]),
            uniform=_number(uniform[v]),
            accuracy=float(accuracy[v]),
            balanced_accuracy=_number(balanced[v]),
            p=_number(p[v]),
            p_holm=_number(corrected[v]),
            validation_accuracy=_number(known.validation_accuracy),
            regularisation=known.regularisation,
            features=known.features,
            counted=bool(deciding[v]),
        )
        for v, known in enumerate(scores)
    ]
    headline, tied = _headline(vectors)
    counts = np.bincount(y, minlength=labels)
    share = float(counts.max() / len(y))
    common = max(int((counts >= STRAY * len(y)).sum()), 2)
    detectable = detectable_kappa(
        gold, held, seeded(settings.seed, "power"), alpha=settings.alpha, vectors=int(deciding.sum())
    )
    result = SchemeResult(
        scheme=name,  # type: ignore[arg-type]  # one of the three names, from assessment.py
        folds=len(np.unique(scores[0].fold)),
        scored=len(rows),
        vectors=vectors,
        headline=headline,
        tied=tied,
        majority_accuracy=share,
        majority_uniform=(share - 1 / common) / (1 - 1 / common),
        detectable=_number(detectable),
    )
    return Measured(result, scores, replicates)


def scheme_gap(random: Measured, grouped: Measured, vector: str) -> SchemeGap | None:
    """Kappa under random folds minus kappa under grouped folds, with its paired interval; None if undefined."""
    loose, tight = random.result.find(vector), grouped.result.find(vector)
    if loose is None or tight is None or loose.cohen is None or tight.cohen is None:
        return None
    low, high = _percentiles((random.of(vector)[1] - grouped.of(vector)[1])[None, :])
    return SchemeGap(vector=vector, gap=loose.cohen - tight.cohen, low=float(low[0]), high=float(high[0]))


def _headline(vectors: Sequence[VectorResult]) -> tuple[str, list[str]]:
    """The counted vector with the best validation accuracy, the first in a tie, and the others tied with it."""
    counted = [vector for vector in vectors if vector.counted] or list(vectors)
    best = max(vector.validation_accuracy or 0.0 for vector in counted)
    tied = [vector.vector for vector in counted if (vector.validation_accuracy or 0.0) == best]
    return tied[0], tied[1:]


def _percentiles(replicates: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """2.5 and 97.5 % points of each row, over the replicates that have a kappa; NaN if none has."""
    out = np.full((2, len(replicates)), np.nan)
    for v, row in enumerate(replicates):
        known = row[~np.isnan(row)]
        if len(known):
            out[:, v] = np.percentile(known, [2.5, 97.5])
    return out[0], out[1]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
