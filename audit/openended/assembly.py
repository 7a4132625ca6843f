"""The result of a benchmark with open-ended answers."""

from __future__ import annotations

from dataclasses import replace

from audit.assembly import Found, result_of
from audit.benchmark import FIRST_USED, Benchmark
from audit.groups.duplicates import find_duplicates
from audit.groups.summary import summarise
from audit.openended.advice import advise_open
from audit.openended.examination import OpenAudit
from audit.result.advice import advise_on_duplicates
from audit.result.audit_result import AuditResult, Settings

__all__ = ["assemble_open"]


def assemble_open(benchmark: Benchmark, examined: OpenAudit, settings: Settings) -> AuditResult:
    """The result of a benchmark with open-ended answers."""
    # All accepted answers count here, whatever reading them has said.
    read = replace(benchmark, notes=tuple(note for note in benchmark.notes if not note.endswith(FIRST_USED)))
    duplicates = find_duplicates(benchmark.prompts, benchmark.answers, benchmark.ids, benchmark.splits)
    return result_of(
        read,
        settings,
        examined.decision.verdict,
        examined.decision.reason,
        Found(
            duplicates=duplicates,
            groups=summarise(examined.groups, examined.ids),
            advice=[*advise_open(examined.decision.verdict, examined.record), *advise_on_duplicates(duplicates)],
            notes=examined.notes,
            open_ended=examined.record,
        ),
    )
