"""Freezing: the item files of a dataset, written beside their final place and moved there in one step.

The release command generates here, audits what was written, adds manifest and checksums, and only then commits.
Until then nothing has its final name, and what is not committed is removed.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from generators.dataset import Dataset
from generators.errors import InputError, UsageError
from generators.item import Item
from generators.jsonl import write, write_bytes
from hansproof.release.checksums import SUMS, digest_of, order_digest, sums
from hansproof.release.known_shortcuts import rounded_shortcuts
from hansproof.release.manifest import AuditSummary, SubsetEntry

__all__ = ["Staging", "check_version", "staging", "subset_entry", "write_subset", "write_sums"]


@dataclass
class Staging:
    """A release in the making: fill `folder`, then `commit`."""

    folder: Path
    """Where the files are written, on the disk of `target`."""
    target: Path
    """`datasets/NAME/VERSION`."""

    def commit(self) -> None:
        """Move the folder to its final name. Raises InputError where that exists by now or the system refuses."""
        _refuse_frozen(self.target)
        try:
            # A rename replaces no folder that has files, so a second process that was quicker keeps its release.
            os.rename(self.folder, self.target)  # noqa: PTH104
        except OSError as error:
            raise InputError(f"{self.target}: cannot be written: {error.strerror or error}") from error


@contextmanager
def staging(target: Path) -> Iterator[Staging]:
    """A folder in which to prepare the release `target`; removed with all in it unless it was committed.

    Raises InputError where `target` exists: a frozen version is never overwritten.
    """
    _refuse_frozen(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"{target.parent}: cannot be written: {error.strerror or error}") from error
    with beside as name:
        # The temporary folder is private to its owner; the one inside has the usual permissions.
        folder = Path(name) / target.name
        folder.mkdir()
        yield Staging(folder, target)


def _refuse_frozen(target: Path) -> None:
    if os.path.lexists(target):
        raise InputError(f"{target}: is frozen already and never overwritten; a changed dataset needs a new version")


def check_version(dataset: Dataset, version: str) -> None:
    """Raises UsageError unless `version` is the generator's: another one would name bytes it does not make."""
    if version != dataset.version:
        raise UsageError(
            f"{dataset.name} is at version {dataset.version}, not {version}; the version belongs to the generator "
            f"and changes with the bytes it makes"
        )


def write_subset(dataset: Dataset, name: str, folder: Path) -> list[Item]:
    """Generate one subset into `folder` as NAME.jsonl; the items. Raises InputError for faulty items."""
    items = [dataset.make(name, dataset.seed, index) for index in range(dataset.subsets[name].rows)]
    write(folder / f"{name}.jsonl", items)
    return items


def subset_entry(dataset: Dataset, name: str, folder: Path, items: list[Item], audit: AuditSummary) -> SubsetEntry:
    """What the manifest says of the file that `write_subset` wrote, and of the audit of it."""
    path = folder / f"{name}.jsonl"
    subset = dataset.subsets[name]
    return SubsetEntry(
        name=name,
        file=path.name,
        rows=len(items),
        bytes=path.stat().st_size,
        sha256=digest_of(path),
        order_sha256=order_digest(item.id for item in items),
        groups=len({item.group for item in items}),
        conditions=dict(Counter(item.condition for item in items)),
        answers=dict(sorted(Counter(item.answer for item in items).items())) if subset.labels else None,
        known_leak=subset.known_leak,
        audited="" if subset.labels else subset.audited,
        shortcuts=rounded_shortcuts(dataset, items),
        audit=audit,
    )


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS over every file that is in `folder`."""
    digests = {path.name: digest_of(path) for path in folder.iterdir()}
    write_bytes(folder / SUMS, sums(digests))
