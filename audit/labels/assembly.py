"""The result of a benchmark of labels, put together once from what was measured."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from audit.assembly import Found, counted_labels, result_of
from audit.benchmark import Benchmark
from audit.explanation.single_ngrams.survey import survey_ngrams
from audit.groups.duplicates import find_duplicates
from audit.groups.summary import summarise
from audit.labels.advice import advise
from audit.labels.assessment import Assessment
from audit.labels.notes import notes_on
from audit.partial.advice import advise_on_parts
from audit.probes.evidence import Evidence, best_ngrams
from audit.published.advice import advise_on_split
from audit.result.audit_result import AuditResult, Settings

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
    found = Found(
        duplicates=duplicates,
        groups=None if settings.protocol == "paper" else summarise(assessment.groups, ordered.ids),
        effort=assessment.effort,
        evidence_vector=scores.vector.name,
        cues=cues,
        giveaways=evidence.giveaways(scores, ordered.prompts, ordered.ids, ordered.places),
        advice=(advise_on_split(split, settings.alpha) if split else [])
        + advise(
            judgement,
            cues,
            counts,
            duplicates if split is None else msgspec.structs.replace(duplicates, across_splits=None),
            more.format_share,
            more.mentions,
            length=more.length,
            alone=singles is None or singles.significant > 0,
        )
        + advise_on_parts(more.partial, settings),
        published=split,
        notes=notes_on(assessment, scores, evidence.how, ungrouped=settings.groups == "none"),
    )
    more = replace(more, single_ngrams=singles)
    return result_of(benchmark, settings, judgement.verdict, judgement.reason, found, done, more)
