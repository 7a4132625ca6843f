"""The audit of one subset of a release, and what the manifest keeps of it.

The audit reads the very file that is frozen. Where the answers are open it predicts a key of the metadata from the
prompt instead, if the family names one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from audit.result import AuditResult, SchemeResult
from audit.run import audit
from generators.dataset import Subset
from generators.errors import InputError, Progress
from generators.item import Item
from hansproof.manifests.manifest import AuditSummary, SchemeKappas, VectorKappas, rounded

__all__ = ["AuditOptions", "SubsetAudit", "audit_subset", "summary"]

NO_ANSWER = "nothing is right here: the items have no gold answer that a probe could predict"
OPEN = "the answers are open, not a few labels"


@dataclass(frozen=True)
class AuditOptions:
    """What may be chosen about the audits of a release; everything else is the audit's default."""

    permutations: int = 999
    """Relabelings for the p-values."""
    splits: int = 10
    """How often the items are split into folds anew."""
    workers: int = 0
    """Threads; 0 is one per core. No number depends on it."""


@dataclass(frozen=True)
class SubsetAudit:
    """What came of one audit."""

    summary: AuditSummary
    result: AuditResult | None = None
    """None where there was nothing to audit."""
    by_option: AuditSummary | None = None
    """Of the options that stand in the prompts; None where none do."""


def audit_subset(
    path: Path, subset: Subset, items: Sequence[Item], options: AuditOptions, progress: Progress
) -> SubsetAudit:
    """Audit the items in `path`. Raises InputError where an item lacks the key of the metadata to be predicted."""
    target = "" if subset.labels else subset.audit_target
    source: str | list[dict[str, str]]
    if target:
        source = _targets(items, target)
    elif any(item.answer is None for item in items):
        return SubsetAudit(_not_assessed(NO_ANSWER))
    elif subset.labels and len({item.answer for item in items}) == 1:
        return SubsetAudit(_one_answer(items))
    elif subset.labels:
        source = str(path)
    else:
        different = len({item.answer for item in items})
        return SubsetAudit(_not_assessed(f"{OPEN} ({different:,} different ones in {len(items):,} items)"))

    def step(stage: str, done: int, total: int, /) -> None:
        progress(f"{path.stem}: {stage}", done, total)

    run = partial(
        audit,
        source,
        prompt="prompt" if target else None,
        answer="answer" if target else None,
        group="group" if target else None,
        name=path.stem,
        workers=options.workers,
        progress=step,
        permutations=options.permutations,
        splits=options.splits,
    )
    result = run(task="fixed")  # the family has said that its answers are labels, so the audit need not infer it
    kept = summary(result)
    if target:
        reason = f"the answers are open, so the probes predict metadata.{target} instead: {kept.reason}"
        kept = msgspec.structs.replace(kept, reason=reason)
    return SubsetAudit(kept, result, summary(run()) if not target and _options_are_printed(items) else None)


def _options_are_printed(items: Sequence[Item]) -> bool:
    """Whether every answer that may be chosen begins a line of its prompt, as `(a)` does."""
    return all(item.choices and all(f"\n{choice} " in item.prompt for choice in item.choices) for item in items)


def _targets(items: Sequence[Item], target: str) -> list[dict[str, str]]:
    """Rows for the audit: each prompt with the metadata that is to be predicted."""
    lacking = next((item.id for item in items if target not in item.metadata), None)
    if lacking is not None:
        raise InputError(f"has no metadata.{target}, which the audit is to predict", f"item {lacking!r}")
    return [{"prompt": item.prompt, "answer": str(item.metadata[target]), "group": item.group} for item in items]


def _not_assessed(reason: str) -> AuditSummary:
    return AuditSummary(
        verdict="NOT ASSESSED",
        reason=f"{reason}.",
        vector=None,
        groups=None,
        majority_accuracy=None,
        majority_uniform=None,
        schemes=[],
    )


def _one_answer(items: Sequence[Item]) -> AuditSummary:
    """Where every answer is the same, there is nothing to probe: saying it is a shortcut to all of them."""
    reason = f"all {len(items):,} answers are {items[0].answer!r}: whoever always says so gets every item right"
    return msgspec.structs.replace(_not_assessed(reason), verdict="IMBALANCED", majority_accuracy=1.0)


def summary(result: AuditResult) -> AuditSummary:
    """What the manifest keeps of an audit: the verdict and every kappa, to four decimals."""
    first = result.schemes[0] if result.schemes else None
    return AuditSummary(
        verdict=result.verdict,
        reason=result.reason,
        vector=result.vector,
        groups=result.groups.count if result.groups else None,
        majority_accuracy=rounded(first.majority_accuracy) if first else None,
        majority_uniform=rounded(first.majority_uniform) if first else None,
        schemes=[_kappas(scheme) for scheme in result.schemes],
        findable={cue.kind: rounded(cue.kappa) for cue in result.findable},
    )


def _kappas(scheme: SchemeResult) -> SchemeKappas:
    return SchemeKappas(
        scheme=scheme.scheme,
        headline=scheme.headline,
        vectors={
            vector.vector: VectorKappas(
                label=vector.label,
                cohen=rounded(vector.cohen),
                cohen_low=rounded(vector.cohen_low),
                cohen_high=rounded(vector.cohen_high),
                uniform=rounded(vector.uniform),
                matched=rounded(vector.matched),
                matched_low=rounded(vector.matched_low),
                matched_high=rounded(vector.matched_high),
                p_corrected=rounded(vector.p_corrected),
            )
            for vector in scheme.vectors
            if vector.counted
        },
    )
