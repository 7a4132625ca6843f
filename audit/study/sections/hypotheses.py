"""Hypotheses on matched pairs: a table of tests for each, and the shares before and after a change as two dots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import isinf, isnan
from typing import Final, NamedTuple

from audit import notation
from audit.report.page.drawing import Scale
from audit.responses.hypotheses.tested import Tested
from audit.responses.hypotheses.words import EXPECTED, doubt_notes, method_notes, untested_notes
from audit.study import terms
from audit.study.records import Answered
from audit.study.sections.tables import Cell, Mark, Row, Table, captioned, numbers, per_cent, points

__all__ = ["HypothesisPart", "hypothesis_parts", "tested_notes"]

_SCALE: Final = Scale(0.0, 1.0)


class HypothesisPart(NamedTuple):
    """One hypothesis."""

    name: str
    statement: str
    expected: str
    table: Table | None
    """The shares before and after each change; None where nothing was tested."""
    every: Table | None
    """All other numbers of the tests."""
    untested: list[str]
    """What was not tested, and why."""


def hypothesis_parts(part: Answered, of: str = "") -> list[HypothesisPart]:
    """Every hypothesis that was asked for, in the order of the family."""
    report = part.tested
    if report is None:
        return []
    tests = {name: list(same) for name, same in groupby(report.tests, key=lambda tested: tested.hypothesis)}
    return [
        HypothesisPart(
            each.name, each.statement, EXPECTED[each.expects],
            _shares(tests[each.name], captioned(f"{each.name}: per cent right before and after the change", of))
            if each.name in tests else None,
            _numbers(tests[each.name], report.shift, captioned(f"{each.name}: all numbers", of))
            if each.name in tests else None,
            untested_notes(report, each.name),
        )
        for each in report.hypotheses
    ]  # fmt: skip


def tested_notes(part: Answered) -> list[str]:
    """How the numbers were made, and what cannot be relied on."""
    report = part.tested
    if report is None:
        return []
    notes = [*method_notes(report), *doubt_notes(report)]
    if report.unused:
        notes.append(
            f"{report.unused:,} of {report.lines:,} replies belong to items that no hypothesis tested here is about"
        )
    return notes


def _shares(tests: Sequence[Tested], caption: str) -> Table:
    columns = ["Change, model", terms.RIGHT_BEFORE.page, terms.RIGHT_AFTER.page, terms.POINTS.page, terms.BH_P.page]
    columns += ["Supported", terms.PAIRS.page, "Right in %"]
    table = Table(caption, columns, scale=_SCALE, ticks=numbers(_SCALE), zero="0%")
    _fill(table, tests, _share_cells)
    return table


def _share_cells(tested: Tested) -> list[Cell]:
    before, after = _SCALE.at(tested.before_right), _SCALE.at(tested.after_right)
    return [
        Cell(per_cent(tested.before_right)),
        Cell(per_cent(tested.after_right)),
        Cell(points(tested.shift)),
        Cell(notation.p_value(tested.p_bh_all)),
        Cell("yes *" if tested.supported else "no"),
        Cell(notation.count(tested.pairs)),
        Cell("", "draw", mark=Mark(after, before, after, ring=before)),
    ]


def _numbers(tests: Sequence[Tested], shift: float, caption: str) -> Table:
    columns = [
        "Change, model",
        terms.BOTH_RIGHT.page,
        "n12",
        "n21",
        "Neither",
        "z",
        "p",
        "Exact p",
        "BH p of the models",
    ]
    columns += ["Clusters", "BH p by clusters", terms.UNCLEAR.page, "Left out", "No reply", terms.DETECTABLE.page]
    table = Table(caption, [*columns, f"Needs for {100 * shift:g} points"], css="full dense")
    _fill(table, tests, _number_cells)
    return table


def _number_cells(tested: Tested) -> list[Cell]:
    needs = tested.pairs_needed
    texts = [
        notation.count(tested.both),
        notation.count(tested.before_only),
        notation.count(tested.after_only),
        notation.count(tested.neither),
        "" if isnan(tested.z) else f"{tested.z:.2f}",
        notation.p_value(tested.p),
        notation.p_value(tested.p_exact),
        notation.p_value(tested.p_bh),
        notation.count(tested.clusters),
        notation.p_value(tested.p_clusters_bh_all),
        notation.count(tested.unclear_before + tested.unclear_after),
        notation.count(tested.left_out),
        notation.count(tested.unanswered),
        notation.points(tested.shift_found),
        "" if isnan(needs) or isinf(needs) else f"{needs:,.0f}",
    ]
    return [Cell(text) for text in texts]


def _fill(table: Table, tests: Sequence[Tested], cells: Callable[[Tested], list[Cell]]) -> None:
    """A row per test below the heading of its change."""
    for change, same in groupby(tests, key=lambda tested: (tested.before, tested.after)):
        table.rows.append(Row(f"{change[0]} → {change[1]}"))
        for tested in same:
            table.rows.append(
                Row(notation.series_title(tested.model, tested.style) or notation.NAMELESS, cells(tested))
            )
