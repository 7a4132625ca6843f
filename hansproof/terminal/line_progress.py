"""Progress on standard error: shown after a second, gone when done, silent where nobody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["counted"]

_PATIENCE = 1.0
"""Seconds of silence: quick work draws no bar."""


def counted(pieces: Iterable[bytes], total: int, what: str) -> Iterator[bytes]:
    """The same pieces; a bar of the lines in them, out of `total`, is drawn on a terminal."""
    if not sys.stderr.isatty():
        yield from pieces
        return
    with _bar() as bar:
        task = bar.add_task(what, total=total)
        begun = time.monotonic()
        for piece in pieces:
            yield piece
            bar.advance(task, piece.count(b"\n"))
            if not bar.live.is_started and time.monotonic() - begun > _PATIENCE:
                bar.start()


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    try:
        yield bar
    finally:
        if bar.live.is_started:
            bar.stop()
