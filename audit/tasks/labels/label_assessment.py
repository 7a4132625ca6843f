"""From a benchmark of labels to a verdict and what explains it: what is measured, in which order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.probes.crossfit import Fitting, single_split
from hansproof.audit.probes.findable import WORDS, smallest_found
from hansproof.audit.probes.folds import part_of
from hansproof.audit.probes.kappas import MeasuredScheme, measure
from hansproof.audit.probes.logistic import prepare
from hansproof.audit.probes.spreading import Cluster
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.result.audit_result import Findable, Settings
from hansproof.audit.result.explanation import ItemScore
from hansproof.audit.result.numbers import Effort
from hansproof.audit.result.shortcuts import Ladder
from hansproof.audit.shortcuts.form import Folding, direction, format_share
from hansproof.audit.shortcuts.ladder import FittedRung, measure_ladder
from hansproof.audit.shortcuts.partial_probes import FULLER, QUICK, Probed, probe_parts, table_of
from hansproof.audit.shortcuts.prompt_parts import partial_inputs
from hansproof.audit.shortcuts.shared_folds import SharedFolds, chosen_in_training
from hansproof.audit.shortcuts.short_rules import find_mentions, single_ngram
from hansproof.audit.tasks.group_layout import GroupLayout, Labelled, groups_of, refuse_one_group
from hansproof.audit.tasks.labels.spellings import minding_spellings
from hansproof.audit.tasks.measurement_plan import Assessed, Explanation, MeasurementPlan, steps_of
from hansproof.audit.tasks.published.overlap import Overlap
from hansproof.audit.tasks.published.split_measurement import Published, measure_published
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import FURTHER, GRADES, THIRTEEN, Vector, by_name
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.audit.verdict.rule import decide_paper
from hansproof.generators.errors import NotAssessedError, Progress

__all__ = ["Assessment", "assess"]

COUNTED = frozenset(vector.name for vector in (*THIRTEEN, *FURTHER))
"""The vectors that decide the verdict and that its correction covers: length by itself, too, since readability drowns a
cue of two characters, and does not measure every language."""


class LabelPlan(MeasurementPlan[LabelTask]):
    """N prompts with label numbers, on their way to a verdict."""

    uncounted = frozenset({GRADES.name})

    def paper(self) -> MeasuredScheme:
        """The paper's protocol: one split, every item by itself."""
        scores = single_split(self.task, self.vectors, self.fitting)
        return measure("paper", self.task, np.arange(len(self.task.y)), scores, self._settings, self._counted)

    def unpredictable(self) -> str:
        """Why no prompt can give its answer away."""
        y = self.task.y
        shares = np.bincount(y) / len(y)
        items = zip(self._texts, y.tolist(), strict=True)
        return why_unpredictable(items, dict(enumerate(shares.tolist())), self._settings.threshold)

    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""
        task, groups, _ = self.part
        told = steps_of(self._progress, "injecting cues", len(WORDS))
        return smallest_found(
            task.tables["text"], task.y, groups, replace(self.fitting, progress=told),
            limits=grouped.limits(), folds=self._settings.folds,
        )  # fmt: skip

    def explained(self, done: Assessed, items: Labelled) -> Explanation:
        """How much of kappa is format, the parts of prompts, simpler shortcuts."""
        mentions = find_mentions(items.benchmark.prompts, items.benchmark.answers)
        if self._settings.fast:
            return Explanation(mentions=mentions)
        self._progress("comparing clean texts", 0, 1)
        task, y, labels, texts, settings = self.task, self.task.y, items.labels, items.benchmark.prompts, self._settings
        belonging, fitting, grouped, of = self._belonging, self.fitting.quiet(), done.schemes[0], done.deciding
        groups = belonging.groups if of.result.scheme == "grouped" else belonging.same
        folding = Folding(groups, of.result.scheme, settings.folds)
        part = part_of(belonging.groups, self.effort, settings.seed)
        share = format_share(texts, y, labels, of.scores, done.judgement.vector, fitting, folding, part)
        self._progress("climbing the ladder", 0, 1)
        on = SharedFolds(task, belonging.groups, grouped.scores, grouped.stretch, fitting, settings)
        vectors = FULLER if settings.partial else QUICK
        known = partial_inputs(texts, items.benchmark.parts, fuller=settings.partial)
        probed = probe_parts(known, on, vectors, partial(_seen, task, list(map(by_name, vectors))))
        ladder = self._ladder(on, labels, probed)
        way = direction(texts, y, labels) if ladder.enough == "length" else None
        if way is not None:
            ladder = msgspec.structs.replace(ladder, sentence=f"{ladder.sentence} {way[:1].upper()}{way[1:]}.")
        return Explanation(share, mentions, probed.result, ladder, length=way)

    def _ladder(self, on: SharedFolds, labels: Sequence[str], parts: Probed) -> Ladder:
        """The ladder with one n-gram, and with the part of the prompt that training chose in each fold."""
        folds, steps = on.folds(), []
        best = single_ngram(self.task.tables["text"], self.task.y, labels, folds, on.fitting.quiet())
        steps.append(FittedRung("ngram", "a word, a token, or two in a row", best.scores))
        if parts.scores:
            chosen, often = chosen_in_training(self.task, "partial", parts.scores, folds)
            sees = next(entry.sees for entry in parts.result.inputs if entry.name == often.name)
            steps.append(FittedRung("partial", sees, chosen))
        return measure_ladder(on, steps, uniform=self.task.constant[1], ngram=best.named)


