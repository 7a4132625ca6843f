"""The rows of one file of a release: are they items, in order, each once? Needs no generator."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from generators.errors import InputError
from generators.item import Item
from generators.jsonl import read
from hansproof.release.checksums import order_digest
from hansproof.release.manifest import Manifest, SubsetEntry

__all__ = ["Rows", "read_rows"]

_SHOWN = 5  # faults of one kind in one file before the rest is only counted


@dataclass
class Rows:
    """The items of one file and what is wrong with them, by check."""

    items: list[Item]
    """Empty where a line is broken."""
    schema: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)


def read_rows(path: Path, entry: SubsetEntry, manifest: Manifest, distinct: int | None = None) -> Rows:
    """Read one file and check it by itself and against the manifest.

    `distinct`: how many different items the subset can have, None for beyond counting; where that is under its
    rows, the repetition is meant.
    """
    try:
        items = read(path)
    except InputError as error:
        return Rows([], schema=[line.replace(f"{path}: ", f"{path.name}: ") for line in str(error).split("\n")])
    rows = Rows(items)
    _check_schema(rows, path, entry, manifest)
    _check_ids(rows, path.name, entry, manifest)
    if distinct is None or distinct >= entry.rows:
        _check_duplicates(rows, path.name)
    for faults in (rows.schema, rows.ids, rows.duplicates):
        if len(faults) > _SHOWN:
            faults[_SHOWN:] = [f"{path.name}: ... and {len(faults) - _SHOWN:,} more of this kind"]
    return rows


def _check_schema(rows: Rows, path: Path, entry: SubsetEntry, manifest: Manifest) -> None:
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        rows.schema.append(f"{path.name}: line {len(rows.items)}: lacks the newline at its end")
    if len(rows.items) != entry.rows:
        rows.schema.append(f"{path.name}: has {len(rows.items):,} rows; the manifest says {entry.rows:,}")
    for number, (item, line) in enumerate(zip(rows.items, data.split(b"\n")), start=1):
        place = f"{path.name}: line {number}"
        if item.line() != line + b"\n":
            rows.schema.append(f"{place}: is an item, but not in canonical form (key order, spaces, escapes)")
        for key, wanted in (("canary", manifest.canary), ("seed", manifest.seed)):
            if item.metadata[key] != wanted:
                rows.schema.append(f"{place}: metadata.{key} is {item.metadata[key]!r}; the manifest says {wanted!r}")


def _check_ids(rows: Rows, name: str, entry: SubsetEntry, manifest: Manifest) -> None:
    start = f"{manifest.dataset}/{manifest.version}/{entry.name}/"
    for index, item in enumerate(rows.items):
        wanted = f"{start}{index:06d}"
        if item.id != wanted:
            rows.ids.append(f"{name}: line {index + 1}: its id is {item.id!r}, not {wanted!r}")
    if order_digest(item.id for item in rows.items) != entry.order_sha256:
        rows.ids.append(f"{name}: the order of its ids is not that of the manifest's order_sha256")


def _check_duplicates(rows: Rows, name: str) -> None:
    """One text, one item: unless both are arms of one group, which differ in their condition."""
    seen: dict[tuple[str, tuple[str, ...] | None], list[tuple[int, Item]]] = {}
    for number, item in enumerate(rows.items, start=1):
        others = seen.setdefault((item.prompt, item.choices), [])
        for line, other in others:
            if other.group == item.group and other.condition != item.condition:
                continue
            gold = "" if other.answer == item.answer else ", and another gold answer"
            rows.duplicates.append(f"{name}: line {number}: has the prompt of line {line}{gold}")
            break
        others.append((number, item))
