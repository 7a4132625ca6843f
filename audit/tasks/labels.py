"""The shape of benchmarks whose items share a few answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.probes.crossfit import Ints, Scores, single_split
from hansproof.audit.probes.evidence import Evidence, best_ngrams
from hansproof.audit.probes.findable import WORDS, smallest_found
from hansproof.audit.probes.folds import part_of
from hansproof.audit.probes.injected_cues import VECTOR
from hansproof.audit.probes.kappas import MeasuredScheme, measure
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.refitting import limit_of
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.reading.items import unasked_numbers
from hansproof.audit.result.audit_result import Findable, LabelCount, Settings
from hansproof.audit.result.shortcuts import Ladder, SingleNgrams
from hansproof.audit.shortcuts.form import Folding, direction, format_share
from hansproof.audit.shortcuts.ladder import FittedRung, measure_ladder
from hansproof.audit.shortcuts.partial_probes import FULLER, QUICK, Probed, probe_parts, table_of
from hansproof.audit.shortcuts.prompt_parts import partial_inputs
from hansproof.audit.shortcuts.shared_folds import SharedFolds, chosen_in_training
from hansproof.audit.shortcuts.short_rules import find_mentions, single_ngram
from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.statistics.kappa import STRAY
from hansproof.audit.tasks.label_advice import advise, advise_on_parts, minding_spellings
from hansproof.audit.tasks.shape import Assessed, Explanation, Found, Guess
from hansproof.audit.tasks.split_measurement import SplitShape, advise_on_split
from hansproof.audit.tasks.split_probes import smallest_found_in_split
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import FURTHER, GRADES, THIRTEEN, Vector, by_name
from hansproof.audit.verdict.reasons import why_unpredictable
from hansproof.audit.verdict.rule import decide_paper
from hansproof.generators.errors import NotAssessedError

__all__ = ["Labels"]

# How many answers can be probed at once: decided before anything is counted.

_MOST = 1_000
"""Answers. Each has a weight per feature, and beyond some hundreds hardly any has the items to learn from."""

_CELLS = 20_000_000
"""Items times answers: each vector keeps a probability for each, about 100 bytes for all vectors of both schemes."""


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


class Labels(SplitShape[LabelTask]):
    """N prompts that share one set of answers, under any protocol."""

    uncounted = frozenset({GRADES.name})
    partly = "refitting, injected cues and clean texts"

    @classmethod
    def noted(cls, benchmark: Benchmark, settings: Settings) -> Benchmark:
        """With a note where the labels may be numbers to be calculated, unless the user called them labels."""
        notes = unasked_numbers(benchmark.prompts, benchmark.answers) if settings.task == "auto" else ()
        return replace(benchmark, notes=(*benchmark.notes, *notes))

    def ordered(self, benchmark: Benchmark) -> tuple[Benchmark, list[int]]:
        """The paper's split shuffles the rows as they are published; everything else does not depend on their order.

        Raises NotAssessedError for more answers than fit in memory.
        """
        paper = self.settings.protocol == "paper"
        ordered, order = benchmark.in_id_order() if paper else benchmark.in_text_order()
        self.labels = list(dict.fromkeys(ordered.answers))
        """In order of first appearance, so that their names change nothing."""
        self.classes = len(self.labels)
        check_answers(self.classes, len(ordered.prompts))
        return ordered, order

    def counted(self) -> tuple[LabelTask, tuple[Vector, ...]]:
        """The vectors that decide are those of the paper, and length and format by themselves, since readability drowns
        a cue of two characters, and does not measure every language."""
        paper, number = self.settings.protocol == "paper", {label: c for c, label in enumerate(self.labels)}
        vectors = THIRTEEN + (() if paper else FURTHER) + ((GRADES,) if self.settings.grades else ())
        dense = [vector.name for vector in vectors if vector.kind == "dense"]
        table = FeatureTable.build(self.items.prompts, dense=dense)
        y = np.array([number[answer] for answer in self.items.answers], dtype=np.int64)
        return LabelTask.of(table, y, len(self.labels)), vectors

    def chances(self, run: Sequence[dict[str, float]]) -> NDArray[np.float64]:
        """As `ProbedShape` says."""
        return np.array([[of.get(label, 0.0) for label in self.labels] for of in run])

    def measure(self) -> Assessed:
        """By the protocol; an imbalance of spellings is none."""
        done = self._by_paper() if self.settings.protocol == "paper" else super().measure()
        return replace(done, judgement=minding_spellings(done.judgement, self.items.answers, self.settings.threshold))

    def _by_paper(self) -> Assessed:
        """One split, every item by itself."""
        self.summary = None
        scores = single_split(self.task, self.vectors, self.fitting)
        each = np.arange(len(self.task.y))
        measured = measure("paper", self.task, each, scores, self.settings, self.deciding_vectors)
        return Assessed([measured], decide_paper(measured.result, self.settings))

    @property
    def right(self) -> Ints:
        """The labels."""
        return self.task.y

    def unpredictable(self, units: Ints) -> str:
        """Why none of these prompts can give its answer away."""
        y = self.task.y[units]
        shares = np.bincount(y, minlength=self.classes) / len(y)
        items = zip((self.items.prompts[unit] for unit in units.tolist()), y.tolist(), strict=True)
        return why_unpredictable(items, dict(enumerate(shares.tolist())), self.settings.threshold)

    def findable(self, grouped: MeasuredScheme) -> list[Findable]:
        """The smallest cues that would have been found in these texts."""
        fitting = replace(self.fitting, progress=self.steps("injecting cues", len(WORDS)))
        if self.split is not None:
            table, limit = self.task.tables["text"], limit_of(grouped.limits(), VECTOR.name)
            return smallest_found_in_split(table, self.task.y, self.groups.index, self.split, fitting, limit)
        task, groups, _ = self.part
        table, limits, folds = task.tables["text"], grouped.limits(), self.settings.folds
        return smallest_found(table, task.y, groups, fitting, limits=limits, folds=folds)

    def _explained(self) -> Explanation:
        """The share of the format, parts of prompts, simpler shortcuts; without grouped folds, only single n-grams."""
        settings, texts, labels = self.settings, self.items.prompts, self.labels
        ngrams = self._single_ngrams()
        if settings.protocol != "grouped":
            return Explanation(single_ngrams=ngrams)
        mentions = find_mentions(texts, self.items.answers)
        if settings.fast:
            return Explanation(mentions=mentions, single_ngrams=ngrams)
        self.running.progress("comparing clean texts", 0, 1)
        task, y, fitting, layout = self.task, self.task.y, self.fitting.quiet(), self.layout
        grouped, of = self.assessed.schemes[0], self.assessed.deciding
        groups = layout.groups if of.result.scheme == "grouped" else layout.same
        folding = Folding(groups, of.result.scheme, settings.folds)
        part = part_of(layout.groups, self.effort, settings.seed)
        vector = of.fitted_like(self.assessed.judgement.vector)
        share = format_share(texts, y, labels, of.fitted, vector, fitting, folding, part)
        self.running.progress("climbing the ladder", 0, 1)
        on = SharedFolds(task, layout.groups, grouped.fitted, grouped.stretch, fitting, settings)
        vectors = FULLER if settings.partial else QUICK
        known = partial_inputs(texts, self.items.parts, fuller=settings.partial)
        probed = probe_parts(known, on, vectors, partial(_seen, task, list(map(by_name, vectors))))
        ladder = self._ladder(on, probed)
        way = direction(texts, y, labels) if ladder.enough == "length" else None
        if way is not None:
            ladder = msgspec.structs.replace(ladder, sentence=f"{ladder.sentence} {way[:1].upper()}{way[1:]}.")
        return Explanation(share, mentions, probed.result, ladder, ngrams, way)

    def _single_ngrams(self) -> SingleNgrams | None:
        """Every n-gram by itself; the paper counts every item as a group."""
        task, groups = self.task, self.groups.index
        if self.settings.protocol == "paper":
            groups = np.arange(len(task.y))
        if self.learnt is not None:
            task, groups = task.taken(self.learnt), np.unique(groups[self.learnt], return_inverse=True)[1]
        order = [label for label, _ in Counter(self.source.answers).most_common()]
        return survey_ngrams(task.tables["text"], task.y, self.labels, groups, alpha=self.settings.alpha, order=order)

    def _ladder(self, on: SharedFolds, parts: Probed) -> Ladder:
        """The ladder with one n-gram, and with the part of the prompt that training chose in each fold."""
        folds, steps = on.folds(), []
        best = single_ngram(self.task.tables["text"], self.task.y, self.labels, folds, on.fitting.quiet())
        steps.append(FittedRung("ngram", "a word, a token, or two in a row", best.scores))
        if parts.scores:
            chosen, often = chosen_in_training(self.task, "partial", parts.scores, folds)
            sees = next(entry.sees for entry in parts.result.inputs if entry.name == often.name)
            steps.append(FittedRung("partial", sees, chosen))
        return measure_ladder(on, steps, uniform=self.task.constant[1], ngram=best.named)

    def tell(self) -> Found:
        """The n-grams that the probe goes by, and advice on them."""
        judgement, task, items, split = self.assessed.judgement, self.task, self.items, None
        more = self._explained()
        scores = best_ngrams(self.assessed.deciding, judgement.vector)
        evidence = Evidence(task.tables["text"], task.y, self.labels, scores, self.fitting, self.learnt)
        cues, counts, labels, shared = evidence.cues(), Counter(self.source.answers), None, list[str]()
        if self.published is not None:
            split = self.published.record
            shared = advise_on_split(split, self.settings.alpha)
            tested = Counter({label.label: label.test for label in split.labels if label.test})
            labels = [LabelCount(label=label, count=count) for label, count in tested.most_common()]
        alone = more.single_ngrams is None or more.single_ngrams.significant > 0
        own = advise(judgement, cues, counts, more, alone=alone) + advise_on_parts(more.partial, self.settings)
        return Found(
            more=more,
            evidence_vector=scores.vector.name,
            cues=cues,
            giveaways=evidence.giveaways(scores, items.prompts, items.ids, items.places),
            advice=own + shared if judgement.verdict == "LEAKS" else shared + own,
            notes=_on_trees(scores, evidence.how) + _on_stray(task.y, self.labels),
            labels=labels,
            published=split,
        )

    @property
    def scored_by(self) -> str:
        """Of the paper's probes the one that is best in validation, whichever is the largest in the test part."""
        paper = self.settings.protocol == "paper"
        return self.assessed.deciding.result.headline if paper else super().scored_by

    def guesses(self) -> Iterator[tuple[int, Guess]]:
        """Of all items, or of the test part; of a published split with what each shares with the training part."""
        scores, y = self.assessed.deciding.of(self.scored_by), self.task.y
        shared = self.shared
        for at, row in enumerate(scores.units.tolist()):
            probabilities = scores.probabilities[at]
            given = int(probabilities.argmax())
            named = dict(zip(self.labels, map(float, probabilities), strict=True))
            right, others = float(probabilities[y[row]]), shared.get(at, (None, None))
            yield row, Guess(self.labels[given], given == int(y[row]), right, named, *others)


