"""`--by shortcut`: accuracy where the probe of the audit is right, and where it is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Final

from audit.reliance.records import NO_VERDICT
from hansproof.commands.analysing.kind import READING, AnalysisKind, Given, files_read, reading
from hansproof.commands.options.items import ITEM_OPTIONS
from hansproof.terminal.reports import Made, show_tables

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink

__all__ = ["SHORTCUT", "SHORTCUT_LEGEND"]

SHORTCUT_LEGEND: Final = f"""\
--by shortcut: accuracy where the probe of the audit is right, and where it is wrong (Pacchiardi et al. 2024)
  Each benchmark is audited. What the winning probe predicts out of fold parts its items; the accuracy of each
  model on both parts is compared. Benchmarks have a shortcut where the audit says LEAKS or TEMPLATE-BOUND; pairs of
  others are listed, and are in no test.
  raw                accuracy where the probe is right less accuracy where it is wrong, whatever its cause: some items
                     are easier for everybody
  at equal gold      the same among items with the same gold answer: a model and a probe that favour one answer
                     agree by this alone
  at equal success   the same among items that as many other models get right. It removes only part of what
                     difficulty does, because other models' answers are noisy
  beyond difficulty  what difficulty does not explain, at equal gold answers: it needs three models or more. It
                     compares a model with the others; what all of them share counts as difficulty. A model with a
                     corrected p of at most .05 is left out of the difficulty of the others, and a note says so
  agreement in error with three answers or more: the share of wrong answers that agree with the probe's more than is
                     expected of a model that is tempted as the others are
  mean difference    as in the paper: of corrected accuracy, (accuracy - 1/k) / (1 - 1/k), with its paired t-test;
                     styles and runs of a model are averaged first.
                     Pairs of one benchmark share items and parts, so its p is too small; the joint BH p is not
  Holm p             corrected over beyond difficulty and agreement in error of all models
  BH p               corrected after Benjamini and Hochberg, over families
Every p is one-sided, and intervals are 90 %.
{fill(NO_VERDICT[:1].upper() + NO_VERDICT[1:], 116)}."""
"""What its columns are, for the help."""

_OPTIONS: Final = (
    "topic",
    "threshold",
    "splits",
    "permutations",
    "seed",
    "workers",
    "judged",
    "skip_missing",
    "original",
)
"""Options that `hansproof.analyse` has under the same names."""


def _make(given: Given, wanted: Sequence[str]) -> Made:
    from audit.documents.csv_cells import csv_text
    from audit.documents.strict_json import json_bytes
    from audit.reliance.figures.boxes import boxes
    from audit.reliance.figures.scatter import scatter
    from hansproof.analysed import analyse
    from hansproof.terminal.progress import lines_on_stderr
    from hansproof.terminal.reliance import pair_rows, reliance_tables

    options = {name: given[name] for name in _OPTIONS if given[name] is not None}
    with lines_on_stderr() as (progress, begun):
        study = analyse(
            given["answers"], items=list(given["sources"]) or None, families=given["families"], progress=progress,
            begun=begun, **reading(given), **options,
        )  # fmt: skip

    def show(ink: Ink) -> None:
        show_tables(reliance_tables(study), ink, ("--json", "--html"))
        for part in study.benchmarks:
            for note in part.notes:
                ink.note(f"{part.benchmark}: {note}")

    return Made(
        show,
        {
            "json": lambda: json_bytes(study),
            "csv": lambda: csv_text(pair_rows(study)).encode(),
            "html": lambda: study.page().encode(),
            "figure": lambda: scatter(study).encode(),
            "boxes": lambda: boxes(study).encode(),
        },
        study.notes,
    )


SHORTCUT: Final = AnalysisKind(
    "shortcut", (*READING, *ITEM_OPTIONS, "families", *_OPTIONS, "figure", "boxes"), files_read, _make
)
