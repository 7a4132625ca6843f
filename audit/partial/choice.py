"""One prediction per item from several feature vectors: in each fold, the vector that training preferred.

The best of six kappas is too large by what the choice gains. So a rung of the ladder is the whole procedure, choice
included: in each fold, the vector with the best kappa on the validation part of its training items predicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.probes.crossfit import Scores
from audit.texts.vectors import Vector

__all__ = ["chosen_in_training"]

Ints = NDArray[np.int64]


def chosen_in_training(name: str, label: str, scores: Sequence[Scores], folds: Sequence[Ints]) -> tuple[Scores, str]:
    """The predictions of several vectors as those of a single one, and the name of the vector chosen most often.

    `scores` (one or more) were cross-fitted on the splits `folds`, each the fold (N,) of every item; only as many
    splits are used as they all have. Ties, and validations that are undefined, go to the first vector.
    """
    splits = min([len(folds), *(len(entry.matched) for entry in scores)])
    matched, predicted = scores[0].matched[:splits].copy(), scores[0].predicted[:splits].copy()
    chosen: list[str] = []
    validations: list[float] = []
    at = 0
    for split, fold in enumerate(folds[:splits]):
        for number in np.unique(fold).tolist():
            known = [_validation(entry, at) for entry in scores]
            best = int(np.argmax(np.round(known, 12)))
            rows = fold == number
            matched[split, rows], predicted[split, rows] = (
                scores[best].matched[split, rows],
                scores[best].predicted[split, rows],
            )
            chosen.append(scores[best].vector.name)
            validations.append(known[best])
            at += 1
    often = Counter(chosen)
    order = [entry.vector.name for entry in scores]
    combined = replace(
        scores[0],
        vector=Vector(name, label, "dense", "", 0, ""),
        matched=matched,
        predicted=predicted,
        regularisation=chosen,
        validation=float("nan"),
        validations=tuple(validations),
        features=int(np.median([entry.features for entry in scores])),
    )
    return combined, max(order, key=lambda vector: (often[vector], -order.index(vector)))


def _validation(scores: Scores, at: int) -> float:
    """Kappa on the validation part of one fold of one split; -1 if there was none."""
    value = scores.validations[at] if at < len(scores.validations) else float("nan")
    return -1.0 if np.isnan(value) else value
