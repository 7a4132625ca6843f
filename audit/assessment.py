"""From a Benchmark to measured schemes: number the labels and groups, run the probes, compute the statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np

from audit.benchmark import Benchmark
from audit.explanation.format_share import format_share
from audit.explanation.mentions import find_mentions
from audit.explanation.records import FormatShare, Mentions
from audit.features.table import FeatureTable
from audit.features.vectors import FURTHER, GRADES, THIRTEEN, Vector, by_name
from audit.groups.chosen import groups_of
from audit.groups.components import number_by_first
from audit.groups.grouping import Groups
from audit.groups.sentences import fold_text
from audit.ladder.measuring import measure_ladder
from audit.partial.probing import probe_parts
from audit.probe.clusters import check_clusters
from audit.probe.crossfit import Fitting, Ints, Scores, crossfit
from audit.probe.effort import Part, effort_for, loosened, part_of
from audit.probe.injection.findable import smallest_found
from audit.probe.injection.words import VECTOR
from audit.probe.logistic import PUBLISHED, REGULARISATIONS, TREES, prepare
from audit.probe.paper import single_split
from audit.probe.scheme import Measured, Stretch, measure, scheme_gap
from audit.probe.spreading import Spread
from audit.probe.stretch import DEGREES, null_stretch, sampling_stretch
from audit.published.measuring import Published, measure_published
from audit.records.effort import Effort
from audit.records.ladder import Ladder
from audit.records.partial import PartialInputs
from audit.result import ClusterCheck, Findable, SchemeGap, SchemeResult, Settings
from audit.statistics.intervals import effective_groups
from audit.verdict import GROUPED_SHARE, Grouping, Judgement, decide, decide_paper, suspects
from generators.errors import NotAssessedError
from generators.progress import Progress

__all__ = ["Assessment", "assess"]

_SUSPECTS = 3
"""Vectors whose leak is checked against clusters of similar texts, until one holds."""


@dataclass(frozen=True)
class Assessment:
    """Everything measured on one benchmark, before it is put into words; N items."""

    benchmark: Benchmark
    """The items in the order in which they were measured."""
    order: list[int]
    """(N,) the place of each in the source."""
    y: Ints
    """(N,) label numbers in order of first appearance, so that the names of the labels change nothing."""
    labels: list[str]
    groups: Groups
    table: FeatureTable
    fitting: Fitting
    schemes: list[Measured]
    """`grouped` and `random`, `grouped` alone if too few items belong together, or `paper`."""
    gap: SchemeGap | None
    judgement: Judgement
    clusters: tuple[ClusterCheck, ...] = ()
    findable: tuple[Findable, ...] = ()
    format_share: FormatShare | None = None
    mentions: Mentions | None = None
    ladder: Ladder | None = None
    effort: Effort | None = None
    published: Published | None = None
    partial: PartialInputs | None = None

    @property
    def deciding(self) -> Measured:
        """The scheme that the verdict is about."""
        return next(scheme for scheme in self.schemes if scheme.result.scheme == self.judgement.scheme)


def assess(
    benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress, spread: Spread | None = None
) -> Assessment:
    """Measure a benchmark whose items share one set of answers, under the protocol of `settings`.

    Raises NotAssessedError if all items belong to one group, because then nothing can be held out.
    """
    paper = settings.protocol == "paper"
    # The paper's split shuffles the rows as they come; everything else must not depend on their order.
    ordered, order = (benchmark, list(range(len(benchmark.prompts)))) if paper else benchmark.in_text_order()
    labels = list(dict.fromkeys(ordered.answers))
    number = {label: c for c, label in enumerate(labels)}
    y = np.array([number[answer] for answer in ordered.answers], dtype=np.int64)
    progress("finding groups", 0, 1)
    groups = groups_of(ordered, settings.groups)
    if not paper and groups.index.max() == 0:
        raise NotAssessedError(
            f"All {len(y)} items belong to one group, so none can be held out. Set groups to 'none' to see the result "
            f"of random folds."
        )
    vectors = THIRTEEN + (() if paper else FURTHER) + ((GRADES,) if settings.grades else ())
    progress("counting", 0, 1)
    dense = [vector.name for vector in vectors if vector.kind == "dense"]
    table = FeatureTable.build(ordered.prompts, dense=dense)
    progress("preparing the probe", 0, 1)
    prepare()
    run = _Run(ordered.prompts, table, y, groups.index, len(labels), vectors, settings, workers, progress)
    run.fitting = replace(run.fitting, spread=spread)
    if paper:
        alone = run.paper()
        judgement = decide_paper(alone.result, len(labels), settings)
        return Assessment(ordered, order, y, labels, groups, table, run.fitting, [alone], None, judgement)
    if settings.protocol == "published":
        of = measure_published(ordered, table, y, labels, groups, vectors, settings, run.fitting, run.counted, progress)
        done = Assessment(ordered, order, y, labels, groups, table, run.fitting, [of.measured], None, of.judgement)
        return replace(done, published=of)
    grouped, random = run.schemes()
    gap = scheme_gap(random, grouped, _strongest(random.result, settings)) if random else None
    clusters = run.clusters(grouped)
    loose = random.result if random else None
    judge = (grouped.result, loose, gap, len(labels), settings, run.grouping(groups.source == "column"), clusters)
    judgement, findable = decide(*judge), []
    if judgement.verdict in ("CLEAN", "INCONCLUSIVE", "IMBALANCED", "TRACES"):
        findable = run.findable(grouped)
        judgement = decide(*judge, findable)
    schemes = [grouped, random] if random else [grouped]
    deciding = next(scheme for scheme in schemes if scheme.result.scheme == judgement.scheme)
    share, mentions = run.explanation(deciding, judgement.vector, labels)
    done = Assessment(ordered, order, y, labels, groups, table, run.fitting, schemes, gap, judgement)
    partial, ladder = run.shortcuts(grouped, ordered, labels)
    done = replace(done, partial=partial, ladder=ladder, effort=run.effort)
    return replace(done, clusters=tuple(clusters), findable=tuple(findable), format_share=share, mentions=mentions)


class _Run:
    """The measurements of one benchmark, in the order in which a verdict needs them."""

    def __init__(
        self,
        texts: list[str],
        table: FeatureTable,
        y: Ints,
        groups: Ints,
        labels: int,
        vectors: tuple[Vector, ...],
        settings: Settings,
        workers: int,
        progress: Progress,
    ) -> None:
        self._texts, self._table, self._y, self._groups, self._labels = texts, table, y, groups, labels
        self._vectors, self._settings, self._progress = vectors, settings, progress
        published = settings.solver == "scikit-learn"
        candidates = (PUBLISHED if published else REGULARISATIONS) + ((TREES,) if settings.trees else ())
        paper = settings.protocol == "paper"
        self.effort = None if paper else effort_for(len(y), settings.splits, thorough=settings.thorough)
        self._splits = self.effort.splits if self.effort else settings.splits
        self._size = np.bincount(groups)
        # Equal texts stay together in random folds too: to remember a text is not to read a template.
        self._same = number_by_first(fold_text(text) for text in texts)
        self._apart = len(self._size) == int(self._same.max()) + 1
        self._done = 0
        self.fitting = Fitting(
            labels,
            settings.seed,
            loosened(candidates, self.effort),
            settings.upstream_counts,
            1 if published else workers,  # liblinear keeps one random state for the whole process
            self._step,
        )
        self.counted = {vector.name for vector in (*THIRTEEN, *FURTHER) if vector.name != "length"}

    @property
    def _share(self) -> float:
        """Share of the items that belong with other texts."""
        texts = np.bincount(np.unique(np.stack([self._groups, self._same]), axis=1)[0])
        return float(self._size[texts > 1].sum() / len(self._y))

    def _step(self, count: int) -> None:
        self._done += count
        both = self._share >= GROUPED_SHARE
        self._progress("fitting probes", self._done, len(self._vectors) * self._splits * (2 if both else 1))

    def grouping(self, declared: bool) -> Grouping:
        return Grouping(len(self._size), effective_groups(self._groups), self._share, declared)

    def paper(self) -> Measured:
        scores = single_split(self._table, self._y, self._vectors, self.fitting)
        return self._measure("paper", np.arange(len(self._y)), scores)

    def schemes(self) -> tuple[Measured, Measured | None]:
        """Grouped folds, and random ones where enough items belong together for them to differ."""
        tight = self._crossfit(self._groups, "grouped")
        self._progress("resampling", 0, 1)
        grouped = self._measure("grouped", self._groups, tight, self._refitted)
        if self._apart:  # Grouped folds are random folds, and one run serves both.
            return grouped, replace(grouped, result=msgspec.structs.replace(grouped.result, scheme="random"))
        if self._share < GROUPED_SHARE:
            return grouped, None
        loose = self._crossfit(self._same, "random")
        stretch = Stretch(grouped.result.sampling_stretch, grouped.result.null_stretch, DEGREES)
        return grouped, self._measure("random", self._groups, loose, lambda scores, sd: stretch)

    def _crossfit(self, groups: Ints, scheme: str) -> list[Scores]:
        self._step(0)
        return crossfit(
            self._table, self._y, groups, self._vectors, self.fitting,
            scheme=scheme, folds=self._settings.folds, splits=self._splits,
        )  # fmt: skip

    def _measure(
        self,
        name: str,
        groups: Ints,
        scores: list[Scores],
        refitted: Callable[[Sequence[Scores], float], Stretch] | None = None,
    ) -> Measured:
        more = {} if refitted is None else {"refitted": refitted}
        return measure(name, self._y, groups, self._labels, scores, self._settings, self.counted, **more)

    def _refitted(self, strongest: Sequence[Scores], null_sd: float) -> Stretch:
        vectors, folds = [scores.vector for scores in strongest], self._settings.folds
        self._progress("refitting", 0, 1)
        part = self._part
        return Stretch(
            sampling_stretch(part.table, part.y, part.groups, vectors, self._quiet, folds),
            null_stretch(part.table, part.y, part.groups, vectors[0], self._quiet, folds, null_sd * part.widens),
            DEGREES,
        )

    @cached_property
    def _part(self) -> Part:
        """What refitting and injected cues are measured on: all items, unless there are very many."""
        return part_of(self._table, self._y, self._groups, self.effort, self._settings.seed)

    @property
    def _quiet(self) -> Fitting:
        return replace(self.fitting, progress=lambda done: None)

    def clusters(self, grouped: Measured) -> list[ClusterCheck]:
        """Whether one of the strongest suspects holds when clusters of similar texts are kept together."""
        leaks = suspects(grouped.result, self._settings)
        if not leaks or self._settings.groups == "none":
            return []
        self._progress("comparing texts", 0, 1)
        from audit.groups.similarity import similarity_partitions

        partitions = [(part.cutoff, part.index) for part in similarity_partitions(self._texts, groups=self._groups)]
        checks: list[ClusterCheck] = []
        for leak in leaks[:_SUSPECTS]:
            checks += check_clusters(
                self._table, self._y, self._groups, partitions, by_name(leak.vector), leak.matched or 0.0,
                self._quiet, folds=self._settings.folds, margin=self._settings.margin,
            )  # fmt: skip
            if all(check.held for check in checks if check.vector == leak.vector):
                break
        return checks

    def findable(self, grouped: Measured) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""
        self._progress("injecting cues", 0, 1)
        limits = {
            scores.vector.name: (float(grouped.critical[v]), float(grouped.spread[v]))
            for v, scores in enumerate(grouped.scores)
        }
        critical, spread = limits[VECTOR.name]
        return smallest_found(
            self._part.table, self._part.y, self._part.groups, self._quiet,
            critical=critical, spread=spread, own=limits, folds=self._settings.folds,
        )  # fmt: skip

    def explanation(self, scheme: Measured, deciding: str, labels: list[str]) -> tuple[FormatShare, Mentions | None]:
        """How much of kappa is format, and how far looking for answers in the prompt goes."""
        self._progress("comparing clean texts", 0, 1)
        groups = self._groups if scheme.result.scheme == "grouped" else self._same
        share = format_share(
            self._texts, self._y, labels, groups, scheme.scores, deciding, self._quiet,
            scheme=scheme.result.scheme, folds=self._settings.folds,
        )  # fmt: skip
        return share, find_mentions(self._texts, [labels[c] for c in self._y.tolist()])

    def shortcuts(self, grouped: Measured, benchmark: Benchmark, labels: list[str]) -> tuple[PartialInputs, Ladder]:
        """What parts of the prompts predict by themselves, and the simplest shortcuts one above the other."""
        self._progress("climbing the ladder", 0, 1)
        of = self._y, self._groups
        probed = probe_parts(self._texts, benchmark.parts, *of, grouped, self._quiet, self._settings)
        return probed.result, measure_ladder(self._table, *of, labels, grouped, self._quiet, self._settings, probed)


def _strongest(scheme: SchemeResult, settings: Settings) -> str:
    """The first suspect, which the verdict would be about; without any, the counted vector with the largest kappa."""
    for suspect in suspects(scheme, settings):
        return suspect.vector
    counted = [vector for vector in scheme.vectors if vector.counted]
    return max(counted, key=lambda vector: -1.0 if vector.matched is None else vector.matched).vector
