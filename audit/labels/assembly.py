"""The result of a benchmark of labels, put together once from what was measured."""

from __future__ import annotations

import msgspec
import numpy as np

from audit.assembly import counted_labels, result_of
from audit.benchmark import Benchmark
from audit.explanation.single_ngrams.survey import survey_ngrams
from audit.groups.duplicates import find_duplicates
from audit.groups.summary import summarise
from audit.labels.advice import advise
from audit.labels.assessment import Assessment
from audit.labels.notes import notes_on
from audit.partial.advice import advise_on_parts
from audit.probe.evidence import Evidence, best_ngrams
from audit.published.advice import advise_on_split
from audit.result import AuditResult, Settings

__all__ = ["assemble"]


def assemble(benchmark: Benchmark, assessment: Assessment, settings: Settings) -> AuditResult:
    """The result of a benchmark that was assessed."""
    done, fitting, ordered = assessment.assessed, assessment.fitting, assessment.benchmark
    judgement, more = done.judgement, assessment.explanation
    scores = best_ngrams(done.deciding, judgement.vector)
    evidence = Evidence.of(assessment.table, assessment.y, assessment.labels, scores, fitting)
    cues = evidence.cues()
    counts = counted_labels(benchmark.answers)
    split = assessment.published.record if assessment.published else None
    units = np.arange(len(assessment.y)) if settings.protocol == "paper" else assessment.groups.index
    duplicates = find_duplicates(benchmark.prompts, benchmark.answers, benchmark.ids, benchmark.splits)
    singles = survey_ngrams(
        assessment.table,
        assessment.y,
        assessment.labels,
        units,
        alpha=settings.alpha,
        order=[entry.label for entry in counts],
    )
    return result_of(
        benchmark,
        settings,
        verdict=judgement.verdict,
        reason=judgement.reason,
        vector=judgement.vector,
        duplicates=duplicates,
        groups=None if settings.protocol == "paper" else summarise(assessment.groups, ordered.ids),
        schemes=[scheme.result for scheme in done.schemes],
        gap=done.gap,
        clusters=done.clusters,
        findable=done.findable,
        format_share=more.format_share if more else None,
        mentions=more.mentions if more else None,
        ladder=more.ladder if more else None,
        effort=assessment.effort,
        partial=more.partial if more else None,
        evidence_vector=scores.vector.name,
        evidence_scheme=judgement.scheme,
        cues=cues,
        giveaways=evidence.giveaways(scores, ordered.prompts, ordered.ids, ordered.places),
        advice=(advise_on_split(split, settings.alpha) if split else [])
        + advise(
            judgement,
            cues,
            counts,
            duplicates if split is None else msgspec.structs.replace(duplicates, across_splits=None),
            more.format_share if more else None,
            more.mentions if more else None,
            length=more.length if more else None,
            alone=singles is None or singles.significant > 0,
        )
        + advise_on_parts(more.partial if more else None, settings),
        published=split,
        notes=notes_on(assessment, scores, evidence.how, ungrouped=settings.groups == "none"),
        single_ngrams=singles,
    )
