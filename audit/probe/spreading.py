"""Where fits run: in the threads of this process, or spread over a cluster. Neither changes a number."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from audit.features.table import FeatureTable

__all__ = ["Spread", "in_threads", "spread_out"]

T = TypeVar("T")
S = TypeVar("S")
J = TypeVar("J")
R = TypeVar("R")


class Spread(Protocol):
    """More computers than this one; `audit.cluster.connection` has dask's."""

    def map(
        self,
        function: Callable[[FeatureTable, S, J], R],
        table: FeatureTable,
        shared: S,
        jobs: Sequence[J],
        done: Callable[[R], None],
    ) -> list[R]:
        """What `spread_out` gives; all that is sent must be picklable."""
        ...


def spread_out(
    function: Callable[[FeatureTable, S, J], R],
    table: FeatureTable,
    shared: S,
    jobs: Sequence[J],
    *,
    workers: int,
    spread: Spread | None,
    done: Callable[[R], None] = lambda result: None,
) -> list[R]:
    """function(table, shared, job) for each job, in the order of `jobs`: on `spread`, or else in `workers` threads.

    `done` is called with each result as soon as it is there. The function must not need the texts of the table.
    """
    if spread is not None:
        return spread.map(function, table.bare, shared, jobs, done)

    def task(job: J) -> R:
        result = function(table, shared, job)
        done(result)
        return result

    return in_threads(task, jobs, workers)


def in_threads(function: Callable[[T], R], jobs: Sequence[T], workers: int) -> list[R]:
    """Results in the order of `jobs`, computed in threads: the compiled fits release the interpreter lock.

    `workers` is the number of threads, 0 for one per core.
    """
    count = min(workers if workers > 0 else os.cpu_count() or 1, max(len(jobs), 1))
    if count == 1:
        return [function(job) for job in jobs]
    with ThreadPoolExecutor(count) as pool:
        # Last first: vectors are ordered from small to large, and a large one started last would run alone.
        return list(pool.map(function, reversed(jobs)))[::-1]
