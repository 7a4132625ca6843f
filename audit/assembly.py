"""The result of an audit, put together from what was read and what was measured."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from audit.advice import advise
from audit.benchmark import Benchmark
from audit.probe.scheme import STRAY
from audit.result import (
    SCHEMA,
    AuditResult,
    Cue,
    Exclusion,
    Giveaway,
    LabelCount,
    MappingUsed,
    Settings,
)

if TYPE_CHECKING:
    from audit.assessment import Assessment
    from audit.features.vectors import Vector

__all__ = ["assemble", "not_assessed"]

_LISTED = 1000
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "nltk", "nupunkt", "syllapy", "textstat", "tiktoken")


def assemble(benchmark: Benchmark, assessment: Assessment, settings: Settings) -> AuditResult:
    """The whole result of a benchmark that was assessed."""
    from audit.groups.duplicates import find_duplicates
    from audit.groups.summary import summarise

    judgement = assessment.judgement
    cues, giveaways = _evidence(benchmark, assessment)
    base = not_assessed(benchmark, judgement.reason, settings)
    duplicates = find_duplicates(benchmark.prompts, benchmark.answers, benchmark.ids, benchmark.splits)
    groups = None if settings.protocol == "paper" else summarise(assessment.groups, benchmark.ids)
    result = {
        **{name: getattr(base, name) for name in base.__struct_fields__},
        "verdict": judgement.verdict,
        "vector": judgement.vector,
        "duplicates": duplicates,
        "groups": groups,
        "schemes": [one.result for one in assessment.schemes],
        "gap": assessment.gap,
        "confirmation": assessment.confirmation,
        "evidence_vector": _speaking(assessment).name,
        "evidence_scheme": assessment.deciding.result.scheme,
        "cues": cues,
        "giveaways": giveaways,
        "notes": [*benchmark.notes, *_notes(assessment)],
    }
    return AuditResult(**{**result, "advice": advise(AuditResult(**result), judgement.vector)})


def not_assessed(benchmark: Benchmark, reason: str, settings: Settings) -> AuditResult:
    """The result of a benchmark that was read, but is not of a kind that can be judged."""
    used = benchmark.mapping
    if settings.groups != "auto":  # the author's column was not asked
        used = replace(used, group=None, guessed=tuple(role for role in used.guessed if role != "group"))
    return AuditResult(
        verdict="NOT ASSESSED",
        reason=reason,
        vector=None,
        schema=SCHEMA,
        name=benchmark.name,
        source=benchmark.source,
        sha256=benchmark.sha256,
        items=len(benchmark.prompts),
        left_out=[Exclusion(place=one.place, reason=one.full_reason) for one in benchmark.left_out[:_LISTED]],
        left_out_count=len(benchmark.left_out),
        mapping=MappingUsed(
            format=used.format,
            prompt=used.prompt,
            answer=used.answer,
            group=used.group,
            split=used.split,
            id=used.id,
            guessed=list(used.guessed),
        ),
        labels=_labels(benchmark.answers),
        duplicates=None,
        groups=None,
        schemes=[],
        gap=None,
        confirmation=None,
        evidence_vector=None,
        evidence_scheme=None,
        cues=[],
        giveaways=[],
        advice=[],
        notes=list(benchmark.notes),
        settings=settings,
        versions=_versions(),
    )


def _evidence(benchmark: Benchmark, assessment: Assessment) -> tuple[list[Cue], list[Giveaway]]:
    """N-grams of the vector that the verdict is about, or of the best n-gram vector where that has none."""
    from audit.probe.evidence import Evidence

    vector = _speaking(assessment)
    scores, _ = assessment.deciding.of(vector.name)
    how = Counter(scores.regularisation).most_common(1)[0][0]
    evidence = Evidence(assessment.table, assessment.y, assessment.labels, vector, how, assessment.fitting)
    return evidence.cues(), evidence.giveaways(scores, benchmark.prompts, benchmark.ids)


def _speaking(assessment: Assessment) -> Vector:
    vectors = {one.vector.name: one.vector for one in assessment.deciding.scores}
    named = vectors[assessment.judgement.vector]
    if named.kind == "ngram":
        return named
    counted = [one for one in assessment.deciding.result.vectors if vectors[one.vector].kind == "ngram"]
    return vectors[max(counted, key=lambda one: one.cohen or -1.0).vector]


def _notes(assessment: Assessment) -> list[str]:
    notes = []
    # Without groups the random folds are the grouped ones: one note serves both.
    apart = len(assessment.schemes) == 2 and assessment.schemes[0].scores is assessment.schemes[1].scores
    for scheme in assessment.schemes[: 1 if apart else 2]:
        result = scheme.result
        if result.tied:
            others = ", ".join(result.tied[:3]) + (f" and {len(result.tied) - 3} more" if len(result.tied) > 3 else "")
            notes.append(
                f"{result.scheme} folds: {result.headline} ties in validation accuracy with {others}; the first of the "
                f"table's order is the headline"
            )
        undefined = [one.label for one in result.vectors if one.cohen is None]
        if undefined:
            notes.append(f"{result.scheme} folds: kappa undefined for {', '.join(undefined)}: only one answer occurs")
    if apart:
        notes.append("no two items belong together: random folds are the grouped ones")
    evident = assessment.deciding.result
    if assessment.judgement.vector != evident.headline:
        notes.append(
            f"the verdict is about {assessment.judgement.vector}, the largest kappa under {evident.scheme} folds; "
            f"validation accuracy chose {evident.headline} there"
        )
    again = assessment.confirmation
    if again is not None:
        held = "bears it out" if assessment.judgement.verdict == "LEAKS" else "does not bear it out"
        notes.append(
            f"{again.vector} passes the permutation test on few groups; refitting on {again.refits} relabelings {held} "
            f"(kappa by chance {again.null_mean:.2f} +- {again.null_sd:.2f}, corrected p = {again.p:.3g})"
        )
    counts = np.bincount(assessment.y)
    stray = [assessment.labels[c] for c in np.flatnonzero(counts < STRAY * len(assessment.y)).tolist()]
    if stray:
        notes.append(
            f"under {100 * STRAY:.0f} % of the items have the answer {', '.join(map(repr, stray[:5]))}: not counted "
            f"in the uniform chance of the majority baseline"
        )
    return notes


def _labels(answers: list[str]) -> list[LabelCount]:
    return [LabelCount(label=label, count=count) for label, count in Counter(answers).most_common()]


def _versions() -> dict[str, str]:
    python = ".".join(map(str, sys.version_info[:3]))
    return {"hansproof": version("hansproof"), "python": python, **{name: version(name) for name in _LIBRARIES}}
