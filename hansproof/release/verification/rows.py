"""The rows of one file of a release: are they items, in order, each of them once? This needs no generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from generators.errors import Fault, InputError
from generators.item import Item
from generators.jsonl import read, read_bytes
from hansproof.manifests.checksums import order_digest
from hansproof.manifests.counts import count_faults
from hansproof.manifests.manifest import Manifest, SubsetEntry

__all__ = ["CheckedRows", "asked", "check_rows"]

_SHOWN = 5  # faults of one kind in one file that are listed; the rest are counted


def asked(item: Item) -> tuple[object, ...]:
    """What tells items apart whose family is unknown: what they ask."""
    return item.prompt, item.choices


@dataclass
class CheckedRows:
    """The items of one file, and what is wrong with them by check."""

    items: list[Item]
    """Empty where a line is broken."""
    schema: list[Fault] = field(default_factory=list)
    ids: list[Fault] = field(default_factory=list)
    duplicates: list[Fault] = field(default_factory=list)


def check_rows(
    path: Path,
    entry: SubsetEntry,
    manifest: Manifest,
    labels: bool,
    distinct: int | None = None,
    told_apart: Callable[[Item], tuple[object, ...]] = asked,
) -> CheckedRows:
    """Read one file and check it by itself and against the manifest.

    `labels` says whether its answers are a few labels. `distinct` is the number of different items that the subset can
    have, None for beyond counting. A subset with more rows than that repeats items on purpose. `told_apart` gives what
    makes an item different from the others.
    """
    try:
        items = read(path, called=path.name)
    except InputError as error:
        return CheckedRows([], schema=_shortened(list(error.faults), path.name))
    rows = CheckedRows(items)
    _check_schema(rows, path, entry, manifest, labels)
    _check_ids(rows, path.name, entry, manifest)
    if distinct is None or distinct >= entry.rows:
        _check_duplicates(rows, path.name, told_apart)
    return CheckedRows(items, *(_shortened(faults, path.name) for faults in (rows.schema, rows.ids, rows.duplicates)))


def _shortened(faults: list[Fault], name: str) -> list[Fault]:
    more = len(faults) - _SHOWN
    return [*faults[:_SHOWN], Fault(f"... and {more:,} more faults of this kind", name)] if more > 0 else faults


def _check_schema(rows: CheckedRows, path: Path, entry: SubsetEntry, manifest: Manifest, labels: bool) -> None:
    data = read_bytes(path)
    if sha256(data).hexdigest() == entry.sha256:  # another file than the manifest's: its digest says so
        rows.schema += count_faults(entry, rows.items, len(data), labels=labels)
    if data and not data.endswith(b"\n"):
        rows.schema.append(Fault("has no newline at its end", f"{path.name}: line {len(rows.items)}"))
    if len(rows.items) != entry.rows:
        rows.schema.append(Fault(f"has {len(rows.items):,} rows; the manifest says {entry.rows:,}", path.name))
    for number, (item, line) in enumerate(zip(rows.items, data.split(b"\n")), start=1):
        place = f"{path.name}: line {number}"
        if item.line() != line + b"\n":
            rows.schema.append(Fault("is an item, but not in canonical form (order of keys, spaces, escapes)", place))
        for key, wanted in (("canary", manifest.canary), ("seed", manifest.seed)):
            if item.metadata[key] != wanted:
                rows.schema.append(
                    Fault(f"metadata.{key} is {item.metadata[key]!r}; the manifest says {wanted!r}", place)
                )


def _check_ids(rows: CheckedRows, name: str, entry: SubsetEntry, manifest: Manifest) -> None:
    start = f"{manifest.dataset}/{manifest.version}/{entry.name}/"
    for index, item in enumerate(rows.items):
        wanted = f"{start}{index:06d}"
        if item.id != wanted:
            rows.ids.append(Fault(f"the id is {item.id!r}, not {wanted!r}", f"{name}: line {index + 1}"))
    if order_digest(item.id for item in rows.items) != entry.order_sha256:
        rows.ids.append(Fault("the order of the ids does not match order_sha256 in the manifest", name))


def _check_duplicates(rows: CheckedRows, name: str, told_apart: Callable[[Item], tuple[object, ...]]) -> None:
    """A prompt occurs once, unless two items of one group share it under different conditions."""
    seen: dict[tuple[object, ...], list[tuple[int, Item]]] = {}
    for number, item in enumerate(rows.items, start=1):
        key = told_apart(item)
        others = seen.setdefault(key, [])
        what = "prompt" if len(key) == len(asked(item)) else "prompt and draws"
        for line, other in others:
            if other.group == item.group and other.condition != item.condition:
                continue
            gold = "" if other.answer == item.answer else ", but another gold answer"
            rows.duplicates.append(Fault(f"has the same {what} as line {line}{gold}", f"{name}: line {number}"))
            break
        others.append((number, item))
