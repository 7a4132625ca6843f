"""A folder of benchmarks, audited one by one: one that cannot be read does not stop the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.result import SCHEMA, Exclusion, ScanResult
from audit.run import examine
from audit.sources.folder import name_within
from generators.errors import HansproofError
from generators.progress import Progress, unwatched

__all__ = ["scan"]


def scan(source: str, files: Sequence[str], *, progress: Progress = unwatched, **options: Any) -> ScanResult:
    """Results of `files` in their order, with `options` as of `audit.run.examine` for each of them."""
    results, failures = [], []
    for number, file in enumerate(files, 1):

        def say(stage: str, done: int, total: int, /, number: int = number) -> None:
            progress(f"{number} of {len(files)}: {stage}", done, total)

        try:
            called = name_within(source, file)
            results.append(examine(file, name=called, progress=say, **options).result)
        except HansproofError as error:
            failures.append(Exclusion(place=error.place or file, reason=error.reason))
    return ScanResult(schema=SCHEMA, source=source, results=results, failures=failures)
