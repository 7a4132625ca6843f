"""Scores as CSV: a row per model and part of the items, with a heading that says what each number is."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.responses.lines import Line
    from audit.responses.scoring import Report
    from audit.statistics.shares import Estimate

__all__ = ["score_csv"]

_HEADER = (
    "model", "family", "style", "run", "dataset", "version", "by", "name", "items", "skipped", "missing", "unparsed",
    "accuracy", "low", "high", "interval", "se", "replied", "accuracy_replied", "replied_low", "replied_high",
    "groups", "pairs", "pair_accuracy", "pair_low", "pair_high", "flip_rate", "flip_low", "flip_high", "chance",
)  # fmt: skip


def score_csv(reports: Sequence[Report]) -> bytes:
    """The lines of all reports; shares from 0 to 1, blank where undefined.

    A benchmark without subsets has no row of a subset: it would repeat that of all items.
    """
    from audit.documents.csv_cells import csv_text

    rows = [_row(report, line) for report in reports for line in report.lines if not _repeats(report, line)]
    return csv_text([_HEADER, *rows]).encode()


def _repeats(report: Report, line: Line) -> bool:
    return line.by == "subset" and not line.name and line.items == report.lines[0].items


def _row(report: Report, line: Line) -> list[str | float | None]:
    from generators.answering.scorer import ANSWER

    named = [report.model, report.family, report.style, report.run, report.dataset, report.version, line.by, line.name]
    right, chance = line.right, line.chance.get(ANSWER)
    return [
        *named,
        line.items,
        line.skipped,
        line.missing,
        line.unparsed,
        *_ends(right),
        right.interval if right is not None else None,
        _known(line.se),
        line.replied.total if line.replied is not None else None,
        *_ends(line.replied),
        line.groups,
        line.matched.total if line.matched is not None else None,
        *_ends(line.matched),
        *_ends(line.flips),
        _known(chance),
    ]


def _ends(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    if estimate is None:
        return None, None, None
    return _known(estimate.share), _known(estimate.low), _known(estimate.high)


def _known(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value
