"""Scores as a table for the terminal, in per cent, with what is said below it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, log, sqrt
from typing import TYPE_CHECKING

from generators.answering.scorer import ANSWER

if TYPE_CHECKING:
    from audit.report.terminal.table import Table
    from audit.responses.lines import Line
    from audit.responses.readings import ReadingAgreement
    from audit.responses.scoring import Report
    from audit.responses.shares import Estimate

__all__ = ["blind_note", "reading_note", "score_table"]

_GOING = ("missing", "groups", "groups right", "unparsed", "chance", "best blind")
"""Columns that a narrow terminal leaves out, first to last."""


def score_table(report: Report) -> Table:
    """One row per line of the report; columns that would be empty are left out."""
    from audit.report.terminal.table import Column, Table

    lines = _shown(report)
    part = _part(report)
    columns = {
        "items": [f"{line.items:,}" for line in lines],
        "right": [_estimate(line.right) for line in lines],
        **{measure: [_estimate(line.measures.get(measure)) for line in lines] for measure in report.measures},
        "groups": [f"{line.matched.total:,}" if line.matched else "" for line in lines],
        "groups right": [_estimate(line.matched) for line in lines],
        "unparsed": [f"{line.unparsed:,}" for line in lines],
        "missing": [f"{line.missing:,}" for line in lines],
        "chance": [_per_cent(line.chance.get(part)) for line in lines],
        "best blind": [_best(line, part) for line in lines],
    }
    kept = {title: cells for title, cells in columns.items() if any(cells)}
    table = Table(
        Column("% [95 % interval]", "phrases"),
        *(Column(title, goes=_GOING.index(title) if title in _GOING else None) for title in kept),
        title=f"{report.dataset}@{report.version}" + (f", model {report.model}" if report.model else ""),
    )
    for place, line in enumerate(lines):
        if place and lines[place - 1].by != line.by:
            table.section()
        table.row("all" if line.by == "all" else f"{line.by} {line.name}", *(cells[place] for cells in kept.values()))
    return table


def blind_note(report: Report) -> str:
    """What the strategies do that are the best ones of some line, and how much hindsight may add to their shares.

    Empty where none was measured. The bound is that of `Line.best_blind` on the first line, with half of the interval
    over 1.96 as the standard error.
    """
    part = _part(report)
    best = [line.best_blind(part) for line in _shown(report)]
    said = {result.strategy: result.description for result in best if result is not None}
    if not said:
        return ""
    note = "best blind: " + "; ".join(f"{name} {what}" for name, what in said.items())
    count = len(report.lines[0].measured_blind(part))
    if best[0] is None or count < 2 or isnan(best[0].share.low):
        return note
    error = (best[0].share.high - best[0].share.low) / (2 * 1.96)
    return (
        f"{note}. The best of {count} is picked on these very items: luck alone may add up to "
        f"{100 * sqrt(2 * log(count)) * error:.1f} points to its share, and more on the lines with fewer items"
    )


def reading_note(agreement: ReadingAgreement) -> str:
    """How far a further reading agrees with the one that is scored, on one line."""
    kappa = f"undefined ({agreement.reason})" if isnan(agreement.kappa) else f"{agreement.kappa:.3f}"
    return (
        f"{agreement.reading} reading ({agreement.description}): of {agreement.replies:,} replies, both readings find "
        f"an answer in {agreement.read_by_both:,} and the same answer in {agreement.same:,}; right under both "
        f"{agreement.both_right:,}, under the main reading only {agreement.main_only:,}, under the "
        f"{agreement.reading} reading only {agreement.other_only:,}, under neither {agreement.neither:,}; kappa {kappa}"
    )


def _shown(report: Report) -> Sequence[Line]:
    """All lines, without that of the one subset where there is only one: it would repeat the first line."""
    single = sum(line.by == "subset" for line in report.lines) == 1
    return [line for line in report.lines if not (single and line.by == "subset")]


def _part(report: Report) -> str:
    """What chance and blind strategies are shown for: whole answers, or else the first measure."""
    return ANSWER if report.lines[0].right is not None else next(iter(report.measures), ANSWER)


def _best(line: Line, part: str) -> str:
    best = line.best_blind(part)
    return f"{_per_cent(best.share.share)} {best.strategy}" if best else ""


def _estimate(estimate: Estimate | None) -> str:
    if estimate is None or isnan(estimate.share):
        return ""
    ends = "" if isnan(estimate.low) else f" [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
    return f"{100 * estimate.share:.1f}{ends}"


def _per_cent(share: float | None) -> str:
    return "" if share is None or isnan(share) else f"{100 * share:.1f}"
