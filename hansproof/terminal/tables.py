"""Tables on standard output, for every command that prints some: names on the left, numbers on the right."""

from __future__ import annotations

from re import findall
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

__all__ = ["fitted", "folded", "narrow", "plain", "plain_table", "show"]

_NARROW = 120
"""Terminals with fewer columns have the names in the first column broken, so that the numbers stay whole."""

_ROOM = 16


def plain_table(first: str, columns: tuple[str, ...]) -> Table:
    """An empty table: `first` heads the column of names, `columns` those of numbers, which stand on the right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.add_column(plain(first), no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def plain(words: str) -> Text:
    """Words as they are: brackets in a name are no markup."""
    from rich.text import Text

    return Text(words)


def fitted(name: str) -> Text:
    """A name for the first column, broken after blanks and hyphens where the terminal is narrow."""
    if not _narrow(_console()) or len(name) <= _ROOM:
        return plain(name)
    lines = [""]
    for piece in findall(r"[^ -]*[ -]?", name):
        if len(lines[-1] + piece.rstrip()) > _ROOM:
            lines.append("")
        lines[-1] += piece
    return plain("\n".join(line.rstrip() for line in lines if line))


def narrow() -> bool:
    """Whether tables go to a terminal with little room."""
    return _narrow(_console())


def folded(words: str) -> str:
    """A line below a table, broken at blanks where a terminal is narrower; whole where it goes into a file."""
    console = _console()
    if not console.is_terminal:
        return words
    return fill(words, console.width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def show(table: Table) -> None:
    """Print to standard output, without colours where it is no terminal."""
    console = _console()
    # Piped into a file, a table is as wide as it must be: cut numbers are worse than long lines.
    if not console.is_terminal:
        console.width = max(console.width, 160)
    if _narrow(console):
        table.padding, table.show_edge = (0, 0), False
    console.print(table)


def _narrow(console: Console) -> bool:
    return console.is_terminal and console.width < _NARROW


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)
