"""From a benchmark with options per item to a verdict; the same steps as for labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from audit.assessing.assessed import Assessed, Explanation
from audit.assessing.belonging import Belonging
from audit.benchmark import Benchmark, Options
from audit.groups.chosen import refuse_one_group
from audit.notation import kappa
from audit.options.course import OptionsCourse
from audit.options.crossfit import Bed, ViewScores
from audit.options.evidence import item_scores
from audit.options.explaining import explain
from audit.options.items.entry import shown, usable_options
from audit.options.items.pool import Pool
from audit.options.items.together import groups_in_pool
from audit.probes.logistic import prepare
from audit.result.audit_result import Settings
from audit.result.explanation import ItemScore
from audit.result.numbers import Effort
from audit.result.tasks import OptionRule
from audit.texts.grouping import Groups
from generators.errors import Progress

__all__ = ["OptionsAssessment", "assess_options"]


@dataclass(frozen=True)
class OptionsAssessment:
    """Everything measured on one benchmark with options per item, before it is put into words."""

    benchmark: Benchmark
    """The n items that were used, in the order of the pool; each prompt is the question with its options."""
    options: Options
    pool: Pool
    bed: Bed
    groups: Groups
    assessed: Assessed[ViewScores]
    rules: list[OptionRule]
    explanation: Explanation
    effort: Effort | None = None

    def item_scores(self) -> list[ItemScore]:
        """One score per item, in source order, from the view and scheme that the verdict is about."""
        done = self.assessed
        return item_scores(self.pool, done.deciding, done.judgement.vector, self.groups.index, self.benchmark.ids)


def assess_options(benchmark: Benchmark, settings: Settings, *, workers: int, progress: Progress) -> OptionsAssessment:
    """Measure a benchmark whose items have options of their own.

    Raises NotAssessedError if the options cannot be read, too few items can be used, all of them belong to one group,
    or the protocol is the paper's, which knows fixed labels only.
    """
    options = usable_options(benchmark, settings)
    pool = Pool.of(benchmark, options)
    used = shown(benchmark, options, pool)
    progress("finding groups", 0, 1)
    groups = groups_in_pool(used, pool, settings.groups)
    refuse_one_group(groups)
    progress("counting", 0, 1)
    prepare()
    belonging = Belonging.of(groups, used.prompts)
    course = OptionsCourse(pool, used.prompts, belonging, options.ordered, settings, workers, progress)
    done = course.assessed(None)
    told = replace(done.judgement, reason=done.judgement.reason + _seen(done, course))
    explanation = explain(
        benchmark, course.bed, groups.index, done.schemes[0], settings, progress, ordered=options.ordered
    )
    return OptionsAssessment(
        used, options, pool, course.bed, groups, replace(done, judgement=told), course.rules, explanation, course.effort
    )


def _seen(done: Assessed[ViewScores], course: OptionsCourse) -> str:
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
