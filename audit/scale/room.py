"""Room for the numeric libraries, looked at before they are loaded.

OpenBLAS sets up its threads while it is loaded. Where the limit of memory (`ulimit -v`) leaves no room for them, it
does not fail: it tries again for ever, out of reach of every signal that Python answers, or ends the process itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hansproof.audit.notation import things
from hansproof.generators.errors import UsageError

__all__ = ["check_room", "room_checked"]

# Measured with 2 cores: below 530,000 KB, loading failed or span. Each more thread takes 41 MB in each of two copies.
_BASE, _PER_CORE, _MOST_CORES = 400 << 10, 100 << 10, 64  # KB, KB, the threads that the libraries are built for

_FIRST = ("numpy", "llvmlite")
"""What is loaded first of all libraries of numbers: the others begin with one of them."""


class _Gate:
    """Stands before the first import of whatever needs the room."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Find nothing. Raises UsageError where a library of numbers is to be loaded and there is no room for it."""
        if name in _FIRST:
            check_room()


@contextmanager
def room_checked() -> Iterator[None]:
    """While the block runs, UsageError says how much room it takes to load libraries of numbers that do not have it."""
    gate = _Gate()
    sys.meta_path.insert(0, gate)
    try:
        yield
    finally:
        sys.meta_path.remove(gate)


def check_room() -> None:
    """Raise UsageError where the limit of memory of this process leaves no room for the libraries of numbers."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    threads = _threads()
    needed = _BASE + _PER_CORE * threads
    if limit != resource.RLIM_INFINITY and limit < needed << 10:
        raise UsageError(
            f"memory is limited to {limit >> 10:,} KB (ulimit -v), and the libraries that compute take {needed:,} KB "
            f"to load with {things(threads, 'thread')}; raise the limit, or set OPENBLAS_NUM_THREADS=1"
        )


def _threads() -> int:
    """As many as OpenBLAS starts: those that the environment names, else one for each core that we may use."""
    named = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or ""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        cores = os.cpu_count() or 1
    return max(min(int(named) if named.isdecimal() else cores, cores, _MOST_CORES), 1)
