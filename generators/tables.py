"""Tables on standard output, for every command that prints some: names on the left, numbers on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

__all__ = ["plain", "plain_table", "show"]


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


def show(table: Table) -> None:
    """Print to standard output, without colours where it is no terminal."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    # Piped into a file, a table is as wide as it must be: cut numbers are worse than long lines.
    if not console.is_terminal:
        console.width = max(console.width, 160)
    console.print(table)
