"""Tests of hypotheses as tables for the terminal: one hypothesis a table, one model and style a row."""

from __future__ import annotations

from itertools import groupby
from math import isinf, isnan
from typing import TYPE_CHECKING

from audit.notation import p_value
from audit.responses.hypotheses.power import ALPHA

if TYPE_CHECKING:
    from audit.report.terminal.table import Table
    from audit.responses.hypotheses.records import Left
    from audit.responses.hypotheses.testing import HypothesisReport, Tested
    from generators.hypothesis import Expectation

__all__ = ["hypothesis_notes", "hypothesis_tables", "left_notes"]

_EXPECTED: dict[Expectation, str] = {
    "better": "more are right after the change (n12 < n21)",
    "worse": "fewer are right after the change (n12 > n21)",
    "either": "a shift either way (two-sided)",
}
_SHOWN = 3


def hypothesis_tables(report: HypothesisReport) -> list[Table]:
    """One table per tested hypothesis, a section per change."""
    tables = []
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        hypothesis = next(known for known in report.hypotheses if known.name == name)
        every = list(tests)
        styled = any(tested.style for tested in every)
        table = _empty(f"{name}: {hypothesis.statement} Expected: {_EXPECTED[hypothesis.expects]}.", styled, report)
        for change, same in groupby(every, key=lambda tested: (tested.before, tested.after)):
            table.section()
            table.row(f"{change[0]} -> {change[1]}", *[""] * (len(table.columns) - 1))
            for tested in same:
                style = [tested.style] if styled else []
                table.row(f"  {tested.model or 'replies'}", *style, *_cells(tested))
        tables.append(table)
    return tables


def hypothesis_notes(report: HypothesisReport) -> list[str]:
    """Lines below the tables: how the numbers were made, what was not tested, what cannot be relied on."""
    notes = []
    if report.tests:
        notes.append(
            "p: exact where n12 + n21 <= 10, else normal; BH: corrected over the models; *: at most .05; finds: shift "
            f"found with 80 % power; needs: pairs for {100 * report.shift:g} points with 80 % power"
        )
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        every = list(tests)
        if len({(tested.before, tested.after, tested.style) for tested in every}) > 1:
            starred = sum(tested.supported for tested in every)
            left = sum(tested.p_bh_all <= ALPHA for tested in every)
            notes.append(f"{name}: {starred} of {len(every)} tests have a star; corrected over all of them, {left}")
    notes += [f"{name} is not tested: {reason}" for name, reason in report.untested.items()]
    doubts: dict[str, list[str]] = {}
    for tested in report.tests:
        if tested.note:
            named = ", ".join(filter(None, (tested.hypothesis, tested.model, tested.style)))
            doubts.setdefault(tested.note, []).append(named)
    for note, where in doubts.items():
        more = f" and {len(where) - _SHOWN} more" if len(where) > _SHOWN else ""
        notes.append(f"{'; '.join(where[:_SHOWN])}{more}: {note}")
    return notes


def left_notes(report: HypothesisReport) -> list[str]:
    """What could not be used of the file, with the first places."""
    return [
        *_left(report.unmatched, "belong to no item and are left out", report.lines),
        *_left(report.doubled, "are given again for the same item, model and style; the first counts", report.lines),
    ]


def _left(left: Left, what: str, lines: int) -> list[str]:
    if not left.count:
        return []
    first = "; ".join(map(str, left.first[:_SHOWN]))
    more = f"; and {left.count - _SHOWN:,} more" if left.count > _SHOWN else ""
    return [f"{left.count:,} of {lines:,} replies {what}: {first}{more}"]


def _empty(title: str, styled: bool, report: HypothesisReport) -> Table:
    from audit.report.terminal.table import Column, Table

    return Table(
        Column("change, model", "phrases"),
        *([Column("style", "phrases")] if styled else []),
        Column("pairs"),
        Column("% right\nbefore", goes=3),
        Column("% right\nafter", goes=4),
        Column("n12"),
        Column("n21"),
        Column("z", goes=5),
        Column("p", goes=2),
        Column("BH p"),
        Column("", "words"),
        Column("finds\npoints", goes=1),
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
        p_value(tested.p_bh),
        "*" if tested.supported else "",
        "" if isnan(tested.shift_found) else f"{100 * tested.shift_found:.1f}",
        "" if isnan(tested.pairs_needed) or isinf(tested.pairs_needed) else f"{tested.pairs_needed:,.0f}",
    ]
