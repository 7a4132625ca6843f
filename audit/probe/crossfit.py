"""The default protocol: every item is predicted by a probe that never saw it or any other item of its group.

For each outer fold and feature vector, the training items are split once more in the same way, the regularisation is
chosen on the validation part, and the chosen one is refitted on all training items. Counting, scaling, feature
selection and model choice use training items only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.probe.folds import fold_numbers
from audit.probe.logistic import REGULARISATIONS, Regularisation, fit
from audit.probe.resampling import seeded
from audit.probe.training import Training

if TYPE_CHECKING:
    from audit.features.table import Design, FeatureTable
    from audit.features.vectors import Vector

__all__ = ["Fitting", "Scores", "crossfit", "in_threads", "matrix"]

Ints = NDArray[np.int64]
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Scores:
    """One vector's predictions for m held-out items, and how they came about."""

    vector: Vector
    rows: Ints
    """(m,) the items scored, ascending; all items under cross-fitting."""
    predicted: Ints
    """(m,) label numbers."""
    probabilities: NDArray[np.float64]
    """(m, labels)."""
    fold: Ints
    """(m,) the outer fold in which the item was scored."""
    validation_accuracy: float
    """Accuracy of the chosen regularisation on the validation part, averaged over folds."""
    regularisation: list[str]
    """The name of the one chosen in each fold."""
    features: int
    """Number of features, median over folds."""


@dataclass(frozen=True)
class Fitting:
    """What both protocols need to know about a run."""

    labels: int
    """How many different answers there are."""
    seed: int
    candidates: tuple[Regularisation, ...] = REGULARISATIONS
    """The models to choose from; ties go to the first."""
    upstream_counts: bool = False
    workers: int = 1
    progress: Callable[[int], None] = lambda done: None
    """Called with the number of fits of one vector on one fold that have just finished."""


def matrix(design: Design) -> sp.csr_matrix:
    """The rows of a design as CSR, whether it is sparse or dense."""
    return sp.csr_matrix(design.dense) if design.X is None else design.X


def crossfit(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    vectors: Sequence[Vector],
    fitting: Fitting,
    *,
    scheme: str,
    folds: int = 5,
) -> list[Scores]:
    """Out-of-fold scores of all N items for each vector, in the order of `vectors`.

    `y` and `groups` are (N,) label and group numbers from 0. With fewer groups than folds, empty folds are skipped; the
    caller makes sure that there are at least two groups.
    """
    fold = fold_numbers(y, groups, folds, seeded(fitting.seed, scheme, "folds"))
    used = np.unique(fold)
    parts = []
    for number in used.tolist():
        train = np.flatnonzero(fold != number)
        inner_groups = np.unique(groups[train], return_inverse=True)[1]
        inner_labels = np.unique(y[train], return_inverse=True)[1]
        inner = fold_numbers(inner_labels, inner_groups, 4, seeded(fitting.seed, scheme, "inner", number))
        parts.append((train, train[inner != 0], train[inner == 0], np.flatnonzero(fold == number)))

    def task(vector: Vector, part: tuple[Ints, Ints, Ints, Ints]) -> tuple[int, float, int, NDArray[np.float64]]:
        train, inner_train, validation, test = part
        chosen, accuracy = 0, float("nan")
        if len(validation) and len(inner_train):
            X = matrix(table.design(vector, inner_train, y[inner_train], upstream_counts=fitting.upstream_counts))
            seen, held = Training(X[inner_train], y[inner_train]), X[validation]
            right = [
                float((fit(seen, how).predict(held, fitting.labels) == y[validation]).mean())
                for how in fitting.candidates
            ]
            chosen = int(np.argmax(right))
            accuracy = right[chosen]
        X = matrix(table.design(vector, train, y[train], upstream_counts=fitting.upstream_counts))
        model = fit(Training(X[train], y[train]), fitting.candidates[chosen])
        fitting.progress(1)
        return chosen, accuracy, X.shape[1], model.probabilities(X[test], fitting.labels)

    jobs = [(vector, part) for vector in vectors for part in parts]
    done = in_threads(lambda job: task(*job), jobs, fitting.workers)
    scores = []
    for v, vector in enumerate(vectors):
        results = done[v * len(parts) : (v + 1) * len(parts)]
        probabilities = np.empty((len(y), fitting.labels))
        for part, result in zip(parts, results, strict=True):
            probabilities[part[3]] = result[3]
        accuracies = [result[1] for result in results]
        scores.append(
            Scores(
                vector=vector,
                rows=np.arange(len(y)),
                predicted=probabilities.argmax(axis=1),
                probabilities=probabilities,
                fold=fold,
                validation_accuracy=float(np.mean(accuracies)),
                regularisation=[fitting.candidates[result[0]].name for result in results],
                features=int(np.median([result[2] for result in results])),
            )
        )
    return scores


def in_threads(function: Callable[[T], R], jobs: Sequence[T], workers: int) -> list[R]:
    """Results in the order of `jobs`, computed in threads: the compiled fits release the interpreter lock.

    `workers` is the number of threads, 0 for one per core.
    """
    count = min(workers if workers > 0 else os.cpu_count() or 1, max(len(jobs), 1))
    if count == 1:
        return [function(job) for job in jobs]
    with ThreadPoolExecutor(count) as pool:
        # Last first: vectors are ordered from small to large, and a large one started last would run alone.
        return list(pool.map(function, reversed(jobs)))[::-1]
