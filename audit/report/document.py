"""What a report consists of, before anything draws it: sections of tables, notes, figures and excerpts.

Nothing here knows a terminal or a page: `terminal` draws a document in cells of a screen, `html` in a template.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from hansproof.audit import notation

__all__ = [
    "EMPTY_CELL",
    "FOOTER",
    "SHARES",
    "Banner",
    "Cell",
    "Column",
    "Document",
    "Excerpt",
    "Excerpts",
    "Figure",
    "Fold",
    "KeyFigure",
    "KeyFigures",
    "Mark",
    "Note",
    "Part",
    "ReportTable",
    "Run",
    "Scale",
    "Section",
    "between",
    "captioned",
    "drawn",
    "filled",
    "headed",
    "listed",
    "per_cent",
    "points",
    "sections",
    "tabulated",
]

N = TypeVar("N")
T = TypeVar("T")


class Scale(NamedTuple):
    """A linear axis from `low` to `high` across the full width of a box.

    Positions are percentages of the box, so the same drawing fits a phone and a sheet of paper.
    """

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float | None], threshold: float) -> Scale:
        """An axis that includes all values, zero and the threshold, and ends on tenths."""
        known = [value for value in values if value is not None and math.isfinite(value)]
        low, high = min(known, default=0.0), max(known, default=0.0)
        return cls(
            math.floor(min(low, -0.05) * 10) / 10, math.ceil(round(max(high, threshold + 0.1, 0.3) * 10, 6)) / 10
        )

    def at(self, value: float) -> str:
        """The position of `value`, such as `37.50%`; values beyond an end are put at that end."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(max(share, 0.0), 1.0):.2f}%"

    def ticks(self) -> list[float]:
        """Four to seven round values between the ends."""
        step = next((step for step in (0.1, 0.2, 0.25) if (self.high - self.low) / step <= 6), 0.5)
        first = math.ceil(round(self.low / step, 6))
        last = math.floor(round(self.high / step, 6))
        return [round(index * step, 2) for index in range(first, last + 1)]


SHARES: Final = Scale(0.0, 1.0)
"""The scale of a drawing of shares."""


class Mark(NamedTuple):
    """A dot and its interval on the table's scale, as percentages of the box."""

    at: str
    low: str = ""
    high: str = ""
    """Both empty without an interval."""
    ring: str = ""
    """A second place on the scale: what was before; empty for none."""
    chance: str = ""
    """Where chance is on the scale; empty where it is undefined."""


class Cell(NamedTuple):
    """One cell."""

    text: str
    """One visible line: a string in place of a cell is made one."""
    css: str = ""
    """Classes of a page's style sheet."""
    below: str = ""
    """A second part: on a page a second line, in small."""
    mark: Mark | None = None
    """What a page draws in it; a terminal draws nothing."""
    style: str = ""
    """The look in a terminal, such as `bold red`."""
    link: str = ""
    """What a page links the text to, such as `#b1-top`."""


EMPTY_CELL: Final = Cell("")


class KeyFigure(NamedTuple):
    """One box with a number, as text."""

    name: str
    value: str
    note: str


@dataclass(frozen=True)
class Column(Generic[T]):
    """One column of a table with a row per record: what it is called, and what a record shows in it."""

    title: str
    """A line break in it makes a header of two lines in a terminal. A table without any title has no header there."""
    cell: Callable[[T], Cell | str] = str
    """Empty where it is undefined."""
    goes: int | None = None
    """Of the columns that a narrow terminal leaves out, the lowest goes first; None stays."""
    holds: Literal["numbers", "words", "phrases", "text", "identifiers", "drawings"] = "numbers"
    """Numbers stand on the right, all others on the left. Phrases may fold, text may be cut, words stay whole.
    Identifiers may be cut too, but from the left, so that a line number stays. Drawings are on pages alone."""
    brief: bool = False
    """Whether a terminal has no room for the second part of a cell."""
    is_name: bool = False
    """Whether the title is a name in the data, which no page writes with a capital."""

    @property
    def name(self) -> str:
        """The title in one line: what screen, page, help and docs call it."""
        return self.title.replace("\n", " ")

    def made(self, record: T) -> Cell:
        """The cell of a record."""
        made = self.cell(record)
        if isinstance(made, Cell):
            return made
        return Cell(notation.one_line(made), "" if self.holds == "numbers" else "left")

    def on_screen(self, cell: Cell) -> str:
        """What a terminal shows of a cell, in one line."""
        return cell.text if self.brief else f"{cell.text} {cell.below}".rstrip()


@dataclass
class ReportTable:
    """Columns and rows below a title; the first column names the rows."""

    title: str
    columns: Sequence[Column[Any]]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    """A cell per column. One cell alone is the heading of the rows below it, and no cell is a gap between rows."""
    scale: Scale | None = None
    """Of the last column, where that is drawn."""
    limits: Sequence[str] = ()
    """Places of further lines across the drawings, such as the ends of a margin."""
    css: str = "full"
    most: int | None = None
    """Rows that a terminal shows; None for all."""
    in_kappa: bool = False
    """Whether the numbers on the scale are kappas, and not per cent."""
    shades: Sequence[tuple[Sequence[str], str]] = ()
    """The classes and the words of each shade of its cells, which a page explains below it."""

    def row(self, *cells: str | Cell) -> None:
        """Add a row. Raises ValueError unless there is one cell per column."""
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        self.rows.append([Cell(notation.one_line(cell)) if isinstance(cell, str) else cell for cell in cells])

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """Place and text, a kappa or per cent, of each number on the scale."""
        if self.scale is None:
            return []
        return [
            (self.scale.at(tick), notation.kappa(tick, 1) if self.in_kappa and tick else f"{100 * tick:.0f}")
            for tick in self.scale.ticks()
        ]

    @property
    def zero(self) -> str:
        """Where the scale has its zero; empty without a scale."""
        return "" if self.scale is None else self.scale.at(0.0) if self.scale.low else "0%"

    @property
    def shows_chance(self) -> bool:
        """Whether any drawing shows chance, so that a legend has to say so."""
        return any(cell.mark is not None and cell.mark.chance for row in self.rows for cell in row)

    @property
    def headings(self) -> list[tuple[str, bool]]:
        """Of each column what a page calls it, and whether it holds words, which begin at its left."""
        first = next((row for row in self.rows if len(row) > 1), ())
        lefts = [place == 0 or "left" in cell.css.split() for place, cell in enumerate(first)]
        return [
            (column.name if column.is_name else headed(column.name), left)
            for column, left in zip(self.columns, lefts or [True] * len(self.columns), strict=True)
        ]


