"""`--by hypotheses`, which is also `score --test mcnemar`: the hypotheses that a family declares, on matched pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from generators.errors import UsageError
from hansproof.commands.analysing.kind import READING, AnalysisKind, Given, files_read, reading, single_source
from hansproof.commands.options.items import ITEM_OPTIONS
from hansproof.terminal.reports import Made, show_tables

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink

__all__ = ["HYPOTHESES", "tested"]

_POINTS: Final = 5.0
"""The shift of which the tables say how many pairs it needs, unless somebody says otherwise."""


def tested(
    answers: Sequence[str], source: str, chosen: Mapping[str, Any], names: Sequence[str], points: float | None
) -> Made:
    """The tests of the hypotheses `names`, or of all; `chosen` says how answers and items are read.

    Raises UsageError for a shift of `points` that no share can make.
    """
    points = _POINTS if points is None else points
    if not 0 < points <= 100:
        raise UsageError(f"the shift must be above 0 and up to 100 points, not {points:g}", "--shift")
    from audit.answers.account import account
    from audit.documents.strict_json import json_bytes
    from audit.responses.hypotheses.figure import paired_bars
    from audit.responses.hypotheses.words import hypothesis_notes
    from hansproof.scored import hypotheses
    from hansproof.terminal.hypotheses import hypothesis_tables, left_notes
    from hansproof.terminal.progress import on_stderr
    from hansproof.terminal.scoring.hypotheses_csv import hypotheses_csv

    with on_stderr() as progress:
        report = hypotheses(answers, source, names=names, shift=points / 100, **chosen, progress=progress)
    record = {
        "answers": answers[0] if len(answers) == 1 else list(answers),
        "items": source,
        "read": account(report.joined),
        **report.record(),
    }

    def show(ink: Ink) -> None:
        show_tables(hypothesis_tables(report), ink)
        for note in hypothesis_notes(report):
            ink.note(note)

    return Made(
        show,
        {
            "json": lambda: json_bytes(record),
            "out": lambda: json_bytes(record),
            "csv": lambda: hypotheses_csv(report),
            "html": lambda: report.page().encode(),
            "figure": lambda: paired_bars(report).encode(),
        },
        [*report.joined.about, *left_notes(report)],
    )


def _reads(given: Given) -> list[str]:
    single_source(given)
    return files_read(given)


def _make(given: Given, wanted: Sequence[str]) -> Made:
    chosen = reading(given)
    del chosen["groups"]
    return tested(given["answers"], single_source(given), chosen, given["names"], given["shift"])


HYPOTHESES: Final = AnalysisKind(
    "hypotheses",
    # Hypotheses say themselves which pairs belong together.
    (*READING, *(name for name in ITEM_OPTIONS if name != "groups"), "names", "shift", "figure"),
    _reads,
    _make,
)
