"""The ink of the terminal, and a table drawn with it: a number is never cut, whatever width there is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from re import findall
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from hansproof.audit import notation
from hansproof.audit.report import words
from hansproof.audit.report.document import Cell, Column, Excerpt, Excerpts, Note, Part, ReportTable, Section, tabulated
from hansproof.audit.result.audit_result import Verdict

if TYPE_CHECKING:
    from rich.table import Table as Drawing

__all__ = ["OUTPUTS", "Ink", "console_on", "too_narrow"]

# A table that is too wide shrinks step by step, and stops as soon as it fits: phrases fold onto several lines, gaps
# shrink to one blank where that keeps a column, whole columns go, and free text is cut. Numbers never are.

OUTPUTS: Final = ("--json", "--html")
"""The options of an audit that give all columns of its tables."""

_RULED: Final = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
"""A rule under the header and nothing else, in ASCII."""
_SHORTEST_PHRASE: Final = 16
"""Phrases fold to lines of no fewer cells than this; one without a blank or a hyphen to break at keeps its length."""
_SHORTEST_TEXT: Final = 12
"""Cells that a text keeps when it is cut."""


class Laid(NamedTuple):
    """A table laid out for one terminal."""

    drawing: Drawing
    gone: list[str]
    """Titles of the columns for which there was no room."""


class Layout:
    """A table in the characters that an output has, laid out when the width of the terminal is known."""

    def __init__(self, table: ReportTable, fit: Callable[[str], str] = str) -> None:
        self._columns = [column for column in table.columns if column.holds != "drawings"]
        self._rows: list[list[Text]] = []
        self._gaps: set[int] = set()
        for row in table.rows:
            if len(row) < len(table.columns):  # a heading, or nothing but a gap
                self._gaps.add(len(self._rows))
            if row:
                shown = [
                    Text(fit(column.on_screen(cell)), cell.style)
                    for column, cell in zip(table.columns, row, strict=False)
                    if column.holds != "drawings"
                ]
                self._rows.append(shown + [Text("")] * (len(self._columns) - len(row)))

    def drawn(self, width: int, *, ascii_only: bool) -> Laid:
        """The table for a terminal with `width` cells per line."""
        from rich.table import Table as Drawing

        places, sizes, gap = self._fitted(width)
        drawing = Drawing(
            box=_RULED if ascii_only else box.SIMPLE_HEAD,
            show_edge=False,
            pad_edge=False,
            collapse_padding=True,
            padding=(0, gap - 1),
            header_style="dim",
            show_header=any(column.title for column in self._columns),
        )
        for place in places:
            column = self._columns[place]
            # Widths are given, so that rich itself never takes from a number what a text should give.
            drawing.add_column(
                Text(column.title),
                justify="right" if column.holds == "numbers" else "left",
                no_wrap=True,
                overflow="crop",
                width=sizes[place],
                min_width=sizes[place],
            )
        for index, row in enumerate(self._rows):
            if index and index in self._gaps:
                drawing.add_section()
            drawing.add_row(*(self._cell(row, place, sizes[place], "..." if ascii_only else "…") for place in places))
        drawing.width = _total(sizes, places, gap)
        return Laid(drawing, [column.title for place, column in enumerate(self._columns) if place not in places])

    def _fitted(self, width: int) -> tuple[list[int], list[int], int]:
        """Places of the columns that stay, the size of each column, and the blanks between two."""
        places, gap = list(range(len(self._columns))), 2
        sizes = [self._widest(place) for place in places]
        least = [self._least(place) for place in places]
        going = sorted((column.goes, place) for place, column in enumerate(self._columns) if column.goes is not None)
        if going and _total(least, places, gap) > width:
            gap = 1
        for _, place in going:
            if _total(least, places, gap) <= width:
                break
            places.remove(place)
        for place in sorted(places, key=lambda place: -sizes[place]):
            over = max(_total(sizes, places, gap) - width, 0)
            if self._columns[place].holds == "phrases":
                sizes[place] -= min(over, sizes[place] - least[place])
            elif self._columns[place].holds in ("text", "identifiers"):
                sizes[place] -= min(over, max(sizes[place] - _SHORTEST_TEXT, 0))
        return places, sizes, gap

    def _cell(self, row: list[Text], place: int, size: int, ellipsis: str) -> Text:
        cell = row[place]
        if cell.cell_len <= size:
            return cell
        if self._columns[place].holds == "phrases":
            return _folded(cell, size)
        if self._columns[place].holds == "text":
            cell = cell.copy()
            cell.truncate(size - len(ellipsis))
            cell.rstrip()
            cell.append(ellipsis)
        if self._columns[place].holds == "identifiers":
            return _ending(cell, size, ellipsis)
        return cell

    def _widest(self, place: int) -> int:
        return max(map(cell_len, [*self._columns[place].title.split("\n"), *(row[place].plain for row in self._rows)]))

    def _least(self, place: int) -> int:
        """The size of a column without cutting anything: only phrases may be narrower than they are."""
        widest = self._widest(place)
        if self._columns[place].holds != "phrases":
            return widest
        pieces = [piece.rstrip() for row in self._rows for piece in _pieces(row[place].plain)]
        pieces += self._columns[place].title.split("\n")
        return max(min(_SHORTEST_PHRASE, widest), *map(cell_len, pieces))


def too_narrow(gone: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """That the window has no room for the columns `gone`, and which options of the command, such as `--json`, give
    them; nothing where all are there."""
    if not gone:
        return []
    titles = ", ".join(title.replace("\n", " ") for title in gone)
    named = " and ".join(filter(None, (", ".join(outputs[:-1]), *outputs[-1:])))
    which = f"the column {titles}" if len(gone) == 1 else f"the columns {titles}"
    have = "has" if len(outputs) == 1 else "have"
    elsewhere = f"; {named} {have} {'it' if len(gone) == 1 else 'them'}" if outputs else ""
    return [f"this window is too narrow for {which}{elsewhere}"]


def _total(sizes: Sequence[int], places: Sequence[int], gap: int) -> int:
    return sum(sizes[place] for place in places) + gap * (len(places) - 1)


def _ending(cell: Text, size: int, ellipsis: str) -> Text:
    """The end of `cell`, after an ellipsis."""
    start = 0
    while cell_len(cell.plain[start:]) > size - len(ellipsis):
        start += 1
    return Text(ellipsis + cell.plain[start:], style=cell.style)


def _pieces(name: str) -> list[str]:
    """Where a phrase may be broken: after blanks and hyphens."""
    return [piece for piece in findall(r"[^ -]*[ -]?", name) if piece]


def _folded(name: Text, size: int) -> Text:
    """`name` on lines of at most `size` cells, with its styles."""
    breaks, begun, end = [], 0, 0
    for piece in _pieces(name.plain):
        if end > begun and cell_len(name.plain[begun:end] + piece.rstrip()) > size:
            breaks.append(end)
            begun = end
        end += len(piece)
    lines = name.divide(breaks)
    for line in lines[:-1]:
        line.rstrip()
    return Text("\n", end="").join(lines)


def _is_shown(part: Part) -> bool:
    """Whether a terminal shows a part: neither explanations nor what a page folds away."""
    if isinstance(part, Note):
        return part.kind in ("lead", "fact", "legend", "point", "heading")
    return isinstance(part, Excerpts) or (isinstance(part, ReportTable) and part.most != 0)


def _begins(part: Part) -> bool:
    return part.kind == "heading" if isinstance(part, Note) else isinstance(part, ReportTable) and bool(part.title)


_END = 60
"""Characters of the end of a text."""


def _ends(part: Excerpts) -> ReportTable:
    """A row per text: its name, what there is to know, and how it ends, since the question mostly stands there."""
    columns: list[Column[Excerpt]] = [
        Column("", lambda item: item.about, holds="text"),
        Column("", lambda item: _end(item), holds="text"),
    ]
    named = [(Cell(notation.last_part(item.name, 20), style="dim"), item) for item in part.items]
    return tabulated("", Column("", holds="identifiers"), columns, named)


def _end(item: Excerpt) -> str:
    text = notation.one_line("".join(run.text for run in item.runs))
    return text if len(text) <= _END else f"…{text[-_END:]}"


_PIPE = 160
"""Cells per line of a pipe or a file, unless COLUMNS says otherwise: long lines are better than cut numbers."""
_PROSE = 100
"""Cells per line of a paragraph: longer lines are hard to read."""


def console_on(stream: IO[str] | None = None) -> Console:
    """A console on `stream`, by default standard output, that takes all text literally."""
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        console.width = _PIPE
    return console


class Ink:
    """A console together with what it can show."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = console.width
        self.encoding = console.encoding
        self.ascii_only = not self.encoding.lower().startswith("utf")

    def fit(self, text: str) -> str:
        """`text` in the characters that this output has."""
        return notation.within(text, self.encoding)

    def one_line(self, text: str, width: int | None = None) -> str:
        """`text` as one safe line in the characters that this output has."""
        return self.fit(notation.one_line(text, width))

    def verdict(self, verdict: Verdict) -> Cell:
        """A verdict with its symbol, in its colour."""
        look = words.VERDICTS[verdict]
        return Cell(f"{look.symbol} {verdict}", style=f"bold {look.colour}")

    def print(self, what: RenderableType) -> None:
        """Print `what` without guessing at numbers, markup or emoji in it."""
        self.console.print(what, highlight=False, markup=False, emoji=False)

    def table(self, table: ReportTable) -> list[str]:
        """Print a table under its title; return the titles of the columns for which there was no room."""
        if table.title:
            self.line(table.title, "bold")
        laid = Layout(table, self.fit).drawn(self.width, ascii_only=self.ascii_only)
        # A table that is too wide for the console even so is wrapped there, not cut.
        width = max(laid.drawing.width or 0, self.width)
        self.console.print(laid.drawing, highlight=False, markup=False, emoji=False, width=width, crop=False)
        return laid.gone

    def unbroken(self, text: Text) -> None:
        """One line whatever the width: the terminal itself wraps it, a pipe gets it whole."""
        self.console.print(text, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def blank(self) -> None:
        """One empty line."""
        self.console.line()

    def line(self, text: str, style: str = "") -> None:
        """One paragraph from the left edge."""
        self._hanging("", self.one_line(text), 0, min(self.width, _PROSE), style)

    def note(self, text: str) -> None:
        """A line below a table: folded on a terminal, whole in a pipe or a file."""
        if self.console.is_terminal:
            self.item(text, mark="")
        else:
            self.unbroken(Text(self.one_line(text)))

    def item(self, text: str, mark: str = "-", lines: int | None = None) -> None:
        """One paragraph, indented by two columns wherever it wraps; cut after so many `lines`."""
        self._hanging(mark, self.one_line(text), 2, self.width, lines=lines)

    def fact(self, name: str, text: str, lines: int | None = None) -> None:
        """A name in a narrow column, and beside it what there is to say; cut after so many `lines`."""
        self._hanging(name, self.one_line(text), 11, min(self.width, _PROSE), lines=lines)

    def section(self, section: Section, outputs: Sequence[str]) -> None:
        """Print what a terminal has room for, nothing where that is nothing; `outputs` are the options of the command
        that give all columns and rows."""
        if not any(map(_is_shown, section.parts)):
            return
        self.blank()
        self.line(section.heading, "bold")
        self.parts(section.parts, outputs)

    def parts(self, parts: Iterable[Part], outputs: Sequence[str], *, spaced: bool = False) -> None:
        """Print those parts that a terminal has room for; `spaced`, with a blank line before each titled table or
        heading, but not between these two."""
        headed = True
        for part in filter(_is_shown, parts):
            if spaced and _begins(part) and not headed:
                self.blank()
            headed = isinstance(part, Note) and part.kind == "heading"
            if isinstance(part, Note):
                self._note(part)
            else:
                self._whole(part, outputs)

    def _note(self, note: Note) -> None:
        if note.kind == "fact":
            self.fact(note.name, note.text)
        elif note.kind == "point":
            self.item(note.text)
        elif note.kind == "lead":
            self.line(note.text)
        elif note.kind == "heading":
            self.line(note.text, "bold")
        else:
            self.line(note.text, "dim")

    def _whole(self, part: Part, outputs: Sequence[str]) -> None:
        table = _ends(part) if isinstance(part, Excerpts) else part
        assert isinstance(table, ReportTable)
        most = len(table.rows) if table.most is None else table.most
        gone = self.table(replace(table, rows=table.rows[:most]))
        said = too_narrow(gone, outputs)
        if len(table.rows) > most:
            said.insert(0, f"and {len(table.rows) - most} more, listed by {' and '.join(outputs)}")
        if said:
            self.line("; ".join(said), "dim")

    def _hanging(
        self, name: str, text: str, indent: int, width: int, style: str = "", lines: int | None = None
    ) -> None:
        # Not a grid: that would pad every line with spaces, which shows as soon as somebody copies it.
        folded = list(Text(text, style=style).wrap(self.console, max(width - indent, 10)))
        if lines is not None and len(folded) > lines:
            ellipsis = self.fit("…")
            folded[lines - 1].truncate(max(width - indent, 10) - len(ellipsis))
            folded[lines - 1].rstrip()
            folded[lines - 1].append(ellipsis)
        for index, line in enumerate(folded[:lines]):
            line.rstrip()
            self.print(Text.assemble((f"{name if index == 0 else '':<{indent}}", "dim"), line))
