"""Progress on standard error: shown after a second, gone when done, silent where nobody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["on_stderr"]

_PATIENCE = 1.0
"""Seconds of silence: quick audits print no bar."""


@contextmanager
def on_stderr() -> Iterator[Callable[[str, int, int], None]]:
    """A callable (stage, done, total) that draws one bar while the block runs."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=None)
    begun = time.monotonic()
    started = False

    def update(stage: str, done: int, total: int) -> None:
        nonlocal started
        bar.update(task, description=stage, completed=done, total=total)
        if not started and time.monotonic() - begun > _PATIENCE:
            bar.start()
            started = True

    try:
        yield update
    finally:
        if started:
            bar.stop()
