"""One benchmark, audited twice: what changed from the old result, or its JSON document, to the new one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from hansproof.audit.result.audit_result import AuditResult, Cue, ScanResult
from hansproof.audit.result.changes import (
    BEST_FIRST,
    SCHEMA,
    Change,
    Comparison,
    CueChange,
    Diff,
    Ends,
    KappaChange,
    LabelChange,
    interval_of_difference,
)
from hansproof.audit.result.document import decode
from hansproof.audit.result.explanation import CLEAR_Z
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import read_bytes

__all__ = ["diff"]

_LISTED = 50
_ROLES = ("prompt", "answer", "group", "split")


def compare(old: AuditResult, new: AuditResult) -> Comparison:
    """What changed from `old` to `new`, which are audits of the same benchmark at two times."""
    same = bool(old.sha256) and old.sha256 == new.sha256
    settings, alike = _settings(old, new), _are_alike(old, new)
    before, now = _clear(old.cues), _clear(new.cues)
    return Comparison(
        name=new.name,
        old_verdict=old.verdict,
        new_verdict=new.verdict,
        worse=BEST_FIRST.index(new.verdict) > BEST_FIRST.index(old.verdict),
        reason=new.reason,
        same_file=same,
        comparable=not settings and alike,
        settings=settings,
        versions=_changes("version of ", old.versions, new.versions),
        old_items=old.items,
        new_items=new.items,
        kappas=sorted(
            [*_kappas(old, new, same), *_advantages(old, new, same)],
            key=lambda of: 1.0 if of.change is None else -round(abs(of.change), 9),  # undefined ones last
        ),
        labels=_labels(old, new),
        cues=[_cue(now[key]) for key in now if key not in before],
        gone=[_cue(before[key]) for key in before if key not in now],
        notes=_notes(old, new, same, settings, alike),
    )


def _are_alike(old: AuditResult, new: AuditResult) -> bool:
    """Whether the answers are of one kind, and labels have one in common: otherwise the benchmarks are two."""
    if len({of.shape for of in (old, new) if of.schemes or of.open_ended}) > 1:
        return False
    labels = [{entry.label for entry in of.labels} for of in (old, new) if of.schemes]
    return len(labels) < 2 or not all(labels) or bool(labels[0] & labels[1])


def _settings(old: AuditResult, new: AuditResult) -> list[Change]:
    """The settings that differ, and the columns that were read."""
    changes = _changes("", msgspec.to_builtins(old.settings), msgspec.to_builtins(new.settings))
    roles = [{role: getattr(result.mapping, role) for role in _ROLES} for result in (old, new)]
    return changes + _changes("column ", *roles)


def _changes(kind: str, old: Mapping[str, object], new: Mapping[str, object]) -> list[Change]:
    return [
        Change(name=f"{kind}{name}", old=_said(old, name), new=_said(new, name))
        for name in dict.fromkeys((*old, *new))
        if _said(old, name) != _said(new, name)
    ]


def _said(values: Mapping[str, object], name: str) -> str:
    return msgspec.json.encode(values[name]).decode() if name in values else "absent"


def _kappas(old: AuditResult, new: AuditResult, same: bool) -> list[KappaChange]:
    """Every vector that both audits have, under the schemes that a verdict is about, and the first of each audit."""
    changes = []
    about = [result.evidence_scheme for result in (new, old)]
    first = [result.schemes[0].scheme for result in (new, old) if result.schemes]
    for scheme in filter(None, dict.fromkeys([*about, *first])):
        before, now = old.scheme(scheme), new.scheme(scheme)
        if before is None or now is None:
            continue
        for is_now in now.vectors:
            if (was := before.find(is_now.vector)) is not None:
                earlier, later = ((of.matched_low, of.matched, of.matched_high) for of in (was, is_now))
                changes.append(_change(is_now.vector, is_now.label, scheme, earlier, later, same))
    return changes


def _change(vector: str, label: str, scheme: str, old: Ends, new: Ends, same: bool) -> KappaChange:
    low, high = (None if same else interval_of_difference(old, new)) or (None, None)
    (_, was, _), (_, now, _) = old, new
    change = None if was is None or now is None else now - was
    return KappaChange(vector=vector, label=label, scheme=scheme, old=was, new=now, change=change, low=low, high=high)


def _advantages(old: AuditResult, new: AuditResult, same: bool) -> list[KappaChange]:
    """The strategies against open-ended answers: their advantage over the best constant is such a kappa."""
    if old.open_ended is None or new.open_ended is None:
        return []
    before = {strategy.name: strategy for strategy in old.open_ended.strategies}
    changes = []
    for now in new.open_ended.strategies:
        if (was := before.get(now.name)) is not None:
            first, second = ((of.low, of.advantage, of.high) for of in (was, now))
            changes.append(_change(now.name, now.description, "open", first, second, same))
    return changes


def _labels(old: AuditResult, new: AuditResult) -> list[LabelChange]:
    before, now = (Counter({entry.label: entry.count for entry in of.labels}) for of in (old, new))
    changes = [
        LabelChange(label=label, old=before[label], new=now[label])
        for label in dict.fromkeys((*before, *now))
        if before[label] != now[label]
    ]
    return sorted(changes, key=lambda change: -abs(change.new - change.old))[:_LISTED]


def _clear(cues: Iterable[Cue]) -> dict[tuple[str, str, str], Cue]:
    """The clear cues by what they say, strongest first. Word and GPT-2 n-grams are never the same cue."""
    clear = sorted((cue for cue in cues if cue.z >= CLEAR_Z), key=lambda cue: -cue.z)
    return {(cue.level, cue.ngram, cue.label): cue for cue in clear}


def _cue(cue: Cue) -> CueChange:
    return CueChange(ngram=cue.ngram, level=cue.level, label=cue.label, count=cue.count, count_label=cue.count_label)


def _notes(old: AuditResult, new: AuditResult, same: bool, settings: list[Change], alike: bool) -> list[str]:
    notes = []
    if not alike:
        notes.append("The two have no answer in common, or answers of another kind: their numbers are not comparable.")
    if settings:
        named = ", ".join(change.name for change in settings)
        notes.append(f"The two audits differ in {named}: their numbers are not comparable. Repeat one of them.")
    if same:
        notes.append(
            "Both audits read the same file, so what differs comes from settings or versions, not from items; the "
            "changes have no interval."
        )
    elif (old.schemes and new.schemes) or (old.open_ended and new.open_ended):
        notes.append(
            "The files differ. The intervals take the items as two independent samples: they are right if no item is "
            "in both, and too wide if many are."
        )
    if new.evidence_vector != old.evidence_vector and old.evidence_vector and new.evidence_vector:
        notes.append(
            f"The n-grams come from different feature vectors ({old.evidence_vector}, then {new.evidence_vector}), so "
            f"an n-gram may be new to the list without being new to the texts."
        )
    return notes


Document = AuditResult | ScanResult
Source = str | os.PathLike[str] | Document


def diff(old: Source, new: Source) -> Diff:
    """What changed from one audit to the next: verdict, kappas, items, answers, n-grams and settings.

    Each argument is the path of a JSON document that `hansproof audit --json` wrote, or the result itself. Benchmarks
    of two folders are matched by their names. Raises InputError for a document that is not one of this version's,
    UsageError if one is of a single benchmark and the other of a folder.
    """
    (before, old_name), (now, new_name) = _document(old, "old"), _document(new, "new")
    added: list[str] = []
    removed: list[str] = []
    failures: list[str] = []
    if isinstance(before, AuditResult) and isinstance(now, AuditResult):
        benchmarks = [compare(before, now)]
    elif isinstance(before, ScanResult) and isinstance(now, ScanResult):
        olds, news = _named(before), _named(now)
        failed = {failure.place for failure in before.failures}
        failures += [f"{failure.place}: {failure.reason}" for failure in now.failures if failure.place not in failed]
        failures += [f"{file}: the new audit was interrupted before it" for file in now.unfinished]
        benchmarks = [compare(olds[key], result) for key, result in news.items() if key in olds]
        added, removed = [key[0] for key in news if key not in olds], [key[0] for key in olds if key not in news]
    else:
        raise UsageError(
            f"{old_name} and {new_name} cannot be compared: one is the audit of a benchmark, the other of a folder"
        )
    return Diff(
        schema=SCHEMA,
        old=old_name,
        new=new_name,
        worse=bool(failures) or any(of.worse and of.comparable for of in benchmarks),
        benchmarks=benchmarks,
        added=added,
        removed=removed,
        failures=failures,
        comparable=all(of.comparable for of in benchmarks),
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
