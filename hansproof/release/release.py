"""A release from end to end: generate, audit what was written, refuse or write manifest and card, freeze.

Takes a registered dataset, leaves `datasets/NAME/VERSION/` and `cards/NAME-VERSION.md` with its drawing. Until nothing
speaks against them, the files have no final name.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date as calendar_date
from importlib.metadata import version as installed
from pathlib import Path

import msgspec

from audit.result import AuditResult
from audit.settings import check_workers, make_settings
from generators.dataset import Dataset
from generators.errors import Fault, HansproofError, InputError, Progress, UsageError, unwatched
from generators.item import Item
from generators.jsonl import write_bytes
from generators.registry import dataset as registered
from generators.registry import prose
from hansproof.cards.croissant import CROISSANT, croissant
from hansproof.cards.writing import write_card
from hansproof.manifests.document import encode
from hansproof.manifests.figures import figure_entries
from hansproof.manifests.manifest import MANIFEST, AuditSettings, Manifest
from hansproof.manifests.objections import objections
from hansproof.release.freeze import check_version, pack_items, staging, subset_entry, write_subset, write_sums
from hansproof.release.subset_audit import AuditOptions, audit_subset
from hansproof.release.verification.verify import verify

__all__ = ["Finished", "release"]


@dataclass(frozen=True)
class Finished:
    """What came of a release."""

    folder: Path
    """Where the release is, or would be."""
    manifest: Manifest
    refused: list[str]
    """Why it was not frozen, one sentence each; empty where it was."""
    written: list[Path]
    """Card and drawing; empty where it was refused."""


def release(
    name: str,
    version: str,
    *,
    out: Path | str = "datasets",
    cards: Path | str = "cards",
    date: str | None = None,
    audits: AuditOptions | None = None,
    packed: bool = False,
    progress: Progress = unwatched,
) -> Finished:
    """Generate, audit and freeze a registered dataset.

    `date` (YYYY-MM-DD) is recorded if you give it; no clock is read. `packed` keeps the items as
    `SUBSET.jsonl.gz`; names and digests stay those of the items themselves. Raises UsageError for an unknown dataset,
    a version other than the generator's and an impossible date, InputError where the version is frozen, and where its
    card cannot be written, which says that the release itself is frozen.
    """
    dataset = registered(name)
    check_version(dataset, version)
    _check_date(date)
    audits = audits or AuditOptions()
    make_settings(permutations=audits.permutations, splits=audits.splits)  # before any folder is made
    check_workers(audits.workers)
    target = Path(out) / name / version
    with staging(target) as stage:
        manifest = _fill(stage.folder, dataset, date, audits, progress)
        refused = objections(manifest)
        if not refused:
            progress("verifying", 0, 1)
            verification = verify(stage.folder, regenerate=False)
            refused = [str(fault) for check in verification.checks for fault in check.faults]
        if refused:
            return Finished(target, manifest, refused, [])
        if packed:
            pack_items(stage.folder)
        stage.commit()
    try:
        return Finished(target, manifest, [], write_card(target, dataset, cards))
    except HansproofError as error:
        frozen = Fault("is frozen; only its card is missing, and --card-only writes it", str(target))
        raise InputError.of([*error.faults, frozen]) from error


def _fill(folder: Path, dataset: Dataset, date: str | None, options: AuditOptions, progress: Progress) -> Manifest:
    """Write every file of the release into `folder`."""
    entries, results = [], []
    every: dict[str, list[Item]] = {}
    for number, (name, subset) in enumerate(dataset.subsets.items()):
        progress(f"generating {name}", number, len(dataset.subsets))
        every[name] = items = write_subset(dataset, name, folder)
        audit = audit_subset(folder / f"{name}.jsonl", subset, items, options, progress)
        entries.append(subset_entry(dataset, name, folder, items, audit.summary, audit.by_option))
        results += [audit.result] if audit.result else []
    settings, versions = _circumstances(results)
    manifest = Manifest(
        dataset=dataset.name,
        version=dataset.version,
        title=dataset.title,
        generator=f"hansproof {installed('hansproof')}",
        seed=dataset.seed,
        date=date,
        canary=dataset.canary,
        subsets=entries,
        audit_settings=settings,
        versions=versions,
        figures=figure_entries(dataset, every),
    )
    write_bytes(folder / MANIFEST, encode(manifest))
    write_bytes(folder / CROISSANT, croissant(manifest, dataset, prose(dataset.name)))
    write_sums(folder)
    return manifest


def _circumstances(results: list[AuditResult]) -> tuple[AuditSettings | None, dict[str, str]]:
    """Settings of the audits, if there were any, and versions of the libraries."""
    if not results:
        return None, {"hansproof": installed("hansproof"), "python": ".".join(map(str, sys.version_info[:3]))}
    settings = msgspec.structs.asdict(results[0].settings)
    kept = {key: settings[key] for key in AuditSettings.__struct_fields__ if key in settings}
    return AuditSettings(**kept), results[0].versions


def _check_date(date: str | None) -> None:
    try:
        valid = date is None or calendar_date.fromisoformat(date).isoformat() == date
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(f"{date!r} is not a date; write it as YYYY-MM-DD")
