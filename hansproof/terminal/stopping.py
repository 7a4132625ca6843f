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
