"""Which files `audit_speed` compares on: every benchmark of the folders and files it is given.

A benchmark counts where it can be read and has few labels: options lettered inside the prompts too, which the
audit itself declines to judge, because fits on them take as long as any. Of a folder's run logs the first of each
length and distribution of answers counts: the others are other models on the same items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.benchmark import Benchmark
from audit.loading import load
from audit.sources.folder import expand
from generators.errors import HansproofError

__all__ = ["MOST_LABELS", "Entry", "Suite", "collect"]

MOST_LABELS = 20


@dataclass(frozen=True)
class Entry:
    """One benchmark of the comparison."""

    path: str
    name: str
    """The file's stem; of a run log, which is called after a model, the folder's name."""
    items: int
    labels: int
    test_items: int
    """Items of the test part: one of them more or fewer right moves accuracy by 1 / test_items."""


@dataclass(frozen=True)
class Suite:
    """What is compared, and what is not."""

    entries: list[Entry]
    skipped: list[tuple[str, str]]
    """(path, why not)."""


def collect(sources: Sequence[str]) -> Suite:
    """All benchmarks of `sources` (files, or folders with their subfolders), in order of their paths."""
    entries: list[Entry] = []
    skipped: list[tuple[str, str]] = []
    seen: dict[tuple[str, ...], str] = {}
    for source in sources:
        try:
            paths = expand(source)
        except HansproofError as error:
            skipped.append((source, str(error)))
            continue
        for path in paths:
            try:
                benchmark = load(path)
            except HansproofError as error:
                skipped.append((path, str(error)))
                continue
            reason = _refusal(benchmark, seen, path)
            if reason:
                skipped.append((path, reason))
            else:
                n = len(benchmark.prompts)
                labels = len(set(benchmark.answers))
                entries.append(Entry(path, _name(benchmark, path), n, labels, n - int(0.8 * n)))
    return Suite(entries, skipped)


def _refusal(benchmark: Benchmark, seen: dict[tuple[str, ...], str], path: str) -> str:
    """Why a benchmark that can be read is not compared on; empty where it is."""
    labels = len(set(benchmark.answers))
    if not 2 <= labels <= MOST_LABELS:
        return f"{labels} different answers; 2 to {MOST_LABELS} are wanted"
    if not _is_log(benchmark):
        return ""
    # Prompts differ between models of chat and of completion, the answers do not.
    first = seen.setdefault((str(Path(path).parent), *sorted(benchmark.answers)), path)
    return "" if first == path else f"a run log of the same items as {first}"


def _name(benchmark: Benchmark, path: str) -> str:
    return Path(path).resolve().parent.name if _is_log(benchmark) else benchmark.name


def _is_log(benchmark: Benchmark) -> bool:
    return "run log" in benchmark.mapping.format
