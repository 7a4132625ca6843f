"""Where fits run: in the threads of this process, or over a dask cluster. Neither changes a number. Room for them."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Self, TypeVar

from hansproof.audit.result.document import code_digest
from hansproof.generators.errors import UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

    from hansproof.audit.probes.task import Task

__all__ = ["Cluster", "connected", "give_back", "in_threads", "lost", "spread_out"]

T = TypeVar("T")
S = TypeVar("S")
J = TypeVar("J")
R = TypeVar("R")


def spread_out(
    function: Callable[[Task, S, J], R],
    task: Task,
    shared: S,
    jobs: Sequence[J],
    *,
    workers: int,
    spread: Cluster | None,
    done: Callable[[R], None] = lambda result: None,
) -> list[R]:
    """function(task, shared, job) for each job, in the order of `jobs`: on `spread`, or else in `workers` threads.

    `done` is called with each result as soon as it is there. The function must not need the texts of the task.
    """
    if spread is not None:
        return spread.map(function, task.bare, shared, jobs, done)

    def told(job: J) -> R:
        result = function(task, shared, job)
        done(result)
        return result

    return in_threads(told, jobs, workers)


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


def give_back() -> None:
    """Let the system have what was freed: small objects leave holes, which no large array of what follows could use.

    Of 100,000 prompts, grouping leaves 325 MB of them. Only GNU's C library needs to be told; others know no such call.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


# What a worker computes follows from its arguments alone, so a job that a dead worker had is given to another one, and
# what no worker finishes is computed here. Rocklin (2015).

_ATTEMPTS = 3
"""How often jobs are sent out before the rest is computed here."""

_PATIENCE = 15.0
"""Seconds that a scheduler and its first worker have to answer."""


class Cluster:
    """A connection to a scheduler; close it, or use it in a `with` block."""

    def __init__(self, address: str) -> None:
        """`address` is that of the scheduler: `tcp://host:8786`.

        Raises UsageError if dask is not installed, nobody answers, or the workers have another version of this code.
        """
        self.client = _connected(address)
        self._sent: tuple[Task, Future[Task]] | None = None
        try:
            _check(self.client, address)
        except BaseException:
            self.client.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; its workers forget what they were sent."""
        self._sent = None
        self.client.close()

    @property
    def threads(self) -> int:
        """How many jobs the workers can do at once; at least 1."""
        return max(1, int(sum(self.client.nthreads().values())))

    def map(
        self, function: Callable[[Task, S, J], R], task: Task, shared: S, jobs: Sequence[J], done: Callable[[R], None]
    ) -> list[R]:
        """function(task, shared, job) for each job, in the order of `jobs`; `done` is told each result as it arrives.

        The task is sent to every worker once, and again only if the next call has another one. All that is sent must
        be picklable.
        """
        results: dict[int, R] = {}
        for _ in range(_ATTEMPTS):
            left = {place: job for place, job in enumerate(jobs) if place not in results}
            for place, result in self._answers(function, task, shared, left):
                results[place] = result
                done(result)
        for place, job in enumerate(jobs):
            if place not in results:
                results[place] = function(task, shared, job)
                done(results[place])
        return [results[place] for place in range(len(jobs))]

    def _answers(
        self, function: Callable[[Task, S, J], R], task: Task, shared: S, jobs: dict[int, J]
    ) -> Iterator[tuple[int, R]]:
        """Results as they arrive, until all are there or some are lost."""
        from distributed import as_completed

        futures: dict[Future[R], int] = {}
        if not jobs:
            return
        try:
            if self._sent is None or self._sent[0] is not task:
                self._sent = task, self.client.scatter(task, broadcast=True, hash=False)
            data = self._sent[1], self.client.scatter(shared, broadcast=True, hash=False)
            for place, job in jobs.items():
                futures[self.client.submit(function, *data, job, pure=False)] = place
            for future in as_completed(list(futures), loop=self.client.loop):
                yield futures[future], future.result()
        except lost():
            self._sent = None
        finally:
            self.client.cancel(list(futures))


def connected(address: str | None) -> AbstractContextManager[Cluster | None]:
    """The cluster at `address` while a `with` block runs; None without an address."""
    return nullcontext() if address is None else Cluster(address)


def lost() -> tuple[type[BaseException], ...]:
    """The errors that show that workers were lost, not that a job is faulty."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    return KilledWorker, CancelledError, CommClosedError, TimeoutError


def _connected(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("--dask needs dask.distributed; run: pip install 'hansproof[dask]'") from error
    try:
        return Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError("no dask scheduler answers; start one with `dask scheduler`", address) from error


def _check(client: Client, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
        theirs = client.run(code_digest)
    except TimeoutError as error:
        raise UsageError("the scheduler has no workers; start some with `dask worker`", address) from error
    except ModuleNotFoundError as error:
        raise UsageError("hansproof is not installed on the workers; install the same version", address) from error
    other = sorted(worker for worker, digest in theirs.items() if digest != code_digest())
    if other:
        raise UsageError(f"another version of hansproof is installed on {', '.join(other[:5])}", address)
