"""A folder of benchmarks, in processes or on the machines of a cluster: none stops the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hansproof.audit.probes.spreading import Cluster, lost
from hansproof.audit.reading.loading import Columns, load, name_within
from hansproof.audit.result.audit_result import SCHEMA, AuditResult, Exclusion, ScanResult, Settings
from hansproof.audit.result_cache import ResultCache
from hansproof.audit.scale.processes import Job, Outcome, attempted, excluded, in_processes, run_job
from hansproof.audit.settings import check_workers, make_settings
from hansproof.generators.errors import HansproofError, Progress, unwatched
from hansproof.generators.input import Journal, note, recording

if TYPE_CHECKING:
    from distributed import Future

    from hansproof.audit.benchmark import Benchmark

__all__ = ["How", "scan"]


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
                    how = job.settings
                    benchmark = load(
                        job.file, job.columns, name=job.name,
                        max_left_out=how.max_left_out, max_rows=how.max_rows, seed=how.seed,
                    )  # fmt: skip
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


def _audited(benchmark: Benchmark, job: Job) -> Outcome:
    """What a worker does with a whole benchmark."""
    from hansproof.audit.run import examine_loaded

    return attempted(job, lambda: examine_loaded(benchmark, job.settings, workers=1).result)


LARGE = 8_000_000
"""Bytes from which a benchmark is audited alone, on all cores: some 40,000 short prompts."""

_SEVERAL = 4
"""Small benchmarks from which processes pay: each takes two seconds to start."""


@dataclass(frozen=True)
class Done:
    """One benchmark that has just been finished."""

    name: str
    outcome: AuditResult | Exclusion
    """The result, or why there is none."""
    seconds: float | None
    """How long it took; None for one that was remembered."""
    number: int
    """How many are finished now, out of `total`."""
    total: int


@dataclass(frozen=True)
class How:
    """How a benchmark is read and audited."""

    columns: Columns = field(default_factory=Columns)
    settings: Settings = field(default_factory=make_settings)


def scan(
    source: str,
    hows: Mapping[str, How],
    *,
    workers: int = 0,
    progress: Progress = unwatched,
    cache: bool = False,
    each: Callable[[Done], None] = lambda done: None,
    cluster: Cluster | None = None,
) -> ScanResult:
    """Audit each file as `hows` says; results are in the order of the files, see `audit.run.examine`.

    `source` is the folder that the files came from; each benchmark is named by its path inside it. A file that cannot
    be audited is listed under `failures`. With the `cache`, what an earlier run has measured is not measured again.
    Then the small benchmarks follow, one on each of the cores (`workers`; 0 is all), and the large ones, one after
    another on all of them; neither that nor their order changes a number. With a `cluster`, its workers take the place
    of the cores. `each` is called when a benchmark is done. An interruption (Ctrl-C) ends the scan early: those that
    are not done are listed under `unfinished`.

    Raises UsageError for a negative number of workers.
    """
    check_workers(workers)
    jobs = [Job(file, name_within(source, file), how.columns, how.settings, workers) for file, how in hows.items()]
    caches = [ResultCache(job.columns, job.settings) for job in jobs] if cache else []
    outcomes: dict[int, AuditResult | Exclusion] = {}

    def finish(place: int, outcome: AuditResult | Exclusion, seconds: float | None) -> None:
        outcomes[place] = outcome
        each(Done(jobs[place].name, outcome, seconds, len(outcomes), len(jobs)))

    try:
        for place, kept in enumerate(caches):
            if (known := kept.recall(jobs[place].file, jobs[place].name)) is not None:
                finish(place, known, None)
        for place, outcome in _measured(jobs, set(outcomes), workers, progress, cluster):
            for file, digest in outcome.read.items():
                note(file, digest)  # a process of its own has read it
            job = jobs[place]
            if caches and isinstance(outcome.result, AuditResult):
                caches[place].keep(job.file, job.name, outcome.result, outcome.read)
            finish(place, outcome.result, outcome.seconds)
    except KeyboardInterrupt:
        pass
    ordered = [outcomes[place] for place in sorted(outcomes)]
    return ScanResult(
        schema=SCHEMA,
        source=source,
        results=[outcome for outcome in ordered if isinstance(outcome, AuditResult)],
        failures=[outcome for outcome in ordered if isinstance(outcome, Exclusion)],
        unfinished=[job.file for place, job in enumerate(jobs) if place not in outcomes],
    )


def _measured(
    jobs: Sequence[Job], known: set[int], workers: int, watch: Progress, cluster: Cluster | None
) -> Iterator[tuple[int, Outcome]]:
    """The outcomes of all jobs but the `known` ones, as they are finished."""
    sizes = {place: _size(job.file) for place, job in enumerate(jobs) if place not in known}
    cores = workers or os.cpu_count() or 1
    small = [place for place, size in sizes.items() if size < LARGE]
    if cluster is None and (cores == 1 or len(small) < _SEVERAL):
        small = []
    if small:
        small.sort(key=lambda place: -sizes[place])  # a large one that began last would run alone
        alone = [replace(jobs[place], workers=1) for place in small]
        done = on_cluster(cluster, alone) if cluster else in_processes(alone, min(cores, len(small)))
        for at, outcome in done:
            yield small[at], outcome
    for place in sorted(sizes.keys() - set(small)):
        yield place, run_job(jobs[place], _named(watch, f"{place + 1} of {len(jobs)}"), cluster)


def _named(watch: Progress, which: str) -> Progress:
    return lambda stage, done, total: watch(f"{which}: {stage}", done, total)


def _size(file: str) -> int:
    """Bytes of a file, or of all files in a folder; ten times as many if they are compressed. 0 if it is missing."""
    path = Path(file)
    try:
        if path.is_dir():
            return sum(inner.stat().st_size for inner in path.rglob("*") if inner.is_file())
        return path.stat().st_size * (10 if path.suffix in (".gz", ".zst", ".zstd", ".parquet") else 1)
    except OSError:
        return 0
