"""The result of an audit, put together once from what was read and what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.result.advice import NOT_DONE
from hansproof.audit.result.audit_result import (
    SCHEMA,
    AuditResult,
    Cue,
    Duplicates,
    Exclusion,
    Giveaway,
    GroupSummary,
    LabelCount,
    MappingUsed,
    Settings,
    Verdict,
)
from hansproof.audit.result.document import library_versions
from hansproof.audit.result.numbers import Effort
from hansproof.audit.result.tasks import OpenEnded, OptionsSummary, PublishedSplit
from hansproof.audit.tasks.measurement_plan import Assessed, Explanation

__all__ = ["Found", "counted_labels", "not_assessed", "result_of"]

_LISTED = 1000
"""Rows left out that the result lists; the rest are only counted."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a result says beside the numbers of the verdict and what explains it; by default that nothing was found."""

    duplicates: Duplicates | None = None
    groups: GroupSummary | None = None
    effort: Effort | None = None
    evidence_vector: str | None = None
    cues: Sequence[Cue] = ()
    giveaways: Sequence[Giveaway] = ()
    advice: Sequence[str] = ()
    notes: Sequence[str] = ()
    open_ended: OpenEnded | None = None
    labels: Sequence[LabelCount] | None = None
    """The answers with their counts, if not those of `Benchmark.answers`."""
    options: OptionsSummary | None = None
    published: PublishedSplit | None = None


def not_assessed(benchmark: Benchmark, reason: str, settings: Settings) -> AuditResult:
    """The result of a benchmark that was read, but that this audit cannot judge."""
    return result_of(benchmark, settings, "NOT ASSESSED", reason, Found())


def result_of(
    benchmark: Benchmark,
    settings: Settings,
    verdict: Verdict,
    reason: str,
    outcome: Found,
    assessed: Assessed | None = None,
    more: Explanation | None = None,
) -> AuditResult:
    """The one place where a result is made; `assessed` is None where no probe was fitted."""
    more = more or Explanation()
    return AuditResult(
        verdict=verdict,
        reason=reason,
        vector=assessed.judgement.vector if assessed else None,
        schema=SCHEMA,
        name=benchmark.name,
        source=benchmark.source,
        sha256=benchmark.sha256,
        items=len(benchmark.prompts) if outcome.published is None else outcome.published.test,
        left_out=[Exclusion(place=row.place, reason=row.full_reason) for row in benchmark.left_out[:_LISTED]],
        left_out_count=len(benchmark.left_out),
        mapping=_mapping(benchmark, settings, outcome.options is not None),
        labels=_labels(benchmark, outcome),
        duplicates=outcome.duplicates,
        groups=outcome.groups,
        schemes=[scheme.result for scheme in assessed.schemes] if assessed else [],
        gap=assessed.gap if assessed else None,
        clusters=list(assessed.clusters) if assessed else [],
        findable=list(assessed.findable) if assessed else [],
        format_share=more.format_share,
        mentions=more.mentions,
        ladder=more.ladder,
        effort=outcome.effort,
        recipe=benchmark.recipe,
        partial=more.partial,
        evidence_vector=outcome.evidence_vector,
        evidence_scheme=assessed.judgement.scheme if assessed else None,
        cues=list(outcome.cues),
        giveaways=list(outcome.giveaways),
        advice=list(outcome.advice),
        notes=[*benchmark.notes, *outcome.notes, *([NOT_DONE] if settings.fast and assessed else [])],
        settings=settings,
        single_ngrams=more.single_ngrams,
        published=outcome.published,
        versions=library_versions(),
        open_ended=outcome.open_ended,
        options=outcome.options,
    )


def _mapping(benchmark: Benchmark, settings: Settings, options: bool) -> MappingUsed:
    used = benchmark.mapping
    if settings.groups != "auto":  # the group column was read but not used
        used = replace(used, group=None, guessed=tuple(role for role in used.guessed if role != "group"))
    if not options:
        used = replace(used, choices=(), guessed=tuple(role for role in used.guessed if role != "choices"))
    return MappingUsed(
        format=used.format,
        prompt=used.prompt,
        answer=used.answer,
        group=used.group,
        split=used.split,
        id=used.id,
        guessed=list(used.guessed),
        choices=",".join(used.choices) or None,
        unseen=list(used.unseen),
    )


def _labels(benchmark: Benchmark, outcome: Found) -> list[LabelCount]:
    """The answers with their counts; of a published split, those of its test part, whose items are judged."""
    if outcome.published is not None:
        counts = {label.label: label.test for label in outcome.published.labels if label.test}
        return [LabelCount(label=label, count=count) for label, count in Counter(counts).most_common()]
    return counted_labels(benchmark.answers) if outcome.labels is None else list(outcome.labels)


def counted_labels(answers: list[str]) -> list[LabelCount]:
    """The answers with their counts, most frequent first."""
    return [LabelCount(label=label, count=count) for label, count in Counter(answers).most_common()]
