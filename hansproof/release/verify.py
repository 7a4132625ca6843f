"""Verifying a release: named checks of its files, its manifest, its rows and its generator."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec import UNSET

from hansproof.audit.notation import things
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import Fault, HansproofError, InputError, Progress, refused, unwatched
from hansproof.generators.jsonl import holds_items, read, read_bytes
from hansproof.generators.production import follow_parent
from hansproof.generators.registry import dataset as registered
from hansproof.generators.registry import find
from hansproof.release.checksums import LINK, SUMS, digest_of, order_digest, parse_sums
from hansproof.release.manifest import MANIFEST, Manifest, SubsetEntry, decode
from hansproof.release.objections import UNMEASURABLE, arm_faults, blind_faults, figure_faults, objections
from hansproof.release.regeneration import CheckedRows, asked, check_rows, design_faults, first_difference, gold_faults

__all__ = ["verify"]


@dataclass(frozen=True)
class Check:
    """One kind of check over the whole release."""

    name: str
    note: str
    """What was checked, or why nothing was."""
    faults: tuple[Fault, ...] = ()
    done: bool = True
    """False where the check could not be made; that alone is no fault."""

    @property
    def status(self) -> str:
        """`ok`, `FAILED` or `not done`."""
        return "FAILED" if self.faults else "ok" if self.done else "not done"


@dataclass(frozen=True)
class Verification:
    """All checks of one release, in order."""

    path: str
    release: str
    """`planted-cues 1.0.0`; empty where the manifest could not be read."""
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether no check found a fault."""
        return not any(check.faults for check in self.checks)

    def record(self) -> dict[str, Any]:
        """For `--json`."""
        checks = [
            {"name": check.name, "status": check.status, "note": check.note, "faults": list(map(str, check.faults))}
            for check in self.checks
        ]
        return {
            "schema": "hansproof.verification/1",
            "path": self.path,
            "release": self.release,
            "passed": self.passed,
            "checks": checks,
        }


# A file with a wrong digest is examined, so that the message says what happened to it. Nothing here needs the
# generator.


@dataclass(frozen=True)
class Inventory:
    """What the folder holds, as far as it can be read."""

    manifest: Manifest | None
    checks: list[Check]
    digests: dict[str, str]
    """File -> the digest of what could be read."""


def take_inventory(folder: Path) -> Inventory:
    """Check the digest of every file, then the manifest. Raises InputError where `folder` is not a release at all."""
    if not folder.is_dir():
        raise InputError("is not a folder; name the folder of one release, such as datasets/NAME/VERSION", str(folder))
    try:
        present = {path.name: path for path in sorted(folder.iterdir())}
    except OSError as error:
        raise refused("read", error, str(folder)) from error
    if SUMS not in present and MANIFEST not in present:
        raise InputError(f"has neither {SUMS} nor {MANIFEST}, so it is not a release", str(folder))
    faults: list[Fault] = []
    listed = _listed(present, faults)
    manifest, unreadable = _manifest(present)
    entries = {entry.file: entry for entry in manifest.subsets} if manifest else {}
    digests: dict[str, str] = {}
    unread: dict[str, Sequence[Fault]] = {}
    for name in present:
        if present[name].is_symlink():
            unread[name] = [Fault(LINK, name)]
        if name in unread or name == SUMS:
            continue
        try:
            digests[name] = digest_of(present[name])
        except InputError as error:
            # Of the manifest, its own check says so.
            unread[name] = [Fault(fault.reason, name) for fault in error.faults] if name != MANIFEST else []
    faults += unread.get(SUMS, ())
    sizes = sum(present[name].stat().st_size for name in digests)
    for name in sorted({*present, *entries, *(listed or ())} - {SUMS}):
        faults += _file_faults(name, present, digests, listed, entries) or unread.get(name, ())
    files = Check("checksums", f"{things(len(digests), 'file')}, {sizes / 1e6:.1f} MB", tuple(faults))
    unreadable += _manifest_faults(manifest, present, listed or {})
    note = things(len(entries), "subset") if manifest else "cannot be read"
    return Inventory(manifest, [files, Check(MANIFEST, note, tuple(unreadable))], digests)


def _listed(present: Mapping[str, Path], faults: list[Fault]) -> dict[str, str] | None:
    if SUMS not in present:
        faults.append(Fault("is missing", SUMS))
        return None
    try:
        listed = parse_sums(read_bytes(present[SUMS], SUMS), SUMS)
    except InputError as error:
        faults += error.faults
        return None
    if SUMS in listed:
        faults.append(Fault("lists itself", SUMS))
    if MANIFEST not in listed:
        faults.append(Fault(f"does not list {MANIFEST}", SUMS))
    return listed


def _manifest(present: Mapping[str, Path]) -> tuple[Manifest | None, list[Fault]]:
    if MANIFEST not in present:
        return None, [Fault("is missing", MANIFEST)]
    try:
        return decode(read_bytes(present[MANIFEST], MANIFEST), MANIFEST), []
    except InputError as error:
        return None, list(error.faults)


