"""From a Benchmark to measured schemes: number the labels and groups, run the probes, compute the statistics."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import numpy as np

from audit.benchmark import Benchmark
from audit.features.table import FeatureTable
from audit.features.vectors import FURTHER, GRADES, THIRTEEN, Vector, by_name
from audit.groups.grouping import Groups, column_groups, find_groups, no_groups
from audit.probe.confirmation import confirm, wants_confirming
from audit.probe.crossfit import Fitting, Ints, crossfit
from audit.probe.logistic import PUBLISHED, REGULARISATIONS, TREES, prepare
from audit.probe.paper import single_split
from audit.probe.scheme import Measured, measure, scheme_gap
from audit.result import Confirmation, SchemeGap, SchemeResult, Settings
from audit.verdict import Judgement, decide, decide_paper, leaking
from generators.errors import NotAssessedError
from generators.progress import Progress

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True)
class Assessment:
    """Everything measured on one benchmark, before it is put into words; N items."""

    ids: list[str]
    y: Ints
    """(N,) label numbers in order of first appearance, so that the names of the labels change nothing."""
    labels: list[str]
    groups: Groups
    table: FeatureTable
    fitting: Fitting
    schemes: list[Measured]
    """`grouped` and `random`, or `paper`."""
    gap: SchemeGap | None
    judgement: Judgement
    confirmation: Confirmation | None = None

    @property
    def deciding(self) -> Measured:
        """The scheme that the verdict is about."""
        return next(scheme for scheme in self.schemes if scheme.result.scheme == self.judgement.scheme)


def assess(benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress) -> Assessment:
    """Measure a benchmark whose items share one set of answers, under the protocol of `settings`.

    Raises NotAssessedError if all items belong to one group, because then nothing can be held out.
    """
    labels = list(dict.fromkeys(benchmark.answers))
    number = {label: c for c, label in enumerate(labels)}
    y = np.array([number[answer] for answer in benchmark.answers], dtype=np.int64)
    progress("finding groups", 0, 1)
    groups = _groups(benchmark, settings)
    paper = settings.protocol == "paper"
    if not paper and groups.index.max() == 0:
        raise NotAssessedError(
            f"All {len(y)} items belong to one group, so none can be held out. Set groups to 'none' to see the result "
            f"of random folds."
        )
    vectors = THIRTEEN + (() if paper else FURTHER) + ((GRADES,) if settings.grades else ())
    progress("counting", 0, 1)
    dense = [vector.name for vector in vectors if vector.kind == "dense"]
    table = FeatureTable.build(benchmark.prompts, dense=dense)
    progress("preparing the probe", 0, 1)
    prepare()
    schemes, fitting = _schemes(table, y, groups.index, len(labels), vectors, settings, workers, progress)
    if paper:
        judgement = decide_paper(schemes[0].result, len(labels), threshold=settings.threshold, alpha=settings.alpha)
        return Assessment(benchmark.ids, y, labels, groups, table, fitting, schemes, None, judgement)
    grouped, random = schemes
    gap = None if random.scores is grouped.scores else scheme_gap(random, grouped, _strongest(random.result))
    confirmation = None
    leaks = leaking(grouped.result, settings.threshold, settings.alpha)
    if leaks and wants_confirming(leaks[0], grouped.result, groups.index):
        progress("confirming a leak on few groups", 0, 1)
        confirmation = confirm(
            table,
            y,
            groups.index,
            by_name(leaks[0].vector),
            leaks[0].cohen or 0.0,
            fitting,
            folds=settings.folds,
            vectors=len(THIRTEEN),
        )
    judgement = decide(
        grouped.result,
        random.result,
        gap,
        len(labels),
        threshold=settings.threshold,
        alpha=settings.alpha,
        groups=int(groups.index.max()) + 1,
        confirmation=confirmation,
    )
    return Assessment(benchmark.ids, y, labels, groups, table, fitting, schemes, gap, judgement, confirmation)


def _schemes(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    labels: int,
    vectors: tuple[Vector, ...],
    settings: Settings,
    workers: int,
    progress: Progress,
) -> tuple[list[Measured], Fitting]:
    paper = settings.protocol == "paper"
    alone = np.arange(len(y))
    apart = paper or len(np.unique(groups)) == len(y)
    total = len(vectors) * (1 if paper else settings.folds * (1 if apart else 2))
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress("fitting probes", done, total)

    published = settings.solver == "scikit-learn"
    candidates = (PUBLISHED if published else REGULARISATIONS) + ((TREES,) if settings.trees else ())
    workers = 1 if published else workers  # liblinear keeps one random state for the whole process
    fitting = Fitting(labels, settings.seed, candidates, settings.upstream_counts, workers, step)
    counted = {vector.name for vector in THIRTEEN}
    if paper:
        scores = single_split(table, y, vectors, fitting)
        return [measure("paper", y, alone, labels, scores, settings, counted)], fitting
    tight = crossfit(table, y, groups, vectors, fitting, scheme="grouped", folds=settings.folds)
    if apart:  # If every item is its own group, grouped folds are random folds, and one run serves both.
        progress("resampling", 0, 1)
        grouped = measure("grouped", y, groups, labels, tight, settings, counted)
        random = replace(grouped, result=msgspec.structs.replace(grouped.result, scheme="random"))
        return [grouped, random], fitting
    loose = crossfit(table, y, alone, vectors, fitting, scheme="random", folds=settings.folds)
    progress("resampling", 0, 1)
    return [
        measure("grouped", y, groups, labels, tight, settings, counted),
        measure("random", y, groups, labels, loose, settings, counted),
    ], fitting


def _strongest(scheme: SchemeResult) -> str:
    """The counted vector with the largest Cohen's kappa."""
    counted = [vector for vector in scheme.vectors if vector.counted]
    return max(counted, key=lambda vector: vector.cohen or -1.0).vector


def _groups(benchmark: Benchmark, settings: Settings) -> Groups:
    if settings.groups == "none":
        return no_groups(len(benchmark.prompts))
    if settings.groups == "auto" and benchmark.groups is not None:
        if benchmark.mapping.sources:
            return find_groups(benchmark.prompts, benchmark.groups, benchmark.mapping.group or "")
        return column_groups(benchmark.groups, benchmark.mapping.group or "", benchmark.prompts)
    return find_groups(benchmark.prompts)
