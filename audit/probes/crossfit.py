"""Cross-fitting: every item is predicted by a probe that never saw its group; and the paper's one split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers, paper_split
from hansproof.audit.probes.logistic import REGULARISATIONS, Regularisation, Training, fit, fit_all
from hansproof.audit.probes.spreading import Cluster, in_threads, spread_out
from hansproof.audit.probes.task import LabelTask, Task
from hansproof.audit.statistics.kappa import shares_of
from hansproof.audit.statistics.permutation import seeded

if TYPE_CHECKING:
    from hansproof.audit.texts.vectors import Vector

__all__ = ["Fitting", "Scores", "crossfit", "crossfit_folds", "draw_folds", "single_split"]

# Several splits, because a single one is a lottery. For each outer fold, another one validates: the three
# regularisations are fitted without either, and the best is refitted on everything but the outer fold. Two folds that
# validate each other share these fits. All counting, scaling and choosing uses training items only.

MANY_LABELS = 100
"""More answers than these have their mean probabilities kept with 7 digits instead of 16: there are so many of them."""

Ints = NDArray[np.int64]
Small = NDArray[np.int16]


@dataclass(frozen=True)
class Scores:
    """One vector's predictions for m held-out units over S splits, and how they came about; R rows belong to them."""

    vector: Vector
    units: Ints
    """(m,) the units scored, ascending; all of them under cross-fitting."""
    predicted: Small
    """(S, R) the most probable label of each row."""
    matched: NDArray[Any]
    """(S, R) what each row is given (`Task.matched`): labels as often as they occur, or shares of an item's choice."""
    probabilities: NDArray[np.floating]
    """(R, k) of the labels, averaged over the splits."""
    validation: float
    """Cohen's kappa of the chosen regularisation on the validation parts (`paper`: accuracy), averaged."""
    regularisation: list[str]
    """The name of the one chosen in each fold of each split."""
    features: int
    """Number of features, median over folds."""
    validations: tuple[float, ...] = ()
    """Kappa on the validation part behind each entry of `regularisation`."""


