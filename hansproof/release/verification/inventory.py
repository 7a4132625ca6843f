"""The files of a release against SHA256SUMS, and its manifest against both.

Everything here is about bytes and digests; nothing needs the generator. A file with a wrong digest is examined, so that
the message says what happened to it: truncated, grown, rows in another order, or changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.notation import things
from generators.errors import Fault, InputError, refused
from generators.jsonl import packed, plain, read_bytes
from hansproof.manifests.checksums import SUMS, digest_of, order_digest, parse_sums
from hansproof.manifests.document import decode
from hansproof.manifests.manifest import MANIFEST, Manifest, SubsetEntry
from hansproof.manifests.objections import objections
from hansproof.release.verification.checks import Check

__all__ = ["Inventory", "take_inventory"]


@dataclass(frozen=True)
class Inventory:
    """What the folder holds, as far as it can be read."""

    folder: Path
    manifest: Manifest | None
    checks: list[Check]
    digests: dict[str, str]
    """File -> the digest of what could be read, items unpacked."""


def take_inventory(folder: Path) -> Inventory:
    """Check the digest of every file, then the manifest. Raises InputError where `folder` is not a release at all."""
    if not folder.is_dir():
        raise InputError("is not a folder; name the folder of one release, such as datasets/NAME/VERSION", str(folder))
    try:
        present = _present(folder)
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
    for name in present.keys() - {SUMS}:
        try:
            digests[name] = digest_of(present[name])
        except InputError as error:
            # Of the manifest, its own check says so.
            unread[name] = [Fault(fault.reason, name) for fault in error.faults] if name != MANIFEST else []
    stored = [present[name] if present[name].exists() else packed(present[name]) for name in digests]
    sizes = sum(path.stat().st_size for path in stored)
    for name in sorted({*present, *entries, *(listed or ())} - {SUMS}):
        faults += _file_faults(name, present, digests, listed, entries) or unread.get(name, ())
    files = Check("checksums", f"{things(len(digests), 'file')}, {sizes / 1e6:.1f} MB", tuple(faults))
    unreadable += _manifest_faults(manifest, digests, listed or {})
    note = things(len(entries), "subset") if manifest else "cannot be read"
    return Inventory(folder, manifest, [files, Check(MANIFEST, note, tuple(unreadable))], digests)


def _present(folder: Path) -> dict[str, Path]:
    """Name -> path of what is in the folder; packed items go by the name of what is in them."""
    paths = {path.name: path for path in sorted(folder.iterdir())}
    for path in list(paths.values()):
        if plain(path).name not in paths:
            del paths[path.name]
            paths[plain(path).name] = plain(path)
    return paths


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
    size = len(read_bytes(path))
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


def _manifest_faults(manifest: Manifest | None, digests: Mapping[str, str], listed: Mapping[str, str]) -> list[Fault]:
    if manifest is None:
        return []
    faults = [Fault(reason, MANIFEST) for reason in objections(manifest)]  # nothing that says so is ever released
    if manifest.audit_settings is None and any(entry.audit.schemes for entry in manifest.subsets):
        faults.append(Fault("its audit_settings is null, though subsets were audited", MANIFEST))
    for entry in manifest.subsets:
        digest = listed.get(entry.file)
        if digest is None:
            faults.append(Fault(f"names {entry.file}, which {SUMS} does not list", MANIFEST))
        elif entry.sha256 != digest:
            wrong = SUMS if digests.get(entry.file) == entry.sha256 else MANIFEST
            faults.append(
                Fault(f"its digest of {entry.file} differs from the one in {SUMS}; {wrong} is wrong", MANIFEST)
            )
    named = {entry.file for entry in manifest.subsets}
    faults += [
        Fault(f"does not name {name}", MANIFEST)
        for name in sorted(listed)
        if name.endswith(".jsonl") and name not in named
    ]
    return faults


def _short(digest: str) -> str:
    return f"{digest[:12]}…"
