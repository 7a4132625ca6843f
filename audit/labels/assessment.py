"""From a benchmark of labels to a verdict and what explains it: number labels and groups, count, measure, explain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from audit.assessing.assessed import Assessed, Explanation
from audit.assessing.belonging import Belonging
from audit.benchmark import Benchmark
from audit.groups.chosen import groups_of, refuse_one_group
from audit.labelled import Labelled
from audit.labels.ceiling import affordable, check_answers
from audit.labels.course import COUNTED, LabelCourse
from audit.labels.explaining import explain
from audit.labels.item_scores import item_scores
from audit.labels.spellings import minding_spellings
from audit.probes.crossfit import Fitting, Scores
from audit.probes.logistic import prepare
from audit.probes.spreading import FitExecutor
from audit.published.measuring import Published, measure_published
from audit.result.audit_result import Settings
from audit.result.explanation import ItemScore
from audit.result.numbers import Effort
from audit.texts.feature_table import FeatureTable
from audit.texts.vectors import FURTHER, GRADES, THIRTEEN
from audit.verdict.rule import decide_paper
from generators.errors import Progress

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True)
class Assessment(Labelled):
    """Everything measured on one benchmark of labels, before it is put into words; N items."""

    order: list[int]
    """(N,) the place of each in the source."""
    fitting: Fitting
    assessed: Assessed[Scores]
    effort: Effort | None = None
    explanation: Explanation = field(default_factory=Explanation)
    """Empty under the paper's protocol and for a published split."""
    published: Published | None = None

    def item_scores(self) -> list[ItemScore]:
        """One score per item that was scored, in source order, from the vector that the verdict is about."""
        overlap = None if self.published is None else self.published.overlap
        return item_scores(self.benchmark, self.order, self.y, self.labels, self.groups, self.assessed, overlap)


def assess(
    benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress, spread: FitExecutor | None = None
) -> Assessment:
    """Measure a benchmark whose items share one set of answers, under the protocol of `settings`.

    Raises NotAssessedError if all items belong to one group, because then nothing can be held out, and for more answers
    than fit in memory.
    """
    paper = settings.protocol == "paper"
    # The paper's split shuffles the rows as they come; everything else must not depend on their order.
    ordered, order = (benchmark, list(range(len(benchmark.prompts)))) if paper else benchmark.in_text_order()
    labels = list(dict.fromkeys(ordered.answers))
    check_answers(len(labels), len(ordered.prompts))
    number = {label: c for c, label in enumerate(labels)}
    y = np.array([number[answer] for answer in ordered.answers], dtype=np.int64)
    workers = affordable(workers, len(labels), len(y))
    progress("finding groups", 0, 1)
    groups = groups_of(ordered, settings.groups)
    if not paper:
        refuse_one_group(groups)
    vectors = THIRTEEN + (() if paper else FURTHER) + ((GRADES,) if settings.grades else ())
    progress("counting", 0, 1)
    dense = [vector.name for vector in vectors if vector.kind == "dense"]
    table = FeatureTable.build(ordered.prompts, dense=dense, at_once=not paper)
    progress("preparing the probe", 0, 1)
    prepare()
    items = Labelled(ordered, table, y, labels, groups)
    belonging = Belonging.of(groups, ordered.prompts)
    course = LabelCourse(items, belonging, vectors, settings, workers, progress, spread)
    known = (ordered, table, y, labels, groups, order, course.fitting)
    if paper:
        measured = course.paper()
        judgement = minding_spellings(decide_paper(measured.result, settings), ordered.answers, settings.threshold)
        return Assessment(*known, Assessed([measured], judgement))
    if settings.protocol == "published":
        of = measure_published(items, vectors, settings, course.fitting, COUNTED, progress)
        judgement = minding_spellings(of.judgement, ordered.answers, settings.threshold)
        return Assessment(*known, Assessed([of.measured], judgement), published=of)
    done = course.assessed(len(labels))
    done = replace(done, judgement=minding_spellings(done.judgement, ordered.answers, settings.threshold))
    explanation = explain(items, belonging, done, course.quiet, settings, progress, course.effort)
    return Assessment(*known, done, course.effort, explanation)
