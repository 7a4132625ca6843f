"""Freezing: the item files of a dataset, written beside their final place and moved there in one step.

The release command generates here, audits what was written, adds manifest and checksums, and only then commits. Until
then nothing has its final name, and whatever is not committed is removed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from generators.dataset import Dataset
from generators.errors import InputError, UsageError, refused
from generators.item import Item
from generators.jsonl import pack, packed, read_bytes, write, write_bytes
from generators.output import make_folders, preparing, remove_folder
from generators.production import items as produced
from generators.production import release_stretch
from hansproof.manifests.blind import blind_entries
from hansproof.manifests.checksums import SUMS, digest_of, order_digest, sums
from hansproof.manifests.counts import counts
from hansproof.manifests.manifest import AuditSummary, SubsetEntry

__all__ = ["Staging", "check_version", "pack_items", "staging", "subset_entry", "write_subset", "write_sums"]


@dataclass
class Staging:
    """A release in the making: fill `folder`, then `commit`."""

    folder: Path
    """Where the files are written, on the same disk as `target`."""
    target: Path
    """`datasets/NAME/VERSION`."""

    def commit(self) -> None:
        """Move the folder to its final name. Raises InputError if that exists by now or the system refuses."""
        _refuse_frozen(self.target)
        try:
            # A rename replaces no folder that has files, so a second process that was quicker keeps its release.
            os.rename(self.folder, self.target)  # noqa: PTH104
        except OSError as error:
            raise refused("written", error, str(self.target)) from error


@contextmanager
def staging(target: Path) -> Iterator[Staging]:
    """A folder in which to prepare the release `target`; it is removed with its contents unless you commit it, and so
    are the folders that were made above it.

    Raises InputError where `target` exists: a frozen version is never overwritten.
    """
    _refuse_frozen(target)
    with ExitStack() as undo:
        for made in reversed(make_folders(target.parents[1], target.parent)):
            undo.callback(remove_folder, made)
        with preparing(target.parent) as beside:
            # The folder beside is private to its owner; the one inside has the usual permissions.
            folder = beside / target.name
            try:
                folder.mkdir()
            except OSError as error:
                raise refused("written", error, str(target)) from error
            yield Staging(folder, target)


def _refuse_frozen(target: Path) -> None:
    if os.path.lexists(target):
        raise InputError("is frozen and is never overwritten; a changed dataset needs a new version", str(target))


def check_version(dataset: Dataset, version: str) -> None:
    """Raises UsageError unless `version` is the generator's: another one would name bytes that it does not make."""
    if version != dataset.version:
        raise UsageError(
            f"{dataset.name} is at version {dataset.version}, not {version}; the generator sets the version, "
            "which changes whenever its output does"
        )


def write_subset(dataset: Dataset, name: str, folder: Path) -> list[Item]:
    """Generate one subset into `folder` as NAME.jsonl; the items. Raises InputError for faulty items."""
    items = list(produced(dataset, release_stretch(dataset, name), dataset.seed))
    write(folder / f"{name}.jsonl", items)
    return items


def subset_entry(
    dataset: Dataset,
    name: str,
    folder: Path,
    items: list[Item],
    audit: AuditSummary,
    by_option: AuditSummary | None = None,
) -> SubsetEntry:
    """What the manifest says about the file that `write_subset` wrote, its audit and its blind strategies."""
    path = folder / f"{name}.jsonl"
    subset = dataset.subset(name)
    return SubsetEntry(
        name=name,
        file=path.name,
        **counts(items, path.stat().st_size, labels=subset.labels),
        sha256=digest_of(path),
        order_sha256=order_digest(item.id for item in items),
        exploit=subset.exploit,
        balanced=subset.balanced,
        audited="" if subset.labels else subset.audit_target,
        blind=blind_entries(dataset, items),
        audit=audit,
        by_option=by_option,
    )


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS over every file in `folder`."""
    digests = {path.name: digest_of(path) for path in folder.iterdir()}
    write_bytes(folder / SUMS, sums(digests))


def pack_items(folder: Path) -> None:
    """Put each file of items in `folder` packed in its own place; `generators.jsonl` says why."""
    for path in sorted(folder.glob("*.jsonl")):
        write_bytes(packed(path), pack(read_bytes(path)))
        path.unlink()
