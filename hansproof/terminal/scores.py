"""Scores as a table for the terminal, shares in per cent, with what is said below it."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from audit.study import terms
from audit.study.words import blind_name, part_of, shown_lines
from generators.answering.scorer import ANSWER, MeasureKind

if TYPE_CHECKING:
    from audit.report.terminal.table import TextTable
    from audit.responses.lines import Line
    from audit.responses.scoring import Report
    from audit.statistics.shares import Estimate

__all__ = ["score_table"]

_GOING = tuple(
    term.screen
    for term in (
        terms.SE, terms.FLIPS, terms.MISSING, terms.GROUPS, terms.GROUPS_RIGHT, terms.UNCLEAR, terms.CHANCE,
        terms.BEST_BLIND,
    )
)  # fmt: skip
"""Columns that a narrow terminal leaves out, first to last."""


def score_table(report: Report) -> TextTable:
    """One row per line of the report; columns that would be empty are left out."""
    from audit.report.terminal.table import Column, TextTable

    lines = shown_lines(report)
    part = part_of(report)
    share = part == ANSWER or report.measures[part].share
    lacking = any(line.missing for line in lines)
    columns = {
        terms.ITEMS.screen: [line.note or f"{line.items:,}" for line in lines],
        terms.RIGHT.screen: [_estimate(line.right) for line in lines],
        terms.SE.screen: ["" if line.right is None else _number(line.se, True) for line in lines],
        terms.REPLIED.screen: [_estimate(line.replied) if lacking else "" for line in lines],
        **{
            _title(measure, kind): [_estimate(line.measures.get(measure), kind.share) for line in lines]
            for measure, kind in report.measures.items()
        },
        terms.GROUPS.screen: [f"{line.matched.total:,}" if line.matched else "" for line in lines],
        terms.GROUPS_RIGHT.screen: [_estimate(line.matched) for line in lines],
        terms.FLIPS.screen: [_estimate(line.flips) for line in lines],
        terms.UNCLEAR.screen: [f"{line.unclear:,}" for line in lines],
        terms.MISSING.screen: [f"{line.missing:,}" for line in lines],
        terms.CHANCE.screen: [_number(line.chance.get(part), share) for line in lines],
        terms.BEST_BLIND.screen: [_best(line, part, share) for line in lines],
    }
    kept = {title: cells for title, cells in columns.items() if any(cells)}
    release = f"{report.dataset}@{report.version}" if report.version else report.dataset
    table = TextTable(
        Column("% [95 % interval]", "phrases"),
        *(Column(title, goes=_GOING.index(title) if title in _GOING else None) for title in kept),
        title=", ".join(part for part in (release, report.title and f"model {report.title}") if part),
    )
    for place, line in enumerate(lines):
        if place and lines[place - 1].by != line.by:
            table.section()
        table.row("all" if line.by == "all" else f"{line.by} {line.name}", *(cells[place] for cells in kept.values()))
    return table


def _title(measure: str, kind: MeasureKind) -> str:
    return measure if kind.share else f"{measure}\nnot in %"


def _best(line: Line, part: str, share: bool) -> str:
    best = line.best_blind(part)
    return f"{_number(best.share.share, share)} {blind_name(best)}" if best else ""


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
