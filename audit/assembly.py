"""The result of an audit, put together once from what was read and what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from audit.benchmark import Benchmark
from audit.code import library_versions
from audit.records.explanation import FormatShare, Mentions
from audit.records.ladder import Ladder
from audit.records.openended import OpenEnded
from audit.records.options import OptionsSummary
from audit.records.partial import PartialInputs
from audit.records.published import PublishedSplit
from audit.records.single_ngrams import SingleNgrams
from audit.result import (
    SCHEMA,
    AuditResult,
    ClusterCheck,
    Cue,
    Duplicates,
    Effort,
    Exclusion,
    Findable,
    Giveaway,
    GroupSummary,
    LabelCount,
    MappingUsed,
    SchemeGap,
    SchemeResult,
    Settings,
    Verdict,
)

__all__ = ["counted_labels", "not_assessed", "result_of"]

_LISTED = 1000
"""Rows left out that the result lists; the rest are only counted."""


def not_assessed(benchmark: Benchmark, reason: str, settings: Settings) -> AuditResult:
    """The result of a benchmark that was read, but that this audit cannot judge."""
    return result_of(benchmark, settings, verdict="NOT ASSESSED", reason=reason)


def result_of(
    benchmark: Benchmark,
    settings: Settings,
    *,
    verdict: Verdict,
    reason: str,
    vector: str | None = None,
    duplicates: Duplicates | None = None,
    groups: GroupSummary | None = None,
    schemes: Sequence[SchemeResult] = (),
    gap: SchemeGap | None = None,
    clusters: Sequence[ClusterCheck] = (),
    findable: Sequence[Findable] = (),
    format_share: FormatShare | None = None,
    mentions: Mentions | None = None,
    ladder: Ladder | None = None,
    effort: Effort | None = None,
    partial: PartialInputs | None = None,
    evidence_vector: str | None = None,
    evidence_scheme: str | None = None,
    cues: Sequence[Cue] = (),
    giveaways: Sequence[Giveaway] = (),
    advice: Sequence[str] = (),
    notes: Sequence[str] = (),
    single_ngrams: SingleNgrams | None = None,
    open_ended: OpenEnded | None = None,
    labels: Sequence[LabelCount] | None = None,
    options: OptionsSummary | None = None,
    published: PublishedSplit | None = None,
) -> AuditResult:
    """The one place where a result is made; the defaults are those of a benchmark that was not measured.

    `labels` are the answers with their counts, if not those of `benchmark.answers`.
    """
    return AuditResult(
        verdict=verdict,
        reason=reason,
        vector=vector,
        schema=SCHEMA,
        name=benchmark.name,
        source=benchmark.source,
        sha256=benchmark.sha256,
        items=len(benchmark.prompts),
        left_out=[Exclusion(place=row.place, reason=row.full_reason) for row in benchmark.left_out[:_LISTED]],
        left_out_count=len(benchmark.left_out),
        mapping=_mapping(benchmark, settings, options is not None),
        labels=counted_labels(benchmark.answers) if labels is None else list(labels),
        duplicates=duplicates,
        groups=groups,
        schemes=list(schemes),
        gap=gap,
        clusters=list(clusters),
        findable=list(findable),
        format_share=format_share,
        mentions=mentions,
        ladder=ladder,
        effort=effort,
        recipe=benchmark.recipe,
        partial=partial,
        evidence_vector=evidence_vector,
        evidence_scheme=evidence_scheme,
        cues=list(cues),
        giveaways=list(giveaways),
        advice=list(advice),
        notes=[*benchmark.notes, *notes],
        settings=settings,
        single_ngrams=single_ngrams,
        published=published,
        versions=library_versions(),
        open_ended=open_ended,
        options=options,
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
    )


def counted_labels(answers: list[str]) -> list[LabelCount]:
    """The answers with their counts, most frequent first."""
    return [LabelCount(label=label, count=count) for label, count in Counter(answers).most_common()]
