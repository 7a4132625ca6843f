"""Compilation of inner loops over entries: once per machine, without the interpreter lock."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit
from numba.core.dispatcher import Dispatcher

__all__ = ["inner", "kernel"]

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` at its first call and cache the machine code on disk for later processes.

    `nogil` lets threads fit in parallel. Without fast-math, sums are taken in the same order everywhere. Divisions
    follow IEEE 754, as in numpy: a check for 0 in each would keep loops from being vectorised. If no cache can be
    written (in a read-only container, on a full disk) or its files are damaged, each process compiles anew, and one
    warning per process says why.
    """
    try:
        compiled: Any = njit(cache=True, **_OPTIONS)(function)
    except (RuntimeError, OSError):  # numba: "no locator available": neither the package nor a user cache is writable
        compiled = njit(**_OPTIONS)(function)
    if isinstance(compiled, Dispatcher):  # not where NUMBA_DISABLE_JIT leaves Python functions
        function_cache: Any = compiled
        function_cache._cache = _Forgiving(function_cache._cache)
    kernel: Callable[..., Any] = compiled
    return kernel


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for what only kernels of its file call: it becomes part of their machine code.

    It is not kept by itself and cannot be called from Python, which saves about a tenth of the time of compiling.
    """
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)  # type: ignore[no-any-return]


class _Forgiving:
    """numba's cache of one function, which never stops a call: what cannot be read or written counts as not cached.

    numba itself lets through what damaged files raise: EOFError, errors of unpickling, ValueError.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function of this signature; None where it is not cached."""
        try:
            return self._cache.load_overload(signature, target)
        except Exception as error:
            self._give_up(error)
            with contextlib.suppress(Exception):
                self._cache.flush()  # so that later processes find a cache again
                self._cache.enable()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a compiled function for later processes, where that is possible."""
        try:
            self._cache.save_overload(signature, data)
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._cache.disable()
        _warn(str(self._cache.cache_path), type(error).__name__)


@cache
def _warn(folder: str, kind: str) -> None:
    """Say it once per folder and kind of failure, however many functions it holds."""
    warnings.warn(
        f"the cache of compiled code in {folder} is damaged or cannot be written ({kind}), so code is compiled in "
        "memory; delete the .nbi and .nbc files in it, or let NUMBA_CACHE_DIR name another folder",
        RuntimeWarning,
        stacklevel=2,
    )
