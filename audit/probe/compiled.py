"""How the probe's inner loops are compiled: once a machine, without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

__all__ = ["kernel"]


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` at its first call and keep the machine code on disk for later processes.

    `nogil` lets threads fit side by side. No fast-math: the same sums in the same order everywhere. Where
    nothing on this machine can be written to (a read-only container), it is compiled anew in each process.
    """
    try:
        compiled: Callable[..., Any] = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba: "no locator available": neither the package nor a user cache is writable
        compiled = njit(nogil=True)(function)
    return compiled
