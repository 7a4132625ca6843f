"""Where output may be written, and writing it; what a command gives beside its tables. One contract for all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from hansproof.generators.errors import Fault, HansproofError, InputError, UsageError
from hansproof.generators.input import refuse_inputs, reserve
from hansproof.generators.output import is_stream
from hansproof.terminal.streams import emit, tell

if TYPE_CHECKING:
    from hansproof.audit.report.terminal import Ink
    from hansproof.audit.result.shown import Shown

__all__ = [
    "STDOUT",
    "Made",
    "Outputs",
    "check_folder",
    "check_output",
    "check_outputs",
    "files_of",
    "json_option",
    "report_options",
    "screen",
    "write_json",
    "write_output",
    "write_outputs",
]

# No output is ever an input, whether somebody names that or a file names it (`generators.input`). Commands ask before
# the work begins, so that nothing is lost at its end; what appeared meanwhile stays, too.

STDOUT = "-"
"""The name of standard output, wherever the name of a file is asked for."""


def check_output(file: str, *, force: bool, inputs: Sequence[str] = ()) -> None:
    """Refuse to write `file` where that would destroy something or cannot work; `-` is always fine.

    Raises UsageError for one of the `inputs`, under whatever name, and for a file inside one that is a folder (whatever
    `force` says), for a file that exists (unless `force`), for anything that exists and is not a regular file, and for
    a file whose folder is missing or not writable.
    """
    if file == STDOUT:
        return
    if not file.strip():
        raise UsageError("the name of a file to write is empty; name a file")
    path = Path(file)
    refuse_inputs(file, inputs)
    if (path.exists() and not path.is_file()) or is_stream(path):
        raise UsageError("is not a regular file; name another file", file)
    if os.path.lexists(path) and not force:
        raise UsageError("exists; pass --force to overwrite it, or name another file", file)
    if path.is_symlink() and not path.exists():
        raise UsageError("is a link to nothing; remove it, or name another file", file)
    if not path.parent.is_dir():
        raise UsageError("its folder does not exist; make it first", file)
    if not os.access(path.parent, os.W_OK):
        raise UsageError("its folder is not writable; name another file", file)
    reserve(file)


def check_outputs(files: Sequence[str | None], sources: Sequence[str], *, force: bool) -> None:
    """Check every file that a command is to write; None stands for one that it is not.

    Raises UsageError as `check_output` does, for one of the `sources`, and for a file named twice, as `-` may be.
    """
    taken: set[str] = set()
    sources = [source for source in sources if source != STDOUT]  # as an input, standard input
    for file in files:
        if file is None:
            continue
        path = file if file == STDOUT else os.path.realpath(file)
        if path in taken and file == STDOUT:
            raise UsageError("only one output can be written to standard output; name files for the others")
        if path in taken:
            raise UsageError("is named for two reports; name a different file for each", file)
        check_output(file, force=force, inputs=sources)
        taken.add(path)


def check_folder(folder: str, option: str) -> None:
    """Refuse `-` for a folder. Raises UsageError that names the `option`."""
    if folder == STDOUT:
        raise UsageError(f"{option} names a folder, which standard output is not; name one")


def write_output(file: str, data: bytes | str, *, force: bool) -> None:
    """Put `data` into `file`, in one step, or on standard output for `-`. Raises as `write_bytes` does."""
    data = data.encode() if isinstance(data, str) else data
    if file == STDOUT:
        emit(data)
    else:
        from hansproof.generators.jsonl import write_bytes  # not for a help page

        write_bytes(file, data, overwrite=force)


def write_json(file: str, value: Any, *, force: bool) -> None:
    """Write a value of dicts, lists, numbers, texts and dataclasses, indented, with undefined numbers as null."""
    from hansproof.audit.result.record import json_bytes

    write_output(file, json_bytes(value), force=force)


def write_outputs(outputs: Sequence[tuple[str | None, Callable[[], bytes | str]]], *, force: bool) -> None:
    """Write every output that has a name, each for itself: where one cannot be written, the others are.

    Raises InputError with the faults of all that could not.
    """
    faults: list[Fault] = []
    for file, draw in outputs:
        if file is not None:
            try:
                write_output(file, draw(), force=force)
            except HansproofError as error:
                faults += error.faults
    if faults:
        raise InputError.of(faults)


def screen(*files: str | None) -> TextIO:
    """Where the screen goes: standard output, or standard error if one of the `files` takes that."""
    return sys.stderr if STDOUT in files else sys.stdout


F = TypeVar("F", bound=Callable[..., object])


def json_option(command: F) -> F:
    """`command` with --json and --force, which it gets as `json_` (`-` for standard output) and `force`."""
    words = "Write every number as JSON; to standard output without FILE."
    command = click.option("--force", is_flag=True, help="Overwrite files that exist.")(command)
    return click.option("--json", "json_", is_flag=False, flag_value=STDOUT, metavar="[FILE]", help=words)(command)


def report_options(*, csv: str, html: str) -> Callable[[F], F]:
    """The options --json, --csv, --html and --force of a command, which gets them as `json_`, `csv_`, `html`, `force`.

    `csv` and `html` say what the table and the page hold.
    """
    options = (
        json_option,
        click.option("--csv", "csv_", metavar="FILE", help=csv),
        click.option("--html", metavar="FILE", help=html),
    )

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
    files: Mapping[str, Callable[[], bytes | str]]
    """By the name of the output: `json`, `csv`, `html`, ..."""
    notes: Sequence[str] = ()
    """What is told at the end, on standard error."""


def files_of(result: Shown) -> dict[str, Callable[[], bytes | str]]:
    """What the files `json`, `csv` and `html` hold."""
    from hansproof.audit.notation import csv_text
    from hansproof.audit.result.record import json_bytes

    return {"json": lambda: json_bytes(result.record()), "csv": lambda: csv_text(result.rows()), "html": result.page}


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
        from hansproof.audit.report.terminal import Ink, console_on

        return Ink(console_on(screen(*self.files.values())))

    def give(self, made: Made) -> None:
        """Show what was made, write what was asked for, and tell the notes.

        Raises InputError with the faults of all that could not be written.
        """
        made.show(self.ink())
        wanted = [(file, made.files[name]) for name, file in self.files.items() if file is not None]
        write_outputs(wanted, force=self.force)
        for note in made.notes:
            tell(f"note: {note}")
