"""Two documents of `hansproof audit --json`, compared: the front door, also reached as `hansproof.diff`."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from audit.comparison.compare import compare
from audit.comparison.records import SCHEMA, Diff
from audit.documents.document import decode
from audit.result import AuditResult, ScanResult
from generators.errors import InputError, UsageError
from generators.jsonl import read_bytes

__all__ = ["diff"]

Document = AuditResult | ScanResult
Source = str | os.PathLike[str] | Document


def diff(old: Source, new: Source) -> Diff:
    """What changed from one audit to the next: verdict, kappas, items, answers, n-grams and settings.

    Each argument is the path of a JSON document that `hansproof audit --json` wrote, or the result itself. Benchmarks
    of two folders are matched by their names. Raises InputError for a document that is not one of this version's,
    UsageError if one is of a single benchmark and the other of a folder.
    """
    (before, old_name), (now, new_name) = _document(old, "old"), _document(new, "new")
    if isinstance(before, AuditResult) and isinstance(now, AuditResult):
        comparison = compare(before, now)
        return Diff(
            schema=SCHEMA,
            old=old_name,
            new=new_name,
            worse=comparison.worse and comparison.comparable,
            benchmarks=[comparison],
            added=[],
            removed=[],
            failures=[],
            comparable=comparison.comparable,
        )
    if not isinstance(before, ScanResult) or not isinstance(now, ScanResult):
        raise UsageError(
            f"{old_name} and {new_name} cannot be compared: one is the audit of a benchmark, the other of a folder"
        )
    return _folders(before, now, old_name, new_name)


def _folders(before: ScanResult, now: ScanResult, old_name: str, new_name: str) -> Diff:
    olds, news = _named(before), _named(now)
    comparisons = [compare(olds[key], result) for key, result in news.items() if key in olds]
    failed = {failure.place for failure in before.failures}
    failures = [f"{failure.place}: {failure.reason}" for failure in now.failures if failure.place not in failed]
    failures += [f"{file}: the new audit was interrupted before it" for file in now.unfinished]
    return Diff(
        schema=SCHEMA,
        old=old_name,
        new=new_name,
        worse=bool(failures) or any(of.worse and of.comparable for of in comparisons),
        benchmarks=comparisons,
        added=[key[0] for key in news if key not in olds],
        removed=[key[0] for key in olds if key not in news],
        failures=failures,
        comparable=all(of.comparable for of in comparisons),
    )


def _named(scan: ScanResult) -> dict[tuple[str, int], AuditResult]:
    """Results by name, and by which of several of that name they are."""
    seen: Counter[str] = Counter()
    results = {}
    for result in scan.results:
        results[result.name, seen[result.name]] = result
        seen[result.name] += 1
    return results


def _document(source: Source, name: str) -> tuple[Document, str]:
    if isinstance(source, AuditResult | ScanResult):
        return source, name
    if not isinstance(source, str | os.PathLike):
        raise UsageError(f"{name} is a {type(source).__name__}; it must be a path, or the result of an audit")
    place = os.fspath(source)
    try:
        return decode(read_bytes(Path(place))), place
    except InputError as error:
        if error.place == place:
            raise
        raise InputError(error.reason, f"{place}: {error.place}" if error.place else place) from error
