"""Tests of hypotheses as tables for the terminal: one hypothesis a table, one model and style a row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isinf, isnan
from typing import TYPE_CHECKING

from audit.notation import p_value
from audit.responses.hypotheses.power import ALPHA
from hansproof.terminal.scoring.answers import left_note

if TYPE_CHECKING:
    from audit.report.terminal.table import Table
    from audit.responses.hypotheses.tested import HypothesisReport, Tested
    from generators.answering.hypothesis import Expectation

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
            "p: exact where n12 + n21 <= 10, else normal; BH: corrected over all tests of a hypothesis (models, "
            "changes, styles); *: BH p at most .05; finds: shift found with 80 % power; needs: pairs for "
            f"{100 * report.shift:g} points with 80 % power, both before the correction"
        )
    shared = {hypothesis.name: " or ".join(hypothesis.shared) for hypothesis in report.hypotheses}
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        starred = [tested for tested in tests if tested.supported]
        if starred and any(tested.clusters < tested.pairs for tested in starred):
            left = sum(tested.p_clusters_bh_all <= ALPHA for tested in starred)
            notes.append(
                f"{name}: {left} of {len(starred)} stars stay if pairs with the same {shared[name]} count as one"
            )
    reasons: dict[tuple[str, str], list[str]] = {}
    for idle in report.untested:
        change = f"{idle.before} -> {idle.after}" if idle.before else ""
        named = ", ".join(filter(None, (change, idle.model, idle.style)))
        reasons.setdefault((idle.hypothesis, idle.reason), []).append(named)
    for (name, reason), where in reasons.items():
        notes.append(f"{name} is not tested{' on ' if any(where) else ''}{_some(where)}: {reason}")
    return notes + _doubts(report.tests)


def _doubts(tests: Sequence[Tested]) -> list[str]:
    """What is not in the tables or counts as wrong, one line a kind: how many, in which tests."""
    halves = [(tested.left_out, tested) for tested in tests if tested.left_out]
    silent = [(tested.unanswered, tested) for tested in tests if tested.unanswered]
    unclear = [(number, tested) for tested in tests if (number := tested.unparsed_before + tested.unparsed_after)]
    doubts = []
    for what, where in (
        ("pairs left out, with a reply to one of the two only", halves),
        ("pairs left out, without any reply", silent),
        ("replies without a clear answer, counted as wrong", unclear),
    ):
        if where:
            named = [f"{number:,} ({_named(tested)})" for number, tested in where]
            doubts.append(f"{what}: {_some(named)}")
    if halves:
        doubts[0] += f"; the first is {halves[0][1].left_out_first[0]}, --json has more"
    return doubts


def _named(tested: Tested) -> str:
    return ", ".join(filter(None, (tested.hypothesis, tested.after, tested.model, tested.style)))


def _some(names: list[str]) -> str:
    return "; ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def left_notes(report: HypothesisReport) -> list[str]:
    """What could not be used of the file, with the first places."""
    again = "are given again for the same item, model and style; the first counts"
    few = [
        (report.empty, "are null and count as no reply"),
        (report.unused, "belong to items that no hypothesis tested here is about"),
    ]
    return [
        *left_note(report.unmatched, "belong to no item and are left out", report.lines),
        *left_note(report.doubled, again, report.lines),
        *(f"{count:,} of {report.lines:,} replies {what}" for count, what in few if count),
    ]


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
        p_value(tested.p_bh_all),
        "*" if tested.supported else "",
        "" if isnan(tested.shift_found) else f"{100 * tested.shift_found:.1f}",
        "" if isnan(tested.pairs_needed) or isinf(tested.pairs_needed) else f"{tested.pairs_needed:,.0f}",
    ]
