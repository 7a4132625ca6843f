"""One progress bar on standard error. It appears after a second, leaves no trace, and is drawn on terminals only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from generators.errors import Progress, printable, unwatched
from hansproof.terminal.lines import tell

__all__ = ["lines_on_stderr", "on_stderr"]

_PATIENCE = 1.0
"""Seconds before the bar appears: quick work draws none."""


@contextmanager
def on_stderr() -> Iterator[Progress]:
    """A Progress that draws one bar while the block runs, with the time left in the present stage."""
    with lines_on_stderr() as (progress, _):
        yield progress


@contextmanager
def lines_on_stderr() -> Iterator[tuple[Progress, Callable[[str], None]]]:
    """The same, and a function that prints a line above the bar, which goes to standard error in any case."""
    if not sys.stderr.isatty():
        yield unwatched, _print
        return

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    # Of a stage in one piece nobody knows how much is done: its bar moves, and only the time is told.
    class Count(MofNCompleteColumn):
        def render(self, task: Task) -> Text:
            return Text() if task.total is None else super().render(task)

    class Elapsed(TimeElapsedColumn):
        def render(self, task: Task) -> Text:
            return Text.assemble("after ", super().render(task))

    class Remaining(TimeRemainingColumn):
        def render(self, task: Task) -> Text:
            return Text() if task.total is None else Text.assemble(super().render(task), " left")

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        Count(),
        Elapsed(),
        Remaining(),
    )
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("", total=None)
    begun = time.monotonic()
    current = ""

    def draw(stage: str, done: int, total: int, /) -> None:
        nonlocal current
        if stage != current:
            bar.reset(task, description=stage, completed=done, total=total)  # or the time left mixes two speeds
            current = stage
        else:
            bar.update(task, completed=done, total=total)
        if total == 1 and done == 0:
            bar.tasks[0].total = None  # `reset` and `update` take None for "as before"
        if not bar.live.is_started and time.monotonic() - begun > _PATIENCE:
            bar.start()

    try:
        yield draw, lambda line: bar.console.print(printable(line), markup=False, highlight=False)
    finally:
        if bar.live.is_started:
            bar.stop()


def _print(line: str) -> None:
    tell(line)
    sys.stderr.flush()
