"""A folder of benchmarks, audited one by one: a file that cannot be audited does not stop the others."""

from __future__ import annotations

from collections.abc import Sequence

from audit.loading import Columns, name_within
from audit.result import SCHEMA, Exclusion, ScanResult
from audit.run import run_audit
from audit.settings import GroupMode, ProtocolName, SolverName, TaskMode, check_workers, make_settings
from generators.errors import HansproofError
from generators.progress import Progress, unwatched

__all__ = ["scan"]


def scan(
    source: str,
    files: Sequence[str],
    *,
    prompt: str | None = None,
    answer: str | None = None,
    group: str | None = None,
    split: str | None = None,
    template: str | None = None,
    id: str | None = None,
    max_left_out: float = 0.1,
    task: TaskMode = "auto",
    workers: int = 0,
    progress: Progress | None = None,
    protocol: ProtocolName = "grouped",
    groups: GroupMode = "auto",
    seed: int = 42,
    folds: int = 5,
    permutations: int = 999,
    bootstrap: int = 1000,
    threshold: float = 0.2,
    alpha: float = 0.05,
    upstream_counts: bool = False,
    trees: bool = False,
    grades: bool = False,
    solver: SolverName = "compiled",
) -> ScanResult:
    """Audit each of `files`, in their order; the options are those of `audit.run.audit` and apply to all of them.

    `source` is the folder that the files came from; each benchmark is named by its path inside it. A file that cannot
    be audited is listed under `failures`. Raises UsageError for options that are not permitted.
    """
    settings = make_settings(
        protocol=protocol,
        groups=groups,
        seed=seed,
        folds=folds,
        permutations=permutations,
        bootstrap=bootstrap,
        threshold=threshold,
        alpha=alpha,
        upstream_counts=upstream_counts,
        trees=trees,
        grades=grades,
        solver=solver,
        task=task,
        split=split,
        max_left_out=max_left_out,
    )
    check_workers(workers)
    columns = Columns(prompt=prompt, answer=answer, group=group, split=split, template=template, id=id)
    watch = progress or unwatched
    results, failures = [], []
    for number, file in enumerate(files, 1):

        def report(stage: str, done: int, total: int, /, number: int = number) -> None:
            watch(f"{number} of {len(files)}: {stage}", done, total)

        name = name_within(source, file)
        try:
            examination = run_audit(file, columns, settings, name=name, workers=workers, progress=report)
        except HansproofError as error:
            failures.append(_failure(file, error))
        else:
            results.append(examination.result)
    return ScanResult(schema=SCHEMA, source=source, results=results, failures=failures)


def _failure(file: str, error: HansproofError) -> Exclusion:
    """The first fault of a file that could not be audited, and how many more there are."""
    more = len(error.faults) - 1
    return Exclusion(place=error.place or file, reason=f"{error.reason} (and {more:,} more)" if more else error.reason)