def _seen(task: LabelTask, vectors: Sequence[Vector], texts: Sequence[str]) -> LabelTask:
    """The task of telling the same labels from other texts."""
    return LabelTask.of(table_of(texts, vectors), task.y, task.labels)


def _on_trees(scores: Scores, shown: Regularisation) -> list[str]:
    """Trees have no weight per n-gram and answer, so their evidence comes from the regression `shown`."""
    trees = scores.regularisation.count("trees")
    if not trees:
        return []
    times = len(scores.regularisation)
    folds = "the single split" if times == 1 else f"{trees} of {times} folds"
    return [
        f"gradient-boosted trees scored {scores.vector.label} on {folds}. Trees have no weight per n-gram, so the "
        f"n-grams shown are those of the linear probe {shown.name} on the same feature vector; the probabilities of "
        f"the items are those of the models that scored them"
    ]


def _on_stray(y: np.ndarray, labels: Sequence[str]) -> list[str]:
    counts = np.bincount(y)
    stray = [labels[c] for c in np.flatnonzero(counts < STRAY * len(y)).tolist()]
    if not stray:
        return []
    return [
        f"fewer than {100 * STRAY:.0f} % of the items have the answer {' or '.join(map(repr, stray[:5]))}; the "
        f"uniform-chance kappa of the most common answer does not count such rare answers"
    ]