def _file_faults(
    name: str,
    present: Mapping[str, Path],
    digests: Mapping[str, str],
    listed: Mapping[str, str] | None,
    entries: Mapping[str, SubsetEntry],
) -> list[Fault]:
    """What is wrong with a file in view of what lists it; nothing for one that could not be read."""
    if name not in present:
        return [Fault(f"is missing; {SUMS if name in (listed or ()) else MANIFEST} lists it", name)]
    if listed is not None and name not in listed:
        return [Fault(f"was added; {SUMS} does not list it", name)]
    if listed is None or name not in digests or digests[name] == listed[name]:
        return []
    if name == MANIFEST:
        return [Fault(f"was edited: the digest is {_short(digests[name])}; {SUMS} says {_short(listed[name])}", name)]
    if name in entries:
        return [Fault(_what_happened(present[name], entries[name]), name)]
    return [Fault(f"was changed: the digest is {_short(digests[name])}; {SUMS} says {_short(listed[name])}", name)]


def _what_happened(path: Path, entry: SubsetEntry) -> str:
    try:
        lines = read_bytes(path)
    except InputError as error:
        return f"was changed: it {error.faults[0].reason}"
    if sha256(lines).hexdigest() == entry.sha256:
        return "was packed anew: its lines are right, but the file is another one"
    size = len(lines)
    if size < entry.bytes:
        return f"was truncated: it has {size:,} of {entry.bytes:,} bytes"
    if size > entry.bytes:
        return f"has grown: {size:,} bytes instead of {entry.bytes:,}"
    ids = _ids(path)
    if len(ids) == entry.rows and order_digest(ids) != entry.order_sha256:
        if order_digest(sorted(ids)) == entry.order_sha256:
            number = next(number for number, (a, b) in enumerate(zip(ids, sorted(ids)), start=1) if a != b)
            return f"rows were reordered: line {number} is {ids[number - 1]}, not {sorted(ids)[number - 1]}"
        return "was changed: the size is right, but the ids do not match the manifest"
    return "was changed: the size is right, but the bytes are not"


def _ids(path: Path) -> list[str]:
    """The ids of the lines that can be read; broken lines are skipped, because this is only a diagnosis."""
    ids = []
    for line in read_bytes(path).split(b"\n"):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            ids.append(str(record.get("id")))
    return ids


def _manifest_faults(manifest: Manifest | None, present: Mapping[str, Path], listed: Mapping[str, str]) -> list[Fault]:
    if manifest is None:
        return []
    faults = [Fault(reason, MANIFEST) for reason in objections(manifest)]  # nothing that says so is ever released
    if manifest.audit_settings is None and any(entry.audit.schemes for entry in manifest.subsets):
        faults.append(Fault("its audit_settings is null, though subsets were audited", MANIFEST))
    for entry in manifest.subsets:
        if entry.file not in listed:
            faults.append(Fault(f"names {entry.file}, which {SUMS} does not list", MANIFEST))
        elif entry.file in present and (digest := _digest_of_lines(present[entry.file])) not in ("", entry.sha256):
            said = f"{_short(entry.sha256)}; they have {_short(digest)}"
            faults.append(Fault(f"says that the lines in {entry.file} have the digest {said}", MANIFEST))
    named = {entry.file for entry in manifest.subsets}
    unnamed = [name for name in sorted(listed) if holds_items(Path(name)) and name not in named]
    return faults + [Fault(f"does not name {name}", MANIFEST) for name in unnamed]


def _digest_of_lines(path: Path) -> str:
    """Empty where the file cannot be read: the check of the files says so."""
    try:
        return sha256(read_bytes(path)).hexdigest()
    except InputError:
        return ""


def _short(digest: str) -> str:
    return f"{digest[:12]}…"


# Each check reports what it found, so one run shows the whole damage; those that need the generator are left out where
# this installation does not have the dataset in that version.


