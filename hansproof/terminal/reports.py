"""What a command gives beside its tables: JSON, CSV, a page, figures. One way of saying so, whatever is analysed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import click

from hansproof.terminal.lines import tell
from hansproof.terminal.outputs import check_outputs, screen, write_outputs

if TYPE_CHECKING:
    from audit.report.terminal.ink import Ink
    from audit.report.terminal.table import TextTable

__all__ = ["Made", "Outputs", "report_options", "show_tables"]

F = TypeVar("F", bound=Callable[..., object])


def report_options(*, csv: str, html: str) -> Callable[[F], F]:
    """The options --json, --csv, --html and --force of a command, which gets them as `json_`, `csv_`, `html`, `force`.

    `csv` and `html` say what the table and the page hold.
    """
    options = (
        click.option("--json", "json_", is_flag=False, flag_value="-", metavar="[FILE]",
                     help="Write every number as JSON; to standard output without FILE."),
        click.option("--csv", "csv_", metavar="FILE", help=csv),
        click.option("--html", metavar="FILE", help=html),
        click.option("--force", is_flag=True, help="Overwrite files that exist."),
    )  # fmt: skip

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@dataclass(frozen=True)
class Made:
    """What a command has made: tables for the screen, and what each file would hold."""

    show: Callable[[Ink], None]
    """Prints the tables, and what to know of them."""
    files: Mapping[str, Callable[[], bytes]]
    """By the name of the output: `json`, `csv`, `html`, ..."""
    notes: Sequence[str] = ()
    """What is told at the end, on standard error."""


class Outputs:
    """The files that a command is to write, by what they hold; None for those that nobody asked for.

    Files are checked before the work, the screen is told before they are written, and each is written for itself.
    """

    def __init__(self, *, force: bool, **files: str | None) -> None:
        self.force = force
        self.files = files

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names of the files that were asked for."""
        return tuple(name for name, file in self.files.items() if file is not None)

    def check(self, read: Sequence[str]) -> None:
        """Refuse what cannot be written, or is among the files that are `read`. Raises UsageError."""
        check_outputs(tuple(self.files.values()), read, force=self.force)

    def ink(self) -> Ink:
        """The screen: standard output, or standard error if a file takes that."""
        from audit.report.terminal.ink import Ink, console_on

        return Ink(console_on(screen(*self.files.values())))

    def write(self, **made: Callable[[], bytes]) -> None:
        """Write every file that was asked for. Raises InputError with the faults of all that could not be written."""
        write_outputs([(file, made[name]) for name, file in self.files.items() if file is not None], force=self.force)

    def give(self, made: Made) -> None:
        """Show what was made, write what was asked for, and tell the notes. Raises InputError as `write` does."""
        made.show(self.ink())
        self.write(**made.files)
        for note in made.notes:
            tell(f"note: {note}")


def show_tables(tables: Sequence[TextTable], ink: Ink, outputs: Sequence[str] = ("--json", "--csv", "--html")) -> None:
    """Print tables with a blank line between them, and below each the columns for which there was no room, with the
    options of the command whose `outputs` have them."""
    from audit.report.terminal.table import too_narrow

    for place, table in enumerate(tables):
        if place:
            ink.blank()
        for note in too_narrow(ink.table(table), outputs):
            ink.note(note)
