"""A comparison of two models as one HTML page: the verdict, the parts with their intervals, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from audit import notation
from audit.paired.comparison import Change, Comparison, Part
from audit.paired.verdict import Word
from audit.paired.words import WHOLE, correlation, detected, grouped, notes, sentence
from audit.report.page.document import document, style_of
from audit.report.page.drawing import Scale
from audit.report.page.keyfigures import KeyFigure
from audit.report.words import VERDICTS
from audit.study.environment import plain_environment
from audit.study.sections.tables import Cell, Row, Table, between, drawn, numbers, per_cent, points

__all__ = ["render_comparison"]

_HERE: Final = "audit.study"
_SHOWN: Final = 100
"""Changed items of each kind that are listed."""

_LOOKS: Final[dict[Word, tuple[str, str]]] = {
    "A better": (VERDICTS["TRACES"].key, "A > B"),
    "B better": (VERDICTS["TRACES"].key, "A < B"),
    "equivalent": (VERDICTS["CLEAN"].key, "A = B"),
    "no difference shown": (VERDICTS["INCONCLUSIVE"].key, "A ? B"),
    "INCONCLUSIVE": (VERDICTS["NOT ASSESSED"].key, "?"),
}
"""Key of the style sheet, and a sign."""


class _Changed(NamedTuple):
    """Items that one side does better."""

    heading: str
    table: Table


def render_comparison(comparison: Comparison, files: Sequence[str] = (), remarks: Sequence[str] = ()) -> str:
    """The comparison as a self-contained document; `files` were read, and `remarks` say what of them is not used.

    The same comparison gives the same text.
    """
    key, symbol = _LOOKS[comparison.whole.verdict]
    return document(
        plain_environment(),
        "comparison.html.j2",
        style=style_of(_HERE, "study.css"),
        title=f"{comparison.a} and {comparison.b} on {comparison.benchmark}",
        comparison=comparison,
        key=key,
        symbol=symbol,
        sentence=sentence(comparison),
        figures=_figures(comparison),
        parts=_parts(comparison),
        every=_numbers(comparison),
        notes=notes(comparison),
        changed=_changed(comparison),
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
        "A less B in percentage points", ["Part", "A − B", "95 % interval", "p", "Verdict", "A − B"], scale=scale,
        ticks=numbers(scale), zero=scale.at(0.0), limits=(scale.at(-margin), scale.at(margin)),
    )  # fmt: skip
    for part, each in zip(comparison.parts, measured, strict=True):
        cells = [
            Cell(points(each.difference)),
            Cell(between(max(each.low, -1.0), min(each.high, 1.0), signed=True), "nowrap"),
            Cell(notation.p_value(part.p_holm)),
            Cell(part.verdict, "left"),
            drawn(scale, each.difference, each.low, each.high),
        ]
        _add(table, comparison, part, cells)
    return table


def _numbers(comparison: Comparison) -> Table:
    """Everything else that was measured in each part; columns that would be empty are left out."""
    in_groups = grouped(comparison)
    first, second = ("Only A", "Only B") if comparison.runs == (1, 1) else ("A does better", "B does better")
    cells: dict[str, list[Cell]] = {}
    for part in comparison.parts:
        each = part.difference
        row = {
            "A": per_cent(each.a),
            "B": per_cent(each.b),
            first: notation.count(each.a_only),
            second: notation.count(each.b_only),
            "Items": notation.count(each.items),
            "Groups": notation.count(each.groups) if in_groups else "",
            "se": notation.points(each.se),
            "p": notation.p_value(each.p),
            "Holm p": "" if part.by in WHOLE else notation.p_value(part.p_holm),
            "McNemar p": notation.p_value(each.mcnemar_p) if in_groups else "",
            "Equal p": notation.p_value(part.equivalent_p_holm),
            "r": correlation(each.correlation),
            "80 % power": detected(each.detectable),
        }
        for title, text in row.items():
            cells.setdefault(title, []).append(Cell(text))
    kept = {title: column for title, column in cells.items() if any(cell.text for cell in column)}
    table = Table("All numbers of the comparison", ["Part", *kept], css="full dense")
    for place, part in enumerate(comparison.parts):
        _add(table, comparison, part, [column[place] for column in kept.values()])
    return table


def _add(table: Table, comparison: Comparison, part: Part, cells: Sequence[Cell]) -> None:
    """A row below the heading of its cut."""
    before = [other.by for other in comparison.parts[: comparison.parts.index(part)]]
    if part.by not in WHOLE and part.by not in before:
        table.rows.append(Row(f"by {part.by}"))
    table.rows.append(Row(_name(part), cells))


def _name(part: Part) -> str:
    return WHOLE.get(part.by) or part.name or "(unnamed)"


def _changed(comparison: Comparison) -> list[_Changed]:
    once = comparison.runs == (1, 1)
    kinds = (
        (comparison.a_better, "right with A, wrong with B" if once else "right more often with A"),
        (comparison.b_better, "wrong with A, right with B" if once else "right more often with B"),
    )
    return [
        _Changed(f"{notation.things(len(changes), 'item')} {said}", _table(changes, said)) for changes, said in kinds
    ]


def _table(changes: Sequence[Change], said: str) -> Table:
    more = f", the first {_SHOWN} of {len(changes):,}" if len(changes) > _SHOWN else ""
    table = Table(f"Items {said}{more}", ["Item", "Subset", "Condition", "A", "B"])
    for change in changes[:_SHOWN]:
        cells = [Cell(change.subset, "left"), Cell(change.condition, "left")]
        table.rows.append(Row(change.id, [*cells, Cell(f"{change.a:g}"), Cell(f"{change.b:g}")]))
    return table
