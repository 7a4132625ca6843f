"""The plan of a comparison as one HTML page: how many items a difference takes, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.paired.planned import TITLE, Planned
from audit.report.page.document import document, style_of
from audit.report.words import VERDICTS
from audit.study.environment import plain_environment
from audit.study.sections.tables import Cell, Row, Table

__all__ = ["render_plan"]

_HERE: Final = "audit.study"


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
        style=style_of(_HERE, "study.css"),
        title=f"How many items a difference takes{between}",
        planned=planned,
        warning=f"{planned.warning[:1].upper()}{planned.warning[1:]}",
        key=VERDICTS["INCONCLUSIVE"].key,
        table=table,
        files=files,
        remarks=remarks,
    )
