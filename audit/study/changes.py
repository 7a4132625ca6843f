"""The items that changed between two sides: what was asked, what is right, and what was read from the replies.

A new column is one `ChangeColumn` here. CSV has every text whole, the page the beginning and the end of long ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from audit import notation
from audit.answers.judging.readings import Read
from audit.notation import one_line
from audit.paired.comparison import Change, Comparison
from audit.study.sections.tables import Cell, Row, Table

__all__ = ["CHANGED", "ChangeColumn", "ChangedItems", "changed_rows", "changed_tables"]

_SHOWN: Final = 100
"""Changed items of each kind that the page lists."""


class ChangedItems(NamedTuple):
    """Items that one side does better."""

    heading: str
    table: Table


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


def changed_tables(comparison: Comparison) -> list[ChangedItems]:
    """Those that A does better and those that B does, for the page; the first of each kind are listed."""
    once = comparison.runs == (1, 1)
    kinds = (
        (comparison.a_better, "right with A, wrong with B" if once else "right more often with A"),
        (comparison.b_better, "wrong with A, right with B" if once else "right more often with B"),
    )
    return [
        ChangedItems(f"{notation.things(len(changes), 'item')} {said}", _table(changes, said))
        for changes, said in kinds
    ]


def _says(column: ChangeColumn, changes: Sequence[Change]) -> bool:
    """Whether the page needs it: it has any text, and a part that is the same in all items is none."""
    values = {column.value(change) for change in changes}
    if column.name in ("subset", "condition") and len(changes) > 1:
        return len(values) > 1
    return bool(values - {""})


def _table(changes: Sequence[Change], said: str) -> Table:
    more = f", the first {_SHOWN} of {len(changes):,}" if len(changes) > _SHOWN else ""
    listed = changes[:_SHOWN]
    shown = [column for column in CHANGED if column.page and _says(column, listed)]
    table = Table(f"Items {said}{more}", [column.page for column in shown], css="full dense tight")
    for change in listed:
        (head, _), *cells = (column.on_page(change) for column in shown)
        looks = ["left prose" if column.prose else "left" for column in shown[1:]]
        table.rows.append(
            Row(head, [Cell(text, look if words else "") for (text, words), look in zip(cells, looks, strict=True)])
        )
    return table
