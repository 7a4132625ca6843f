"""Tables as the template draws them: cells of text, some with a shade, some with a dot and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Final, NamedTuple

from audit import notation
from audit.report.page.drawing import Scale

__all__ = ["EMPTY", "Cell", "Mark", "Row", "Table", "between", "captioned", "drawn", "numbers", "per_cent", "points"]


class Mark(NamedTuple):
    """A dot and its interval on the table's scale, as percentages of the box."""

    at: str
    low: str
    high: str
    """Both empty without an interval."""
    ring: str = ""
    """A second place on the scale: what was before; empty for none."""
    chance: str = ""
    """Where chance is on the scale; empty where it is undefined."""


class Cell(NamedTuple):
    """One cell."""

    text: str
    css: str = ""
    below: str = ""
    """A second line, in small."""
    mark: Mark | None = None


EMPTY: Final = Cell("")


class Row(NamedTuple):
    """A row; without cells, it is the heading of those below it."""

    head: str
    cells: Sequence[Cell] = ()


@dataclass
class Table:
    """A table with its caption; the first column names the rows."""

    caption: str
    columns: Sequence[str]
    rows: list[Row] = field(default_factory=list)
    scale: Scale | None = None
    """Of the last column, where that is drawn."""
    ticks: Sequence[tuple[str, str]] = ()
    """Place and text of each number on the scale."""
    zero: str = ""
    """Where the scale has its zero; empty for none."""
    limits: Sequence[str] = ()
    """Places of further lines across the drawings, such as the ends of a margin."""
    css: str = "full"

    @property
    def shows_chance(self) -> bool:
        """Whether any drawing shows chance, so that a legend has to say so."""
        return any(cell.mark is not None and cell.mark.chance for row in self.rows for cell in row.cells)

    @property
    def lefts(self) -> list[bool]:
        """Whether each column holds words, which begin at its left, and so does its heading; the first one does."""
        cells = next((row.cells for row in self.rows if row.cells), ())
        return [True, *("left" in cell.css.split() for cell in cells)]


def captioned(caption: str, of: str) -> str:
    """The caption, with the name `of` the benchmark where there are several; else empty."""
    return f"{caption}: {of}" if of else caption


def per_cent(share: float | None) -> str:
    """`62.4`, a share in per cent; empty where it is undefined."""
    return "" if share is None else notation.points(share)


def points(difference: float | None) -> str:
    """`+3.1`, a difference of shares in percentage points; empty where it is undefined."""
    return "" if difference is None else notation.points(difference, "+")


def between(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """`[55.9, 68.4]`; empty without an interval."""
    if low is None or high is None or isnan(low) or isnan(high):
        return ""
    return f"[{points(low)}, {points(high)}]" if signed else f"[{per_cent(low)}, {per_cent(high)}]"


def drawn(
    scale: Scale, value: float | None, low: float | None, high: float | None, chance: float | None = None
) -> Cell:
    """The cell of the drawing, with a line at `chance`; empty where there is nothing to draw."""
    if value is None or isnan(value):
        return Cell("", "draw")
    at = "" if chance is None or isnan(chance) else scale.at(chance)
    if low is None or high is None or isnan(low) or isnan(high):
        return Cell("", "draw", mark=Mark(scale.at(value), "", "", chance=at))
    return Cell("", "draw", mark=Mark(scale.at(value), scale.at(low), scale.at(high), chance=at))


def numbers(scale: Scale) -> list[tuple[str, str]]:
    """Place and text, in per cent, of the ticks of a scale of shares."""
    return [(scale.at(tick), f"{100 * tick:.0f}") for tick in scale.ticks()]
