"""Simpler shortcuts on the folds of the audit: what is fitted and chosen there is measured as its vectors are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hansproof.audit.probes.crossfit import Fitting, Ints, Scores, crossfit, draw_folds
from hansproof.audit.probes.kappas import RefitWidening, measure
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.task import Task
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.texts.vectors import Vector

__all__ = ["SharedFolds", "best_in_validation", "chosen_in_training", "most_often"]


@dataclass(frozen=True)
class SharedFolds:
    """What all simpler shortcuts of one audit share."""

    task: Task
    groups: Ints
    """(n,) group numbers."""
    scores: Sequence[Scores]
    """Those of the audit under grouped folds, of all its vectors."""
    stretch: RefitWidening
    """Of these scores; it holds for other probes on the same folds too."""
    fitting: Fitting
    settings: Settings

    @property
    def splits(self) -> int:
        """How often the units were divided into folds."""
        return len(self.scores[0].matched)

    def folds(self, splits: int | None = None) -> list[Ints]:
        """The fold (n,) of every unit, in the first few splits or in all."""
        task, seed, folds = self.task, self.settings.seed, self.settings.folds
        return draw_folds(task.strata(task.gold), self.groups, seed, "grouped", folds, splits or self.splits)

    def fitted(self, task: Task, vectors: Sequence[Vector], splits: int) -> list[Scores]:
        """The scores of other texts of the same units, without trees, which would take longer than all the rest."""
        fitting = replace(self.fitting.quiet(), candidates=self._linear)
        folds = self.settings.folds
        return crossfit(task, self.groups, vectors, fitting, scheme="grouped", folds=folds, splits=splits)

    def without_trees(self) -> SharedFolds:
        """The same without trees, fitted once more if they competed."""
        if self._linear == self.fitting.candidates:
            return self
        again = self.fitted(self.task, [entry.vector for entry in self.scores], self.splits)
        return replace(self, scores=again)

    def measured(self, scores: Sequence[Scores], uncounted: Collection[str] = ()) -> list[VectorResult]:
        """The numbers of other scores, with p corrected for all but the `uncounted`."""
        counted = {entry.vector.name for entry in scores} - set(uncounted)
        return measure(
            "grouped", self.task, self.groups, list(scores), self.settings, counted,
            lambda strongest, null_sd: self.stretch,
        ).result.vectors  # fmt: skip

    @property
    def _linear(self) -> tuple[Regularisation, ...]:
        return tuple(how for how in self.fitting.candidates if how.linear)


# The best of six kappas is too large by what the choice gains. So a rung of the ladder is the whole procedure, choice
# included: in each fold, the vector with the best kappa on the validation part of its training items predicts.


def chosen_in_training(task: Task, name: str, scores: Sequence[Scores], folds: Sequence[Ints]) -> tuple[Scores, Vector]:
    """The predictions of several vectors as those of a single one, called `name`, and the vector chosen most often.

    `scores` (one or more) were cross-fitted on the splits `folds`, each the fold (n,) of every unit; only as many
    splits are used as they all have. Ties, and validations that are undefined, go to the first vector.
    """
    splits = min([len(folds), *(len(entry.matched) for entry in scores)])
    matched, predicted = scores[0].matched[:splits].copy(), scores[0].predicted[:splits].copy()
    chosen: list[str] = []
    validations: list[float] = []
    for split, units, best, value in best_in_validation([entry.validations for entry in scores], folds[:splits]):
        rows = task.rows(units)
        matched[split, rows] = scores[best].matched[split, rows]
        predicted[split, rows] = scores[best].predicted[split, rows]
        chosen.append(scores[best].vector.name)
        validations.append(value)
    combined = replace(
        scores[0],
        vector=Vector(name, name, "dense", "", 0, ""),
        matched=matched,
        predicted=predicted,
        regularisation=chosen,
        validation=float("nan"),
        validations=tuple(validations),
        features=int(np.median([entry.features for entry in scores])),
    )
    often = most_often(chosen, [entry.vector.name for entry in scores])
    return combined, next(entry.vector for entry in scores if entry.vector.name == often)


def most_often(chosen: Sequence[str], order: Sequence[str]) -> str:
    """What was chosen most often; of equals the first in the `order`."""
    often = Counter(chosen)
    return max(order, key=lambda name: (often[name], -order.index(name)))


def best_in_validation(
    validations: Sequence[Sequence[float]], folds: Sequence[Ints]
) -> Iterator[tuple[int, Ints, int, float]]:
    """(split, items of a fold, place of the candidate with the best kappa in validation, that kappa), fold by fold.

    `validations` has the kappas of each candidate on the validation part of every fold of every split of `folds`. Ties
    go to the first candidate; a kappa that is missing or undefined is -1.
    """
    at = 0
    for split, fold in enumerate(folds):
        for number in np.unique(fold).tolist():
            known = [values[at] if at < len(values) and not np.isnan(values[at]) else -1.0 for values in validations]
            best = int(np.argmax(np.round(known, 12)))
            yield split, np.flatnonzero(fold == number), best, known[best]
            at += 1
