"""The items that somebody names: a release, a file of items, a benchmark of any format, or items themselves."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from audit.sources.content import STDIN
from generators.errors import InputError, UsageError
from generators.item import KEYS, Item
from generators.jsonl import PACKED, plain
from hansproof.release.frozen import given_items, read_items

if TYPE_CHECKING:
    from audit.answers.asking import Asking

__all__ = ["items_from"]

_ADDRESS = "hf://"
_ITEMS = set(KEYS) - {"id"}


def items_from(source: PathLike[str] | str | Iterable[Item], asking: Asking | None = None) -> list[Item]:
    """The items of a release folder, of a file of items, or of a benchmark of any format (`asked_items`).

    What is ours is known by its first line, which has the keys of an item, and says itself what belongs together.
    Raises InputError as `read_items` does for what is ours, and as `load` does for other benchmarks; UsageError where
    `asking` says how to read or to group items that are ours.
    """
    if not isinstance(source, str | PathLike):
        _refuse(asking, "")
        return given_items(source)
    name = fspath(source)
    if not name:
        raise UsageError("the source of the items is empty: name a release folder, a file or an hf:// address")
    _refuse_pipe(name)
    if not name.startswith(_ADDRESS) and _is_ours(Path(name)):
        _refuse(asking, name)
        return read_items(name)
    from audit.answers.asking import Asking, asked_items

    return asked_items(name, asking or Asking())


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


def _is_ours(path: Path) -> bool:
    """Whether the files at `path` are items; broken files and those that are not there are, so that they are told."""
    from audit.answers.files.opening import opened

    try:
        if path.is_dir():
            files = sorted(str(file) for ending in ("", PACKED) for file in path.glob(f"*.jsonl{ending}"))
            return bool(files) and all(_is_ours(Path(file)) for file in files[:1])
        if path.name.endswith(f".jsonl{PACKED}"):
            return _is_ours_packed(path)
        if not path.exists():
            return True
        with opened(str(path)) as file:
            if file.binary:
                return False
            if not file.records:
                return file.start in (b"", b"{") and file.extension == ".jsonl"
            return isinstance(file.records[0], dict) and file.records[0].keys() >= _ITEMS
    except (InputError, OSError, ValueError):
        return True


def _is_ours_packed(path: Path) -> bool:
    from generators.jsonl import read_bytes

    line = read_bytes(plain(path)).partition(b"\n")[0]
    return all(b'"%s"' % key.encode() in line for key in _ITEMS)
