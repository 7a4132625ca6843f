"""The plan of an assessment: what is measured next depends on what was measured before."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Generic, TypeVar

import msgspec
import numpy as np

from hansproof.audit.probes.clusters import SPLITS, check_clusters, kappa_together
from hansproof.audit.probes.crossfit import Fitting, Ints, Scores, crossfit
from hansproof.audit.probes.folds import effort_for, loosened, part_of
from hansproof.audit.probes.kappas import MeasuredScheme, RefitWidening, measure, scheme_gap
from hansproof.audit.probes.logistic import PUBLISHED, REGULARISATIONS, TREES
from hansproof.audit.probes.refitting import HALVINGS, REFITS, null_stretch, sampling_stretch
from hansproof.audit.probes.spreading import Cluster
from hansproof.audit.probes.task import Task
from hansproof.audit.result.audit_result import ClusterCheck, Findable, SchemeGap, SchemeResult, Settings
from hansproof.audit.result.explanation import FormatShare, Mentions
from hansproof.audit.result.numbers import FULL_LABELS, SchemeName
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, SingleNgrams
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.tasks.group_layout import GroupLayout
from hansproof.audit.texts.vectors import Vector
from hansproof.audit.verdict.rule import MOST_COMMON, Judgement, Numbers, decide, strongest_suspect, suspects
from hansproof.generators.errors import Progress

__all__ = ["Assessed", "Explanation", "MeasurementPlan", "fitting_of", "steps_of"]


@dataclass(frozen=True)
class Assessed:
    """The measurements that a verdict rests on, and the verdict."""

    schemes: list[MeasuredScheme]
    """`grouped` and `random`, `grouped` alone if too few items belong together, `paper`, or `published`."""
    judgement: Judgement
    gap: SchemeGap | None = None
    clusters: tuple[ClusterCheck, ...] = ()
    findable: tuple[Findable, ...] = ()

    @property
    def deciding(self) -> MeasuredScheme:
        """The scheme that the verdict is about."""
        return next(scheme for scheme in self.schemes if scheme.result.scheme == self.judgement.scheme)

    @property
    def one_run(self) -> bool:
        """Whether one run served both schemes, because no group holds two different texts."""
        return len(self.schemes) == 2 and self.schemes[0].scores is self.schemes[1].scores


@dataclass(frozen=True)
class Explanation:
    """What is looked at once there is a verdict; None where it was not, or where there is nothing to say."""

    format_share: FormatShare | None = None
    mentions: Mentions | None = None
    partial: PartialInputs | None = None
    ladder: Ladder | None = None
    single_ngrams: SingleNgrams | None = None
    length: str | None = None
    """Which way the length of the texts points, where it is the simplest cue that is enough."""


T = TypeVar("T", bound=Task)

_SUSPECTS = 3
"""Vectors whose leak is checked against clusters of similar texts, until one holds."""

_NOT_SHOWN = ("CLEAN", "INCONCLUSIVE", "IMBALANCED", "TRACES")
"""Verdicts after which one must ask what would have been found."""


def fitting_of(settings: Settings, workers: int, progress: Callable[[int], None]) -> Fitting:
    """How probes are fitted under `settings`."""
    published = settings.solver == "scikit-learn"
    candidates = (PUBLISHED if published else REGULARISATIONS) + ((TREES,) if settings.trees else ())
    # liblinear keeps one random state for the whole process.
    used = 1 if published else workers
    return Fitting(settings.seed, candidates, settings.upstream_counts, used, progress)


def steps_of(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    """Tells of a stage; it is called with how many more of its `total` steps are done."""
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(stage, done, total)

    return step


class MeasurementPlan(ABC, Generic[T]):
    """The measurements of one benchmark, in the order in which a verdict needs them."""

    constant: ClassVar[str] = MOST_COMMON
    """What the simplest rule always gives."""
    uncounted: ClassVar[frozenset[str]] = frozenset()
    """Vectors that decide nothing, and that no correction covers."""

    def __init__(
        self,
        task: T,
        vectors: Sequence[Vector],
        texts: Sequence[str],
        belonging: GroupLayout,
        settings: Settings,
        workers: int,
        progress: Progress,
        spread: Cluster | None = None,
    ) -> None:
        """`vectors` are fitted, of which all but the `uncounted` decide; `texts` (n,) are compared for clusters."""
        paper = settings.protocol == "paper"
        self.effort = None if paper else effort_for(len(texts), settings.splits, task.k, thorough=settings.thorough)
        self.task, self.vectors, self._texts = task, vectors, texts
        self._counted = {vector.name for vector in vectors} - self.uncounted
        self._belonging, self._settings, self._progress = belonging, settings, progress
        self._splits, self._done = self.effort.splits if self.effort else settings.splits, 0
        fitting = fitting_of(settings, workers, self.finished)
        self.fitting = replace(fitting, candidates=loosened(fitting.candidates, self.effort, task.k), spread=spread)

    @cached_property
    def part(self) -> tuple[T, Ints, float]:
        """What refitting and injected cues are measured on, its groups, and by how much fewer groups widen the null.

        All units, unless there are very many.
        """
        groups = self._belonging.groups
        units = part_of(groups, self.effort, self._settings.seed)
        if units is None:
            return self.task, groups, 1.0
        own = np.asarray(np.unique(groups[units], return_inverse=True)[1], dtype=np.int64)
        return self.task.taken(units), own, float(np.sqrt(effective_groups(groups) / effective_groups(own)))

    def crossfit(self, groups: Ints, scheme: SchemeName) -> list[Scores]:
        """Out-of-fold scores of every vector, with each of the `groups` (n,) in one fold."""
        folds = self._settings.folds
        return crossfit(self.task, groups, self.vectors, self.fitting, scheme=scheme, folds=folds, splits=self._splits)

    def measured(
        self, scheme: SchemeName, scores: list[Scores], refitted: Callable[[Scores, float], RefitWidening]
    ) -> MeasuredScheme:
        """The statistics of `scores`, whose errors are independent between groups under either scheme.

        `refitted` says by how much refitting widens them.
        """
        return measure(scheme, self.task, self._belonging.groups, scores, self._settings, self._counted, refitted)

    def kappa_together(self, vector: str, together: Ints) -> float:
        """The kappa of a vector, cross-fitted with the groups `together` (n,) in one fold each."""
        # Half of kappa is told from all of it by a single split where there are so many items times answers.
        splits = 1 if self.effort is not None and self.task.k > FULL_LABELS else SPLITS
        wanted = next(each for each in self.vectors if each.name == vector)
        folds = self._settings.folds
        return kappa_together(self.task, together, wanted, self.fitting.quiet(), folds=folds, splits=splits)

    @abstractmethod
    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""

    @abstractmethod
    def unpredictable(self) -> str:
        """Why no text can give its answer away, as a sentence; empty if one could."""

    def judged(self, measured: MeasuredScheme) -> SchemeResult:
        """The numbers that the verdict rests on."""
        return measured.result

    def finished(self, count: int) -> None:
        """Tell that `count` more vectors were fitted on a split."""
        self._done += count
        self._progress(
            "fitting probes", self._done, len(self.vectors) * self._splits * (2 if self._belonging.straddles else 1)
        )

    def assessed(self, answers: int | None) -> Assessed:
        """Measure until there is a verdict; `answers` is how many there are, None if each item has its own."""
        settings = self._settings
        grouped, random = self._schemes()
        gap = scheme_gap(random, grouped, strongest_suspect(random.result, settings)) if random else None
        clusters = self._clusters(grouped)
        loose = self.judged(random) if random else None
        numbers = Numbers(self.judged(grouped), self._belonging.grouping, answers, loose, gap, clusters)
        judgement, findable = decide(numbers, settings, constant=self.constant), []
        if judgement.verdict in _NOT_SHOWN:
            unpredictable = self.unpredictable()
            if not unpredictable:
                self._progress("injecting cues", 0, 1)
                findable = self.findable(grouped)
            judgement = decide(numbers, settings, findable, self.constant, unpredictable)
        schemes = [grouped, random] if random else [grouped]
        return Assessed(schemes, judgement, gap, tuple(clusters), tuple(findable))

    def _schemes(self) -> tuple[MeasuredScheme, MeasuredScheme | None]:
        """Grouped folds, and random ones where enough items belong together for them to differ."""
        self.finished(0)
        tight = self.crossfit(self._belonging.groups, "grouped")
        self._progress("resampling", 0, 1)
        grouped = self.measured("grouped", tight, self._refitted)
        if self._belonging.apart:  # One run serves both.
            return grouped, replace(grouped, result=msgspec.structs.replace(grouped.result, scheme="random"))
        if not self._belonging.straddles:
            return grouped, None
        loose = self.crossfit(self._belonging.same, "random")
        return grouped, self.measured("random", loose, lambda strongest, null_sd: grouped.stretch)

    def _refitted(self, strongest: Scores, null_sd: float) -> RefitWidening:
        """By how much refitting widens errors and null of the strongest vector."""
        if self._settings.fast:
            return RefitWidening.usual()
        self._progress("refitting", 0, 1)
        (task, groups, widens), vector, folds = self.part, strongest.vector, self._settings.folds
        fitting = replace(self.fitting, progress=steps_of(self._progress, "refitting", HALVINGS + REFITS))
        return RefitWidening.measured(
            sampling_stretch(task, groups, vector, fitting, folds),
            null_stretch(task, groups, vector, fitting, folds, null_sd * widens),
        )

    def _clusters(self, grouped: MeasuredScheme) -> list[ClusterCheck]:
        """Whether one of the strongest suspects holds when clusters of similar texts are kept together."""
        leaks = suspects(grouped.result, self._settings)
        if not leaks or self._settings.groups == "none":
            return []
        self._progress("comparing texts", 0, 1)
        from hansproof.audit.texts.similarity import similarity_partitions

        parts = similarity_partitions(self._texts, groups=self._belonging.groups)
        partitions = [(part.alike, part.index) for part in parts if part.alike != "template"]
        checks: list[ClusterCheck] = []
        for leak in leaks[:_SUSPECTS]:
            own = check_clusters(
                self._belonging.groups, partitions, leak.vector, leak.matched or 0.0,
                partial(self.kappa_together, leak.vector), self._settings.margin,
            )  # fmt: skip
            checks += own
            if all(check.held for check in own):
                break
        return checks
