"""The plan of a comparison as one HTML page: how many items a difference takes, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence

from audit.paired.planned import TITLE, Planned
from audit.report.page.document import document, plain_environment, style_of
from audit.report.page.keyfigures import KeyFigure
from audit.report.words import VERDICTS
from audit.study.sections.tables import Cell, Row, Table

__all__ = ["render_plan"]


def render_plan(planned: Planned, files: Sequence[str] = (), remarks: Sequence[str] = ()) -> str:
    """The plan as a self-contained document; `files` were read, and `remarks` say what of them is not used.

    The same plan gives the same text.
    """
    table = Table(TITLE, [column.capitalize() for column in planned.columns()])
    table.rows += [Row(head, [Cell(text) for text in cells]) for head, *cells in planned.cells()]
    between = f" for {planned.between[0]} and {planned.between[1]}" if planned.between else ""
    return document(
        plain_environment(),
        "plan.html.j2",
        style=style_of("study.css"),
        title=f"How many items a difference takes{between}",
        planned=planned,
        warning=f"{planned.warning[:1].upper()}{planned.warning[1:]}",
        key=VERDICTS["INCONCLUSIVE"].key,
        figures=_figures(planned),
        table=table,
        files=files,
        remarks=remarks,
    )


def _figures(planned: Planned) -> list[KeyFigure]:
    """What each row says, in large: the items that a difference takes, or the difference that items find."""
    figures = []
    for place, cells in enumerate(planned.cells()):
        row = dict(zip(planned.columns(), cells, strict=True))
        difference, items = row["difference in points"], row["items"]
        counted = f"{items} {'item' if items == '1' else 'items'}" if items[:1].isdigit() else items
        asked = f"{difference} {'point' if difference == '1' else 'points'}" if difference[:1].isdigit() else difference
        groups = f"in {row['groups']} groups" if row.get("groups", "")[:1].isdigit() else ""
        note = "; ".join(filter(None, (groups, f"between {row['between']}" if "between" in row else "")))
        of_items = place < len(planned.needs)
        name, value = (f"To find {asked}", counted) if of_items else (f"{counted} find", asked)
        figures.append(KeyFigure(name, value, note))
    return figures
