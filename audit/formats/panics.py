"""What a library in Rust prints when it panics: kept from the screen, where the error that follows says enough."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

from generators.errors import is_panic

__all__ = ["quiet_panics"]


@contextlib.contextmanager
def quiet_panics() -> Iterator[None]:
    """Hold back standard error while the block runs: it comes out afterwards, unless the block ends in a panic.

    Rust's own report goes to the file descriptor, past Python, with a backtrace of dozens of lines.
    """
    with contextlib.ExitStack() as stack:
        try:
            kept = stack.enter_context(tempfile.TemporaryFile())
            true = os.dup(2)
        except OSError:  # no room for a file, or no standard error
            yield
            return
        stack.callback(os.close, true)
        _flush()
        os.dup2(kept.fileno(), 2)
        panicked = False
        try:
            yield
        except BaseException as error:
            panicked = is_panic(error)
            raise
        finally:
            _flush()
            os.dup2(true, 2)
            if not panicked:
                kept.seek(0)
                with contextlib.suppress(OSError), open(true, "wb", closefd=False) as stderr:
                    shutil.copyfileobj(kept, stderr)


def _flush() -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):  # no standard error, or a closed one
        sys.stderr.flush()
