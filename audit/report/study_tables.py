"""Tables as the template draws them; and the items that changed between two sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Final, NamedTuple

from hansproof.audit import notation
from hansproof.audit.models.comparison import Change, Comparison
from hansproof.audit.notation import one_line
from hansproof.audit.replies.judged_reply import Read
from hansproof.audit.report.drawing import Scale

__all__ = [
    "EMPTY_CELL",
    "SHARES",
    "Cell",
    "Mark",
    "PageRow",
    "PageTable",
    "between",
    "captioned",
    "changed_items",
    "changed_rows",
    "changed_tables",
    "drawn",
    "per_cent",
    "points",
]


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


EMPTY_CELL: Final = Cell("")
SHARES: Final = Scale(0.0, 1.0)
"""The scale of a drawing of shares."""


class PageRow(NamedTuple):
    """A row; without cells, it is the heading of those below it."""

    head: str
    cells: Sequence[Cell] = ()


@dataclass
class PageTable:
    """A table with its caption; the first column names the rows."""

    caption: str
    columns: Sequence[str]
    rows: list[PageRow] = field(default_factory=list)
    scale: Scale | None = None
    """Of the last column, where that is drawn."""
    limits: Sequence[str] = ()
    """Places of further lines across the drawings, such as the ends of a margin."""
    css: str = "full"

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """Place and text, in per cent, of each number on the scale."""
        return [(self.scale.at(tick), f"{100 * tick:.0f}") for tick in self.scale.ticks()] if self.scale else []

    @property
    def zero(self) -> str:
        """Where the scale has its zero; empty without a scale."""
        return "" if self.scale is None else self.scale.at(0.0) if self.scale.low else "0%"

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
    scale: Scale,
    value: float | None = None,
    low: float | None = None,
    high: float | None = None,
    chance: float | None = None,
) -> Cell:
    """The cell of the drawing, with a line at `chance`; empty where there is nothing to draw."""
    if value is None or isnan(value):
        return Cell("", "draw")
    at = "" if chance is None or isnan(chance) else scale.at(chance)
    if low is None or high is None or isnan(low) or isnan(high):
        return Cell("", "draw", mark=Mark(scale.at(value), "", "", chance=at))
    return Cell("", "draw", mark=Mark(scale.at(value), scale.at(low), scale.at(high), chance=at))


# A new column is one `ChangeColumn`. CSV has every text whole, the page the beginning and the end of long ones.

_SHOWN: Final = 100
"""Changed items of each kind that the page lists."""


@dataclass(frozen=True)
class ChangeColumn:
    """One column of the tables of items that changed."""

    name: str
    """In CSV and JSON."""
    value: Callable[[Change], str | float]
    page: str
    """The heading on the page."""
    most: int = 160
    """Characters that the page shows of it; the table has it whole."""
    prose: bool = False
    """Whether it is long, so that the page gives it room."""

    def on_page(self, change: Change) -> tuple[str, bool]:
        """The cell, and whether it holds words, which begin at the left."""
        value = self.value(change)
        return (_ends(value, self.most), True) if isinstance(value, str) else (f"{value:.3g}", False)


CHANGED: Final = (
    ChangeColumn("id", lambda change: change.id, "Item"),
    ChangeColumn("subset", lambda change: change.subset, "Subset"),
    ChangeColumn("condition", lambda change: change.condition, "Condition"),
    ChangeColumn("group", lambda change: change.group, ""),
    ChangeColumn("prompt", lambda change: change.prompt, "Prompt", 220, prose=True),
    ChangeColumn("answer", lambda change: change.answer, "Gold answer", 80),
    ChangeColumn("a_read", lambda change: _listed(change.a_read), "Read from A", 80),
    ChangeColumn("b_read", lambda change: _listed(change.b_read), "Read from B", 80),
    ChangeColumn("a", lambda change: change.a, "A"),
    ChangeColumn("b", lambda change: change.b, "B"),
)
"""Of an item that changed, from left to right; without a heading for the page it is not on it."""


def _listed(read: Sequence[Read]) -> str:
    """What was read from the reply of one run; of several `yes (2), unclear (names no option) (1)`, in order of first
    occurrence."""
    counts = Counter(map(str, read))
    return ", ".join(f"{text} ({count})" if len(read) > 1 else text for text, count in counts.items())


def _ends(text: str, most: int) -> str:
    """`text` in one line of at most `most` characters: beginning and end, as what is asked mostly stands there."""
    line = one_line(text) if len(text) <= 8 * most else f"{one_line(text[: 4 * most])} {one_line(text[-4 * most :])}"
    if len(line) <= most:
        return line
    first = (most - 3) // 2
    return f"{line[:first].rstrip()} … {line[len(line) - (most - 3 - first) :].lstrip()}"


def changed_rows(comparison: Comparison) -> list[list[str | float | None]]:
    """The items that changed as rows of a table, headings first; the last column says who does better."""
    rows: list[list[str | float | None]] = [[*(column.name for column in CHANGED), "better"]]
    for better, changes in (("A", comparison.a_better), ("B", comparison.b_better)):
        rows += [[*(column.value(change) for column in CHANGED), better] for change in changes]
    return rows


def changed_tables(comparison: Comparison) -> list[tuple[str, PageTable]]:
    """Those that A does better and those that B does, for the page, headed; the first of each kind are listed."""
    return [
        (f"{notation.things(len(changes), 'item')} {said}", _table(changes, said))
        for changes, said in changed_items(comparison)
    ]


def changed_items(comparison: Comparison) -> list[tuple[Sequence[Change], str]]:
    """The items that A does better and those that B does, in words."""
    once = comparison.runs == (1, 1)
    return [
        (comparison.a_better, "right with A, wrong with B" if once else "right more often with A"),
        (comparison.b_better, "wrong with A, right with B" if once else "right more often with B"),
    ]


def _says(column: ChangeColumn, changes: Sequence[Change]) -> bool:
    """Whether the page needs it: it has any text, and a part that is the same in all items is none."""
    values = {column.value(change) for change in changes}
    if column.name in ("subset", "condition") and len(changes) > 1:
        return len(values) > 1
    return bool(values - {""})


def _table(changes: Sequence[Change], said: str) -> PageTable:
    more = f", the first {_SHOWN} of {len(changes):,}" if len(changes) > _SHOWN else ""
    listed = changes[:_SHOWN]
    shown = [column for column in CHANGED if column.page and _says(column, listed)]
    table = PageTable(f"Items {said}{more}", [column.page for column in shown], css="full dense tight")
    for change in listed:
        (head, _), *cells = (column.on_page(change) for column in shown)
        looks = ["left prose" if column.prose else "left" for column in shown[1:]]
        table.rows.append(
            PageRow(head, [Cell(text, look if words else "") for (text, words), look in zip(cells, looks, strict=True)])
        )
    return table
