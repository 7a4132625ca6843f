"""Standard output and standard error, for a reader who may leave before the end (`hansproof generate ... | head`).

While the command line runs, both streams survive a broken pipe: what nobody reads any more is discarded, the command
goes on, and its exit code still says what it found. So no command handles a broken pipe itself. A letter that the
encoding of the stream lacks is written as an escape.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from generators.errors import refused

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["lasting_streams", "reader_has_left"]


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
