"""Parts of the answers, and frequent answers, audited as fixed labels: the same probes as for any other benchmark."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from audit.benchmark import Benchmark
from audit.labels.assessment import assess
from audit.openended.golds import Golds
from audit.openended.parts import LabelPart, label_parts
from audit.result.audit_result import Settings
from audit.result.tasks import PartAudit
from generators.errors import NotAssessedError, Progress

__all__ = ["CHEAP", "audit_parts"]

CHEAP = 10_000
"""Up to so many items, parts are audited unasked."""
_AUDITED = 3
_LISTED = 20
_FEWEST, _FEWEST_EACH = 60, 10
"""Items with frequent answers that are worth an audit, and with each of these answers."""
_LEAST_SHARE = 0.3
"""Share of the items that frequent answers must have."""


def audit_parts(
    benchmark: Benchmark, golds: Golds, settings: Settings, *, workers: int, progress: Progress
) -> list[PartAudit]:
    """The parts that are labels, then the frequent answers as labels; the first three are audited if that is cheap.

    Each is judged at alpha over the number of those that are audited (Bonferroni).
    """
    import msgspec

    parts = [*label_parts(benchmark.answers), *_frequent(golds)]
    count = min(len(parts), _AUDITED) if len(benchmark.prompts) <= CHEAP else 0
    stricter = msgspec.structs.replace(settings, alpha=settings.alpha / max(count, 1))
    audited = [_audited(benchmark, part, stricter, workers, progress) for part in parts[:count]]
    return [*audited, *map(_listed, parts[count:])]


def _frequent(golds: Golds) -> list[LabelPart]:
    """The answers of at least 2 % of the items as labels of these items; empty unless they make up enough items."""
    firsts = golds.accepted[:, 0].tolist()
    least = max(_FEWEST_EACH, 0.02 * len(firsts))
    frequent = {number for number, count in Counter(firsts).items() if count >= least}
    labels = [golds.texts[number] if number in frequent else None for number in firsts]
    having = sum(label is not None for label in labels)
    if len(frequent) < 2 or having < max(_FEWEST, _LEAST_SHARE * len(firsts)):
        return []
    return [LabelPart(f"which of the {len(frequent)} most frequent answers", "", labels)]


def _listed(part: LabelPart) -> PartAudit:
    counts = Counter(label for label in part.labels if label)
    ranked = sorted(counts, key=lambda label: (-counts[label], label))
    return PartAudit(
        part=part.name, option=part.option, items=counts.total(), labels=ranked[:_LISTED], verdict=None,
        reason="", vector=None, kappa=None, low=None, high=None,
    )  # fmt: skip


def _audited(benchmark: Benchmark, part: LabelPart, settings: Settings, workers: int, progress: Progress) -> PartAudit:
    import msgspec

    kept = [at for at, label in enumerate(part.labels) if label]

    def report(stage: str, done: int, total: int, /) -> None:
        progress(f"{part.name}: {stage}", done, total)

    listed = _listed(part)
    labels = [label for label in part.labels if label]
    only = replace(benchmark.taken(kept), answers=labels, accepted=None, choices=None, options=None)
    try:
        assessment = assess(only, settings, workers=workers, progress=report)
    except NotAssessedError as error:
        return msgspec.structs.replace(listed, verdict="NOT ASSESSED", reason=error.reason)
    judgement = assessment.assessed.judgement
    vector = assessment.assessed.deciding.result.find(judgement.vector)
    return msgspec.structs.replace(
        listed,
        verdict=judgement.verdict,
        reason=judgement.reason,
        vector=judgement.vector,
        kappa=vector.matched if vector else None,
        low=vector.matched_low if vector else None,
        high=vector.matched_high if vector else None,
    )
