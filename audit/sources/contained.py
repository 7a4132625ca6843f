"""A dataset folder reads nothing but its own files: what its card, its configuration or a link names lies inside it.

`datasets` would follow a card to any file of this machine and to any address, and print what it finds there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from generators.errors import InputError, refused

__all__ = ["check_contained"]

_LARGEST = 2**20
"""Bytes of a card's head or of a configuration; those of real ones have thousands."""
_MOST = 100_000
"""Values in a configuration, references spelt out: a few lines of YAML can stand for billions."""
_HEAD = re.compile(r"\s*---[\r\n]+([\S\s]*?)[\r\n]+---(?:\r\n|\n|\s*$)")
_PATHS = ("data_files", "data_dir", "path", "filename")


def check_contained(folder: Path, place: str) -> None:
    """Refuse a dataset folder that names an address, an absolute path or one with `..`, or has a link out of it.

    Raises InputError, also for a card or configuration that is broken or too large. Messages call the folder `place`.
    """
    _check_links(folder, place)
    for name, value in _configurations(folder, place):
        for path in _named(value, wanted=False):
            if not _is_inside(path):
                raise InputError(
                    f"names {path[:200]!r}, which is outside this folder; nothing outside is read, and nothing is "
                    "fetched but an hf:// address that you name yourself",
                    str(Path(place) / name),
                )


def _configurations(folder: Path, place: str) -> Iterator[tuple[str, Any]]:
    """(file, value) of every file by which `datasets` may be led elsewhere."""
    if (folder / "README.md").is_file():
        text = _text(folder / "README.md", place)
        head = _HEAD.match(text)
        if head is None and len(text) >= _LARGEST and text.lstrip().startswith("---"):
            raise InputError(f"its head has more than {_LARGEST:,} characters", str(Path(place) / "README.md"))
        if head:
            value = _yaml(head[1], str(Path(place) / "README.md"))
            yield "README.md", value.get("configs") if isinstance(value, dict) else None
    if (folder / ".huggingface.yaml").is_file():
        yield ".huggingface.yaml", _yaml(_text(folder / ".huggingface.yaml", place), f"{place}/.huggingface.yaml")
    splits: list[str] = [""]
    if (folder / "dataset_dict.json").is_file():
        value = _json(folder / "dataset_dict.json", place)
        named = value.get("splits") if isinstance(value, dict) else None
        splits = [str(split) for split in named] if isinstance(named, list) else []
        yield "dataset_dict.json", {"path": splits}
    for split in filter(_is_inside, splits):
        if (folder / split / "state.json").is_file():
            yield f"{split}/state.json".lstrip("/"), _json(folder / split / "state.json", place)


def _named(value: Any, *, wanted: bool) -> Iterator[str]:
    """Every text that stands for a path, and every address wherever it stands."""
    if isinstance(value, str):
        if wanted or "://" in value:
            yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _named(inner, wanted=wanted or key in _PATHS)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner, wanted=wanted)


def _is_inside(path: str) -> bool:
    parts = {*PurePosixPath(path).parts, *PureWindowsPath(path).parts}
    absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).anchor or path.startswith("~")
    return not (absolute or ".." in parts or "://" in path or "::" in path or "\0" in path)


def _check_links(folder: Path, place: str) -> None:
    """Links may lead to other files of the folder and, in a cache of the Hub, to the blobs that belong to it."""
    root = folder.resolve()
    allowed = [root, *([root.parents[1] / "blobs"] if root.parent.name == "snapshots" else [])]
    for name, folders, files in os.walk(root):
        for inner in (Path(name) / entry for entry in (*folders, *files)):
            if inner.is_symlink() and not any(inner.resolve().is_relative_to(home) for home in allowed):
                link = Path(place) / inner.relative_to(root)
                raise InputError("is a link out of this folder; put the file itself in its place", str(link))


def _text(path: Path, place: str) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.read(_LARGEST)
    except OSError as error:
        raise refused("read", error, str(Path(place) / path.name)) from error


def _json(path: Path, place: str) -> Any:
    try:
        return json.loads(_text(path, place))
    except (ValueError, RecursionError) as error:
        raise InputError(f"broken, or larger than {_LARGEST:,} bytes: {error}", str(Path(place) / path.name)) from error


def _yaml(text: str, place: str) -> Any:
    import yaml

    try:
        node = yaml.compose(text, yaml.SafeLoader)
        if node is not None and _size(node, {}, yaml) > _MOST:
            raise InputError(f"its YAML stands for more than {_MOST:,} values", place)
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200] or "nested too deeply"
        raise InputError(f"broken YAML: {reason}", place) from error


def _size(node: Any, known: dict[int, int], yaml: Any) -> int:
    """How many values a node stands for, its references spelt out; each node is counted once."""
    if id(node) not in known:
        known[id(node)] = _MOST + 1  # what refers to itself is endless
        inner = node.value if isinstance(node, yaml.SequenceNode) else ()
        if isinstance(node, yaml.MappingNode):
            inner = [part for pair in node.value for part in pair]
        known[id(node)] = 1 + sum(_size(part, known, yaml) for part in inner)
    return known[id(node)]
