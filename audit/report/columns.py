"""One table of columns, a row per record: what each column is called and shows, in a terminal and on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, Literal, TypeVar

from hansproof.audit.models.comparison import Comparison
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.report.drawing import Scale
from hansproof.audit.report.study_tables import Cell, PageRow, PageTable, between, drawn, points
from hansproof.audit.report.terminal import Column, TextTable
from hansproof.audit.report.terms import CELLS, ComparisonColumn, Term, grouped

__all__ = ["Field", "comparison_columns", "filled", "measured", "page_table", "sections", "text_table"]

T = TypeVar("T")


@dataclass(frozen=True)
class Field(Generic[T]):
    """One column."""

    term: Term
    cell: Callable[[T], Cell | str]
    """What a record shows in it; empty where it is undefined."""
    goes: int | None = None
    """Of the columns that a narrow terminal leaves out, the lowest goes first; None stays."""
    holds: Literal["numbers", "words", "phrases"] = "numbers"
    """Words and phrases begin at the left; phrases may fold."""
    brief: bool = False
    """Whether the screen has no room for the second part of a cell."""

    def on_page(self, record: T) -> Cell:
        """The cell on the page."""
        made = self.cell(record)
        return made if isinstance(made, Cell) else Cell(made, "" if self.holds == "numbers" else "left")

    def on_screen(self, record: T) -> str:
        """The cell in a terminal, in one line."""
        made = self.on_page(record)
        return made.text if self.brief else f"{made.text} {made.below}".rstrip()


def filled(fields: Iterable[Field[T]], records: Sequence[T]) -> list[Field[T]]:
    """The columns that have something to say."""
    return [field for field in fields if any(map(field.on_screen, records))]


def comparison_columns(columns: Iterable[ComparisonColumn], comparison: Comparison) -> list[Field[Contrast]]:
    """Those of `terms.SCREEN` or `terms.PAGE` that have something to say of the parts of a comparison."""
    in_groups = grouped(comparison)
    fields: list[Field[Contrast]] = [
        Field(column.term(comparison), CELLS[column.name], column.goes, "words" if column.words else "numbers")
        for column in columns
        if in_groups or not column.in_groups
    ]
    return filled(fields, comparison.parts)


def sections(
    records: Iterable[T], heading: Callable[[T], str], name: Callable[[T], str]
) -> Iterator[tuple[str, T] | str]:
    """Each record by its name, below a heading of those that share it; without one where it is empty."""
    for head, same in groupby(records, key=heading):
        if head:
            yield head
        yield from ((name(record), record) for record in same)


def page_table(
    caption: str,
    head: str,
    fields: Sequence[Field[T]],
    named: Iterable[tuple[str, T] | str],
    *,
    scale: Scale | None = None,
    css: str = "full",
) -> PageTable:
    """The table on a page. A name alone is a heading; `scale` is that of the last column."""
    rows = [
        PageRow(row) if isinstance(row, str) else PageRow(row[0], [field.on_page(row[1]) for field in fields])
        for row in named
    ]
    return PageTable(caption, [head, *(field.term.page for field in fields)], rows, scale, css=css)


def text_table(
    title: str, head: str, fields: Sequence[Field[T]], named: Iterable[tuple[str, T] | str], *, headings: bool = True
) -> TextTable:
    """The table in a terminal. A name alone begins a section, as its heading if these are wanted."""
    table = TextTable(
        Column(head, "phrases"), *(Column(field.term.screen, field.holds, field.goes) for field in fields), title=title
    )
    for row in named:
        if not isinstance(row, str):
            table.row(row[0], *(field.on_screen(row[1]) for field in fields))
            continue
        table.section()
        if headings:
            table.row(row, *[""] * len(fields))
    return table


def measured(term: Term, every: Iterable[Contrast], *also: float) -> tuple[Scale, list[Field[Contrast]]]:
    """Difference, interval and drawing of contrasts on a page; the scale has room for all, for 0 and for `also`."""
    numbers = [end for each in every for end in (each.difference.difference, each.difference.low, each.difference.high)]
    scale = Scale.over([*numbers, *also], 0.0)

    def drawing(each: Contrast) -> Cell:
        own = each.difference
        return drawn(scale, own.difference, own.low, own.high)

    def ends(each: Contrast) -> Cell:
        return Cell(between(each.difference.low, each.difference.high, signed=True), "nowrap")

    return scale, [
        Field(term, lambda each: points(each.difference.difference)),
        Field(Term("95 % interval"), ends),
        Field(term, drawing),
    ]
