"""Manifests of the first schema: read for ever, never written.

They name an expected shortcut `known_leak`, and their `shortcuts` are numbers that each family counted in its own way.
The blind strategies took their place, so those numbers stay in the frozen file and are not read.
"""

from __future__ import annotations

import msgspec

from hansproof.manifests.manifest import (
    AuditSettings,
    AuditSummary,
    Date,
    Digest,
    Integer,
    Licence,
    Manifest,
    Positive,
    Record,
    SubsetEntry,
)

__all__ = ["FirstEntry", "FirstManifest", "upgraded"]


class FirstEntry(Record, frozen=True, kw_only=True):
    """One file of items, as the first schema has it."""

    name: str
    file: str
    rows: Positive
    bytes: Positive
    sha256: Digest
    order_sha256: Digest
    groups: Positive
    conditions: dict[str, Positive]
    answers: dict[str, Positive] | None
    known_leak: str
    audited: str = ""
    shortcuts: dict[str, float | None] = msgspec.field(default_factory=dict)
    audit: AuditSummary


class FirstManifest(Record, frozen=True, kw_only=True):
    """A whole release, as the first schema has it."""

    schema: str
    dataset: str
    version: str
    title: str
    generator: str
    seed: Integer
    date: Date | None
    licence: Licence
    canary: str
    subsets: list[FirstEntry]
    audit_settings: AuditSettings | None
    versions: dict[str, str]


def upgraded(first: FirstManifest) -> Manifest:
    """The same release in the records of today; it keeps its schema and has no blind strategies."""
    fields = msgspec.structs.asdict(first)
    return Manifest(**fields | {"subsets": [_entry(entry) for entry in first.subsets]})


def _entry(first: FirstEntry) -> SubsetEntry:
    fields = msgspec.structs.asdict(first)
    exploit, _ = fields.pop("known_leak"), fields.pop("shortcuts")
    return SubsetEntry(**fields, exploit=exploit, balanced=False, blind=[])
