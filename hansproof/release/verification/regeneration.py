"""A release against its generator: the same design, every gold answer by a second method, every line made again."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

from generators.answering.scorer import MISFITS
from generators.dataset import Dataset
from generators.errors import Fault, HansproofError
from generators.item import Item
from generators.jsonl import read_bytes
from generators.production import items, release_stretch
from hansproof.manifests.manifest import MANIFEST, Manifest

__all__ = ["design_faults", "first_difference", "gold_faults"]

_SHOWN = 5
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
    return faults


def gold_faults(name: str, rows: list[Item], dataset: Dataset) -> list[Fault]:
    """Faults that the dataset's second method finds, the first five with their lines."""
    faults = []
    for number, item in enumerate(rows, start=1):
        try:
            wrong = dataset.check(item)
        except _UNSOLVABLE as error:
            wrong = [f"cannot be solved: {type(error).__name__}: {error}"]
        faults += [Fault(reason, f"{name}: line {number}") for reason in wrong]
    more = len(faults) - _SHOWN
    return faults[:_SHOWN] + ([Fault(f"... and {more:,} more faults of this kind", name)] if more > 0 else [])


def first_difference(path: Path, subset: str, dataset: Dataset) -> Fault | None:
    """The first difference between the file and what the generator makes; None where there is none."""
    rows = dataset.subset(subset).rows
    with BytesIO(read_bytes(path)) as file:
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
