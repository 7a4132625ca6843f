"""Lines for people, on standard output or standard error: what a stranger wrote in them is made visible first.

Names of files, of models and of columns come from anywhere. Every command prints through `say` and `tell`; tables and
paragraphs pass through `audit.report.terminal.ink`, which does the same; data go out through `emit`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from generators.errors import printable

__all__ = ["emit", "said_once", "say", "tell"]


def say(line: object = "") -> None:
    """Print one line on standard output."""
    click.echo(printable(str(line)))


def tell(line: object) -> None:
    """Print one line on standard error."""
    click.echo(printable(str(line)), err=True)


def emit(content: bytes) -> None:
    """Print a document or rows on standard output: byte for byte, or made visible line by line where it is a terminal.

    A terminal obeys U+009B or a bidirectional override even inside JSON.
    """
    if not sys.stdout.isatty():
        click.echo(content, nl=False)
        return
    lines = content.decode("utf-8", "backslashreplace").split("\n")
    click.echo("\n".join(map(printable, lines)), nl=False)


@contextmanager
def said_once() -> Iterator[None]:
    """Warnings of the libraries are one `note:` line each, on standard error, while the block runs."""
    before = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        tell(f"note: {message}")

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = before
