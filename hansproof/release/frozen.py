"""What is exported: the rows of a frozen release (or of one file of items), read once and handed to every harness.

The bytes stay as they are, so that the rows beside an export have the digests of the release.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from generators.errors import InputError
from generators.item import Item
from generators.jsonl import read
from hansproof.release.checksums import SUMS, parse_sums

__all__ = ["LAST_NUMBER", "FrozenRows", "Rows", "read_items", "read_rows", "rows_file"]

LAST_NUMBER = r"(-?[0-9]+(?:[.,][0-9]+)*)(?![\s\S]*[0-9])"
"""The last number of a reply, whole, for harnesses that search by a pattern."""

_PLAIN = r"[A-Za-z0-9]([A-Za-z0-9._+-]*[A-Za-z0-9_+-])?"


@dataclass(frozen=True)
class Rows:
    """One subset."""

    subset: str
    items: list[Item]
    data: bytes
    """The file as it is in the release."""

    @property
    def choices(self) -> bool:
        """Whether every item is multiple choice."""
        return all(item.choices is not None for item in self.items)

    @property
    def numbers(self) -> bool:
        """Whether every answer is open and a whole number in digits: `6` is then not right because `16` is said."""
        return all(item.choices is None and re.fullmatch("-?[0-9]+", item.answer) for item in self.items)

    @property
    def gold_indices(self) -> list[int]:
        """The place of the answer among the choices, from 0; 0 where an item has no choices."""
        return [item.choices.index(item.answer) if item.choices else 0 for item in self.items]


@dataclass(frozen=True)
class FrozenRows:
    """All subsets of one release, in its order."""

    name: str
    version: str
    subsets: tuple[Rows, ...]

    @property
    def identifier(self) -> str:
        """The name as Python and YAML keys take it: `knights_knaves`."""
        return _identifier(self.name)

    def task(self, rows: Rows) -> str:
        """The name of a subset's task: `knights_knaves_S_3`; different for every subset."""
        return f"{self.identifier}_{_identifier(rows.subset)}"

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def rows_file(rows: Rows) -> str:
    """Where an export has the unchanged rows of a subset."""
    return f"rows/{rows.subset}.jsonl"


def read_rows(path: Path | str) -> FrozenRows:
    """The rows of a release folder, or of one `.jsonl` file of items.

    Raises InputError where there are none, where they are not items or not those that `SHA256SUMS` lists, where a file
    mixes subsets or is empty, or where two subsets would get one task name.
    """
    path = Path(path)
    files = _files(path)
    found = []
    names: list[tuple[str, str]] = []
    for file in files:
        items = read(file)
        if not items:
            raise InputError(f"{file}: has no rows, so there is nothing to export")
        kinds = {(row.metadata["dataset"], row.metadata["version"], row.metadata["subset"]) for row in items}
        if len(kinds) > 1:
            raise InputError(f"{file}: has rows of several subsets: {', '.join('/'.join(k) for k in sorted(kinds))}")
        name, version, subset = kinds.pop()
        names.append((name, version))
        # These become file names and parts of generated code: plain words or nothing.
        if not all(re.fullmatch(_PLAIN, text) for text in (name, version, subset)):
            raise InputError(f"{file}: {name!r}, {version!r}, {subset!r}: no name for a task can be made of these")
        found.append(Rows(subset, items, file.read_bytes()))
    if len(set(names)) > 1:
        listed = ", ".join(f"{name}@{version}" for name, version in sorted(set(names)))
        raise InputError(f"{path}: has rows of several releases: {listed}")
    release = FrozenRows(*names[0], tuple(found))
    tasks = [release.task(rows).lower() for rows in found]
    if len(set(tasks)) < len(tasks):
        raise InputError(f"{path}: two subsets would get one task name: {', '.join(sorted(tasks))}")
    return release


def read_items(path: Path | str) -> list[Item]:
    """The items of a release folder (in the order of its manifest) or of one file, all of one dataset and version.

    Raises InputError where there are none or where they are of several releases, and as `jsonl.read` and (for a
    folder, whose digests are checked) `read_rows` do.
    """
    if Path(path).is_dir():
        return [item for rows in read_rows(path).subsets for item in rows.items]
    items = read(path)
    if not items:
        raise InputError(f"{path}: has no items")
    releases = list(dict.fromkeys(_release(item) for item in items))
    if len(releases) > 1:
        raise InputError(f"{path}: has items of several releases: {_listed(releases)}; score one at a time")
    return items


def _release(item: Item) -> str:
    return f"{item.metadata['dataset']}@{item.metadata['version']}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.jsonl"))
    if not files:
        raise InputError(f"{path}: has no .jsonl files; name a release folder (NAME/VERSION) or one file of items")
    sums = path / SUMS
    if sums.is_file():
        listed = parse_sums(sums.read_bytes(), str(sums))
        wrong = [one.name for one in files if listed.get(one.name) != sha256(one.read_bytes()).hexdigest()]
        if wrong:
            raise InputError(f"{path}: {', '.join(wrong)}: not what {SUMS} says; run `hansproof verify {path}`")
    order = _order(path)
    return sorted(files, key=lambda one: (order.get(one.name, len(order)), one.name))


def _order(path: Path) -> dict[str, int]:
    """File -> its place among the manifest's subsets; empty where there is no such list."""
    try:
        subsets = json.loads((path / "manifest.json").read_bytes())["subsets"]
        return {one["file"]: place for place, one in enumerate(subsets)}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # only the order of the tasks depends on it


def _identifier(text: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]", "_", text)
    return f"_{plain}" if plain[0].isdigit() else plain