def _seen(task: LabelTask, vectors: Sequence[Vector], texts: Sequence[str]) -> LabelTask:
    """The task of telling the same labels from other texts."""
    return LabelTask.of(table_of(texts, vectors), task.y, task.labels)


# How many answers can be probed at once, and by how many threads: decided before anything is counted.

_MOST = 1_000
"""Answers. Each has a weight per feature, and beyond some hundreds hardly any has the items to learn from."""

_CELLS = 20_000_000
"""Items times answers: each vector keeps a probability for each, about 100 bytes for all vectors of both schemes."""

_FEATURES = 20_000
_ARRAYS = 18
"""Arrays of features by answers that one fit, and the models it chooses from, hold at the same time."""

_BUDGET = 1.2e9
"""Bytes for the fits of all threads together."""


def check_answers(labels: int, items: int) -> None:
    """Raise NotAssessedError for more answers than fit in memory."""
    if labels <= _MOST and labels * items <= _CELLS:
        return
    less = "audit part of each answer with --answer-part, or answers that are no labels with --task open"
    if labels <= _MOST:
        less = f"audit a sample with --max-rows {_CELLS // labels}"
    raise NotAssessedError(
        f"{labels:,} different answers for {items:,} items are too many to be probed as labels: at most {_MOST:,} "
        f"answers, and {_CELLS:,} items times answers; {less}"
    )


def affordable(workers: int, labels: int, items: int) -> int:
    """As many of the `workers` threads (0 for one per core) as have room for their fits; at least one.

    The number of threads changes no number. With 20 answers, 19 threads have room; with 150, two.
    """
    scores = 1 if labels == 2 else labels
    each = 8.0 * scores * (_ARRAYS * min(_FEATURES, 4 * items) + 6 * items)
    return max(1, min(workers if workers > 0 else os.cpu_count() or 1, int(_BUDGET // each)))


def _shared(overlap: Overlap, ids: Sequence[str]) -> dict[int, tuple[str, str]]:
    """(what is shared, id of the training item) by the place of each test item that shares something."""
    return {
        at: (kind, ids[other])
        for kind, others in (
            ("template", overlap.template),
            ("near-duplicate", overlap.near),
            ("duplicate", overlap.duplicate),
        )
        for at, other in enumerate(others.tolist())
        if other >= 0
    }


@dataclass(frozen=True)
class Assessment(Labelled):
    """Everything measured on one benchmark of labels, before it is put into words; N items."""

    order: list[int]
    """(N,) the place of each in the source."""
    fitting: Fitting
    assessed: Assessed
    effort: Effort | None = None
    explanation: Explanation = field(default_factory=Explanation)
    """Empty under the paper's protocol and for a published split."""
    published: Published | None = None

    def item_scores(self) -> list[ItemScore]:
        """One score per item, in source order, from the vector and scheme that the verdict is about.

        The paper's protocol and a published split score only their test part; what the parts of a published split share
        is said of its items.
        """
        judgement, benchmark, y = self.assessed.judgement, self.benchmark, self.y
        deciding = self.assessed.deciding
        # Of the paper's probes the one that is best in validation counts, whichever is the largest in the test part.
        vector = deciding.result.headline if judgement.scheme == "paper" else judgement.vector
        scores = deciding.of(vector)
        predicted, rows = scores.probabilities.argmax(axis=1), scores.units.tolist()
        shared = {} if self.published is None else _shared(self.published.overlap, benchmark.ids)
        return [
            ItemScore(
                id=benchmark.ids[row],
                answer=self.labels[y[row]],
                predicted=self.labels[predicted[at]],
                correct=bool(predicted[at] == y[row]),
                probability=float(scores.probabilities[at, y[row]]),
                probabilities=dict(zip(self.labels, map(float, scores.probabilities[at]), strict=True)),
                group=int(self.groups.index[row]),
                vector=vector,
                scheme=judgement.scheme,
                shares=shared.get(at, (None, None))[0],
                train=shared.get(at, (None, None))[1],
            )
            for at, row in sorted(enumerate(rows), key=lambda scored: self.order[scored[1]])
        ]


def assess(
    benchmark: Benchmark, settings: Settings, *, workers: int = 0, progress: Progress, spread: Cluster | None = None
) -> Assessment:
    """Measure a benchmark whose items share one set of answers, under the protocol of `settings`.

    Raises NotAssessedError if all items belong to one group, because then nothing can be held out, and for more answers
    than fit in memory.
    """
    paper = settings.protocol == "paper"
    # The paper's split shuffles the rows as they are published; everything else does not depend on their order.
    ordered, order = benchmark.in_id_order() if paper else benchmark.in_text_order()
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
    belonging = GroupLayout.of(groups, ordered.prompts)
    task = LabelTask.of(table, y, len(labels))
    course = LabelPlan(task, vectors, ordered.prompts, belonging, settings, workers, progress, spread)
    known = (ordered, table, y, labels, groups, order, course.fitting)
    if paper:
        measured = course.paper()
        judgement = minding_spellings(decide_paper(measured.result, settings), ordered.answers, settings.threshold)
        return Assessment(*known, Assessed([measured], judgement))
    if settings.protocol == "published":
        of = measure_published(items, vectors, settings, course.fitting, COUNTED, progress)
        judgement = minding_spellings(of.judgement, ordered.answers, settings.threshold)
        return Assessment(*known, Assessed([of.measured], judgement, findable=of.findable), published=of)
    done = course.assessed(len(labels))
    done = replace(done, judgement=minding_spellings(done.judgement, ordered.answers, settings.threshold))
    return Assessment(*known, done, course.effort, course.explained(done, items))
