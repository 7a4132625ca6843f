"""One benchmark of a folder as a job, and several jobs at once, each in a process of its own.

Threads would share one interpreter lock, which reading, grouping and counting hold; processes do not. A process that
the system kills (it had no memory left) takes its job along, and no other.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from hansproof.audit.reading.loading import Columns
from hansproof.audit.result.audit_result import AuditResult, Exclusion, Settings
from hansproof.audit.scale.room import check_room
from hansproof.generators.errors import HansproofError, Progress, told, unwatched
from hansproof.generators.input import recording

if TYPE_CHECKING:
    from hansproof.audit.probes.spreading import Cluster

__all__ = ["Job", "Outcome", "attempted", "excluded", "in_processes", "run_job"]


@dataclass(frozen=True)
class Job:
    """One benchmark to audit."""

    file: str
    name: str
    columns: Columns
    settings: Settings
    workers: int


@dataclass(frozen=True)
class Outcome:
    """What came of a job."""

    result: AuditResult | Exclusion
    """Exclusion if it could not be audited."""
    seconds: float
    read: Mapping[str, str | None] = field(default_factory=dict)
    """The files that were read, see `generators.input.Journal.digests`."""


def run_job(job: Job, progress: Progress = unwatched, spread: Cluster | None = None) -> Outcome:
    """Audit one benchmark; what is wrong with it becomes an Exclusion with its first fault."""
    from hansproof.audit.run import examine

    how = partial(examine, name=job.name, workers=job.workers, progress=progress, spread=spread)
    return attempted(job, lambda: how(job.file, job.columns, job.settings).result)


def attempted(job: Job, audit: Callable[[], AuditResult]) -> Outcome:
    """What `audit` gives, and how long it took. What it raises, even by a fault of our own, stops no other one."""
    begun = time.perf_counter()
    result: AuditResult | Exclusion
    try:
        with recording() as journal:
            result = audit()
    except HansproofError as error:
        result = excluded(error, job)
    except MemoryError:
        result = Exclusion(place=job.file, reason="memory ran out; audit it by itself, or a part of it")
    except BaseException as error:  # a panic in Rust is no Exception
        known = told(error)
        if known is None and not isinstance(error, Exception):
            raise
        said = f"a bug in hansproof ({type(error).__name__}: {error}); audit it by itself to see where, and report it"
        result = Exclusion(place=job.file, reason=said) if known is None else excluded(known, job)
    return Outcome(result, time.perf_counter() - begun, journal.digests)


def excluded(error: HansproofError, job: Job) -> Exclusion:
    """The first fault of a benchmark that could not be audited, and how many more there are."""
    more = len(error.faults) - 1
    return Exclusion(
        place=error.place or job.file, reason=f"{error.reason} (and {more:,} more)" if more else error.reason
    )


def in_processes(jobs: Sequence[Job], count: int) -> Iterator[tuple[int, Outcome]]:
    """The place and outcome of each job, as they are finished, `count` at a time.

    The processes end with the iterator, also if it is closed or interrupted before its end. If one of them dies, the
    jobs that were not finished are repeated one by one, and the one that dies again is excluded. Raises UsageError
    where memory is so limited that none could begin.
    """
    check_room()
    left = dict(enumerate(jobs))
    try:
        for place, outcome in _pooled(left, count):
            del left[place]
            yield place, outcome
    except BrokenProcessPool:
        for place, job in sorted(left.items()):
            try:
                yield from _pooled({place: job}, 1)
            except BrokenProcessPool:
                reason = "its process was killed, probably because memory ran out; audit it by itself"
                yield place, Outcome(Exclusion(place=job.file, reason=reason), 0.0)


def _pooled(jobs: dict[int, Job], count: int) -> Iterator[tuple[int, Outcome]]:
    from hansproof.generators.production import follow_parent

    before = set(multiprocessing.active_children())
    # A fresh interpreter, not a fork: a fork of a process with threads may hang.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=follow_parent)
    try:
        futures: dict[Future[Outcome], int] = {pool.submit(run_job, job): place for place, job in jobs.items()}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
