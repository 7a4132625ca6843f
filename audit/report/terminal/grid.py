"""A table for the terminal of which whole columns give way where it is narrow: a number is never cut.

Takes columns with their cells, gives a rich table. Where columns of numbers have gone and it is still too wide,
the texts are cut; a table of which nothing more may go is wider than its terminal, and the terminal wraps it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

__all__ = ["Column", "grid"]

_RULED: Final = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
"""A rule under the header and nothing else, in ASCII."""
_GAP = 2
"""Blanks between two columns."""
_SHORTEST = 12
"""Characters that a text keeps."""


@dataclass(frozen=True)
class Column:
    """One column: its title, its cells, and when it goes."""

    title: str
    goes: int | None = None
    """The lowest goes first; None stays."""
    left: bool = False
    """True for words: numbers stand at the right."""
    cut: bool = False
    """True for free text, which may be shortened; nothing else is."""
    cells: list[Text] = field(default_factory=list)

    @property
    def width(self) -> int:
        """The widest cell or the title, in columns of the terminal."""
        return max([len(self.title), *(cell.cell_len for cell in self.cells)])


def grid(columns: list[Column], width: int, *, ascii_only: bool) -> tuple[Table, list[str]]:
    """The table in `width` columns of the terminal, and the titles of the columns that had to go."""
    kept = list(columns)
    while _wide(kept) > width and (going := [one for one in kept if one.goes is not None]):
        kept.remove(min(going, key=lambda one: one.goes or 0))
    table = Table(
        box=_RULED if ascii_only else box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        header_style="dim",
    )
    sizes: list[int] = []
    over = max(_wide(kept) - width, 0)
    for one in kept:
        cut = min(over, max(one.width - _SHORTEST, 0)) if one.cut else 0
        over -= cut
        size = one.width - cut
        sizes.append(size)
        # Widths are given, so that rich itself never takes from a number what a text should give.
        side: JustifyMethod = "left" if one.left else "right"
        table.add_column(one.title, justify=side, no_wrap=True, overflow="crop", width=size, min_width=size)
    for row in zip(*(one.cells for one in kept), strict=True):
        table.add_row(*row)
    table.width = sum(sizes) + _GAP * (len(sizes) - 1)
    return table, [one.title for one in columns if one not in kept]


def _wide(columns: list[Column]) -> int:
    return sum(one.width for one in columns) + _GAP * (len(columns) - 1)
