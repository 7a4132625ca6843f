"""The spread of answers over surface forms as a table for the terminal, in per cent and percentage points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from audit.notation import kappa, p_value

if TYPE_CHECKING:
    from audit.report.terminal.table import TextTable
    from audit.responses.forms.spread import Spread

__all__ = ["spread_table"]


def spread_table(spreads: Sequence[Spread]) -> TextTable | None:
    """One row for all forms of a subset, then one for each thing that is varied; None without any."""
    from audit.report.terminal.table import Column, TextTable

    if not spreads:
        return None
    table = TextTable(
        Column("varied", "phrases"),
        Column("% right"),
        Column("lowest\nto highest", goes=3),
        Column("sd of\nforms"),
        Column("variance\nwithin"),
        Column("if\nindependent", goes=1),
        Column("% mixed\nproblems", goes=2),
        Column("Cochran\np", goes=0),
        Column("problems", goes=4),
        title="Spread over the surface forms of a problem",
    )
    for spread in spreads:
        table.row(
            f"{spread.subset}: {spread.varied}",
            f"{100 * spread.accuracy:.1f}",
            f"{100 * spread.lowest:.1f} to {100 * spread.highest:.1f}",
            f"{100 * spread.deviation:.1f}",
            kappa(spread.within, 3),
            kappa(spread.independent, 3),
            f"{100 * spread.mixed:.1f}",
            p_value(spread.p),
            f"{spread.problems:,}",
        )
    return table
