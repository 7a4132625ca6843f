"""Reading the items that somebody names: a frozen release, a file of items, or items themselves."""

from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from hansproof.audit.formats.content import STDIN, Content
from hansproof.audit.formats.given import Given, given, is_whole
from hansproof.generators.errors import Fault, InputError, Progress, UsageError, unwatched
from hansproof.generators.item import KEYS, Item
from hansproof.generators.jsonl import PACKED, holds_items, parsed, read, read_bytes
from hansproof.release.checksums import SUMS, digest_of, parse_sums
from hansproof.release.manifest import MANIFEST

if TYPE_CHECKING:
    from hansproof.audit.replies.asking import Asking
    from hansproof.audit.replies.recognition import Opened

__all__ = [
    "FrozenRelease",
    "FrozenSubset",
    "given_items",
    "held_items",
    "items_from",
    "manifest_order",
    "read_items",
    "read_release",
]

_SHOWN = 5  # releases named before "..."


@dataclass(frozen=True)
class FrozenSubset:
    """One subset of a release."""

    name: str
    items: list[Item]
    """In the order of the file; never empty."""
    data: bytes
    """The file, byte for byte."""


@dataclass(frozen=True)
class FrozenRelease:
    """All subsets of one release, in its order."""

    name: str
    version: str
    subsets: tuple[FrozenSubset, ...]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def read_release(path: Path | str, progress: Progress = unwatched) -> FrozenRelease:
    """The subsets of a release folder (in the order of its manifest), or of one file of items.

    Raises InputError if there are no items, if a file is not what `SHA256SUMS` says, if a file is empty or mixes
    subsets, and if the files belong to several releases.
    """
    path = Path(path)
    subsets, releases = [], []
    files = _files(path)
    for number, file in enumerate(files):
        progress("reading items", number, len(files))
        items = _read(file)
        if not items:
            raise InputError("has no rows", str(file))
        kinds = {(item.metadata["dataset"], item.metadata["version"], item.metadata["subset"]) for item in items}
        if len(kinds) > 1:
            listed = ", ".join("/".join(kind) for kind in sorted(kinds))
            raise InputError(f"has rows of several subsets: {listed}", str(file))
        name, version, subset = kinds.pop()
        releases.append((name, version))
        subsets.append(FrozenSubset(subset, items, read_bytes(file)))
    progress("reading items", len(files), len(files))
    if len(set(releases)) > 1:
        listed = ", ".join(f"{name}@{version}" for name, version in sorted(set(releases)))
        raise InputError(f"has rows of several releases: {listed}", str(path))
    return FrozenRelease(*releases[0], tuple(subsets))


def given_items(source: Given) -> list[Item]:
    """The items of a file or release folder (`read_items`), of rows in memory, or the items themselves.

    Raises UsageError where something else is among them.
    """
    held = held_items(source)
    return held if isinstance(held, list) else read_items(held)


def held_items(source: Given, name: str = "items") -> str | Content | list[Item]:
    """Items as a list; anything else as `given` has it."""
    if not is_whole(source):
        source = rows = list(source)
        if all(isinstance(row, Item) for row in rows):
            return rows
    return given(source, name)


def read_items(source: Path | str | Content, progress: Progress = unwatched) -> list[Item]:
    """The items of a release folder, or of one file, all of one dataset and version; never none.

    Raises InputError if there are none or if they belong to several releases, and as `jsonl.read` and (for a folder,
    whose digests are checked) `read_release` do.
    """
    if isinstance(source, Content):
        items, place = _without_fillings(parsed(source.data, source.place)), source.place
    elif Path(source).is_dir():
        return [item for subset in read_release(source, progress).subsets for item in subset.items]
    else:
        items, place = _read(Path(source)), str(source)
    if not items:
        raise InputError("has no items", place)
    releases = list(dict.fromkeys(f"{item.metadata['dataset']}@{item.metadata['version']}" for item in items))
    if len(releases) > 1:
        listed = ", ".join(releases[:_SHOWN]) + (", ..." if len(releases) > _SHOWN else "")
        raise InputError(f"has items of several releases: {listed}; score one at a time", place)
    return items


def _without_fillings(items: Sequence[Item]) -> list[Item]:
    """The items without the nulls by which a table of several subsets fills the metadata that only others have."""
    held: dict[str, set[str]] = {}
    for item in items:
        own = held.setdefault(item.metadata["subset"], set())
        own.update(key for key, value in item.metadata.items() if value is not None)
    every = set().union(*held.values())
    fillings = {subset: every - own for subset, own in held.items()}
    return [
        replace(item, metadata={key: value for key, value in item.metadata.items() if key not in fillings[subset]})
        for item in items
        for subset in [item.metadata["subset"]]
    ]


