"""From a benchmark with options per item to measured schemes and a verdict; the same steps as for fixed labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from audit.benchmark import Benchmark, LeftOut
from audit.columns.choices.options import Options
from audit.columns.kind import FEWEST
from audit.groups.chosen import groups_of
from audit.groups.components import number_by_first
from audit.groups.grouping import Groups
from audit.groups.sentences import fold_text
from audit.item_scores import ItemScore
from audit.notation import per_cent, things
from audit.options.crossfit import Bed, ViewScores, crossfit
from audit.options.evidence import item_scores
from audit.options.grouping import joined_by_options, shown_items
from audit.options.numbers.clusters import check_clusters
from audit.options.numbers.injection import smallest_found
from audit.options.numbers.scheme import Measured, gap_between, measure
from audit.options.numbers.widening import null_stretch, sampling_stretch
from audit.options.pool import Pool
from audit.options.rules import COMMON_POSITION, constant_of, rules_of
from audit.options.views import tables, views
from audit.probe.crossfit import Fitting, Ints
from audit.probe.folds import fold_numbers
from audit.probe.logistic import PUBLISHED, REGULARISATIONS, TREES, prepare
from audit.probe.scheme import Stretch
from audit.probe.stretch import DEGREES
from audit.records.numbers import ClusterCheck, Findable, SchemeGap, SchemeResult
from audit.records.options import OptionRule
from audit.result import Settings
from audit.statistics.intervals import effective_groups
from audit.statistics.resampling import seeded
from audit.verdict import GROUPED_SHARE, Grouping, Judgement, decide, suspects
from generators.errors import NotAssessedError
from generators.progress import Progress

__all__ = ["OptionsAssessment", "assess_options"]

_SUSPECTS = 3
"""Views whose leak is checked against clusters of similar items, until one holds."""


@dataclass(frozen=True)
class OptionsAssessment:
    """Everything measured on one benchmark with options per item, before it is put into words."""

    benchmark: Benchmark
    """The n items that were used, in the order of the pool; each prompt is the question with its options."""
    options: Options
    pool: Pool
    bed: Bed
    groups: Groups
    schemes: list[Measured]
    gap: SchemeGap | None
    judgement: Judgement
    rules: list[OptionRule]
    clusters: tuple[ClusterCheck, ...] = ()
    findable: tuple[Findable, ...] = ()

    @property
    def deciding(self) -> Measured:
        """The scheme that the verdict is about."""
        return next(scheme for scheme in self.schemes if scheme.result.scheme == self.judgement.scheme)

    def item_scores(self) -> list[ItemScore]:
        """One score per item, in source order, from the view and scheme that the verdict is about."""
        return item_scores(self.pool, self.deciding, self.judgement.vector, self.groups.index, self.benchmark.ids)


def assess_options(benchmark: Benchmark, settings: Settings, *, workers: int, progress: Progress) -> OptionsAssessment:
    """Measure a benchmark whose items have options of their own.

    Raises NotAssessedError if the options cannot be read, too few items can be used, all of them belong to one group,
    or the protocol is the paper's, which knows fixed labels only.
    """
    options = _usable(benchmark, settings)
    pool = Pool.of(benchmark, options)
    shown = _shown(benchmark, options, pool)
    progress("finding groups", 0, 1)
    groups = joined_by_options(pool, groups_of(shown, settings.groups))
    if groups.index.max() == 0:
        raise NotAssessedError(
            f"All {pool.n} items belong to one group, so none can be held out. Set groups to 'none' to see the result "
            f"of random folds."
        )
    progress("counting", 0, 1)
    prepare()
    run = _Run(pool, shown, groups, options.ordered, settings, workers, progress)
    grouped, random = run.schemes()
    gap = gap_between(random, grouped, _strongest(random.result, settings)) if random else None
    clusters = run.clusters(grouped)
    loose = run.judged(random) if random else None
    judge = (run.judged(grouped), loose, gap, None, settings, run.grouping())
    judgement, findable = decide(*judge, clusters, constant=COMMON_POSITION), []
    if judgement.verdict in ("CLEAN", "INCONCLUSIVE", "IMBALANCED", "TRACES"):
        findable = run.findable(grouped)
        judgement = decide(*judge, clusters, findable, constant=COMMON_POSITION)
    judgement = replace(judgement, reason=judgement.reason + _seen(judgement, run))
    return OptionsAssessment(
        benchmark=shown,
        options=options,
        pool=pool,
        bed=run.bed,
        groups=groups,
        schemes=[grouped, random] if random else [grouped],
        gap=gap,
        judgement=judgement,
        rules=run.rules,
        clusters=tuple(clusters),
        findable=tuple(findable),
    )


def _seen(judgement: Judgement, run: _Run) -> str:
    """A further sentence on what the probe of the verdict saw, if the verdict is about one."""
    if judgement.verdict not in ("LEAKS", "TEMPLATE-BOUND", "TRACES"):
        return ""
    asked = {view.name for view in run.views if view.with_question}
    if judgement.vector in asked:
        return " That probe sees which words of an option the question has."
    return " That probe sees the options only, never the question."


def _usable(benchmark: Benchmark, settings: Settings) -> Options:
    """The options, if they can be audited; raises NotAssessedError with a reason if not."""
    options = benchmark.options
    if options is None:
        raise NotAssessedError("The items have options of their own that could not be read; name them with --choices.")
    if options.refusal:
        raise NotAssessedError(options.refusal)
    if settings.protocol == "paper":
        raise NotAssessedError(
            "Each item has its own options, which the paper's protocol does not know; use the grouped protocol."
        )
    used, total = len(options.usable), len(options.faults)
    if total - used > settings.max_left_out * total:
        faults = [fault for fault in options.faults if fault]
        common = max(dict.fromkeys(faults), key=faults.count)
        raise NotAssessedError(
            f"{total - used:,} of {total:,} items cannot be used (at most {per_cent(settings.max_left_out, 0)} may be "
            f"left out), most often because {common}; the options were read as: {options.how}. Name the columns with "
            f"--choices and --answer, or repair the items."
        )
    if used < FEWEST:
        raise NotAssessedError(f"Only {things(used, 'item')} can be used: the audit needs at least {FEWEST}.")
    return options


def _shown(benchmark: Benchmark, options: Options, pool: Pool) -> Benchmark:
    """The items of the pool with question and options as their prompt, and the others among those left out."""
    faulty = [LeftOut(benchmark.ids[number], fault) for number, fault in enumerate(options.faults) if fault]

    def of_pool(values: list[str]) -> list[str]:
        return [values[number] for number in pool.source]

    return replace(
        benchmark,
        prompts=shown_items(pool),
        answers=[pool.texts[row] for row in pool.gold.tolist()],
        ids=of_pool(benchmark.ids),
        groups=None if benchmark.groups is None else of_pool(benchmark.groups),
        splits=None if benchmark.splits is None else of_pool(benchmark.splits),
        choices=None,
        accepted=None,
        options=None,
        left_out=(*benchmark.left_out, *faulty),
    )


class _Run:
    """The measurements of one benchmark, in the order in which a verdict needs them."""

    def __init__(
        self,
        pool: Pool,
        shown: Benchmark,
        groups: Groups,
        ordered: bool,
        settings: Settings,
        workers: int,
        progress: Progress,
    ) -> None:
        self._pool, self._shown, self._groups = pool, shown, groups.index
        self._settings, self._progress, self._declared = settings, progress, groups.source == "column"
        published = settings.solver == "scikit-learn"
        candidates = (PUBLISHED if published else REGULARISATIONS) + ((TREES,) if settings.trees else ())
        # liblinear keeps one random state for the whole process.
        fitting = Fitting(2, settings.seed, candidates, False, 1 if published else workers, self._step)
        self.views = views(pool)
        self.bed = Bed(pool, tables(pool, groups.index), fitting)
        self._same = number_by_first(fold_text(text) for text in shown.prompts)
        self._size = np.bincount(self._groups)
        self._done = 0
        self._apart = len(self._size) == int(self._same.max()) + 1
        fold = fold_numbers(pool.strata, self._groups, settings.folds, seeded(settings.seed, "rules", "folds"))
        self.rules = rules_of(pool, self.bed.tables["question"].numbers["question-cues"], self._groups, fold, ordered)
        self._constant = constant_of(pool, fold) if ordered else None

    @property
    def _share(self) -> float:
        """Share of the items that belong with other items of another text."""
        texts = np.bincount(np.unique(np.stack([self._groups, self._same]), axis=1)[0])
        return float(self._size[texts > 1].sum() / self._pool.n)

    def _step(self, count: int) -> None:
        self._done += count
        times = 2 if self._share >= GROUPED_SHARE and not self._apart else 1
        self._progress("fitting probes", self._done, len(self.views) * self._settings.splits * times)

    @property
    def _quiet(self) -> Bed:
        return replace(self.bed, fitting=replace(self.bed.fitting, progress=lambda done: None))

    def grouping(self) -> Grouping:
        return Grouping(len(self._size), effective_groups(self._groups), self._share, self._declared)

    def judged(self, measured: Measured) -> SchemeResult:
        """The numbers that the verdict rests on: a most common position that may be chance is none."""
        learnt = next((rule for rule in self.rules if rule.rule.startswith(COMMON_POSITION)), None)
        if learnt is not None and (learnt.low or 0.0) > 0:
            return measured.result
        return msgspec.structs.replace(measured.result, majority_uniform=None)

    def schemes(self) -> tuple[Measured, Measured | None]:
        """Grouped folds, and random ones where enough items belong together for them to differ."""
        tight = self._crossfit(self._groups, "grouped")
        self._progress("resampling", 0, 1)
        grouped = self._measure("grouped", tight, None)
        if self._apart:
            return grouped, replace(grouped, result=msgspec.structs.replace(grouped.result, scheme="random"))
        if self._share < GROUPED_SHARE:
            return grouped, None
        stretch = Stretch(grouped.result.sampling_stretch, grouped.result.null_stretch, DEGREES)
        return grouped, self._measure("random", self._crossfit(self._same, "random"), stretch)

    def _crossfit(self, groups: Ints, scheme: str) -> list[ViewScores]:
        return crossfit(
            self.bed, self.views, self._pool.gold, groups, scheme=scheme,
            folds=self._settings.folds, splits=self._settings.splits,
        )  # fmt: skip

    def _measure(self, name: str, scores: list[ViewScores], stretch: Stretch | None) -> Measured:
        def refitted(strongest: Sequence[ViewScores], null_sd: float) -> Stretch:
            if stretch is not None:
                return stretch
            self._progress("refitting", 0, 1)
            chosen, folds = [of.view for of in strongest], self._settings.folds
            return Stretch(
                sampling_stretch(self._quiet, self._groups, chosen, folds),
                null_stretch(self._quiet, self._groups, chosen[0], folds, null_sd),
                DEGREES,
            )

        return measure(name, self._pool, self._groups, scores, self._settings, self._constant, refitted)

    def clusters(self, grouped: Measured) -> list[ClusterCheck]:
        """Whether one of the strongest suspects holds when clusters of similar items are kept together."""
        leaks = suspects(grouped.result, self._settings)
        if not leaks or self._settings.groups == "none":
            return []
        self._progress("comparing texts", 0, 1)
        from audit.groups.similarity import similarity_partitions

        parts = similarity_partitions(self._shown.prompts, groups=self._groups)
        checks: list[ClusterCheck] = []
        for leak in leaks[:_SUSPECTS]:
            checks += check_clusters(
                self._quiet, self._groups, [(part.cutoff, part.index) for part in parts],
                grouped.of(leak.vector).view, leak.matched or 0.0,
                folds=self._settings.folds, margin=self._settings.margin,
            )  # fmt: skip
            if all(check.held for check in checks if check.vector == leak.vector):
                break
        return checks

    def findable(self, grouped: Measured) -> list[Findable]:
        """The smallest cues that would have been found in these options."""
        self._progress("injecting cues", 0, 1)
        limits = {
            of.view.name: (float(grouped.critical[v]), float(grouped.spread[v])) for v, of in enumerate(grouped.scores)
        }
        return smallest_found(self._quiet, self._groups, limits, self._settings.folds)


def _strongest(scheme: SchemeResult, settings: Settings) -> str:
    """The first suspect, which the verdict would be about; without any, the counted view with the largest kappa."""
    for suspect in suspects(scheme, settings):
        return suspect.vector
    counted = [vector for vector in scheme.vectors if vector.counted]
    return max(counted, key=lambda vector: vector.matched or -1.0).vector
