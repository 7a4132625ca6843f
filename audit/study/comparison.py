"""A comparison of two models as one HTML page: the verdict, the parts with their intervals, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit import notation
from audit.paired.comparison import Comparison, Part
from audit.paired.verdict import Word
from audit.paired.wording.sentences import WHOLE, grouped, notes, sentence
from audit.report.page.document import document, plain_environment, style_of
from audit.report.page.drawing import Scale
from audit.report.page.keyfigures import KeyFigure
from audit.report.words import VERDICTS
from audit.study.changes import changed_tables
from audit.study.columns import PAGE, filled
from audit.study.sections.tables import Cell, Row, Table, between, drawn, numbers, per_cent, points

__all__ = ["render_comparison"]

_LOOKS: Final[dict[Word, tuple[str, str]]] = {
    "A better": (VERDICTS["TRACES"].key, "A > B"),
    "B better": (VERDICTS["TRACES"].key, "A < B"),
    "equivalent": (VERDICTS["CLEAN"].key, "A = B"),
    "no difference shown": (VERDICTS["INCONCLUSIVE"].key, "A ? B"),
    "INCONCLUSIVE": (VERDICTS["NOT ASSESSED"].key, "?"),
}
"""Key of the style sheet, and a sign."""


def render_comparison(comparison: Comparison, files: Sequence[str] = (), remarks: Sequence[str] = ()) -> str:
    """The comparison as a self-contained document; `files` were read, and `remarks` say what of them is not used.

    The same comparison gives the same text.
    """
    key, symbol = _LOOKS[comparison.whole.verdict]
    return document(
        plain_environment(),
        "comparison.html.j2",
        style=style_of("study.css"),
        title=f"{comparison.a} and {comparison.b} on {comparison.benchmark}",
        comparison=comparison,
        key=key,
        symbol=symbol,
        sentence=sentence(comparison),
        figures=_figures(comparison),
        parts=_parts(comparison),
        every=_numbers(comparison),
        notes=notes(comparison),
        changed=changed_tables(comparison),
        files=files,
        remarks=remarks,
    )


def _figures(comparison: Comparison) -> list[KeyFigure]:
    measured = comparison.whole.difference
    of = f"of {notation.things(measured.items, 'item')}"
    ends = between(max(measured.low, -1.0), min(measured.high, 1.0), signed=True)
    groups = f"in {notation.things(measured.groups, 'group')}" if grouped(comparison) else "that both were asked"
    return [
        KeyFigure("A: per cent right", per_cent(measured.a) or notation.UNDEFINED, of),
        KeyFigure("B: per cent right", per_cent(measured.b) or notation.UNDEFINED, of),
        KeyFigure("A − B in points", points(measured.difference) or notation.UNDEFINED, ends or "no interval"),
        KeyFigure("Items", notation.count(measured.items), groups),
    ]


def _parts(comparison: Comparison) -> Table:
    """The difference in each part, its interval and its verdict, with a drawing between the ends of the margin."""
    margin = comparison.margin
    measured = [part.difference for part in comparison.parts]
    ends = [number for each in measured for number in (each.difference, each.low, each.high)]
    scale = Scale.over([*ends, -margin, margin], 0.0)
    table = Table(
        "A less B in percentage points", ["Part", "Verdict", "A − B", "95 % interval", "p", "A − B"], scale=scale,
        ticks=numbers(scale), zero=scale.at(0.0), limits=(scale.at(-margin), scale.at(margin)),
    )  # fmt: skip
    for part, each in zip(comparison.parts, measured, strict=True):
        cells = [
            Cell(part.verdict, "left"),  # first, where a phone shows it
            Cell(points(each.difference)),
            Cell(between(max(each.low, -1.0), min(each.high, 1.0), signed=True), "nowrap"),
            Cell(notation.p_value(part.p_holm)),
            drawn(scale, each.difference, each.low, each.high),
        ]
        _add(table, comparison, part, cells)
    return table


def _numbers(comparison: Comparison) -> Table:
    """Everything else that was measured in each part; columns that would be empty are left out."""
    kept = filled(PAGE, comparison)
    table = Table(
        "All numbers of the comparison", ["Part", *(column.on_page(comparison) for column, _ in kept)], css="full dense"
    )
    for place, part in enumerate(comparison.parts):
        _add(table, comparison, part, [Cell(texts[place]) for _, texts in kept])
    return table


def _add(table: Table, comparison: Comparison, part: Part, cells: Sequence[Cell]) -> None:
    """A row below the heading of its cut."""
    before = [other.by for other in comparison.parts[: comparison.parts.index(part)]]
    if part.by not in WHOLE and part.by not in before:
        table.rows.append(Row(f"by {part.by}"))
    table.rows.append(Row(_name(part), cells))


def _name(part: Part) -> str:
    return WHOLE.get(part.by) or part.name or "(unnamed)"
