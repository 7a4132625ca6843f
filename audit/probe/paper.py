"""The paper's protocol, for comparison with its numbers: one random 60/20/20 split, 39 fits.

For each vector, the regularisation with the best validation accuracy wins (the first in a tie), and its predictions for
the test part are the vector's scores. Groups play no part. Pacchiardi et al. (2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from audit.probe.crossfit import Fitting, Ints, Scores
from audit.probe.folds import paper_split
from audit.probe.logistic import fit
from audit.probe.spreading import in_threads
from audit.probe.training import Training

if TYPE_CHECKING:
    from audit.features.table import FeatureTable
    from audit.features.vectors import Vector

__all__ = ["single_split"]


def single_split(table: FeatureTable, y: Ints, vectors: Sequence[Vector], fitting: Fitting) -> list[Scores]:
    """Scores of the test part (a fifth of the N items) for each vector, in the order of `vectors`."""
    train, validation, test = paper_split(len(y), fitting.seed)
    rows = np.sort(test)
    unseen = np.concatenate((validation, rows))

    def task(vector: Vector) -> Scores:
        parts = table.parts(vector, train, unseen, y[train], upstream_counts=fitting.upstream_counts)
        seen = Training(parts.train, y[train])
        held, scored = parts.held[: len(validation)], parts.held[len(validation) :]
        best, accuracy, chosen = None, -1.0, ""
        for how in fitting.candidates:
            model = fit(seen, how)
            right = float((model.predict(held, fitting.labels) == y[validation]).mean())
            if right > accuracy:
                best, accuracy, chosen = model, right, how.name
        assert best is not None  # there is at least one candidate, and accuracies are never negative
        probabilities = best.probabilities(scored, fitting.labels)
        fitting.progress(1)
        return Scores(
            vector=vector,
            rows=rows,
            predicted=probabilities.argmax(axis=1)[None].astype(np.int16),
            matched=probabilities.argmax(axis=1)[None].astype(np.int16),  # this protocol knows no other
            probabilities=probabilities,
            validation=accuracy,
            regularisation=[chosen],
            features=len(parts.columns),
        )

    return in_threads(task, vectors, fitting.workers)
