"""Whole benchmarks on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from audit.probes.spreading import Cluster, lost
from audit.scan.processes import Job, Outcome, attempted, excluded
from generators.errors import HansproofError
from generators.input import Journal, recording

if TYPE_CHECKING:
    from distributed import Future

    from audit.benchmark import Benchmark

__all__ = ["on_cluster"]


def on_cluster(cluster: Cluster, jobs: Sequence[Job]) -> Iterator[tuple[int, Outcome]]:
    """The place and outcome of each job, as they are finished: a benchmark is read here and audited by a worker."""
    from distributed import as_completed

    waiting = list(enumerate(jobs))[::-1]
    futures: dict[Future[Outcome], tuple[int, Benchmark, Journal]] = {}
    ended = as_completed(loop=cluster.client.loop)
    while waiting or futures:
        while waiting and len(futures) < 2 * cluster.threads:  # so that few benchmarks are in memory
            place, job = waiting.pop()
            try:
                with recording() as read:
                    benchmark = _read(job)
            except HansproofError as error:
                yield place, Outcome(excluded(error, job), 0.0, read.digests)
                continue
            future = cluster.client.submit(_audited, benchmark, job, pure=False)
            futures[future] = place, benchmark, read
            ended.add(future)
        if futures:
            future = next(ended)
            place, benchmark, read = futures.pop(future)
            try:
                outcome = future.result()
            except lost():
                outcome = _audited(benchmark, jobs[place])
            yield place, replace(outcome, read=read.digests)


def _read(job: Job) -> Benchmark:
    from audit.reading.loading import load

    how = job.settings
    return load(
        job.file, job.columns, name=job.name, max_left_out=how.max_left_out, max_rows=how.max_rows, seed=how.seed
    )


def _audited(benchmark: Benchmark, job: Job) -> Outcome:
    """What a worker does with a whole benchmark."""
    from audit.run import examine_loaded

    return attempted(job, lambda: examine_loaded(benchmark, job.settings, workers=1).result)
