"""The default protocol: every item gets a prediction from probes that never saw it, nor any of its group.

For each outer fold and feature vector: the training items are parted once more, in the same way, the
regularisation is chosen on that validation part, and the chosen one is refitted on all training items. Counting,
scaling, selection of features and choice of model all happen inside the training items.
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
    """One vector's out-of-fold predictions for the items in `rows`, and how they came about."""

    vector: Vector
    rows: Ints
    """(m,) the items scored, ascending: all of them under cross-fitting."""
    predicted: Ints
    """(m,) label numbers."""
    probabilities: NDArray[np.float64]
    """(m, labels)."""
    fold: Ints
    """(m,) the outer fold in which the item was scored."""
    validation_accuracy: float
    """Mean over folds, of the regularisation chosen in each."""
    regularisation: list[str]
    features: int
    """Median over folds."""


@dataclass(frozen=True)
class Fitting:
    """What both protocols need to know about a run."""

    labels: int
    seed: int
    candidates: tuple[Regularisation, ...] = REGULARISATIONS
    upstream_counts: bool = False
    workers: int = 1
    progress: Callable[[int], None] = lambda done: None
    """Called with the number of vector-folds just finished."""


def matrix(design: Design) -> sp.csr_matrix:
    """The design's rows as CSR, whichever kind it is."""
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

    `y` and `groups` (N,) number labels and groups from 0. Folds left empty for want of groups are skipped; the
    caller sees to it that there are two groups at least.
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
        mine = done[v * len(parts) : (v + 1) * len(parts)]
        probabilities = np.empty((len(y), fitting.labels))
        for part, result in zip(parts, mine, strict=True):
            probabilities[part[3]] = result[3]
        accuracies = [result[1] for result in mine]
        scores.append(
            Scores(
                vector=vector,
                rows=np.arange(len(y)),
                predicted=probabilities.argmax(axis=1),
                probabilities=probabilities,
                fold=fold,
                validation_accuracy=float(np.mean(accuracies)),
                regularisation=[fitting.candidates[result[0]].name for result in mine],
                features=int(np.median([result[2] for result in mine])),
            )
        )
    return scores


def in_threads(function: Callable[[T], R], jobs: Sequence[T], workers: int) -> list[R]:
    """Results in the order of `jobs`; the compiled fits let go of the interpreter lock."""
    count = min(workers if workers > 0 else os.cpu_count() or 1, max(len(jobs), 1))
    if count == 1:
        return [function(job) for job in jobs]
    with ThreadPoolExecutor(count) as pool:
        # Last first: the vectors stand from small to large, and a large one begun last would run alone.
        return list(pool.map(function, reversed(jobs)))[::-1]