def _read(file: Path) -> list[Item]:
    try:
        return read(file)
    except InputError as error:
        # No line of a benchmark of one's own is an item: say so once, not line by line.
        data = read_bytes(file)
        if data.strip() and not all(key in data for key in (b'"id"', b'"metadata"', b'"group"')) and _is_text(data):
            reason = "is not a file of hansproof items: generate or download them"
            raise InputError(f"{reason} (score, compare and analyse read any benchmark)", str(file)) from error
        raise


def _is_text(data: bytes) -> bool:
    try:
        return bool(data.decode("utf-8").strip("\ufeff"))
    except UnicodeDecodeError:
        return False


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(filter(holds_items, path.iterdir()))
    if not files:
        raise InputError("has no files of items; name a release folder (NAME/VERSION) or one file of items", str(path))
    sums = path / SUMS
    if sums.is_file():
        listed = parse_sums(read_bytes(sums), str(sums))
        wrong = [file.name for file in files if listed.get(file.name) != digest_of(file)]
        if wrong:
            faults = [
                Fault(f"is not what {SUMS} says; run `hansproof verify {path}`", str(path / name)) for name in wrong
            ]
            raise InputError.of(faults)
    order = manifest_order(path)
    return sorted(files, key=lambda file: (order.get(file.name, len(order)), file.name))


def manifest_order(path: Path) -> dict[str, int]:
    """File -> its place among the manifest's subsets; empty if there is no such list."""
    try:
        subsets = json.loads((path / MANIFEST).read_bytes())["subsets"]
        return {subset["file"]: place for place, subset in enumerate(subsets)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}  # only the order depends on it


_ADDRESS = "hf://"
_ITEMS = set(KEYS) - {"id"}


def items_from(source: Given, asking: Asking | None = None, progress: Progress = unwatched) -> list[Item]:
    """The items of a release folder, of a file of items, or of a benchmark of any format (`asked_items`); of rows in
    memory, or the items themselves.

    What is ours is known by its first line, which has the keys of an item, and says itself what belongs together.
    Raises InputError as `read_items` does for what is ours, and as `load` does for other benchmarks; UsageError where
    `asking` says how to read or to group items that are ours.
    """
    held = held_items(source)
    if held == "":
        raise UsageError("the source of the items is empty: name a release folder, a file or an hf:// address")
    if isinstance(held, str):
        _refuse_pipe(held)
    if isinstance(held, list) or _is_ours(held):
        _refuse(asking, held if isinstance(held, str) else "")
        return held if isinstance(held, list) else read_items(held, progress)
    from hansproof.audit.replies.asking import Asking, asked_items

    return asked_items(held, asking or Asking(), progress)


def _refuse(asking: Asking | None, place: str) -> None:
    """Raise UsageError where somebody says what the items themselves say."""
    options = [] if asking is None else [*asking.named, *(["groups"] if asking.groups != "auto" else [])]
    if options:
        reason = "they say themselves which column is which, and what belongs together"
        raise UsageError(
            f"--{options[0].replace('_', '-')} is not for items of hansproof's own format: {reason}", place
        )


def _refuse_pipe(name: str) -> None:
    """Raise InputError for what can be read only once: what items are is found out before they are read."""
    try:
        once = name == "-" or stat.S_ISFIFO(Path(name).stat().st_mode)
    except (OSError, ValueError):  # reading it says why
        once = False
    if once:
        reason = "items are read more than once, and a pipe cannot be: save them to a file, and name that"
        raise InputError(reason, STDIN if name == "-" else name)


def _is_ours(source: str | Content) -> bool:
    """Whether a source holds items; broken files and those that are not there do, so that they are told."""
    from hansproof.audit.replies.recognition import begun, opened

    if isinstance(source, Content):
        return _holds_items(begun(source.place, BytesIO(source.data)))
    if source.startswith(_ADDRESS):
        return False
    path = Path(source)
    try:
        if path.is_dir():
            files = sorted(filter(holds_items, path.iterdir()))
            return bool(files) and _is_ours(str(files[0]))
        if holds_items(path) and path.name.endswith(PACKED):
            line = read_bytes(path).partition(b"\n")[0]
            return all(b'"%s"' % key.encode() in line for key in _ITEMS)
        if not path.exists():
            return True
        with opened(source) as file:
            return _holds_items(file)
    except (InputError, OSError, ValueError):
        return True


def _holds_items(file: Opened) -> bool:
    if file.binary:
        return False
    if not file.records:
        return file.start in (b"", b"{") and file.extension == ".jsonl"
    return isinstance(file.records[0], dict) and file.records[0].keys() >= _ITEMS
