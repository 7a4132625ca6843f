"""What is looked at once there is a verdict on options: simpler shortcuts, parts of the question, single n-grams."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from audit.assessing.assessed import Explanation
from audit.benchmark import Benchmark, PromptPart
from audit.explanation.single_ngrams.survey import survey_ngrams
from audit.options.crossfit import Bed, Ints, ViewScores
from audit.options.evidence import RIGHT, WRONG
from audit.options.shortcuts.climbing import options_ladder
from audit.options.shortcuts.parts import beside_parts
from audit.probes.kappas import MeasuredScheme
from audit.result.audit_result import Settings
from audit.result.shortcuts import SingleNgrams
from generators.errors import Progress

__all__ = ["explain"]


def explain(
    benchmark: Benchmark,
    bed: Bed,
    groups: Ints,
    grouped: MeasuredScheme[ViewScores],
    settings: Settings,
    progress: Progress,
    *,
    ordered: bool,
) -> Explanation:
    """Explain a verdict; `benchmark` is as it was read, `groups` are those of the n items of the pool.

    `grouped` is the scheme under grouped folds; `ordered` says that the position of an option means something.
    """
    progress("climbing the ladder", 0, 1)
    quiet = replace(bed, fitting=bed.fitting.quiet())
    scores, stretch = grouped.scores, grouped.stretch
    parts = [PromptPart(part.name, [part.texts[number] for number in bed.pool.source]) for part in benchmark.parts]
    return Explanation(
        ladder=options_ladder(quiet, groups, scores, stretch, settings, ordered=ordered),
        partial=beside_parts(quiet, parts, groups, scores, stretch, settings),
        single_ngrams=_ngrams(bed, groups, settings),
    )


def _ngrams(bed: Bed, groups: Ints, settings: Settings) -> SingleNgrams | None:
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
