"""Threads that work on many episodes at once, because an agent mostly waits for a model. Results come in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from queue import SimpleQueue
from threading import Event, Thread
from typing import TypeVar

__all__ = ["in_order"]

R = TypeVar("R")


def in_order(work: Callable[[int], R], start: int, stop: int, workers: int) -> Iterator[R]:
    """work(start), ..., work(stop - 1), by `workers` threads; with a single one, in the caller's own.

    What one of them raises is raised here. Threads never keep the process alive: Ctrl-C leaves at once, whatever they
    wait for.
    """
    workers = min(workers, stop - start)
    if workers <= 1:
        yield from map(work, range(start, stop))
        return
    results: SimpleQueue[tuple[int, R | None, BaseException | None]] = SimpleQueue()
    places, over = count(start), Event()

    def labour() -> None:
        while not over.is_set() and (place := next(places)) < stop:
            try:
                results.put((place, work(place), None))
            except BaseException as error:
                results.put((place, None, error))
                return

    for _ in range(workers):
        Thread(target=labour, daemon=True).start()
    early: dict[int, R] = {}
    try:
        for place in range(start, stop):
            while place not in early:
                done, result, error = results.get()
                if error is not None:
                    raise error
                early[done] = result  # type: ignore[assignment]  # without an error there is a result
            yield early.pop(place)
    finally:
        over.set()
