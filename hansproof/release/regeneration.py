"""The rows of a release: whole and in order, solved by a second method, and made again line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

from hansproof.generators.answering.scorer import MISFITS
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import Fault, HansproofError, InputError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import read, read_bytes
from hansproof.generators.production import items, release_stretch
from hansproof.release.checksums import order_digest
from hansproof.release.manifest import MANIFEST, Manifest, SubsetEntry
from hansproof.release.objections import count_faults

__all__ = ["CheckedRows", "asked", "check_rows", "design_faults", "first_difference", "gold_faults"]

_FAULTS_SHOWN = 5  # faults of one kind in one file that are listed; the rest are counted


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
    more = len(faults) - _FAULTS_SHOWN
    return [*faults[:_FAULTS_SHOWN], Fault(f"... and {more:,} more faults of this kind", name)] if more > 0 else faults


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


_PIECE = 60  # characters shown of a value that differs

# What solving an item may raise after somebody tampered with it: its fields have the right types and no more.
_UNSOLVABLE = (*MISFITS, HansproofError)


def design_faults(manifest: Manifest, dataset: Dataset) -> list[Fault]:
    """Where the manifest differs from the dataset of the same version."""
    faults = []
    for what, said, known in (
        ("seed", manifest.seed, dataset.seed),
        ("canary", manifest.canary, dataset.canary),
        ("title", manifest.title, dataset.title),
        ("list of subsets", [entry.name for entry in manifest.subsets], list(dataset.subsets)),
    ):
        if said != known:
            faults.append(Fault(f"the {what} is {said!r}; {dataset.name} {dataset.version} has {known!r}", MANIFEST))
    for entry in manifest.subsets:
        subset = dataset.subsets.get(entry.name)
        if subset and entry.rows != subset.rows:
            faults.append(Fault(f"{entry.name} has {entry.rows:,} rows; a release has {subset.rows:,}", MANIFEST))
        if subset and (entry.exploit, entry.balanced) != (subset.exploit, subset.balanced):
            faults.append(Fault("its `exploit` and `balanced` are not the design's", f"{MANIFEST}: {entry.name}"))
    return faults


def gold_faults(name: str, rows: list[Item], dataset: Dataset) -> list[Fault]:
    """Faults that the dataset's second method finds, the first five with their lines."""
    faults = []
    for number, item in enumerate(rows, start=1):
        try:
            wrong = list(dataset.check(item))
        except _UNSOLVABLE as error:
            wrong = [f"cannot be solved: {type(error).__name__}: {error}"]
        faults += [Fault(reason, f"{name}: line {number}") for reason in wrong]
    return _shortened(faults, name)


def first_difference(path: Path, subset: str, dataset: Dataset) -> Fault | None:
    """The first difference between the file and what the generator makes; None where there is none."""
    rows = dataset.subset(subset).rows
    try:
        data = read_bytes(path)
    except InputError as error:
        return error.faults[0]
    with BytesIO(data) as file:
        made = items(dataset, release_stretch(dataset, subset), dataset.seed)
        for number, (line, item) in enumerate(zip_longest(file, made), start=1):
            place = f"{path.name}: line {number}"
            if line is None:
                return Fault(f"is missing; the generator makes {rows:,} lines", place)
            if item is None:
                return Fault(f"is one line too many; the generator makes {rows:,} lines", place)
            if line != item.line():
                return Fault(f"differs from what the generator makes: {_difference(line, item)}", place)
    return None


def _difference(line: bytes, item: Item) -> str:
    """The first field that differs if the line can be read at all; otherwise the first byte."""
    there, made = line.rstrip(b"\n"), item.line().rstrip(b"\n")
    at = next((at for at, (a, b) in enumerate(zip(there, made)) if a != b), min(len(there), len(made)))
    record = _record(line)
    for key, value in item.record().items():
        if record is not None and record.get(key) != value:
            said = record.get(key)
            return f"{key} is {_piece(said, value)}, not {_piece(value, said)} (byte {at + 1})"
    return f"byte {at + 1} is {_byte(there, at)}, not {_byte(made, at)}"


def _record(line: bytes) -> dict[str, object] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _piece(value: object, other: object) -> str:
    """A value for a message; of a long text, the part around the first character that differs."""
    text, beside = (value, other) if isinstance(value, str) and isinstance(other, str) else (repr(value), repr(other))
    at = next((at for at, (a, b) in enumerate(zip(text, beside)) if a != b), min(len(text), len(beside)))
    start = max(0, at - _PIECE // 2) if len(text) > _PIECE else 0
    piece = text[start : start + _PIECE]
    quoted = repr(piece) if isinstance(value, str) and isinstance(other, str) else piece
    return f"{'…' if start else ''}{quoted}{'…' if start + _PIECE < len(text) else ''}"


def _byte(line: bytes, at: int) -> str:
    return repr(line[at : at + 1])[1:] if at < len(line) else "the end of the line"