def _unnoticed(done: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Fitting:
    """What both protocols need to know about a run."""

    seed: int
    candidates: tuple[Regularisation, ...] = REGULARISATIONS
    """The models to choose from; ties go to the first."""
    upstream_counts: bool = False
    workers: int = 1
    progress: Callable[[int], None] = _unnoticed
    """Called with the number of vectors whose fits on one split have just finished."""
    spread: Cluster | None = None
    """The cluster that fits in place of the threads of this process."""

    def quiet(self) -> Fitting:
        """The same, and nobody is told."""
        return replace(self, progress=_unnoticed)

    def alone(self) -> Fitting:
        """The same as a job of many sees it: in one thread, and nobody is told."""
        return replace(self, workers=1, progress=_unnoticed, spread=None)


def crossfit(
    task: Task,
    groups: Ints,
    vectors: Sequence[Vector],
    fitting: Fitting,
    *,
    scheme: str,
    folds: int = 5,
    splits: int = 1,
) -> list[Scores]:
    """Out-of-fold scores of all n units for each vector, in the order of `vectors`.

    `groups` (n,) are numbers from 0. With fewer groups than folds, empty folds are skipped; the caller makes sure that
    there are at least two groups.
    """
    drawn = draw_folds(task.strata(task.gold), groups, fitting.seed, scheme, folds, splits)
    return crossfit_folds(task, vectors, fitting, drawn)


def draw_folds(strata: Ints, groups: Ints, seed: int, scheme: str, folds: int, splits: int) -> list[Ints]:
    """The fold (n,) of every unit in each of the `splits` of a scheme: the same whoever asks."""
    return [fold_numbers(strata, groups, folds, seeded(seed, scheme, "folds", split)) for split in range(splits)]


def crossfit_folds(
    task: Task, vectors: Sequence[Vector], fitting: Fitting, folds: Sequence[Ints], gold: Ints | None = None
) -> list[Scores]:
    """The same for given splits, each the fold (n,) of every unit, and for another `gold`, if there is one.

    Units of fold -1 take no part. All splits must leave out the same ones; scores are those of the others.
    """
    units = np.flatnonzero(folds[0] >= 0)
    # Vectors of one level are fitted one after the other, because they share their counts.
    bunches = [list(same) for _, same in groupby(vectors, key=lambda of: (of.table, of.kind, of.level, of.n))]
    jobs = [(fold, bunch) for bunch in bunches for fold in folds]
    done = spread_out(
        _bunch, task, (task.gold if gold is None else gold, fitting.alone()), jobs,
        workers=fitting.workers, spread=fitting.spread, done=lambda splits: fitting.progress(len(splits)),
    )  # fmt: skip
    by_bunch = [done[at : at + len(folds)] for at in range(0, len(done), len(folds))]
    by_vector = [parts for splits in by_bunch for parts in zip(*splits, strict=True)]
    return [_scores(vector, units, parts) for vector, parts in zip(vectors, by_vector, strict=True)]


def _bunch(task: Task, shared: tuple[Ints, Fitting], job: tuple[Ints, list[Vector]]) -> list[_Split]:
    """The vectors of one level on one split."""
    (gold, fitting), (fold, vectors) = shared, job
    return [_cross(task, gold, vector, fitting, fold) for vector in vectors]


@dataclass(frozen=True)
class _Split:
    """One vector on one split."""

    probabilities: NDArray[np.float32]
    predicted: Small
    matched: NDArray[Any]
    chosen: list[str]
    validation: list[float]
    features: list[int]


def _cross(task: Task, gold: Ints, vector: Vector, fitting: Fitting, fold: Ints) -> _Split:
    y, table = task.answers(gold), task.tables[vector.table]
    probabilities = np.zeros((len(y), task.k))
    given = np.zeros(len(y), dtype=task.matched_as)
    choices = _choices(task, gold, vector, fitting, fold)
    sizes = []
    for outer, (how, _) in choices.items():
        test = np.flatnonzero(fold == outer)
        train, held = task.rows(np.flatnonzero((fold >= 0) & (fold != outer))), task.rows(test)
        parts = table.parts(vector, train, held, y[train], upstream_counts=fitting.upstream_counts)
        sizes.append(len(parts.columns))
        model = fit(Training(parts.train, y[train]), how)
        probabilities[held] = model.probabilities(parts.held, task.k)
        given[held] = task.matched(probabilities[held], test, shares_of(y[train], task.k))
    rows = task.rows(np.flatnonzero(fold >= 0))
    kept = probabilities[rows].astype(np.float32)
    return _Split(
        kept,
        kept.argmax(axis=1).astype(np.int16),
        given[rows],
        [how.name for how, _ in choices.values()],
        [kappa for _, kappa in choices.values()],
        sizes,
    )


def _choices(
    task: Task, gold: Ints, vector: Vector, fitting: Fitting, fold: Ints
) -> dict[int, tuple[Regularisation, float]]:
    """For each outer fold, what is chosen and its kappa in validation; the first and NaN if there are only two folds.

    Folds validate each other in pairs, so that one set of fits serves both; an odd last one pairs with the first.
    """
    used, candidates = np.unique(fold[fold >= 0]).tolist(), fitting.candidates
    if len(used) < 3 or len(candidates) == 1:
        return dict.fromkeys(used, (candidates[0], np.nan))
    y, table = task.answers(gold), task.tables[vector.table]
    choices: dict[int, tuple[Regularisation, float]] = {}
    for place in range(0, len(used), 2):
        pair = used[place], used[(place + 1) % len(used)]
        without = np.isin(fold, pair)
        seen, held = task.rows(np.flatnonzero((fold >= 0) & ~without)), task.rows(np.flatnonzero(without))
        parts = table.parts(vector, seen, held, y[seen], upstream_counts=fitting.upstream_counts)
        models, shares = fit_all(Training(parts.train, y[seen]), candidates), shares_of(y[seen], task.k)
        scored = [model.probabilities(parts.held, task.k) for model in models]
        for outer, validation in (pair, pair[::-1]):
            if outer in choices:
                continue
            units = np.flatnonzero(fold == validation)
            of = np.isin(held, task.rows(units))
            kappas = [task.kappa(task.matched(each[of], units, shares), gold, units) for each in scored]
            kappas = np.nan_to_num(kappas).tolist()  # one answer alone says nothing about a model
            best = int(np.argmax(kappas))
            choices[outer] = candidates[best], kappas[best]
    return choices


def _scores(vector: Vector, units: Ints, parts: Sequence[_Split]) -> Scores:
    mean = np.asarray(np.mean([part.probabilities for part in parts], axis=0, dtype=np.float64))
    validation = [value for part in parts for value in part.validation]
    return Scores(
        vector=vector,
        units=units,
        predicted=np.stack([part.predicted for part in parts]),
        matched=np.stack([part.matched for part in parts]),
        probabilities=mean.astype(np.float32) if mean.shape[1] > MANY_LABELS else mean,
        validation=float(np.mean(validation)) if validation else float("nan"),
        regularisation=[name for part in parts for name in part.chosen],
        features=int(np.median([size for part in parts for size in part.features])),
        validations=tuple(validation),
    )


# One random 60/20/20 split, 39 fits; the best validation accuracy wins (the first in a tie), and groups play no part
# (Pacchiardi et al. 2024).


def single_split(task: LabelTask, vectors: Sequence[Vector], fitting: Fitting) -> list[Scores]:
    """Scores of the test part (a fifth of the N items) for each vector, in the order of `vectors`."""
    y, labels = task.y, task.labels
    train, validation, test = paper_split(len(y), fitting.seed)
    rows = np.sort(test)
    unseen = np.concatenate((validation, rows))

    def scored(vector: Vector) -> Scores:
        parts = task.tables[vector.table].parts(
            vector, train, unseen, y[train], upstream_counts=fitting.upstream_counts
        )
        seen = Training(parts.train, y[train])
        held, tested = parts.held[: len(validation)], parts.held[len(validation) :]
        models = fit_all(seen, fitting.candidates)
        accuracies = [
            float((model.probabilities(held, labels).argmax(axis=1) == y[validation]).mean()) for model in models
        ]
        best = int(np.argmax(accuracies))
        probabilities = models[best].probabilities(tested, labels)
        fitting.progress(1)
        return Scores(
            vector=vector,
            units=rows,
            predicted=probabilities.argmax(axis=1)[None].astype(np.int16),
            matched=probabilities.argmax(axis=1)[None].astype(np.int16),  # this protocol knows no other
            probabilities=probabilities,
            validation=accuracies[best],
            regularisation=[fitting.candidates[best].name],
            features=len(parts.columns),
        )

    return in_threads(scored, vectors, fitting.workers)
