"""Compilation of inner loops over entries: once per machine, without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

__all__ = ["kernel"]


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` at its first call and cache the machine code on disk for later processes.

    `nogil` lets threads fit in parallel. Without fast-math, sums are taken in the same order everywhere. If no cache
    can be written (in a read-only container), each process compiles anew.
    """
    try:
        compiled: Callable[..., Any] = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba: "no locator available": neither the package nor a user cache is writable
        compiled = njit(nogil=True)(function)
    return compiled
