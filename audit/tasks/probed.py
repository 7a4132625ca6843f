"""Shapes that probes can learn: what is measured next depends on what was measured before."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.probes.clusters import SPLITS, kappa_together
from hansproof.audit.probes.crossfit import Fitting, Ints, Scores, crossfit
from hansproof.audit.probes.folds import effort_for, loosened, part_of
from hansproof.audit.probes.given import divided_groups, given_scores
from hansproof.audit.probes.kappas import MeasuredScheme, RefitWidening, measure, scheme_gap
from hansproof.audit.probes.logistic import PUBLISHED, REGULARISATIONS, TREES, prepare
from hansproof.audit.probes.refitting import DEGREES, HALVINGS, REFITS, null_stretch, sampling_stretch
from hansproof.audit.probes.spreading import give_back
from hansproof.audit.probes.task import Task
from hansproof.audit.result.audit_result import Findable, PredictionsUsed, Settings
from hansproof.audit.result.numbers import FULL_LABELS, SchemeName
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.tasks.shape import Assessed, Running, Shape
from hansproof.audit.texts.vectors import Vector
from hansproof.audit.verdict.reasons import on_trust
from hansproof.audit.verdict.rule import MOST_COMMON, Probes, Suspect, strongest_suspect, suspects
from hansproof.generators.errors import UsageError

__all__ = ["ProbedShape"]

T = TypeVar("T", bound=Task)

_NOT_SHOWN = ("CLEAN", "INCONCLUSIVE", "IMBALANCED", "TRACES")
"""Verdicts after which one must ask what would have been found."""


class ProbedShape(Shape, Generic[T]):
    """A benchmark whose items are made into a task and vectors, by which probes are cross-fitted."""

    constant: ClassVar[str] = MOST_COMMON
    """What the simplest rule always gives."""
    uncounted: ClassVar[frozenset[str]] = frozenset()
    """Vectors that decide nothing, and that no correction covers."""
    labels: Sequence[str] = ()
    """The answers that all items share; empty if each item has its own."""

    def __init__(self, benchmark: Benchmark, settings: Settings, running: Running = Running()) -> None:  # noqa: B008
        """Order, group and count the items."""
        super().__init__(benchmark, settings, running)
        give_back()
        running.progress("counting", 0, 1)
        self.task, self.vectors = self.counted()
        give_back()
        self.given: tuple[PredictionsUsed, ...] = ()
        taken = {vector.name for vector in self.vectors} & {given.name for given in self.items.predictions}
        if taken:
            raise UsageError(f"{min(taken)!r} is the name of a feature vector; call yours otherwise: NAME=FILE")
        running.progress("preparing the probe", 0, 1)
        prepare()
        paper, k = settings.protocol == "paper", self.task.k
        n = len(self.items.prompts)
        self.effort = None if paper else effort_for(n, settings.splits, k, thorough=settings.thorough)
        self._splits, self._done = self.effort.splits if self.effort else settings.splits, 0
        published = settings.solver == "scikit-learn"
        candidates = (PUBLISHED if published else REGULARISATIONS) + ((TREES,) if settings.trees else ())
        # liblinear keeps one random state for the whole process.
        threads = 1 if published else affordable(running.workers, k, n)
        self.fitting = Fitting(
            settings.seed,
            loosened(candidates, self.effort),
            settings.upstream_counts,
            threads,
            self._finished,
            spread=running.spread,
        )

    @abstractmethod
    def counted(self) -> tuple[T, tuple[Vector, ...]]:
        """The task of the probes, and the vectors that they are fitted on, of which all but the `uncounted` decide."""

    @abstractmethod
    def chances(self, run: Sequence[dict[str, float]]) -> NDArray[np.float64]:
        """(R, k) the probabilities of the labels of every row, from those that one run of predictions gives to each
        item."""

    @abstractmethod
    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""

    @property
    @abstractmethod
    def right(self) -> Ints:
        """(n,) numbers of the right answers, equal where these are."""

    @abstractmethod
    def unpredictable(self, units: Ints) -> str:
        """Why no text of `units` can give its answer away, as a sentence; empty if one could."""

    @property
    def deciding_vectors(self) -> set[str]:
        """The names of the vectors that decide, and that the correction covers."""
        given = {used.name for used in self.given if used.folds is not None and not used.divided}
        return {vector.name for vector in self.vectors} - self.uncounted | given

    @cached_property
    def part(self) -> tuple[T, Ints, float]:
        """What refitting and injected cues are measured on, its groups, and by how much fewer groups widen the null.

        All units, unless there are very many.
        """
        groups = self.layout.groups
        units = part_of(groups, self.effort, self.settings.seed)
        if units is None:
            return self.task, groups, 1.0
        own = np.asarray(np.unique(groups[units], return_inverse=True)[1], dtype=np.int64)
        return self.task.taken(units), own, float(np.sqrt(effective_groups(groups) / effective_groups(own)))

    def measure(self) -> Assessed:
        """Cross-fit under grouped folds, and random ones where they differ, until there is a verdict."""
        settings = self.settings
        grouped, random = self._schemes()
        gap = scheme_gap(random, grouped, strongest_suspect(random.result, settings)) if random else None
        unchecked = {used.name: used.told for used in self.given}
        own = [leak for leak in suspects(grouped.result, settings) if leak.vector not in unchecked]
        leaks = [Suspect(leak.vector, leak.matched or 0.0) for leak in own]
        clusters = self.held_apart(leaks, self.together)
        case = Probes(
            grouped.result, self.layout.grouping, len(self.labels) or None, settings, random.result if random else None,
            gap, clusters, constant=self.constant, unchecked=unchecked,
        )  # fmt: skip
        judgement, findable = case.judged(), []
        if judgement.verdict in _NOT_SHOWN:
            unpredictable = self.unpredictable(np.arange(len(self.items.prompts)))
            if not unpredictable:
                self.running.progress("injecting cues", 0, 1)
                findable = self.findable(grouped)
            judgement = replace(case, findable=findable, unpredictable=unpredictable).judged()
        schemes = [grouped, random] if random else [grouped]
        return Assessed(schemes, judgement, gap, tuple(clusters), tuple(findable), self.effort, self.given)

    def steps(self, stage: str, total: int) -> Callable[[int], None]:
        """Tells of a stage; it is called with how many more of its `total` steps are done."""
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            self.running.progress(stage, done, total)

        return step

    def _finished(self, count: int) -> None:
        """Tell that `count` more vectors were fitted on a split."""
        self._done += count
        total = len(self.vectors) * self._splits * (2 if self.layout.straddles else 1)
        self.running.progress("fitting probes", self._done, total)

    def _schemes(self) -> tuple[MeasuredScheme, MeasuredScheme | None]:
        """Grouped folds, and random ones where enough items belong together for them to differ."""
        self._finished(0)
        tight = self._crossfit(self.layout.groups, "grouped") + self._given()
        self.running.progress("resampling", 0, 1)
        grouped = self._measured("grouped", tight, self._refitted)
        if self.layout.apart:  # One run serves both.
            return grouped, replace(grouped, result=msgspec.structs.replace(grouped.result, scheme="random"))
        if not self.layout.straddles:
            return grouped, None
        loose = self._crossfit(self.layout.same, "random")
        return grouped, self._measured("random", loose, lambda strongest, null_sd: grouped.stretch)

    def _given(self) -> list[Scores]:
        """The scores of the predictions that were made elsewhere, and in `given` what is to be said of them."""
        scores, used = [], []
        for each in self.items.predictions:
            named = each.folds or [[""] * len(self.items.prompts) for _ in each.runs]
            folds = [np.unique(np.array(run), return_inverse=True)[1].astype(np.int64) for run in named]
            number = int(folds[0].max()) + 1 if each.folds else None
            divided = divided_groups(self.layout.groups, folds)
            told = on_trust(number is not None, divided)
            runs = min(len(each.runs), self._splits)
            used.append(PredictionsUsed(name=each.name, source=each.source, runs=runs, folds=number, divided=divided,
                                        told=told))  # fmt: skip
            chances = [self.chances(run) for run in each.runs]
            scores.append(given_scores(self.task, each.name, chances, self._splits, named=each.named))
        self.given = tuple(used)
        return scores

    def _crossfit(self, groups: Ints, scheme: SchemeName) -> list[Scores]:
        """Out-of-fold scores of every vector, with each of the `groups` (n,) in one fold."""
        folds = self.settings.folds
        return crossfit(self.task, groups, self.vectors, self.fitting, scheme=scheme, folds=folds, splits=self._splits)

    def _measured(
        self, scheme: SchemeName, scores: Sequence[Scores], refitted: Callable[[Scores, float], RefitWidening]
    ) -> MeasuredScheme:
        """The statistics of `scores`, whose errors are independent between groups under either scheme.

        `refitted` says by how much refitting widens them.
        """
        groups, counted = self.layout.groups, self.deciding_vectors
        return measure(scheme, self.task, groups, list(scores), self.settings, counted, refitted)

    def _refitted(self, strongest: Scores, null_sd: float) -> RefitWidening:
        """By how much refitting widens errors and null of the strongest vector."""
        if self.settings.fast or strongest.vector.kind == "given":
            return RefitWidening.usual()
        self.running.progress("refitting", 0, 1)
        (task, groups, widens), vector, folds = self.part, strongest.vector, self.settings.folds
        fitting = replace(self.fitting, progress=self.steps("refitting", HALVINGS + REFITS))
        return RefitWidening(
            sampling_stretch(task, groups, vector, fitting, folds),
            null_stretch(task, groups, vector, fitting, folds, null_sd * widens),
            DEGREES,
        )

    def together(self, vector: str, together: Ints, tested: Ints | None = None) -> float:
        """The kappa of a vector on the units `tested` (all), cross-fitted with `together` (n,) kept whole."""
        # Half of kappa is told from all of it by a single split where there are so many items times answers.
        splits = 1 if self.effort is not None and self.task.k > FULL_LABELS else SPLITS
        wanted = next(each for each in self.vectors if each.name == vector)
        folds = self.settings.folds
        return kappa_together(self.task, together, wanted, self.fitting, folds=folds, splits=splits, tested=tested)


_FEATURES = 20_000
_ARRAYS = 18
"""Arrays of features by answers that one fit, and the models it chooses from, hold at the same time."""

_BUDGET = 1.2e9
"""Bytes for the fits of all threads together."""


def affordable(workers: int, labels: int, items: int) -> int:
    """As many of the `workers` threads (0 for one per core) as have room for their fits; at least one.

    The number of threads changes no number. With 20 answers, 19 threads have room; with 150, two.
    """
    scores = 1 if labels == 2 else labels
    each = 8.0 * scores * (_ARRAYS * min(_FEATURES, 4 * items) + 6 * items)
    return max(1, min(workers if workers > 0 else os.cpu_count() or 1, int(_BUDGET // each)))
