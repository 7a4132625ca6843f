"""From a benchmark with options per item to a verdict: what is measured, in which order, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark, Options, PromptPart
from hansproof.audit.notation import kappa
from hansproof.audit.probes.crossfit import Fitting, Ints
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.kappas import MeasuredScheme
from hansproof.audit.probes.logistic import prepare
from hansproof.audit.result.audit_result import Findable, SchemeResult, Settings
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.numbers import Effort
from hansproof.audit.result.shortcuts import SingleNgrams
from hansproof.audit.result.tasks import OptionRule
from hansproof.audit.shortcuts.shared_folds import SharedFolds
from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.group_layout import GroupLayout, refuse_one_group
from hansproof.audit.tasks.measurement_plan import Assessed, Explanation, MeasurementPlan
from hansproof.audit.tasks.options.option_crossfit import RIGHT, WRONG, OptionTask, chance_of, shares_of
from hansproof.audit.tasks.options.option_kappas import smallest_found
from hansproof.audit.tasks.options.option_rows import OptionPool, groups_in_pool, shown, usable_options
from hansproof.audit.tasks.options.option_shortcuts import beside_parts, options_ladder
from hansproof.audit.tasks.options.simple_rules import COMMON_POSITION, constant_of, rules_of
from hansproof.audit.tasks.options.views import ASKING, UNCOUNTED, tables, views
from hansproof.audit.texts.grouping import Groups
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.generators.errors import Progress

__all__ = ["OptionsAssessment", "assess_options"]


class OptionsPlan(MeasurementPlan[OptionTask]):
    """n items with options of their own, on their way to a verdict."""

    constant = COMMON_POSITION
    uncounted = frozenset({UNCOUNTED})

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
        groups = belonging.groups
        known = tables(pool, groups)
        fold = fold_numbers(pool.strata, groups, settings.folds, seeded(settings.seed, "rules", "folds"))
        self.rules = rules_of(pool, known["question"].numbers["question-cues"], groups, fold, ordered)
        task, seen = OptionTask(known, pool, constant_of(pool, fold) if ordered else None), views(pool)
        super().__init__(task, seen, texts, belonging, settings, workers, progress)
        self._pool = pool

    def judged(self, measured: MeasuredScheme) -> SchemeResult:
        """The numbers that the verdict rests on: a most common position that may be chance is none."""
        learnt = next((rule for rule in self.rules if rule.rule.startswith(COMMON_POSITION)), None)
        if learnt is not None and (learnt.low or 0.0) > 0:
            return measured.result
        return msgspec.structs.replace(measured.result, majority_uniform=None)

    def unpredictable(self) -> str:
        """Why no item can give its right option away: no probe sees in what order the options stand."""
        pool, rows = self._pool, pairwise(self._pool.start.tolist())
        sets = ((question, *sorted(pool.texts[slice(*of)])) for question, of in zip(pool.questions, rows, strict=True))
        golds = [pool.texts[row] for row in pool.gold.tolist()]
        chances = dict.fromkeys(golds, chance_of(pool.size))
        return why_unpredictable(zip(sets, golds, strict=True), chances, self._settings.threshold)

    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these options."""
        task, groups, _ = self.part
        return smallest_found(task, groups, self.fitting.quiet(), grouped.limits(), self._settings.folds)

    def explained(self, grouped: MeasuredScheme, parts: Sequence[PromptPart]) -> Explanation:
        """Simpler shortcuts, parts of the question, single n-grams; `grouped` is the scheme under grouped folds."""
        task, groups, settings = self.task, self._belonging.groups, self._settings
        ngrams = _ngrams(task, groups, settings)
        if settings.fast:
            return Explanation(single_ngrams=ngrams)
        self._progress("climbing the ladder", 0, 1)
        on = SharedFolds(task, groups, grouped.scores, grouped.stretch, self.fitting, settings)
        return Explanation(
            ladder=options_ladder(on, task, ordered=task.position is not None),
            partial=beside_parts(on, task, parts),
            single_ngrams=ngrams,
        )


def _ngrams(task: OptionTask, groups: Ints, settings: Settings) -> SingleNgrams | None:
    """Every n-gram of the options against right and wrong, with the chance 1/k of its own items."""
    pool = task.pool
    chance = (1 / pool.size)[pool.item]
    survey = survey_ngrams(
        task.tables["option"],
        task.answers(task.gold),
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
    task: OptionTask
    fitting: Fitting
    groups: Groups
    assessed: Assessed
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
    done = replace(done, judgement=told)
    return OptionsAssessment(
        used, options, pool, course.task, course.fitting, groups, done, course.rules, explanation, course.effort
    )


def _seen(done: Assessed, course: OptionsPlan) -> str:
    """A further sentence on what the probe of the verdict saw, if the verdict is about one."""
    judgement = done.judgement
    if not judgement.cued and judgement.verdict != "TEMPLATE-BOUND":
        return ""
    asked = {view.name for view in course.vectors if view.table == ASKING}
    if judgement.vector in asked:
        alone = [entry for entry in done.deciding.result.vectors if entry.counted and entry.vector not in asked]
        best = max((entry.matched for entry in alone if entry.matched is not None), default=None)
        reached = f"; without the question the best probe has kappa {kappa(best)}" if best is not None else ""
        return f" That probe sees which words of an option the question has{reached}."
    return " That probe sees the options only, never the question."
