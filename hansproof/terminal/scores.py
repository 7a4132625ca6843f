"""Scores as a table for the terminal, shares in per cent, with what is said below it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, log, sqrt
from typing import TYPE_CHECKING

from generators.answering.scorer import ANSWER, MeasureKind

if TYPE_CHECKING:
    from audit.report.terminal.table import Table
    from audit.responses.lines import Line
    from audit.responses.readings import ReadingAgreement
    from audit.responses.scoring import Report
    from audit.responses.shares import Estimate

__all__ = ["blind_note", "measure_note", "reading_note", "score_table"]

_GOING = ("flips", "missing", "groups", "groups right", "unparsed", "chance", "best blind")
"""Columns that a narrow terminal leaves out, first to last."""


def score_table(report: Report) -> Table:
    """One row per line of the report; columns that would be empty are left out."""
    from audit.report.terminal.table import Column, Table

    lines = _shown(report)
    part = _part(report)
    share = part == ANSWER or report.measures[part].share
    columns = {
        "items": [f"{line.items:,}" for line in lines],
        "right": [_estimate(line.right) for line in lines],
        **{
            _title(measure, kind): [_estimate(line.measures.get(measure), kind.share) for line in lines]
            for measure, kind in report.measures.items()
        },
        "groups": [f"{line.matched.total:,}" if line.matched else "" for line in lines],
        "groups right": [_estimate(line.matched) for line in lines],
        "flips": [_estimate(line.flips) for line in lines],
        "unparsed": [f"{line.unparsed:,}" for line in lines],
        "missing": [f"{line.missing:,}" for line in lines],
        "chance": [_number(line.chance.get(part), share) for line in lines],
        "best blind": [_best(line, part, share) for line in lines],
    }
    kept = {title: cells for title, cells in columns.items() if any(cells)}
    table = Table(
        Column("% [95 % interval]", "phrases"),
        *(Column(title, goes=_GOING.index(title) if title in _GOING else None) for title in kept),
        title=f"{report.dataset}{'@' if report.version else ''}{report.version}"
        + (f", model {report.title}" if report.title else ""),
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
    of = "" if part == ANSWER else f" of {part}"
    best = [line.best_blind(part) for line in _shown(report)]
    said = {result.strategy: result.description for result in best if result is not None}
    if not said:
        return ""
    note = f"best blind{of}: " + "; ".join(f"{name} {what}" for name, what in said.items())
    count = len(report.lines[0].measured_blind(part))
    share = part == ANSWER or report.measures[part].share
    if best[0] is None or count < 2 or not share or isnan(best[0].share.low):
        return note
    error = (best[0].share.high - best[0].share.low) / (2 * 1.96)
    return (
        f"{note}. The best of {count} is picked on these very items: luck alone may add up to "
        f"{100 * sqrt(2 * log(count)) * error:.1f} points to its share, and more on the lines with fewer items"
    )


def measure_note(report: Report) -> str:
    """How to read measures that are not shares, or of which more is not better; empty where there are none."""
    read = {"higher": "higher is better", "lower": "lower is better", "neither": "neither higher nor lower is better"}
    odd = {name: kind for name, kind in report.measures.items() if not kind.share or kind.better != "higher"}
    return "; ".join(f"{name}: {kind.meaning}, {read[kind.better]}" for name, kind in odd.items())


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


def _title(measure: str, kind: MeasureKind) -> str:
    return measure if kind.share else f"{measure}\nnot in %"


def _best(line: Line, part: str, share: bool) -> str:
    best = line.best_blind(part)
    return f"{_number(best.share.share, share)} {best.strategy}" if best else ""


def _estimate(estimate: Estimate | None, share: bool = True) -> str:
    if estimate is None or isnan(estimate.share):
        return ""
    ends = "" if isnan(estimate.low) else f" [{_number(estimate.low, share)}, {_number(estimate.high, share)}]"
    return f"{_number(estimate.share, share)}{ends}"


def _number(value: float | None, share: bool) -> str:
    """A share in per cent, any other number as it is; empty where it is undefined."""
    if value is None or isnan(value):
        return ""
    return f"{100 * value:.1f}" if share else f"{value:.2f}"
