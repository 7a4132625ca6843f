"""Compilation of inner loops over entries: once per machine, without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

__all__ = ["kernel"]


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` at its first call and cache the machine code on disk for later processes.

    `nogil` lets threads fit in parallel. Without fast-math, sums are taken in the same order everywhere. Divisions
    follow IEEE 754, as in numpy: a check for 0 in each would keep loops from being vectorised. If no cache can be
    written (in a read-only container), each process compiles anew.
    """
    options = {"nogil": True, "error_model": "numpy"}
    try:
        compiled: Callable[..., Any] = njit(cache=True, **options)(function)
    except RuntimeError:  # numba: "no locator available": neither the package nor a user cache is writable
        compiled = njit(**options)(function)
    return compiled
