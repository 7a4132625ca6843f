"""Hugging Face datasets, by an `hf://` address or from a folder that reads nothing but its own files."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from hansproof.generators.errors import InputError, refused
from hansproof.generators.input import within

__all__ = ["folder_dataset", "hub_dataset", "silence"]

# `datasets` would also read a folder of that name in the working directory, or, given the name of one of its own
# readers, whatever files are there: so an address may name a dataset on the Hub and nothing else.

_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_CONFIG = r"[^@\s:/\\](?:[^@\x00-\x1f\x7f:/\\]*[^@\s:/\\])?"  # names of configurations may have spaces
_ADDRESS = re.compile(rf"hf://(?P<path>{_PART}(?:/{_PART})?)(?::(?P<config>{_CONFIG}))?(?:@(?P<split>[^\s/\\]+))?\Z")


@dataclass(frozen=True)
class Address:
    """The parts of `hf://org/name:config@split`."""

    path: str
    """`name` or `org/name`."""
    config: str | None
    split: str | None


def parse_address(address: str) -> Address:
    """The parts of an address. Raises InputError if it is malformed, or would be read from this disk."""
    match = _ADDRESS.match(address)
    if match is None or ".." in address:
        raise InputError("not an address; write hf://org/name, hf://org/name:config or hf://org/name@split", address)
    path = match["path"]
    if os.path.lexists(path):
        raise InputError(
            f"{path!r} also exists in the working directory, and hf:// never reads local data; "
            f"pass ./{path} for the local one, or run this elsewhere for the one on the Hub",
            address,
        )
    if path.isidentifier() and importlib.util.find_spec(f"datasets.packaged_modules.{path}") is not None:
        raise InputError(f"{path!r} is a reader of local files, not a dataset on the Hub; pass the file", address)
    return Address(path, match["config"], match["split"])


# `datasets` would follow a card to any file of this machine and to any address, and print what it finds there: so what
# a folder's card, configuration or link names lies inside it.

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
        text, card = _text(folder / "README.md", place), str(Path(place) / "README.md")
        head = _HEAD.match(text)
        if head is None and len(text) >= _LARGEST and text.lstrip().startswith("---"):
            raise InputError(f"its head has more than {_LARGEST:,} characters", card)
        if head:
            value = _yaml(head[1], card)
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


# Code that comes with a dataset is never run: the versions of `datasets` that this project requires cannot run it.

TIMEOUT = 10.0
"""Seconds the Hub has to answer the first request; its clients would try six times over half a minute."""

_LOGGERS = ("datasets", "huggingface_hub", "httpx", "httpx2", "urllib3", "fsspec", "filelock")


def hub_dataset(address: str, *, fetch: bool = True) -> Any:
    """The Dataset at `hf://org/name[:config][@split]`; without a split, a DatasetDict of all of them.

    Without `fetch`, which is for an address that a file names and not the user, only the cache is read. Raises
    InputError if the address is malformed, names something on this disk, or the dataset cannot be loaded.
    """
    wanted = parse_address(address)
    from datasets import load_dataset
    from huggingface_hub import constants

    with silence(), _as_asked(fetch):
        offline = bool(constants.HF_HUB_OFFLINE)
        if not offline:
            check_reachable(address, wanted.path)
        try:
            return load_dataset(wanted.path, wanted.config, split=wanted.split)
        except Exception as error:  # the Hub's clients raise from four libraries, with no common base
            if not fetch:
                raise InputError(
                    "its data are on the Hub and not in the cache, and nothing is fetched that you do not name: fetch "
                    f"them with `hansproof audit {address}`, then audit this file again",
                    address,
                ) from error
            if offline and isinstance(error, ConnectionError):
                raise InputError(
                    "cannot reach the Hub: HF_HUB_OFFLINE is set and the dataset is not in the cache", address
                ) from error
            what = "cannot reach the Hub" if isinstance(error, ConnectionError) else "cannot be loaded"
            raise InputError(f"{what}: {_first_line(error)}", address) from error


def folder_dataset(folder: Path, place: str) -> Any:
    """The dataset in a folder, written by `save_to_disk` or served by the Hub. Messages call it `place`.

    Raises InputError where `datasets` cannot load it, and where it would read or fetch anything outside the folder.
    """
    check_contained(folder, place)
    from datasets import load_dataset, load_from_disk

    saved = any((folder / name).is_file() for name in ("dataset_dict.json", "state.json"))
    with silence():
        try:
            # Absolute, so that a folder called `json` is a folder and not the reader of that name.
            return load_from_disk(str(folder)) if saved else load_dataset(str(folder.resolve()))
        except Exception as error:  # as above
            raise InputError(f"cannot be loaded as a dataset folder: {_first_line(error)}", place) from error


def check_reachable(address: str, path: str) -> None:
    """Send the Hub one request. Raises InputError if it does not answer within `TIMEOUT` seconds, or with a 5xx.

    Other answers are left to `datasets`, whose messages about missing or private datasets are good.
    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import HfHubHTTPError

    try:
        # Its own time limit starts anew with every byte.
        within(2 * TIMEOUT, lambda: HfApi().dataset_info(path, timeout=TIMEOUT))
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", None)
        if status is not None and status >= 500:
            raise InputError(f"the Hub at {constants.ENDPOINT} answers {status}: try again later", address) from error
    except Exception as error:  # the client raises its HTTP library's errors, and that library has changed twice
        raise InputError(
            f"cannot reach the Hub at {constants.ENDPOINT} ({_first_line(error)}): check the network, "
            "or set HF_HUB_OFFLINE=1 to use the cache",
            address,
        ) from error


@contextmanager
def silence() -> Iterator[None]:
    """Suppress log lines, warnings and progress bars of `datasets` and its clients; restore them on exit."""
    import datasets
    from huggingface_hub import utils

    libraries: tuple[Any, Any] = (datasets, utils)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    bars = [(library, library.are_progress_bars_disabled()) for library in libraries]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for library, disabled in bars:
            if not disabled:
                library.disable_progress_bars()
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels):
                logger.setLevel(level)
            for library, disabled in bars:
                if not disabled:
                    library.enable_progress_bars()


@contextmanager
def _as_asked(fetch: bool) -> Iterator[None]:
    """Restrict the Hub's clients to their cache while the block runs, unless they may fetch."""
    import datasets
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE
    if not fetch:
        constants.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE = before


def _first_line(error: Exception) -> str:
    """What went wrong, in one line."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
