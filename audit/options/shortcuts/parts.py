"""What options predict beside each part of the question: beside none, beside the passage, beside its last sentence.

Options are seen in full throughout, with marks on the words that the part has, as in the views "vs question". So what a
part adds is what its kappa exceeds that of options only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from audit.benchmark import PromptPart
from audit.options.crossfit import Bed, ViewScores, crossfit
from audit.options.numbers.scheme import measure
from audit.options.shortcuts.picking import of_views
from audit.options.views import View, question_table, views
from audit.partial.inputs import Input, partial_inputs
from audit.partial.probing import SHARE
from audit.probes.crossfit import draw_folds
from audit.probes.kappas import RefitWidening
from audit.result.audit_result import Settings, VectorResult
from audit.result.shortcuts import PartialInput, PartialInputs, Untried

__all__ = ["beside_parts"]

Ints = NDArray[np.int64]

_ALONE = ("word-2-presence", "option-cues")
_BESIDE = ("question:word-2-presence", "question-cues")
"""The views that training chooses from: few, because every part is fitted anew."""


def beside_parts(
    bed: Bed,
    parts: Sequence[PromptPart],
    groups: Ints,
    scores: Sequence[ViewScores],
    stretch: RefitWidening,
    settings: Settings,
) -> PartialInputs:
    """The kappa of options alone, and beside each part of the question, under grouped folds.

    `parts` are those that columns name, in the order of the pool; without any, questions are split into sentences.
    `scores` are those of all views, whose first splits are used: `SHARE` of them, or all with `settings.partial`.
    """
    pool = bed.pool
    splits = len(scores[0].shares) if settings.partial else ceil(SHARE * len(scores[0].shares))
    folds = draw_folds(pool.strata, groups, settings.seed, "grouped", settings.folds, splits)
    known = partial_inputs(pool.questions, parts, fuller=settings.partial)
    alone = [entry for entry in scores if entry.view.name in _ALONE]
    whole = [entry for entry in scores if entry.view.name in _BESIDE]
    n = pool.n
    seen = [Input("options only", "the options alone", [" "] * n, True)]
    picked = [_of("options only", bed, alone, folds)]
    for entry in known.inputs:
        seen.append(replace(entry, name=_named(entry.name), sees=f"the options beside {entry.sees}"))
        picked.append(_of(entry.name, bed, _fitted(bed, entry.texts, groups, settings, splits), folds))

    def measured(several: list[ViewScores]) -> list[VectorResult]:
        return measure(
            "grouped", pool, groups, several, settings, None, lambda strongest, null_sd: stretch
        ).result.vectors

    results = measured([made for made, _ in picked])
    return PartialInputs(
        how=known.how,
        whole=measured([_of("whole", bed, whole, folds)[0]])[0].matched,
        splits=splits,
        vectors=[view.label for view in views(pool) if view.name in (*_ALONE, *_BESIDE)],
        inputs=[
            PartialInput(
                name=entry.name,
                sees=entry.sees,
                named=entry.named,
                filled=sum(map(bool, entry.texts)),
                vector=often,
                kappa=vector.matched,
                low=vector.matched_low,
                high=vector.matched_high,
                uniform=vector.matched,
                p=vector.p_corrected,
            )
            for entry, (_, often), vector in zip(seen, picked, results, strict=True)
        ],
        left_out=[Untried(name=_named(name), reason=reason) for name, reason in known.left_out],
    )


def _named(name: str) -> str:
    """`options and question` for `question only`."""
    return f"options and {name.removesuffix(' only')}"


def _of(name: str, bed: Bed, scores: Sequence[ViewScores], folds: Sequence[Ints]) -> tuple[ViewScores, str]:
    made = of_views("question", bed.pool, scores, folds)
    if made is None:
        raise ValueError(f"no view to choose from for {name!r}")
    return made


def _fitted(bed: Bed, texts: list[str], groups: Ints, settings: Settings, splits: int) -> list[ViewScores]:
    """The views of options beside `texts` (n,) in place of their questions."""
    pool = replace(bed.pool, questions=texts)
    linear = tuple(how for how in bed.fitting.candidates if how.linear)  # trees would take longer than all the rest
    fitting = replace(bed.fitting.quiet(), candidates=linear)
    own = Bed(pool, {"question": question_table(pool, groups)}, fitting)
    wanted: list[View] = [view for view in views(bed.pool) if view.name in _BESIDE]
    return crossfit(own, wanted, pool.gold, groups, scheme="grouped", folds=settings.folds, splits=splits)