_SYMBOLS: Final = frozenset(("se", "sd", "p", "r", "t", "z", "n12", "n21", "t-test"))
"""First words that stay small, since they are symbols."""


def headed(name: str) -> str:
    """`name` as a heading of a page: with a capital, unless it begins with a symbol."""
    return name if name.split(" ")[0] in _SYMBOLS else name[:1].upper() + name[1:]


def filled(columns: Iterable[Column[T]], records: Sequence[T]) -> list[Column[T]]:
    """The columns that have something to say."""
    return [column for column in columns if any(column.on_screen(column.made(record)) for record in records)]


def sections(records: Iterable[T], heading: Callable[[T], str], name: Callable[[T], N]) -> Iterator[tuple[N, T] | str]:
    """Each record by its name, below a heading of those that share it; without one where it is empty."""
    for head, same in groupby(records, key=heading):
        if head:
            yield head
        yield from ((name(record), record) for record in same)


def tabulated(
    title: str,
    head: str | Column[Any],
    columns: Sequence[Column[T]],
    named: Iterable[tuple[str | Cell, T] | str],
    *,
    headings: bool = True,
    scale: Scale | None = None,
    css: str = "full",
) -> ReportTable:
    """The table with a row per record, by its name below `head`. A name alone begins a section, as its heading if these
    are wanted; `scale` is that of the last column."""
    first = Column(head, holds="phrases") if isinstance(head, str) else head
    table = ReportTable(title, [first, *columns], scale=scale, css=css)
    for row in named:
        if isinstance(row, str):
            table.rows += [[Cell(notation.one_line(row))] if headings else []]
        else:
            table.row(row[0], *(column.made(row[1]) for column in columns))
    return table


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
    if low is None or high is None or math.isnan(low) or math.isnan(high):
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
    places = ["" if number is None or math.isnan(number) else scale.at(number) for number in (value, low, high, chance)]
    at, start, end, guess = places
    if not at:
        return Cell("", "draw")
    start, end = (start, end) if start and end else ("", "")
    return Cell("", "draw", mark=Mark(at, start, end, chance=guess))


@dataclass(frozen=True)
class Note:
    """A sentence or a few beside the tables."""

    text: str
    kind: Literal["about", "aside", "code", "lead", "fact", "legend", "point", "heading"] = "about"
    """`about` explains, an `aside` is a point of a list, and `code` is to be copied: these are on pages alone. A `lead`
    says the main thing, a `fact` has a name, a `legend` stands below a table, a `point` is one of a list, and a
    `heading` begins a part of a section."""
    name: str = ""


@dataclass(frozen=True)
class KeyFigures:
    """The boxes at the head of a page."""

    figures: Sequence[KeyFigure]


class Run(NamedTuple):
    """Some letters of an excerpt, in one look."""

    text: str
    css: str = ""
    """Classes of a page's style sheet for marked text; `cut` for words of ours."""
    title: str = ""


class Excerpt(NamedTuple):
    """The text of one item, or what is shown of it."""

    name: str
    about: str
    runs: Sequence[Run]


@dataclass(frozen=True)
class Excerpts:
    """Texts of items: a page shows them at length, a terminal how each of them ends, where the question mostly is."""

    items: Sequence[Excerpt]
    legend: Sequence[Run] = ()


@dataclass(frozen=True)
class Fold:
    """What a page folds away, and a terminal leaves out unless it shows everything."""

    summary: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Figure:
    """A drawing for a page."""

    svg: str
    """An element whose texts are escaped."""
    label: str


Part = ReportTable | Note | KeyFigures | Excerpts | Figure | Fold


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    heading: str
    id: str
    """Of its anchor, unique within a document."""
    parts: Sequence[Part]
    is_hidden: bool = False
    """Whether only a screen reader says the heading."""


class Banner(NamedTuple):
    """The verdict and what it means, at the head of a document."""

    key: str
    """A name that is safe in a CSS class."""
    symbol: str
    verdict: str
    reason: str
    lead: str = ""
    """What matters most beside the reason; may be empty."""
    meaning: str = ""


@dataclass(frozen=True)
class Document:
    """One report, or a chapter of one."""

    kicker: str
    """What kind of report this is."""
    title: str
    sections: Sequence[Section]
    beneath: str = ""
    """Below the title, in small."""
    banner: Banner | None = None
    chapters: Sequence[Document] = ()
    prefix: str = ""
    """Begins every id, so that one page can show several chapters."""
    footer: str = ""
    """Empty for that of audits."""
    style: str = ""
    """Rules that the figures need."""
    is_indexed: bool = False
    """Whether a page lists its sections at the top."""


FOOTER: Final = "Made by hansproof. This file needs no network and runs no scripts."


def listed(sentences: Iterable[str]) -> list[Part]:
    """Sentences as points of a list."""
    return [Note(text, "point") for text in sentences if text]
