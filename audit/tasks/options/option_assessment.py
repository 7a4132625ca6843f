"""From a benchmark with options per item to a verdict: what is measured, in which order, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark, Options, PromptPart
from hansproof.audit.notation import kappa
from hansproof.audit.probes.clusters import SPLITS
from hansproof.audit.probes.crossfit import Ints
from hansproof.audit.probes.folds import effort_for, fold_numbers, loosened, random_groups
from hansproof.audit.probes.kappas import MeasuredScheme, RefitWidening
from hansproof.audit.probes.logistic import prepare
from hansproof.audit.probes.refitting import HALVINGS, REFITS
from hansproof.audit.result.audit_result import Findable, SchemeResult, Settings
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.numbers import Effort, SchemeName
from hansproof.audit.result.shortcuts import SingleNgrams
from hansproof.audit.result.tasks import OptionRule
from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.group_layout import GroupLayout, refuse_one_group
from hansproof.audit.tasks.measurement_plan import Assessed, Explanation, MeasurementPlan, fitting_of, steps_of
from hansproof.audit.tasks.options.option_crossfit import (
    RIGHT,
    WRONG,
    OptionsDesign,
    ViewScores,
    chance_of,
    choice_kappa,
    crossfit,
    shares_of,
)
from hansproof.audit.tasks.options.option_kappas import measure, null_stretch, sampling_stretch, smallest_found
from hansproof.audit.tasks.options.option_rows import OptionPool, groups_in_pool, shown, usable_options
from hansproof.audit.tasks.options.option_shortcuts import beside_parts, options_ladder
from hansproof.audit.tasks.options.simple_rules import COMMON_POSITION, constant_of, rules_of
from hansproof.audit.tasks.options.views import tables, views
from hansproof.audit.texts.grouping import Groups
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.generators.errors import Progress

__all__ = ["OptionsAssessment", "assess_options"]


class OptionsPlan(MeasurementPlan[ViewScores]):
    """n items with options of their own, on their way to a verdict."""

    constant = COMMON_POSITION

    def __init__(
        self,
        pool: OptionPool,
        texts: list[str],
        belonging: GroupLayout,
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
        self.bed = OptionsDesign(pool, tables(pool, groups), fitting)
        fold = fold_numbers(pool.strata, groups, settings.folds, seeded(settings.seed, "rules", "folds"))
        cues = self.bed.tables["question"].numbers["question-cues"]
        self.rules = rules_of(pool, cues, groups, fold, ordered)
        self._constant = constant_of(pool, fold) if ordered else None

    @cached_property
    def _excerpt(self) -> tuple[OptionsDesign, Ints, float]:
        """What refitting and injected cues are measured on, its groups, and by how much fewer groups widen the null."""
        groups = self._belonging.groups
        if self.effort is None:
            return self.bed.quiet(), groups, 1.0
        items = random_groups(groups, self.effort.part, seeded(self._settings.seed, "part"))
        own = np.asarray(np.unique(groups[items], return_inverse=True)[1], dtype=np.int64)
        return self.bed.quiet().of(items), own, float(np.sqrt(effective_groups(groups) / effective_groups(own)))

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
        self, scheme: SchemeName, scores: list[ViewScores], refitted: Callable[[ViewScores, float], RefitWidening]
    ) -> MeasuredScheme[ViewScores]:
        """The statistics of `scores`, whose errors are independent between groups under either scheme."""
        groups = self._belonging.groups
        return measure(scheme, self._pool, groups, scores, self._settings, self._constant, refitted)

    def refitted(self, strongest: ViewScores, null_sd: float) -> RefitWidening:
        """By how much refitting widens errors and null."""
        view, folds = strongest.view, self._settings.folds
        bed, groups, widens = self._excerpt
        step = steps_of(self._progress, "refitting", 2 * HALVINGS + REFITS)  # a halving fits both halves
        bed = replace(bed, fitting=replace(bed.fitting, progress=step))
        return RefitWidening.measured(
            sampling_stretch(bed, groups, view, folds), null_stretch(bed, groups, view, folds, null_sd * widens)
        )

    def kappa_together(self, vector: str, grouped: MeasuredScheme[ViewScores], together: Ints) -> float:
        """The kappa of a view with the groups `together` in one fold each."""
        pool, view, folds = self._pool, grouped.of(vector).view, self._settings.folds
        (scores,) = crossfit(
            self.bed.quiet(), [view], pool.gold, together, scheme="clusters", folds=folds, splits=SPLITS
        )
        return float(
            np.median([choice_kappa(row, pool.size) for row in scores.shares[:, pool.gold].astype(np.float64)])
        )

    def unpredictable(self) -> str:
        """Why no item can give its right option away: no probe sees in what order the options stand."""
        pool, rows = self._pool, pairwise(self._pool.start.tolist())
        sets = ((question, *sorted(pool.texts[slice(*of)])) for question, of in zip(pool.questions, rows, strict=True))
        golds = [pool.texts[row] for row in pool.gold.tolist()]
        chances = dict.fromkeys(golds, chance_of(pool.size))
        return why_unpredictable(zip(sets, golds, strict=True), chances, self._settings.threshold)

    def findable(self, grouped: MeasuredScheme[ViewScores]) -> list[Findable]:
        """The smallest cues that would have been found in these options."""
        bed, groups, _ = self._excerpt
        return smallest_found(bed, groups, grouped.limits(), self._settings.folds)

    def explained(self, grouped: MeasuredScheme[ViewScores], parts: Sequence[PromptPart]) -> Explanation:
        """Simpler shortcuts, parts of the question, single n-grams; `grouped` is the scheme under grouped folds."""
        quiet, groups, settings = self.bed.quiet(), self._belonging.groups, self._settings
        ngrams = _ngrams(self.bed, groups, settings)
        if settings.fast:
            return Explanation(single_ngrams=ngrams)
        self._progress("climbing the ladder", 0, 1)
        scores, stretch, ordered = grouped.scores, grouped.stretch, self._constant is not None
        return Explanation(
            ladder=options_ladder(quiet, groups, scores, stretch, settings, ordered=ordered),
            partial=beside_parts(quiet, parts, groups, scores, stretch, settings),
            single_ngrams=ngrams,
        )


def _ngrams(bed: OptionsDesign, groups: Ints, settings: Settings) -> SingleNgrams | None:
    """Every n-gram of the options against right and wrong, with the chance 1/k of its own items."""
    pool = bed.pool
    chance = (1 / pool.size)[pool.item]
    survey = survey_ngrams(
        bed.tables["option"],
        pool.answers(pool.gold),
        (WRONG, RIGHT),
        groups[pool.item],
        alpha=settings.alpha,
        order=(RIGHT, WRONG),
        rates=np.stack([1 - chance, chance], axis=1),
    )
    if survey is None or int(groups.max()) + 1 < pool.n:
        return survey
    return msgspec.structs.replace(survey, unit="item")


@dataclass(frozen=True)
class OptionsAssessment:
    """Everything measured on one benchmark with options per item, before it is put into words."""

    benchmark: Benchmark
    """The n items that were used, in the order of the pool; each prompt is the question with its options."""
    options: Options
    pool: OptionPool
    bed: OptionsDesign
    groups: Groups
    assessed: Assessed[ViewScores]
    rules: list[OptionRule]
    explanation: Explanation
    effort: Effort | None = None

    def item_scores(self) -> list[ItemScore]:
        """One score per item, in source order, from the view and scheme that the verdict is about."""
        pool, view, measured = self.pool, self.assessed.judgement.vector, self.assessed.deciding
        share = shares_of(pool, measured.of(view))
        rows = []
        for item in sorted(range(pool.n), key=pool.source.__getitem__):
            first, last, gold = int(pool.start[item]), int(pool.start[item + 1]), int(pool.gold[item])
            picked = first + int(share[first:last].argmax())
            rows.append(
                ItemScore(
                    id=self.benchmark.ids[item],
                    answer=pool.texts[gold],
                    predicted=pool.texts[picked],
                    correct=picked == gold,
                    probability=float(share[gold]),
                    probabilities=dict(zip(pool.texts[first:last], map(float, share[first:last]), strict=True)),
                    group=int(self.groups.index[item]),
                    vector=view,
                    scheme=measured.result.scheme,
                )
            )
        return rows


def assess_options(benchmark: Benchmark, settings: Settings, *, workers: int, progress: Progress) -> OptionsAssessment:
    """Measure a benchmark whose items have options of their own.

    Raises NotAssessedError if the options cannot be read, too few items can be used, all of them belong to one group,
    or the protocol is the paper's, which knows fixed labels only.
    """
    options = usable_options(benchmark, settings)
    pool = OptionPool.of(benchmark, options)
    used = shown(benchmark, options, pool)
    progress("finding groups", 0, 1)
    groups = groups_in_pool(used, pool, settings.groups)
    refuse_one_group(groups)
    progress("counting", 0, 1)
    prepare()
    belonging = GroupLayout.of(groups, used.prompts)
    course = OptionsPlan(pool, used.prompts, belonging, options.ordered, settings, workers, progress)
    done = course.assessed(None)
    told = replace(done.judgement, reason=done.judgement.reason + _seen(done, course))
    explanation = course.explained(done.schemes[0], used.parts)
    return OptionsAssessment(
        used, options, pool, course.bed, groups, replace(done, judgement=told), course.rules, explanation, course.effort
    )


def _seen(done: Assessed[ViewScores], course: OptionsPlan) -> str:
    """A further sentence on what the probe of the verdict saw, if the verdict is about one."""
    judgement = done.judgement
    if not judgement.cued and judgement.verdict != "TEMPLATE-BOUND":
        return ""
    asked = {view.name for view in course.views if view.with_question}
    if judgement.vector in asked:
        alone = [entry for entry in done.deciding.result.vectors if entry.counted and entry.vector not in asked]
        best = max((entry.matched for entry in alone if entry.matched is not None), default=None)
        reached = f"; without the question the best probe has kappa {kappa(best)}" if best is not None else ""
        return f" That probe sees which words of an option the question has{reached}."
    return " That probe sees the options only, never the question."
