"""The course of an assessment of options: probes of every option, which choose one option per item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np

from audit.assessing.belonging import Belonging
from audit.assessing.course import Course, fitting_of
from audit.options.choosing import chance_of, kappa
from audit.options.crossfit import Bed, ViewScores, crossfit
from audit.options.items.pool import Pool
from audit.options.numbers.injection import smallest_found
from audit.options.numbers.scheme import measure
from audit.options.numbers.widening import null_stretch, sampling_stretch
from audit.options.rules import COMMON_POSITION, constant_of, rules_of
from audit.options.views import tables, views
from audit.probes.clusters import SPLITS
from audit.probes.crossfit import Ints
from audit.probes.folds import effort_for, fold_numbers, loosened, random_groups
from audit.probes.kappas import MeasuredScheme, RefitWidening
from audit.probes.refitting import HALVINGS, REFITS
from audit.result.audit_result import Findable, SchemeResult, Settings
from audit.result.numbers import SchemeName
from audit.statistics.intervals import effective_groups
from audit.statistics.permutation import seeded
from audit.verdict.reasons import why_unpredictable
from generators.errors import Progress

__all__ = ["OptionsCourse"]


class OptionsCourse(Course[ViewScores]):
    """n items with options of their own, on their way to a verdict."""

    constant = COMMON_POSITION

    def __init__(
        self,
        pool: Pool,
        texts: list[str],
        belonging: Belonging,
        ordered: bool,
        settings: Settings,
        workers: int,
        progress: Progress,
    ) -> None:
        """`texts` (n,) are the items as shown; `ordered` says that the position of an option means something."""
        self.views = views(pool)
        self.effort = effort_for(pool.n, settings.splits, thorough=settings.thorough)
        self._splits = self.effort.splits if self.effort else settings.splits
        super().__init__(texts, belonging, settings, len(self.views) * self._splits, progress)
        groups = belonging.groups
        self._pool = pool
        fitting = fitting_of(settings, 2, workers, self.finished)
        fitting = replace(fitting, candidates=loosened(fitting.candidates, self.effort))
        self.bed = Bed(pool, tables(pool, groups), fitting)
        fold = fold_numbers(pool.strata, groups, settings.folds, seeded(settings.seed, "rules", "folds"))
        cues = self.bed.tables["question"].numbers["question-cues"]
        self.rules = rules_of(pool, cues, groups, fold, ordered)
        self._constant = constant_of(pool, fold) if ordered else None

    @property
    def _quiet(self) -> Bed:
        return replace(self.bed, fitting=self.bed.fitting.quiet())

    @cached_property
    def _excerpt(self) -> tuple[Bed, Ints, float]:
        """What refitting and injected cues are measured on, its groups, and by how much fewer groups widen the null."""
        groups = self._belonging.groups
        if self.effort is None:
            return self._quiet, groups, 1.0
        items = random_groups(groups, self.effort.part, seeded(self._settings.seed, "part"))
        own = np.asarray(np.unique(groups[items], return_inverse=True)[1], dtype=np.int64)
        return self._quiet.of(items), own, float(np.sqrt(effective_groups(groups) / effective_groups(own)))

    def judged(self, measured: MeasuredScheme[ViewScores]) -> SchemeResult:
        """The numbers that the verdict rests on: a most common position that may be chance is none."""
        learnt = next((rule for rule in self.rules if rule.rule.startswith(COMMON_POSITION)), None)
        if learnt is not None and (learnt.low or 0.0) > 0:
            return measured.result
        return msgspec.structs.replace(measured.result, majority_uniform=None)

    def crossfit(self, groups: Ints, scheme: SchemeName) -> list[ViewScores]:
        """Out-of-fold choices of every view."""
        folds = self._settings.folds
        return crossfit(self.bed, self.views, self._pool.gold, groups, scheme=scheme, folds=folds, splits=self._splits)

    def measured(
        self,
        scheme: SchemeName,
        scores: list[ViewScores],
        refitted: Callable[[Sequence[ViewScores], float], RefitWidening],
    ) -> MeasuredScheme[ViewScores]:
        """The statistics of `scores`, whose errors are independent between groups under either scheme."""
        groups = self._belonging.groups
        return measure(scheme, self._pool, groups, scores, self._settings, self._constant, refitted)

    def refitted(self, strongest: Sequence[ViewScores], null_sd: float) -> RefitWidening:
        """By how much refitting widens errors and null."""
        chosen, folds = [of.view for of in strongest], self._settings.folds
        bed, groups, widens = self._excerpt
        # Each view of both halves, then the relabelled strongest one.
        step = self._steps("refitting", 2 * HALVINGS * len(chosen) + REFITS)
        bed = replace(bed, fitting=replace(bed.fitting, progress=step))
        return RefitWidening.measured(
            sampling_stretch(bed, groups, chosen, folds),
            null_stretch(bed, groups, chosen[0], folds, null_sd * widens),
        )

    def kappa_together(self, vector: str, grouped: MeasuredScheme[ViewScores], together: Ints) -> float:
        """The kappa of a view with the groups `together` in one fold each."""
        pool, view, folds = self._pool, grouped.of(vector).view, self._settings.folds
        (scores,) = crossfit(self._quiet, [view], pool.gold, together, scheme="clusters", folds=folds, splits=SPLITS)
        return float(np.median([kappa(row, pool.size) for row in scores.shares[:, pool.gold].astype(np.float64)]))

    def unpredictable(self) -> str:
        """Why no item can give its right option away: no probe sees in what order the options stand."""
        pool, rows = self._pool, pairwise(self._pool.start.tolist())
        sets = ((question, *sorted(pool.texts[slice(*of)])) for question, of in zip(pool.questions, rows, strict=True))
        golds = [pool.texts[row] for row in pool.gold.tolist()]
        chances = dict.fromkeys(golds, chance_of(pool.size))
        return why_unpredictable(zip(sets, golds, strict=True), chances, self._settings.threshold)

    def findable(self, grouped: MeasuredScheme[ViewScores]) -> list[Findable]:
        """The smallest cues that would have been found in these options."""
        bed, groups, widens = self._excerpt
        return smallest_found(bed, groups, grouped.limits(widens), self._settings.folds)
