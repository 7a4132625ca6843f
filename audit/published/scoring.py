"""Learn on one part, choose on another, predict a third: the probes of a published split, each fitted once.

With a validation part of its own, a split is used as published: fitted on the training part alone. Where validation had
to be cut from the training part, the chosen model is fitted again on all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.probes.crossfit import Fitting, Scores
from audit.probes.folds import fold_numbers
from audit.probes.logistic import Training, carried, fit
from audit.probes.spreading import in_threads
from audit.statistics.kappa import matched, matched_kappa, shares_of
from audit.statistics.permutation import seeded

if TYPE_CHECKING:
    from audit.texts.feature_table import FeatureTable
    from audit.texts.vectors import Vector

__all__ = ["Parted", "cut_validation", "score_parts"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Parted:
    """Rows of the three parts, each ascending."""

    train: Ints
    validation: Ints
    test: Ints
    cut: bool
    """The validation part belongs to the training part."""

    @property
    def learnt(self) -> Ints:
        """The rows that the final models are fitted on."""
        return np.sort(np.concatenate([self.train, self.validation])) if self.cut else self.train


def cut_validation(train: Ints, y: Ints, groups: Ints, folds: int, seed: int) -> tuple[Ints, Ints]:
    """(training, validation) rows: one of `folds` folds of the rows `train` is cut off, whole groups, labels balanced.

    `y` and `groups` are (N,). A training part of a single group cannot be cut: the validation part is then empty.
    """
    inner = np.unique(groups[train], return_inverse=True)[1]
    if inner.max() == 0:
        return train, train[:0]
    labels = np.unique(y[train], return_inverse=True)[1]
    fold = fold_numbers(labels, inner, folds, seeded(seed, "published", "validation"))
    return train[fold != 0], train[fold == 0]


def score_parts(
    table: FeatureTable, y: Ints, parts: Parted, vectors: Sequence[Vector], fitting: Fitting
) -> list[Scores]:
    """Scores of the test rows for each vector, in the order of `vectors`; `y` is (N,)."""
    prior = shares_of(y[parts.learnt], fitting.labels)

    def task(vector: Vector) -> Scores:
        train, held = parts.train, np.concatenate([parts.validation, parts.test])
        columns = table.parts(vector, train, held, y[train], upstream_counts=fitting.upstream_counts)
        training, n = Training(columns.train, y[train]), len(parts.validation)
        candidates = fitting.candidates if n else fitting.candidates[:1]
        models = [fit(training, how) for how in candidates]
        gold, X = y[parts.validation], columns.held[:n]
        right = [matched_kappa(gold, model.probabilities(X, fitting.labels), prior) if n else 0.0 for model in models]
        best = int(np.argmax(right))
        model, X, ids = models[best], columns.held[n:], columns.columns
        if parts.cut and n:
            learnt = parts.learnt
            again = table.parts(vector, learnt, parts.test, y[learnt], upstream_counts=fitting.upstream_counts)
            how = candidates[best]
            begin = carried(model.weights, ids, again.columns) if how.linear else None
            model, X, ids = fit(Training(again.train, y[learnt]), how, begin), again.held, again.columns
        probabilities = model.probabilities(X, fitting.labels)
        fitting.progress(1)
        return Scores(
            vector=vector,
            rows=parts.test,
            predicted=probabilities.argmax(axis=1)[None].astype(np.int16),
            matched=matched(probabilities, prior)[None].astype(np.int16),
            probabilities=probabilities,
            validation=right[best],
            regularisation=[candidates[best].name],
            features=len(ids),
        )

    return in_threads(task, vectors, fitting.workers)
