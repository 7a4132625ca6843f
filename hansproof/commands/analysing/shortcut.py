"""`--by shortcut`: do models lean on the shortcut that the audit finds?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hansproof.commands.analysing.kind import READING, AnalysisKind, Given, files_read, reading
from hansproof.commands.options.items import ITEM_OPTIONS
from hansproof.terminal.reports import Made, show_tables

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink

__all__ = ["SHORTCUT", "SHORTCUT_LEGEND"]

SHORTCUT_LEGEND: Final = """\
--by shortcut: do models lean on the shortcut that the audit finds? (Pacchiardi et al. 2024)
  Each benchmark is audited. What the winning probe predicts out of fold parts its items; the accuracy of each
  model on both parts is compared. Benchmarks have a shortcut where the audit says LEAKS or TEMPLATE-BOUND; pairs of
  others are listed, and are in no test.
  raw difference     accuracy where the probe is right less accuracy where it is wrong. It is reliance, and that
                     some items are easier for everybody
  at equal gold      the same among items with the same gold answer: a model and a probe that favour one answer
                     agree by this alone
  at equal success   the same among items that as many other models get right. It removes only part of what
                     difficulty does, because other models' answers are noisy
  beyond difficulty  what difficulty does not explain, at equal gold answers: it needs three models or more. It
                     compares a model with the others; what all of them share counts as difficulty. A model with
                     such an advantage would push the others below 0, so it is left out of their difficulty, and
                     a note says so; if it is missed, it still does: a negative value is no finding
  agreement in error with three answers or more: the share of wrong answers that follow the probe, and not what
                     tempts the other models
  mean difference    as in the paper: of corrected accuracy, (accuracy - 1/k) / (1 - 1/k), with its paired t-test;
                     styles and runs of a model are averaged first.
                     Pairs of one benchmark share items and parts, so its p is too small; the joint BH p is not
  BH p               corrected after Benjamini and Hochberg, over families
Verdicts; every p is one-sided, corrected over both signs of all models (Holm), and intervals are 90 %
  LEANS              p of beyond difficulty, or of agreement in error, is at most .05. By the first alone it is only
                     consistent with reliance: unless --topic names the topics, a model that is better at those
                     that the probe gets right looks the same; and where golds are wrong, or items of one part tell
                     good models from weak ones better, all models show more of it the more (or the less) they get
                     right. So a model must stand out from the line of at least four others by accuracy, too; with
                     fewer that cannot be seen, and the reason says so
  NOT SHOWN          it is not, a reliance of 10 points of a model that leans alone is found at least 80 % of the time
                     (in simulations 86 to 100 %), and the interval ends below that; on all benchmarks with a shortcut
  INCONCLUSIVE       it is not, and such a reliance could be missed, or was not measured, or wrong answers
                     contradict it, or other models show as much for their accuracy
  NO SHORTCUT SHOWN  the audit shows no shortcut, and cannot rule one out
  NO SHORTCUT        the audit rules a shortcut out
In simulations where items are difficult for all models alike, some model that does not lean is called LEANS in 2 %
of studies, at most 7 % of a kind: benchmarks/README.md."""
"""What its columns and verdicts are, for the help."""

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
