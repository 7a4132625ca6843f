"""The ink of the terminal: every piece of text passes through it, and leaves in the width and characters there are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO

from rich.console import Console, RenderableType
from rich.text import Text

from audit import notation
from audit.notation import drawn
from audit.report import words
from audit.report.terminal.table import TextTable
from audit.result.explanation import Cue

__all__ = ["Ink", "console_on"]

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
        self.pointer = ">" if self.ascii_only else "▸"
        self.second_mark = "o" if self.ascii_only else "•"

    def fit(self, text: str) -> str:
        """`text` in the characters that this output has."""
        return notation.within(text, self.encoding)

    def one_line(self, text: str, width: int | None = None) -> str:
        """`text` as one safe line in the characters that this output has."""
        return self.fit(notation.one_line(text, width))

    def symbol(self, look: words.VerdictWords) -> str:
        """The verdict's symbol, or its ASCII stand-in."""
        return look.ascii if self.ascii_only else look.symbol

    def print(self, what: RenderableType) -> None:
        """Print `what` without guessing at numbers, markup or emoji in it."""
        self.console.print(what, highlight=False, markup=False, emoji=False)

    def table(self, table: TextTable) -> list[str]:
        """Print a table under its title; return the titles of the columns for which there was no room."""
        if table.title:
            self.line(table.title, "bold")
        drawn = table.spelt(self.fit).drawn(self.width, ascii_only=self.ascii_only)
        # A table that is too wide for the console even so is wrapped there, not cut.
        width = max(drawn.drawing.width or 0, self.width)
        self.console.print(drawn.drawing, highlight=False, markup=False, emoji=False, width=width, crop=False)
        return drawn.gone

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

    def item(self, text: str, mark: str = "-") -> None:
        """One paragraph, indented by two columns wherever it wraps."""
        self._hanging(mark, self.one_line(text), 2, self.width)

    def fact(self, name: str, text: str) -> None:
        """A name in a narrow column, and beside it what there is to say."""
        self._hanging(name, self.one_line(text), 11, min(self.width, _PROSE))

    def run(self, label: str, parts: Sequence[tuple[Cue, str]]) -> None:
        """A label, then as many (n-gram, numbers) pairs as fit in one line."""
        head = Text.assemble("  ", (self.one_line(drawn(label), 16), "bold"), ": ")
        for index, (cue, numbers) in enumerate(parts):
            often = f" {cue.times}+ times" if cue.times > 1 else ""
            part = Text.assemble(self.one_line(f"“{drawn(cue.ngram)}”{often}", 30), " ", (numbers, "dim"))
            glue = Text(", " if index else "")
            if index and head.cell_len + glue.cell_len + part.cell_len > self.width:
                break
            head.append_text(glue).append_text(part)
        self.print(head)

    def _hanging(self, name: str, text: str, indent: int, width: int, style: str = "") -> None:
        # Not a grid: that would pad every line with spaces, which shows as soon as somebody copies it.
        lines = Text(text, style=style).wrap(self.console, max(width - indent, 10))
        for index, line in enumerate(lines):
            line.rstrip()
            self.print(Text.assemble((f"{name if index == 0 else '':<{indent}}", "dim"), line))
