"""The plan of an assessment: what is measured next depends on what was measured before."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Generic

import msgspec

from hansproof.audit.probes.clusters import check_clusters
from hansproof.audit.probes.crossfit import Fitting, Ints
from hansproof.audit.probes.kappas import MeasuredScheme, RefitWidening, S, scheme_gap
from hansproof.audit.probes.logistic import PUBLISHED, REGULARISATIONS, TREES
from hansproof.audit.result.audit_result import ClusterCheck, Findable, SchemeGap, SchemeResult, Settings
from hansproof.audit.result.explanation import FormatShare, Mentions
from hansproof.audit.result.numbers import SchemeName
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, SingleNgrams
from hansproof.audit.tasks.group_layout import GroupLayout
from hansproof.audit.verdict.rule import MOST_COMMON, Judgement, Numbers, decide, strongest_suspect, suspects
from hansproof.generators.errors import Progress

__all__ = ["Assessed", "Explanation", "MeasurementPlan", "fitting_of", "steps_of"]


@dataclass(frozen=True)
class Assessed(Generic[S]):
    """The measurements that a verdict rests on, and the verdict."""

    schemes: list[MeasuredScheme[S]]
    """`grouped` and `random`, `grouped` alone if too few items belong together, `paper`, or `published`."""
    judgement: Judgement
    gap: SchemeGap | None = None
    clusters: tuple[ClusterCheck, ...] = ()
    findable: tuple[Findable, ...] = ()

    @property
    def deciding(self) -> MeasuredScheme[S]:
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


_SUSPECTS = 3
"""Vectors whose leak is checked against clusters of similar texts, until one holds."""

_NOT_SHOWN = ("CLEAN", "INCONCLUSIVE", "IMBALANCED", "TRACES")
"""Verdicts after which one must ask what would have been found."""


def fitting_of(settings: Settings, labels: int, workers: int, progress: Callable[[int], None]) -> Fitting:
    """How the probes of `labels` answers are fitted under `settings`."""
    published = settings.solver == "scikit-learn"
    candidates = (PUBLISHED if published else REGULARISATIONS) + ((TREES,) if settings.trees else ())
    # liblinear keeps one random state for the whole process.
    used = 1 if published else workers
    return Fitting(labels, settings.seed, candidates, settings.upstream_counts, used, progress)


def steps_of(progress: Progress, stage: str, total: int) -> Callable[[int], None]:
    """Tells of a stage; it is called with how many more of its `total` steps are done."""
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(stage, done, total)

    return step


class MeasurementPlan(ABC, Generic[S]):
    """The measurements of one benchmark, in the order in which a verdict needs them.

    Whoever inherits it says what a crossfit is and what its statistics are; `S` is the scores of one vector.
    """

    constant: ClassVar[str] = MOST_COMMON
    """What the simplest rule always gives."""

    def __init__(
        self, texts: Sequence[str], belonging: GroupLayout, settings: Settings, probes: int, progress: Progress
    ) -> None:
        """`texts` (n,) are compared for clusters; `probes` is the number of vectors times that of splits."""
        self._texts, self._belonging, self._settings, self._progress = texts, belonging, settings, progress
        self._done, self._probes = 0, probes

    @abstractmethod
    def crossfit(self, groups: Ints, scheme: SchemeName) -> list[S]:
        """Out-of-fold scores of every vector, with each of the `groups` (n,) in one fold."""

    @abstractmethod
    def measured(
        self, scheme: SchemeName, scores: list[S], refitted: Callable[[S, float], RefitWidening]
    ) -> MeasuredScheme[S]:
        """The statistics of `scores`; `refitted` says by how much refitting widens them."""

    @abstractmethod
    def refitted(self, strongest: S, null_sd: float) -> RefitWidening:
        """By how much refitting widens errors and null of the strongest vector."""

    @abstractmethod
    def kappa_together(self, vector: str, grouped: MeasuredScheme[S], together: Ints) -> float:
        """The kappa of a vector, cross-fitted with the groups `together` (n,) in one fold each."""

    @abstractmethod
    def findable(self, grouped: MeasuredScheme[S]) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""

    @abstractmethod
    def unpredictable(self) -> str:
        """Why no text can give its answer away, as a sentence; empty if one could."""

    def judged(self, measured: MeasuredScheme[S]) -> SchemeResult:
        """The numbers that the verdict rests on."""
        return measured.result

    def finished(self, count: int) -> None:
        """Tell that `count` more vectors were fitted on a split."""
        self._done += count
        self._progress("fitting probes", self._done, self._probes * (2 if self._belonging.straddles else 1))

    def assessed(self, answers: int | None) -> Assessed[S]:
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

    def _schemes(self) -> tuple[MeasuredScheme[S], MeasuredScheme[S] | None]:
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

    def _refitted(self, strongest: S, null_sd: float) -> RefitWidening:
        if self._settings.fast:
            return RefitWidening.usual()
        self._progress("refitting", 0, 1)
        return self.refitted(strongest, null_sd)

    def _clusters(self, grouped: MeasuredScheme[S]) -> list[ClusterCheck]:
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
                partial(self.kappa_together, leak.vector, grouped), self._settings.margin,
            )  # fmt: skip
            checks += own
            if all(check.held for check in own):
                break
        return checks
