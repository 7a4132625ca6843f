"""The probes of partial inputs: on each part of the prompts, a few feature vectors choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.task import Task
from hansproof.audit.result.shortcuts import PartialInput, PartialInputs, Untried
from hansproof.audit.shortcuts.prompt_parts import Input, Inputs
from hansproof.audit.shortcuts.shared_folds import SharedFolds, chosen_in_training
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import Vector

__all__ = ["FULLER", "QUICK", "Probed", "probe_parts", "table_of"]

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
    known: Inputs,
    on: SharedFolds,
    vectors: Sequence[str],
    seeing: Callable[[Sequence[str]], Task],
    *,
    alone: tuple[Input, Sequence[str]] | None = None,
) -> Probed:
    """The kappa of every partial input of n units, on the first splits of the audit.

    `seeing` makes the task of such texts (n,), from which `vectors`, named as in the audit, are drawn. In each fold,
    training chooses the feature vector, so the choice gains nothing. `alone` is an input that needs no other fit than
    those of the audit of the vectors that it names.
    """
    splits = on.splits if on.settings.partial else ceil(SHARE * on.splits)
    folds = on.folds(splits)

    def of_audit(names: Sequence[str]) -> list[Scores]:
        return [entry for entry in on.scores if entry.vector.name in names]

    wanted = [entry.vector for entry in of_audit(vectors)]
    seen, fitted = list(known.inputs), [on.fitted(seeing(entry.texts), wanted, splits) for entry in known.inputs]
    if alone is not None:
        seen, fitted = [alone[0], *seen], [of_audit(alone[1]), *fitted]
    picked = [chosen_in_training(on.task, entry.name, of, folds) for entry, of in zip(seen, fitted, strict=True)]
    scores = [combined for combined, _ in picked]
    whole, _ = chosen_in_training(on.task, "whole", of_audit(vectors), folds)
    numbers = on.measured([*scores, whole], ["whole"]) if scores else []
    shown = [*vectors, *(alone[1] if alone else ())]
    result = PartialInputs(
        how=known.how,
        whole=numbers[-1].matched if numbers else None,
        splits=splits,
        vectors=[entry.vector.label for entry in of_audit(shown)],
        inputs=[
            PartialInput(
                name=entry.name,
                sees=entry.sees,
                named=entry.named,
                filled=sum(map(bool, entry.texts)),
                vector=often.label,
                kappa=vector.matched,
                low=vector.matched_low,
                high=vector.matched_high,
                uniform=vector.uniform,
                p=vector.p_corrected,
            )
            for entry, vector, (_, often) in zip(seen, numbers, picked)
        ],
        left_out=[Untried(name=name, reason=reason) for name, reason in known.left_out],
    )
    return Probed(result, scores)


def table_of(texts: Sequence[str], vectors: Sequence[Vector]) -> FeatureTable:
    """What these feature vectors must know of some texts."""
    levels = list(dict.fromkeys(vector.level for vector in vectors if vector.kind == "ngram"))
    return FeatureTable.build(texts, levels=levels, dense=[vector.name for vector in vectors if vector.kind == "dense"])
