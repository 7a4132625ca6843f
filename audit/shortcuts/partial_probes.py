"""The probes of partial inputs: on each part of the prompts, a few feature vectors choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from hansproof.audit.benchmark import PromptPart
from hansproof.audit.probes.crossfit import Fitting, Ints, Scores, crossfit, draw_folds
from hansproof.audit.probes.kappas import MeasuredScheme, measure
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.result.shortcuts import PartialInput, PartialInputs, Untried
from hansproof.audit.shortcuts.prompt_parts import Input, partial_inputs
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import Vector, by_name

__all__ = [
    "SHARE",
    "Probed",
    "best_in_validation",
    "chosen_in_training",
    "most_often",
    "part_read",
    "probe_parts",
    "table_of",
]

# The best of six kappas is too large by what the choice gains. So a rung of the ladder is the whole procedure, choice
# included: in each fold, the vector with the best kappa on the validation part of its training items predicts.


def chosen_in_training(name: str, label: str, scores: Sequence[Scores], folds: Sequence[Ints]) -> tuple[Scores, str]:
    """The predictions of several vectors as those of a single one, and the name of the vector chosen most often.

    `scores` (one or more) were cross-fitted on the splits `folds`, each the fold (N,) of every item; only as many
    splits are used as they all have. Ties, and validations that are undefined, go to the first vector.
    """
    splits = min([len(folds), *(len(entry.matched) for entry in scores)])
    matched, predicted = scores[0].matched[:splits].copy(), scores[0].predicted[:splits].copy()
    chosen: list[str] = []
    validations: list[float] = []
    for split, rows, best, value in best_in_validation([entry.validations for entry in scores], folds[:splits]):
        matched[split, rows] = scores[best].matched[split, rows]
        predicted[split, rows] = scores[best].predicted[split, rows]
        chosen.append(scores[best].vector.name)
        validations.append(value)
    combined = replace(
        scores[0],
        vector=Vector(name, label, "dense", "", 0, ""),
        matched=matched,
        predicted=predicted,
        regularisation=chosen,
        validation=float("nan"),
        validations=tuple(validations),
        features=int(np.median([entry.features for entry in scores])),
    )
    return combined, most_often(chosen, [entry.vector.name for entry in scores])


def most_often(chosen: Sequence[str], order: Sequence[str]) -> str:
    """What was chosen most often; of equals the first in the `order`."""
    often = Counter(chosen)
    return max(order, key=lambda name: (often[name], -order.index(name)))


def best_in_validation(
    validations: Sequence[Sequence[float]], folds: Sequence[Ints]
) -> Iterator[tuple[int, Ints, int, float]]:
    """(split, items of a fold, place of the candidate with the best kappa in validation, that kappa), fold by fold.

    `validations` has the kappas of each candidate on the validation part of every fold of every split of `folds`. Ties
    go to the first candidate; a kappa that is missing or undefined is -1.
    """
    at = 0
    for split, fold in enumerate(folds):
        for number in np.unique(fold).tolist():
            known = [values[at] if at < len(values) and not np.isnan(values[at]) else -1.0 for values in validations]
            best = int(np.argmax(np.round(known, 12)))
            yield split, np.flatnonzero(fold == number), best, known[best]
            at += 1


SHARE = 0.3
"""Share of the audit's splits, rounded up, on which partial inputs are fitted by default: 3 of 10."""

QUICK = ("word-2-presence", "length")
"""By default. Of the word vectors, pairs of words by presence reached the largest kappas on real benchmarks, at a tenth
of the time of all vectors; length costs next to nothing."""

FULLER = ("word-1-presence", "word-2-tfidf", "word-2-presence", "gpt2-2-presence", "length", "format")
"""With the option `partial`, on all splits."""


@dataclass(frozen=True)
class Probed:
    """What was measured, and the predictions behind it."""

    result: PartialInputs
    scores: list[Scores]
    """One per input; its vector has the name of the input."""


def probe_parts(
    prompts: Sequence[str],
    parts: Sequence[PromptPart],
    task: LabelTask,
    groups: Ints,
    grouped: MeasuredScheme,
    fitting: Fitting,
    settings: Settings,
) -> Probed:
    """The kappa of every partial input of N prompts, on the first splits of the scheme `grouped`.

    `groups` are (N,). In each fold, training chooses the feature vector, so the choice gains nothing.
    """
    fuller = settings.partial
    vectors = [by_name(name) for name in (FULLER if fuller else QUICK)]
    splits = grouped.result.splits
    splits = splits if fuller else ceil(SHARE * splits)
    folds = draw_folds(task.y, groups, fitting.seed, "grouped", settings.folds, splits)
    linear = tuple(how for how in fitting.candidates if how.linear)  # trees would take longer than all the rest
    quiet = replace(fitting.quiet(), candidates=linear)
    known = partial_inputs(prompts, parts, fuller=fuller)

    scores, often = [], []
    for entry in known.inputs:
        fitted = crossfit(
            LabelTask.of(table_of(entry.texts, vectors), task.y, task.labels), groups, vectors, quiet,
            scheme="grouped", folds=settings.folds, splits=splits,
        )  # fmt: skip
        combined, most = chosen_in_training(entry.name, entry.name, fitted, folds)
        scores.append(combined)
        often.append(by_name(most).label)

    def measured(counted: list[Scores], whole: Scores) -> list[VectorResult]:
        names = {entry.vector.name for entry in counted}
        return measure(
            "grouped", task, groups, [*counted, whole], settings, names,
            lambda strongest, null_sd: grouped.stretch,
        ).result.vectors  # fmt: skip

    whole, _ = chosen_in_training("whole", "whole prompt", [grouped.of(vector.name) for vector in vectors], folds)
    numbers = measured(scores, whole) if scores else []
    result = PartialInputs(
        how=known.how,
        whole=numbers[-1].matched if numbers else None,
        splits=splits,
        vectors=[vector.label for vector in vectors],
        inputs=[part_read(entry, vector, label) for entry, vector, label in zip(known.inputs, numbers, often)],
        left_out=[Untried(name=name, reason=reason) for name, reason in known.left_out],
    )
    return Probed(result, scores)


def table_of(texts: Sequence[str], vectors: Sequence[Vector]) -> FeatureTable:
    """What these feature vectors must know of some texts."""
    levels = list(dict.fromkeys(vector.level for vector in vectors if vector.kind == "ngram"))
    return FeatureTable.build(texts, levels=levels, dense=[vector.name for vector in vectors if vector.kind == "dense"])


def part_read(entry: Input, vector: VectorResult, label: str) -> PartialInput:
    """What a probe reads in one partial input; `label` is that of the feature vector chosen most often."""
    return PartialInput(
        name=entry.name,
        sees=entry.sees,
        named=entry.named,
        filled=sum(map(bool, entry.texts)),
        vector=label,
        kappa=vector.matched,
        low=vector.matched_low,
        high=vector.matched_high,
        uniform=vector.uniform,
        p=vector.p_corrected,
    )
