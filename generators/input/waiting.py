"""Waiting for others with a deadline, whatever they do meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

__all__ = ["within"]

T = TypeVar("T")


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` returns or raises, if it does so within `seconds`; else TimeoutError.

    The time limit of a socket starts anew with every byte, so a server that sends a byte now and then keeps its caller
    waiting for ever. The call runs in a thread of its own. One that is given up stays behind until the other side ends
    it, or this process does; nothing must depend on what it still does.
    """
    ended: SimpleQueue[tuple[bool, T | BaseException]] = SimpleQueue()

    def work() -> None:
        try:
            ended.put((True, call()))
        except BaseException as error:  # whatever it is, it is the caller's
            ended.put((False, error))

    Thread(target=work, daemon=True).start()
    try:
        returned, outcome = ended.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no end within {seconds:g} s") from None
    if isinstance(outcome, BaseException) and not returned:
        raise outcome
    return outcome  # type: ignore[return-value]
