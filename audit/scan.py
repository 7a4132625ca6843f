"""A folder of benchmarks, audited one by one: a file that cannot be audited does not stop the others."""

from __future__ import annotations

from collections.abc import Sequence

from audit.loading import Columns, name_within
from audit.result import SCHEMA, Exclusion, ScanResult, Settings
from audit.run import examine
from audit.settings import check_workers
from generators.errors import HansproofError
from generators.progress import Progress, unwatched

__all__ = ["scan"]


def scan(
    source: str,
    files: Sequence[str],
    columns: Columns | None = None,
    settings: Settings | None = None,
    *,
    workers: int = 0,
    progress: Progress | None = None,
) -> ScanResult:
    """Audit each of `files`, in their order, all with the same columns and settings; see `audit.run.examine`.

    `source` is the folder that the files came from; each benchmark is named by its path inside it. A file that cannot
    be audited is listed under `failures`. Raises UsageError for a negative number of workers.
    """
    check_workers(workers)
    watch = progress or unwatched
    results, failures = [], []
    for number, file in enumerate(files, 1):

        def report(stage: str, done: int, total: int, /, number: int = number) -> None:
            watch(f"{number} of {len(files)}: {stage}", done, total)

        name = name_within(source, file)
        try:
            examination = examine(file, columns, settings, name=name, workers=workers, progress=report)
        except HansproofError as error:
            failures.append(_failure(file, error))
        else:
            results.append(examination.result)
    return ScanResult(schema=SCHEMA, source=source, results=results, failures=failures)


def _failure(file: str, error: HansproofError) -> Exclusion:
    """The first fault of a file that could not be audited, and how many more there are."""
    more = len(error.faults) - 1
    return Exclusion(place=error.place or file, reason=f"{error.reason} (and {more:,} more)" if more else error.reason)
