"""Standard output and standard error, for a reader who may leave before the end (`hansproof generate ... | head`).

While the command line runs, both streams survive a broken pipe: what nobody reads any more is discarded, the command
goes on, and its exit code still says what it found. So no command handles a broken pipe itself.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from generators.errors import refused

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["lasting_streams", "reader_has_left"]


class _Outlet(io.FileIO):
    """A file descriptor that discards everything after the first failed write."""

    def __init__(self, descriptor: int, name: str = "") -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.called = name
        self.failed = False

    def write(self, data: Buffer, /) -> int:
        """Write as FileIO does. Raises InputError, once, where a stream with a name fails but by a broken pipe."""
        if not self.failed:
            try:
                return super().write(data) or 0
            except BrokenPipeError:
                self.failed = True
            except OSError as error:
                self.failed = True
                if self.called:  # there is nowhere left to say that standard error cannot be written
                    raise refused("written", error, self.called) from error
        return memoryview(data).nbytes


@contextmanager
def lasting_streams() -> Iterator[None]:
    """Standard streams that outlast their readers, while the block runs; a terminal's are left alone.

    Raises InputError where standard output cannot be written for another reason, such as a full disk.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _lasting(sys.stdout, "standard output"), _lasting(sys.stderr)
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout, sys.stderr = before


def reader_has_left() -> bool:
    """Whether nobody reads standard output any more, so that making more of it is in vain."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Outlet) and raw.failed


def _lasting(stream: TextIO, name: str = "") -> TextIO:
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError):  # closed by whoever started us, or replaced by something in memory
        return stream
    if stream.isatty():
        return stream
    stream.flush()
    outlet = io.BufferedWriter(_Outlet(descriptor, name))
    return io.TextIOWrapper(outlet, stream.encoding, stream.errors, line_buffering=not name)
