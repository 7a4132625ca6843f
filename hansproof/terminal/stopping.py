"""A request to end is an interruption like Ctrl-C: half-written files go, helpers end, and what is done is reported."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["stoppable"]

_REQUESTS = ("SIGTERM", "SIGHUP")
"""`kill`, a scheduler whose time is up; a terminal that was closed. Not every system has both."""


@contextmanager
def stoppable() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt while the block runs, unless whoever started us has them ignored."""
    numbers = [getattr(signal, name) for name in _REQUESTS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    taken = [number for number, handler in before.items() if handler is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
