"""The course of an assessment of labels: probes of the feature vectors of whole prompts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from audit.assessing.belonging import Belonging
from audit.assessing.course import Course, fitting_of
from audit.labelled import Labelled
from audit.probes.clusters import SPLITS, kappa_together
from audit.probes.crossfit import Fitting, Ints, Scores, crossfit, single_split
from audit.probes.findable import smallest_found
from audit.probes.folds import Excerpt, effort_for, excerpt_of, loosened
from audit.probes.kappas import MeasuredScheme, RefitWidening, measure
from audit.probes.refitting import HALVINGS, REFITS, null_stretch, sampling_stretch
from audit.probes.spreading import FitExecutor
from audit.result.audit_result import Findable, Settings
from audit.result.numbers import FULL_LABELS, SchemeName
from audit.texts.vectors import FURTHER, THIRTEEN, Vector, by_name
from audit.verdict.reasons import why_unpredictable
from generators.errors import Progress

__all__ = ["COUNTED", "LabelCourse"]

COUNTED = frozenset(vector.name for vector in (*THIRTEEN, *FURTHER) if vector.name != "length")
"""The vectors that decide the verdict and that its correction covers."""


class LabelCourse(Course[Scores]):
    """N prompts with label numbers, on their way to a verdict."""

    def __init__(
        self,
        items: Labelled,
        belonging: Belonging,
        vectors: tuple[Vector, ...],
        settings: Settings,
        workers: int,
        progress: Progress,
        spread: FitExecutor | None = None,
    ) -> None:
        y, labels = items.y, len(items.labels)
        paper = settings.protocol == "paper"
        self.effort = None if paper else effort_for(len(y), settings.splits, labels, thorough=settings.thorough)
        self._splits = self.effort.splits if self.effort else settings.splits
        super().__init__(items.benchmark.prompts, belonging, settings, len(vectors) * self._splits, progress)
        self._table, self._y, self._labels, self._vectors = items.table, y, labels, vectors
        fitting = fitting_of(settings, labels, workers, self.finished)
        self.fitting = replace(fitting, candidates=loosened(fitting.candidates, self.effort, labels), spread=spread)

    @property
    def quiet(self) -> Fitting:
        """How probes are fitted beside those that are counted as progress."""
        return self.fitting.quiet()

    @cached_property
    def _part(self) -> Excerpt:
        """What refitting and injected cues are measured on: all items, unless there are very many."""
        return excerpt_of(self._table, self._y, self._belonging.groups, self.effort, self._settings.seed)

    def paper(self) -> MeasuredScheme[Scores]:
        """The paper's protocol: one split, every item by itself."""
        scores = single_split(self._table, self._y, self._vectors, self.fitting)
        alone = np.arange(len(self._y))
        return measure("paper", self._y, alone, self._labels, scores, self._settings, COUNTED)

    def crossfit(self, groups: Ints, scheme: SchemeName) -> list[Scores]:
        """Out-of-fold scores of every vector."""
        return crossfit(
            self._table, self._y, groups, self._vectors, self.fitting,
            scheme=scheme, folds=self._settings.folds, splits=self._splits,
        )  # fmt: skip

    def measured(
        self, scheme: SchemeName, scores: list[Scores], refitted: Callable[[Sequence[Scores], float], RefitWidening]
    ) -> MeasuredScheme[Scores]:
        """The statistics of `scores`, whose errors are independent between groups under either scheme."""
        groups = self._belonging.groups
        return measure(scheme, self._y, groups, self._labels, scores, self._settings, COUNTED, refitted)

    def refitted(self, strongest: Sequence[Scores], null_sd: float) -> RefitWidening:
        """By how much refitting widens errors and null."""
        vectors, folds, part = [scores.vector for scores in strongest], self._settings.folds, self._part
        fitting = replace(self.quiet, progress=self._steps("refitting", HALVINGS + REFITS))
        return RefitWidening.measured(
            sampling_stretch(part.table, part.y, part.groups, vectors, fitting, folds),
            null_stretch(part.table, part.y, part.groups, vectors[0], fitting, folds, null_sd * part.widens),
        )

    def kappa_together(self, vector: str, grouped: MeasuredScheme[Scores], together: Ints) -> float:
        """The kappa of a vector with the groups `together` in one fold each."""
        # Half of kappa is told from all of it by a single split where there are so many items times answers.
        splits = 1 if self.effort is not None and self._labels > FULL_LABELS else SPLITS
        return kappa_together(
            self._table, self._y, together, by_name(vector), self.quiet, folds=self._settings.folds, splits=splits
        )

    def unpredictable(self) -> str:
        """Why no prompt can give its answer away."""
        shares = np.bincount(self._y) / len(self._y)
        items = zip(self._texts, self._y.tolist(), strict=True)
        return why_unpredictable(items, dict(enumerate(shares.tolist())), self._settings.threshold)

    def findable(self, grouped: MeasuredScheme[Scores]) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""
        part = self._part
        return smallest_found(
            part.table, part.y, part.groups, self.quiet,
            limits=grouped.limits(part.widens), folds=self._settings.folds,
        )  # fmt: skip
