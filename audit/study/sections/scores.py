"""The scores of one model in full: by subset, condition and slice, with measures, groups and blind strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Final

from audit import notation
from audit.report.page.drawing import Scale
from audit.responses.lines import Line
from audit.responses.scoring import Report
from audit.statistics.shares import Estimate
from audit.study import terms
from audit.study.sections.tables import Cell, Row, Table, between, drawn, numbers
from audit.study.words import (
    blind_name,
    blind_note,
    cancelling_note,
    matched_note,
    measure_note,
    part_of,
    reading_note,
    shown_lines,
)
from generators.answering.scorer import ANSWER

__all__ = ["score_notes", "score_table"]

_SCALE: Final = Scale(0.0, 1.0)


def score_table(report: Report) -> Table:
    """A row per line of the report; columns that would be empty are left out, and so is the drawing where nothing is
    right."""
    lines = shown_lines(report)
    part = part_of(report)
    share = part == ANSWER or report.measures[part].share
    lacking = any(line.missing for line in lines)
    columns: dict[str, Callable[[Line], Cell]] = {
        terms.ITEMS.page: lambda line: Cell(line.note or notation.count(line.items)),
        terms.RIGHT.page: lambda line: _estimate(line.right),
        terms.SE.page: lambda line: Cell("" if line.right is None else _number(line.se, True)),
        terms.REPLIED.page: lambda line: _estimate(line.replied) if lacking else Cell(""),
        **{
            (name if kind.share else f"{name} not in %"): _measure(name, kind.share)
            for name, kind in report.measures.items()
        },
        terms.GROUPS.page: lambda line: Cell(f"{line.matched.total:,}" if line.matched else ""),
        terms.GROUPS_RIGHT.page: lambda line: _estimate(line.matched),
        terms.FLIPS.page: lambda line: _estimate(line.flips),
        terms.UNCLEAR.page: lambda line: Cell(notation.count(line.unclear)),
        terms.MISSING.page: lambda line: Cell(notation.count(line.missing)),
        terms.CHANCE.page: lambda line: Cell(_number(line.chance.get(part), share)),
        terms.BEST_BLIND.page: lambda line: _best(line, part, share),
    }
    cells = {title: [made(line) for line in lines] for title, made in columns.items()}
    kept = {title: column for title, column in cells.items() if any(cell.text for cell in column)}
    draws = any(line.right is not None for line in lines)
    table = Table(
        f"Scores of {report.title or 'the replies'} in per cent",
        ["Items of", *kept, *(["Right in %"] if draws else [])],
        scale=_SCALE if draws else None, ticks=numbers(_SCALE), zero="0%", css="full dense",
    )  # fmt: skip
    for place, line in enumerate(lines):
        if line.by != "all" and lines[place - 1].by != line.by:
            table.rows.append(Row(f"by {line.by}"))
        right = line.right
        mark = (
            [drawn(_SCALE, right.share, right.low, right.high, line.chance.get(ANSWER)) if right else Cell("", "draw")]
            if draws
            else []
        )
        table.rows.append(
            Row("all" if line.by == "all" else line.name or "(unnamed)", [*(of[place] for of in kept.values()), *mark])
        )
    return table


def score_notes(report: Report, earlier: Sequence[Report] = ()) -> list[str]:
    """How to read the measures, what the best blind strategies do, how far further readings agree; without what an
    `earlier` report on the same items has said."""
    known = {note for before in earlier for note in (measure_note(before), blind_note(before))}
    common = [note for note in (measure_note(report), blind_note(report)) if note not in known]
    notes = [*common, matched_note(report), cancelling_note(report), *map(reading_note, report.readings)]
    if report.without_effects:
        notes.append(f"no effects in {', '.join(report.without_effects)}: no answer is right there")
    return [note for note in notes if note]


def _measure(name: str, share: bool) -> Callable[[Line], Cell]:
    return lambda line: _estimate(line.measures.get(name), share)


def _estimate(estimate: Estimate | None, share: bool = True) -> Cell:
    if estimate is None or isnan(estimate.share):
        return Cell("")
    low, high = estimate.low, estimate.high
    ends = between(low, high) if share else "" if isnan(low) else f"[{low:.2f}, {high:.2f}]"
    return Cell(_number(estimate.share, share), below=ends)


def _best(line: Line, part: str, share: bool) -> Cell:
    best = line.best_blind(part)
    return Cell(_number(best.share.share, share), below=blind_name(best)) if best else Cell("")


def _number(value: float | None, share: bool) -> str:
    if value is None or isnan(value):
        return ""
    return notation.points(value) if share else f"{value:.2f}"