def verify(
    folder: Path | str, *, regenerate: bool = True, progress: Progress = unwatched, workers: int = 1
) -> Verification:
    """Check the release in `folder`; with `regenerate=False` without making every line again.

    `workers` is a number of processes that share the subsets, each a fresh interpreter, so a script that uses several
    must keep its own start behind `if __name__ == "__main__"`. It changes no message.
    Raises InputError where there is no release to check or a file cannot be read.
    """
    folder = Path(folder)
    progress("checksums", 0, 1)
    inventory = take_inventory(folder)
    manifest = inventory.manifest
    if manifest is None:
        undone = ("rows", "ids", "duplicates", "gold", "blind", "regenerated")
        rest = [Check(name, "the manifest cannot be read", done=False) for name in undone]
        return Verification(str(folder), "", inventory.checks + rest)
    dataset, reason = _dataset(manifest)
    files = {entry.name: folder / entry.file for entry in manifest.subsets if entry.file in inventory.digests}
    rows: dict[str, CheckedRows] = {}
    for entry in manifest.subsets:
        if entry.name in files:
            progress("reading rows", len(rows), len(files))
            subset = dataset.subsets.get(entry.name) if dataset else None
            limit, told_apart = (subset.limit if subset else None), (dataset.told_apart if dataset else asked)
            if subset and subset.copies > 1:
                limit = entry.rows // subset.copies
            labels = subset.labels if subset else entry.answers is not None
            rows[entry.name] = check_rows(files[entry.name], entry, manifest, labels, limit, told_apart)
    checks = [*inventory.checks, *_row_checks(rows)]
    if dataset is None:
        checks += [Check(name, reason, done=False) for name in ("gold", "blind", "regenerated")]
    else:
        jobs = [
            (dataset.name, entry, files[entry.name], regenerate) for entry in manifest.subsets if entry.name in rows
        ]
        gold, blind, made = list[Fault](), list[Fault](), design_faults(manifest, dataset)
        for number, faults in enumerate(_each(jobs, workers)):
            progress("checking subsets", number, len(jobs))
            gold, blind, made = gold + faults[0], blind + faults[1], made + faults[2]
        readable = things(sum(bool(checked.items) for checked in rows.values()), "subset")
        compared = f"strategies and differences between arms measured again on {readable}"
        again = f"{things(sum(name in dataset.subsets for name in files), 'file')} regenerated with seed {dataset.seed}"
        checks += [
            _gold(rows, dataset, regenerate, gold),
            Check("blind", compared, tuple(blind)),
            *([] if manifest.figures is UNSET else [_figures(manifest, rows, dataset, progress)]),
            Check("regenerated", again if regenerate else "skipped on request", tuple(made), done=regenerate),
        ]
    return Verification(str(folder), f"{manifest.dataset} {manifest.version}", checks)


def _dataset(manifest: Manifest) -> tuple[Dataset | None, str]:
    """The dataset that made the release, or None and the reason why there is none."""
    current = find(manifest.dataset)
    if current is None:
        return None, f"this installation has no generator {manifest.dataset!r}; `--family module:DATASET` adds it"
    if current.version != manifest.version:
        return None, (
            f"this installation makes {current.name} {current.version}; {manifest.generator} made {manifest.version}"
        )
    return current, ""


def _row_checks(rows: Mapping[str, CheckedRows]) -> list[Check]:
    total = sum(len(checked.items) for checked in rows.values())
    files = "1 file" if len(rows) == 1 else f"each of {len(rows)} files"
    broken = [name for name, checked in rows.items() if not checked.items]
    but = f", except in {', '.join(map(repr, broken))}" if broken else ""
    return [
        Check(name, note, tuple(fault for checked in rows.values() for fault in getattr(checked, field)))
        for name, field, note in (
            ("rows", "schema", f"{total:,} valid items"),
            ("ids", "ids", f"ids and their order{but}"),
            ("duplicates", "duplicates", f"ids and prompts in {files}{but}"),
        )
    ]


_Job = tuple[str, SubsetEntry, Path, bool]


def _each(jobs: Sequence[_Job], workers: int) -> Iterator[list[list[Fault]]]:
    """The faults of each subset, in order."""
    if workers <= 1:
        yield from map(_examined, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=follow_parent) as pool:
        try:
            yield from pool.map(_examined, jobs)
        except BrokenProcessPool as error:
            raise HansproofError("a worker process died (out of memory?); try fewer workers") from error


def _examined(job: _Job) -> list[list[Fault]]:
    """What is wrong with the gold answers of a subset, with its blind strategies and arms, and with its lines."""
    name, entry, path, regenerate = job
    dataset = registered(name)
    try:
        items = read(path)
    except InputError:  # the check of the rows says so
        items = []
    compared = [*blind_faults(entry, items, dataset), *arm_faults(entry, items)] if items else []
    difference = first_difference(path, entry.name, dataset) if regenerate and entry.name in dataset.subsets else None
    return [gold_faults(path.name, items, dataset), compared, [difference] if difference else []]


def _gold(rows: Mapping[str, CheckedRows], dataset: Dataset, regenerate: bool, faults: Sequence[Fault]) -> Check:
    golds = [item.answer for checked in rows.values() for item in checked.items]
    without = golds.count(None)
    notes = []
    if len(golds) > without and dataset.unproved:
        proof = "they are made again below" if regenerate else "only making them again proves them, which was skipped"
        notes.append(f"{things(len(golds) - without, 'gold answer')}: {dataset.unproved}; {proof}")
    elif len(golds) > without:
        notes.append(f"{things(len(golds) - without, 'gold answer')} checked by a second method")
    notes += [f"{things(without, 'item')} without a right answer by the family's own check"] if without else []
    proved = regenerate or not dataset.unproved
    return Check("gold", ", ".join(notes) or "no items to check", tuple(faults), done=proved)


def _figures(manifest: Manifest, rows: Mapping[str, CheckedRows], dataset: Dataset, progress: Progress) -> Check:
    progress("measuring figures", 0, 1)
    items = {name: checked.items for name, checked in rows.items()}
    try:
        faults = figure_faults(manifest, dataset, items)
    except UNMEASURABLE as error:
        faults = [Fault(f"its figures cannot be measured: {type(error).__name__}: {error}", MANIFEST)]
    return Check("figures", "what the release promises as a whole, measured again", tuple(faults))
