"""One way of splitting, from scores to numbers: kappas, intervals, p-values, power and the headline."""

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
"""A label with a smaller share of the items is a slip, not one more way of being wrong by chance."""


@dataclass(frozen=True)
class Measured:
    """A scheme's result, with the bootstrap replicates that a paired difference needs."""

    result: SchemeResult
    scores: list[Scores]
    replicates: NDArray[np.float64]
    """(vectors, times) Cohen's kappas; NaN where a replicate has none."""

    def of(self, vector: str) -> tuple[Scores, NDArray[np.float64]]:
        """The scores and replicates of one vector by name."""
        at = [one.vector.name for one in self.scores].index(vector)
        return self.scores[at], self.replicates[at]


def measure(
    name: str, y: Ints, groups: Ints, labels: int, scores: list[Scores], settings: Settings, counted: set[str]
) -> Measured:
    """Statistics of `scores` against gold labels y (N,), groups (N,) being what is permuted and resampled.

    `counted` names the vectors that Holm's correction and the verdict look at. The resampling draws do not
    depend on the scheme's name, so that two schemes on the same items are compared draw by draw.
    """
    rows = scores[0].rows
    gold = y[rows]
    held = np.unique(groups[rows], return_inverse=True)[1]
    predicted = np.stack([one.predicted for one in scores])
    tables = np.stack([kappa.confusion(gold, row, labels) for row in predicted])
    p, _ = permutation_p(gold, predicted, held, settings.permutations, seeded(settings.seed, "permutation"))
    cohen, uniform = kappa.cohen(tables), kappa.uniform(tables)
    p = np.where(np.isnan(cohen), np.nan, p)
    deciding = np.array([one.vector.name in counted for one in scores])
    corrected = holm(np.where(deciding, p, np.nan))
    replicates = bootstrap_kappas(gold, predicted, held, labels, settings.bootstrap, seeded(settings.seed, "bootstrap"))
    low, high = _percentiles(replicates)
    accuracy, balanced = kappa.accuracy(tables), kappa.balanced_accuracy(tables)
    vectors = [
        VectorResult(
            vector=one.vector.name,
            label=one.vector.label,
            cohen=_number(cohen[v]),
            cohen_low=_number(low[v]),
            cohen_high=_number(high[v]),
            uniform=_number(uniform[v]),
            accuracy=float(accuracy[v]),
            balanced_accuracy=_number(balanced[v]),
            p=_number(p[v]),
            p_holm=_number(corrected[v]),
            validation_accuracy=_number(one.validation_accuracy),
            regularisation=one.regularisation,
            features=one.features,
            counted=bool(deciding[v]),
        )
        for v, one in enumerate(scores)
    ]
    headline, tied = _headline(vectors)
    counts = np.bincount(y, minlength=labels)
    share = float(counts.max() / len(y))
    common = max(int((counts >= STRAY * len(y)).sum()), 2)
    detectable = detectable_kappa(
        gold, held, seeded(settings.seed, "power"), alpha=settings.alpha, vectors=int(deciding.sum())
    )
    result = SchemeResult(
        scheme=name,  # type: ignore[arg-type]  # one of the three names, from run.py
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
    (loose, a), (tight, b) = random.of(vector), grouped.of(vector)
    kappas = {
        which.result.scheme: next(one.cohen for one in which.result.vectors if one.vector == vector)
        for which in (random, grouped)
    }
    first, second = kappas[random.result.scheme], kappas[grouped.result.scheme]
    if first is None or second is None or len(loose.rows) != len(tight.rows):
        return None
    low, high = _percentiles((a - b)[None, :])
    return SchemeGap(vector=vector, gap=first - second, low=float(low[0]), high=float(high[0]))


def _headline(vectors: Sequence[VectorResult]) -> tuple[str, list[str]]:
    """The counted vector with the best validation accuracy, the first of the table's order, and its ties."""
    counted = [one for one in vectors if one.counted] or list(vectors)
    best = max(one.validation_accuracy or 0.0 for one in counted)
    tied = [one.vector for one in counted if (one.validation_accuracy or 0.0) == best]
    return tied[0], tied[1:]


def _percentiles(replicates: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """2.5 and 97.5 % points of each row, over the replicates in which kappa exists; NaN where none does."""
    out = np.full((2, len(replicates)), np.nan)
    for v, row in enumerate(replicates):
        known = row[~np.isnan(row)]
        if len(known):
            out[:, v] = np.percentile(known, [2.5, 97.5])
    return out[0], out[1]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
