"""`--by effects`: the tables of `score` on matched conditions, and nothing else of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from audit.notation import NAMELESS
from generators.errors import InputError
from hansproof.commands.analysing.kind import READING, AnalysisKind, Given, files_read, reading, single_source
from hansproof.commands.options.items import ITEM_OPTIONS
from hansproof.terminal.reports import Made, show_tables

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink

__all__ = ["EFFECTS"]


def _reads(given: Given) -> list[str]:
    single_source(given)
    return files_read(given)


def _make(given: Given, wanted: Sequence[str]) -> Made:
    from audit.answers.account import account
    from audit.documents.strict_json import json_bytes
    from hansproof.scored import score
    from hansproof.terminal.effects import effect_tables, notes, shared_notes, uncompared, why_no_effects
    from hansproof.terminal.progress import on_stderr
    from hansproof.terminal.scoring.answers import notes_of_all
    from hansproof.terminal.scoring.effects_csv import effects_csv

    source = single_source(given)
    with on_stderr() as progress:
        reports = score(
            given["answers"], source, original=given["original"], skip_missing=bool(given["skip_missing"]),
            **reading(given), progress=progress,
        )  # fmt: skip
    if reason := why_no_effects(reports):
        raise InputError(f"nothing to compare: {reason}", source)
    models = [
        {"model": report.model, "style": report.style, "run": report.run, "effects": report.record(False)["effects"]}
        for report in reports
    ]
    record = {
        "answers": list(given["answers"]),
        "items": source,
        "read": account(reports.joined) if reports.joined else None,
        "models": models,
    }

    def show(ink: Ink) -> None:
        for place, report in enumerate(reports):
            if place:
                ink.blank()
            ink.line(report.title or NAMELESS, "bold")
            show_tables(effect_tables(report.effects), ink, ("--json", "--csv"))
            if not report.effects and not report.without_effects:
                ink.note("no effects: it has replies to one of two matched conditions at most")
        said = shared_notes(
            [
                (report.title or NAMELESS, [*filter(None, (*notes(report.effects), uncompared(report)))])
                for report in reports
            ]
        )
        if said and len(reports) > 1:
            ink.blank()
        for note in said:
            ink.note(note)

    return Made(
        show,
        {
            "json": lambda: json_bytes(record),
            "csv": lambda: effects_csv(reports),
            "html": lambda: reports.page("effects").encode(),
        },
        notes_of_all(reports, reports.joined, reports.judged),
    )


EFFECTS: Final = AnalysisKind("effects", (*READING, *ITEM_OPTIONS, "original", "skip_missing"), _reads, _make)
