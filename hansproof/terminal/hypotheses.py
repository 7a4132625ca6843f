"""Tests of hypotheses as tables for the terminal: one hypothesis a table, one model and style a row."""

from __future__ import annotations

from itertools import groupby
from math import isinf, isnan
from typing import TYPE_CHECKING

from audit.answers.reply import EMPTY
from audit.notation import p_value
from audit.responses.hypotheses.words import EXPECTED
from audit.study import terms
from hansproof.terminal.scoring.answers import left_note

if TYPE_CHECKING:
    from audit.report.terminal.table import TextTable
    from audit.responses.hypotheses.tested import HypothesisReport, Tested

__all__ = ["hypothesis_tables", "left_notes"]


def hypothesis_tables(report: HypothesisReport) -> list[TextTable]:
    """One table per tested hypothesis, a section per change."""
    tables = []
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        hypothesis = next(known for known in report.hypotheses if known.name == name)
        every = list(tests)
        styled = any(tested.style for tested in every)
        table = _empty(f"{name}: {hypothesis.statement} Expected: {EXPECTED[hypothesis.expects]}.", styled, report)
        for change, same in groupby(every, key=lambda tested: (tested.before, tested.after)):
            table.section()
            table.row(f"{change[0]} -> {change[1]}", *[""] * (len(table.columns) - 1))
            for tested in same:
                style = [tested.style] if styled else []
                table.row(f"  {tested.model or 'replies'}", *style, *_cells(tested))
        tables.append(table)
    return tables


def left_notes(report: HypothesisReport) -> list[str]:
    """What could not be used of the file, with the first places."""
    again = "are given again for the same item, model and style; the first counts"
    few = [
        (report.empty, EMPTY),
        (report.unused, "belong to items that no hypothesis tested here is about"),
    ]
    return [
        *left_note(report.unmatched, "belong to no item and are left out", report.lines),
        *left_note(report.doubled, again, report.lines),
        *(f"{count:,} of {report.lines:,} replies {what}" for count, what in few if count),
    ]


def _empty(title: str, styled: bool, report: HypothesisReport) -> TextTable:
    from audit.report.terminal.table import Column, TextTable

    return TextTable(
        Column("change, model", "phrases"),
        *([Column("style", "phrases")] if styled else []),
        Column(terms.PAIRS.screen),
        Column(terms.RIGHT_BEFORE.screen, goes=3),
        Column(terms.RIGHT_AFTER.screen, goes=4),
        Column("n12"),
        Column("n21"),
        Column("z", goes=5),
        Column("p", goes=2),
        Column(terms.BH_P.screen),
        Column("", "words"),
        Column(terms.DETECTABLE.screen, goes=1),
        Column(f"needs for\n{100 * report.shift:g} points", goes=0),
        title=title,
    )


def _cells(tested: Tested) -> list[str]:
    return [
        f"{tested.pairs:,}",
        f"{100 * tested.before_right:.1f}",
        f"{100 * tested.after_right:.1f}",
        f"{tested.before_only:,}",
        f"{tested.after_only:,}",
        "" if isnan(tested.z) else "exact" if tested.method == "exact" else f"{tested.z:.2f}",
        p_value(tested.p),
        p_value(tested.p_bh_all),
        "*" if tested.supported else "",
        "" if isnan(tested.shift_found) else f"{100 * tested.shift_found:.1f}",
        "" if isnan(tested.pairs_needed) or isinf(tested.pairs_needed) else f"{tested.pairs_needed:,.0f}",
    ]
