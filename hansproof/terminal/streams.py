"""Standard output and standard error: lines, JSON, progress, readers who leave, and how a run ends."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, TextIO

import click

from hansproof.generators.errors import Progress, UsageError, printable, refused, unknown, unwatched

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "DEFAULT_FAIL",
    "INTERRUPTED",
    "VERDICTS",
    "emit",
    "exit_code",
    "failing_verdicts",
    "lasting_streams",
    "lines_on_stderr",
    "on_stderr",
    "reader_has_left",
    "said_once",
    "say",
    "stoppable",
    "tell",
]

# Names of files, of models and of columns come from anywhere, so what a stranger wrote is made visible first: here, and
# in `audit.report.terminal` for tables and paragraphs. Data go out through `emit`.


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

    def show(message: Warning | str, *of: object, **more: object) -> None:
        tell(f"note: {message}")

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = before


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

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), Count(), Elapsed(), Remaining())
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
        if time.monotonic() - begun > _PATIENCE:
            begin()

    def begin() -> None:
        if current and not bar.live.is_started:
            bar.start()

    timer = threading.Timer(_PATIENCE, begin)  # a stage may not be heard of again for long
    timer.daemon = True
    timer.start()
    try:
        yield draw, lambda line: bar.console.print(printable(line), markup=False, highlight=False)
    finally:
        timer.cancel()
        timer.join()
        if bar.live.is_started:
            bar.stop()


def _print(line: str) -> None:
    tell(line)
    sys.stderr.flush()


# The reader may leave before the end (`hansproof generate ... | head`): what nobody reads is discarded, the command
# goes on, and its exit code still says what it found. So no command handles a broken pipe itself.


class _Outlet(io.RawIOBase):
    """A file descriptor that discards everything after the first failed write; None stands for a closed one."""

    def __init__(self, descriptor: int | None, name: str = "") -> None:
        super().__init__()
        self.descriptor = descriptor
        self.called = name
        self.failed = False

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self.descriptor is None:
            raise io.UnsupportedOperation("fileno")
        return self.descriptor

    def write(self, data: Buffer, /) -> int:
        """Write all of `data`. Raises InputError, once, where a stream with a name fails but by a broken pipe."""
        view = memoryview(data).cast("B")
        if not self.failed:
            try:
                if self.descriptor is None:
                    raise OSError(errno.EBADF, "it is closed; send it to a file or to /dev/null")
                return os.write(self.descriptor, view)
            except BrokenPipeError:
                self.failed = True
            except OSError as error:
                self.failed = True
                if self.called:  # there is nowhere left to say that standard error cannot be written
                    raise refused("written", error, self.called) from error
        return len(view)


@contextmanager
def lasting_streams() -> Iterator[None]:
    """Standard streams that outlast their readers, while the block runs; a terminal's are left alone.

    Raises InputError where standard output cannot be written for another reason: a full disk, or it was closed.
    """
    before = sys.stdout, sys.stderr
    _occupy()
    sys.stdout, sys.stderr = _lasting(before[0], "standard output"), _lasting(before[1])
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout, sys.stderr = before


def reader_has_left() -> bool:
    """Whether nobody reads standard output any more, so that making more of it is in vain."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Outlet) and raw.failed


def _lasting(stream: TextIO | None, name: str = "") -> TextIO:
    if stream is None:  # closed by whoever started us
        return _text(_Outlet(None, name), "utf-8", name)
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError):  # replaced by something in memory
        return stream
    if stream.isatty():
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
        return stream
    stream.flush()
    return _text(_Outlet(descriptor, name), stream.encoding, name)


def _text(outlet: _Outlet, encoding: str, name: str) -> TextIO:
    return io.TextIOWrapper(io.BufferedWriter(outlet), encoding, "backslashreplace", line_buffering=not name)


def _occupy() -> None:
    """Fill the places of closed standard streams, or the next file to be opened would be one of them."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


# A request to end is an interruption like Ctrl-C: half-written files go, helpers end, and what is done is reported.

_REQUESTS = ("SIGTERM", "SIGHUP")
"""`kill`, a scheduler whose time is up; a terminal that was closed. Not every system has both."""


@contextmanager
def stoppable() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt while the block runs, unless whoever started us has them ignored.

    They do so once: a scheduler, or a terminal that closes, may ask twice, and the first request is being answered.
    """
    numbers = [getattr(signal, name) for name in _REQUESTS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    taken = [number for number, handler in before.items() if handler is signal.SIG_DFL]

    def interrupt(number: int, frame: FrameType | None) -> None:
        for other in taken:
            signal.signal(other, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


VERDICTS = ("leaks", "template-bound", "imbalanced", "traces", "clean", "inconclusive")
"""What --fail-on may name, beside `none`."""
INTERRUPTED = 130
"""Ctrl-C, as shells have it: 128 + SIGINT."""
DEFAULT_FAIL = ("leaks", "template-bound", "imbalanced")


def exit_code(verdict: str, failing: Sequence[str] | None) -> int:
    """The exit code of one verdict. `failing` are the lower-case verdicts of --fail-on, None for the default.

    Whoever fails TRACES does not let pass what may be more than that: INCONCLUSIVE then stays 3.
    """
    word = verdict.lower()
    if verdict == "NOT ASSESSED":
        return 2
    if word in (DEFAULT_FAIL if failing is None else failing):
        return 1
    return 3 if verdict == "INCONCLUSIVE" and (failing is None or "traces" in failing) else 0


def failing_verdicts(fail_on: str | None) -> list[str] | None:
    """The lower-case verdicts that --fail-on names; None if it was not given.

    Raises UsageError for an empty list and for a verdict that does not exist.
    """
    if fail_on is None:
        return None
    known = (*VERDICTS, "none")
    words = [word.strip().lower() for word in fail_on.split(",") if word.strip()]
    if not words:
        raise UsageError(f"--fail-on is empty, which would let everything pass; name some of {', '.join(known)}")
    for word in words:
        if word not in known:
            raise unknown("verdict", word, known, within="--fail-on")
    return words
