"""Suite: the files that `audit_speed` compares on, which is every benchmark in the given folders and files.

A benchmark is used if it can be read and has few labels. That includes options lettered inside the prompt: the audit
declines to judge them, but fitting them takes as long. Among the run logs of a folder, only the first with the same
answers is used; the others are other models on the same items.
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
    """The stem of the file; the name of the folder for a run log, which is named after a model."""
    items: int
    labels: int
    test_items: int
    """Items of the test part; one more right answer raises accuracy by 1 / test_items."""


@dataclass(frozen=True)
class Suite:
    """The benchmarks to compare on, and the files that are skipped."""

    entries: list[Entry]
    skipped: list[tuple[str, str]]
    """(place, reason): a file, or a line of one."""


def collect(sources: Sequence[str]) -> Suite:
    """All benchmarks in `sources` (files, or folders with their subfolders), in the order of their paths."""
    entries: list[Entry] = []
    skipped: list[tuple[str, str]] = []
    seen: dict[tuple[str, ...], str] = {}
    for source in sources:
        try:
            paths = expand(source)
        except HansproofError as error:
            skipped.append((error.place or source, error.reason))
            continue
        for path in paths:
            try:
                benchmark = load(path)
            except HansproofError as error:
                skipped.append((error.place or path, error.reason))
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
    """Why a readable benchmark is skipped; empty if it is not."""
    labels = len(set(benchmark.answers))
    if not 2 <= labels <= MOST_LABELS:
        return f"has {labels} different answers; the comparison takes 2 to {MOST_LABELS}"
    if not _is_log(benchmark):
        return ""
    # Chat and completion models get different prompts, but the answers are the same.
    first = seen.setdefault((str(Path(path).parent), *sorted(benchmark.answers)), path)
    return "" if first == path else f"a run log of the same items as {first}"


def _name(benchmark: Benchmark, path: str) -> str:
    return Path(path).resolve().parent.name if _is_log(benchmark) else benchmark.name


def _is_log(benchmark: Benchmark) -> bool:
    return "run log" in benchmark.mapping.format
