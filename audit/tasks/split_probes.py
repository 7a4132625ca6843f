"""The probes of a published split: fitted on its training part, asked about its test part or some of it; and cues put
into both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import things
from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.findable import POWER, WORDS, Injected, crossings, rounds_of
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import VECTOR, Draws, WordBed
from hansproof.audit.probes.logistic import Training, fit, fit_all
from hansproof.audit.probes.refitting import Limit
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.probes.task import Task
from hansproof.audit.reading.task_kind import FEWEST
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.numbers import Findable
from hansproof.audit.result.tasks import SplitKappa
from hansproof.audit.statistics.intervals import Errors, effective_groups
from hansproof.audit.statistics.kappa import shares_of
from hansproof.audit.statistics.permutation import relabelled, seeded
from hansproof.audit.tasks.split_parts import TEST, TRAIN, VALIDATION
from hansproof.generators.errors import NotAssessedError

if TYPE_CHECKING:
    from hansproof.audit.benchmark import Benchmark
    from hansproof.audit.texts.feature_table import FeatureTable
    from hansproof.audit.texts.vectors import Vector

__all__ = ["SplitBed", "SplitRows", "Subsets", "score_parts", "smallest_found_in_split", "split_rows"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# With a validation part of its own, a split is used as published: fitted on the training part alone. Where validation
# had to be cut from the training part, the chosen model is fitted again on all of it.


@dataclass(frozen=True)
class SplitRows:
    """Units of the three parts, each ascending."""

    train: Ints
    validation: Ints
    test: Ints
    cut: bool
    """The validation part belongs to the training part."""

    @property
    def learnt(self) -> Ints:
        """The units that the final models are fitted on."""
        return np.sort(np.concatenate([self.train, self.validation])) if self.cut else self.train

    def rows(self, task: Task) -> SplitRows:
        """The same parts as rows of the task."""
        return SplitRows(task.rows(self.train), task.rows(self.validation), task.rows(self.test), self.cut)


def split_rows(task: Task, items: Benchmark, groups: Ints, settings: Settings) -> SplitRows:
    """The units of the parts that `splits` of the items names `train`, `validation` and `test`.

    Raises NotAssessedError if the training or the test part has too few items or a single answer.
    """
    part = np.array(items.splits)
    train, validation, test = (np.flatnonzero(part == name) for name in (TRAIN, VALIDATION, TEST))
    for name, units in (("training", train), ("test", test)):
        if len(units) < FEWEST:
            raise NotAssessedError(
                f"Only {things(len(units), 'item')} in the {name} part: at least {FEWEST} are needed."
            )
        if has_one_answer(task, units):
            answer = items.answers[int(units[0])]
            raise NotAssessedError(f"All items of the {name} part have the answer {answer!r}.")
    cut = not len(validation)
    if cut:
        train, validation = cut_validation(train, task.strata(task.gold), groups, settings.folds, settings.seed)
    return SplitRows(train, validation, test, cut)


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


def score_parts(task: Task, parts: SplitRows, vectors: Sequence[Vector], fitting: Fitting) -> list[Scores]:
    """Scores of the test units for each vector, in the order of `vectors`."""
    y, k = task.answers(task.gold), task.k
    train, tested = task.rows(parts.train), task.rows(parts.test)
    learnt, held = task.rows(parts.learnt), np.concatenate([task.rows(parts.validation), tested])
    prior, n = shares_of(y[learnt], k), len(held) - len(tested)

    def right(probabilities: Floats) -> float:
        """The kappa in validation; 0 where it is undefined: one answer alone says nothing about a model."""
        matched = task.matched(probabilities, parts.validation, prior)
        return float(np.nan_to_num(task.kappa(matched, task.gold, parts.validation)))

    def scored(vector: Vector) -> Scores:
        table = task.tables[vector.table]
        columns = table.parts(vector, train, held, y[train], upstream_counts=fitting.upstream_counts)
        training, candidates = Training(columns.train, y[train]), fitting.candidates if n else fitting.candidates[:1]
        models = fit_all(training, candidates)
        kappas = [right(model.probabilities(columns.held[:n], k)) if n else 0.0 for model in models]
        best = int(np.argmax(kappas))
        model, X, ids = models[best], columns.held[n:], columns.columns
        if parts.cut and n:
            again = table.parts(vector, learnt, tested, y[learnt], upstream_counts=fitting.upstream_counts)
            model, X, ids = fit(Training(again.train, y[learnt]), candidates[best]), again.held, again.columns
        probabilities = model.probabilities(X, k)
        fitting.progress(1)
        return Scores(
            vector=vector,
            units=parts.test,
            predicted=probabilities.argmax(axis=1)[None].astype(np.int16),
            matched=task.matched(probabilities, parts.test, prior)[None].astype(task.matched_as),
            probabilities=probabilities,
            validation=kappas[best],
            regularisation=[candidates[best].name],
            features=len(ids),
        )

    return in_threads(scored, vectors, fitting.workers)


class Subsets:
    """What one probe says of the m test items: `task` has them alone, and `probabilities` (rows, k) are those of their
    rows.

    Predictions are matched anew for each subset: among fewer items, other ones are the likeliest. `groups` are (m,),
    and `prior` (k,) the shares of the labels in the training part.
    """

    def __init__(self, task: Task, groups: Ints, probabilities: Floats, prior: Floats) -> None:
        self._task, self._groups, self._probabilities, self._prior = task, groups, probabilities, prior
        self._whole, self._influence, _ = self._measured(np.ones(len(groups), dtype=np.bool_))

    def all(self) -> SplitKappa:
        """The kappa of all items."""
        return self.kappa("all", np.ones(len(self._groups), dtype=np.bool_))

    def kappa(self, name: Literal["all", "no near-duplicate", "new template"], kept: Bools) -> SplitKappa:
        """The kappa of the items `kept` (m,) with its interval, and its fall, whose interval knows the common items."""
        value, influence, error = self._measured(kept)
        groups = np.unique(self._groups[kept], return_inverse=True)[1]
        low = high = fall_low = None
        if value is not None and error is not None:
            half = float(error.half_width()[0])
            if np.isfinite(half):
                low, high = max(value - half, -1.0), min(value + half, 1.0)
            if self._whole is not None and name != "all":
                count = len(influence)
                se = np.sqrt(((self._influence - influence) ** 2).sum() * count / max(count - 1, 1))
                half = float(replace(error, se=np.array([se])).half_width()[0])
                fall_low = max(self._whole - value - half, -2.0) if count > 1 else None
        return SplitKappa(
            items_kept=name,
            items=int(kept.sum()),
            groups=effective_groups(groups) if len(groups) else 0.0,
            kappa=value,
            low=low,
            high=high,
            fall_low=fall_low,
        )

    def _measured(self, kept: Bools) -> tuple[float | None, Floats, Errors | None]:
        """(kappa, the contribution of each group of all items to its error, its error); no kappa where only one answer
        is left.
        """
        task, units, influence = self._task, np.flatnonzero(kept), np.zeros(int(self._groups.max()) + 1)
        if not len(units) or has_one_answer(task, units):
            return None, influence, None
        given = task.matched(self._probabilities[task.rows(units)], units, self._prior)
        value = task.kappa(given, task.gold, units)
        present, groups = np.unique(self._groups[units], return_inverse=True)
        rows = given[None, None].astype(task.matched_as)
        error = task.errors(rows, task.gold, units, groups, np.array([[value]]))
        influence[present] = error.influence[0]
        return value, influence, error


def has_one_answer(task: Task, units: Ints) -> bool:
    """Whether all of `units` have the same right answer, so that guessing is always right and kappa is undefined."""
    return task.chance(units) > 1 - 1e-12


def smallest_found_in_split(
    table: FeatureTable, y: Ints, groups: Ints, parts: SplitRows, fitting: Fitting, limit: Limit
) -> list[Findable]:
    """The smallest kappa of each kind of cue that the split would show with probability `POWER`; None if none would.

    As `audit.probes.findable.smallest_found`, but learnt on the training part and tested on the test part alone, and
    with the answers relabelled within each, so that both keep their shares. `y` and `groups` (N,) are numbers from 0.
    `limit` is the test of the vector that words are put into, among the test items.
    """
    times = rounds_of(len(parts.test) * (int(y.max()) + 1))
    random = partial(seeded, fitting.seed, "published", "injection")
    drawn = [y.copy() for _ in range(times)]
    for name, rows in (("learnt", np.concatenate([parts.train, parts.validation])), ("test", parts.test)):
        own = np.unique(groups[rows], return_inverse=True)[1]
        for z, answers in zip(drawn, relabelled(y[rows], own, times, random(name)), strict=True):
            z[rows] = answers
    rounds = [
        Injected(Draws.draw(z, random("markers", k)), SplitBed(table, z, parts), parts.test)
        for k, z in enumerate(drawn)
    ]
    return crossings(rounds, WORDS, limit.wanted(POWER), fitting)


class SplitBed(WordBed):
    """The rows of a split, into which any number of cues can be put: learnt from one part, asked about the others."""

    def __init__(self, table: FeatureTable, y: Ints, rows: SplitRows) -> None:
        self.y, self.labels = y, int(y.max()) + 1
        # In the order in which one chooses the model for the one before it: validation for the test part. Without
        # validation it is the training part, of which nothing is predicted: the first model.
        self.fold = np.full(len(y), 2)
        self.fold[rows.validation], self.fold[rows.test] = 1, 0
        held = np.concatenate([rows.validation, rows.test])
        columns = table.parts(VECTOR, rows.train, held, y[rows.train])
        self.parts = [(rows.train, held, Training(columns.train, y[rows.train]), columns.held)]
