"""A folder: either several benchmarks, or one Hugging Face dataset."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from audit.sources.content import bare_name
from generators.errors import InputError, refused

__all__ = ["check_named", "expand", "is_dataset", "is_folder", "name_within"]

_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".parquet", ".eval")
_NO_BENCHMARKS = (
    "manifest.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json",
    "metadata.json", "croissant.json", "package.json", "package-lock.json", "config.json",
)  # fmt: skip
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SHARD = re.compile(r"-\d{5}-of-\d{5}")


def expand(source: str, is_whole: Callable[[Path], bool] | None = None, without: Path | None = None) -> list[str]:
    """The benchmarks of a source: the files of a folder and its subfolders, sorted by path.

    A file, `-`, an `hf://` address and a folder that `is_whole`, by default a Hugging Face dataset, give themselves,
    and so does a path that does not exist (`load` reports it). Hidden files, manifests and cards are skipped, and so is
    the folder `without` inside it. Raises InputError for a folder without a benchmark, and for an empty name.
    """
    check_named(source)
    path, is_whole = Path(source), is_whole or is_dataset
    if source == "-" or source.startswith("hf://") or not is_folder(path) or is_whole(path):
        return [source]
    benchmarks: list[str] = []
    skipped = without and os.path.realpath(without)
    try:
        for name, subfolders, files in os.walk(path, onerror=_raise):
            folder = Path(name)
            read = (inner for inner in subfolders if os.path.realpath(folder / inner) != skipped)
            subfolders[:] = sorted(inner for inner in read if not inner.startswith("."))
            if folder != path and is_whole(folder):
                subfolders.clear()
                benchmarks.append(str(folder))
                continue
            benchmarks.extend(str(folder / file) for file in files if _is_benchmark(file) and not _waits(folder / file))
    except OSError as error:
        raise refused("read", error, str(error.filename or source)) from error
    if not benchmarks:
        raise InputError(f"no benchmark in this folder; looked for {', '.join(_ENDINGS)}, .gz, .zst", source)
    return sorted(benchmarks)


def name_within(folder: str, file: str) -> str:
    """The name of a file in a scanned folder: its path relative to the folder, with `/` and without extensions.

    `name_within("suite", "suite/deep/a.jsonl.gz")` is `deep/a`. A file outside the folder gives its stem.
    """
    path = Path(file)
    stem = path.name if path.is_dir() else bare_name(path)[0]
    try:
        inner = path.relative_to(folder).parent.parts
    except ValueError:
        inner = ()
    return "/".join((*inner, stem))


def check_named(source: str) -> None:
    """Raise InputError for an empty name, which a path would read as the working directory, and for an address other
    than `hf://`."""
    if not source.strip():
        raise InputError("the source is empty: name a file, a folder, an hf:// address or - for standard input")
    if _ADDRESS.match(source) and not source.startswith("hf://"):
        raise InputError("addresses are not read, only hf://org/name; download the file and name it here", source)


def is_folder(path: Path) -> bool:
    """True for a folder; False also for a name that the system cannot look up, such as one that is too long."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_dataset(folder: Path) -> bool:
    """True for a folder that `datasets` saved or the Hub serves: `state.json`, a card with `configs`, or shards.

    Raises InputError where its card cannot be read.
    """
    if (folder / "dataset_dict.json").is_file():
        return True
    if (folder / "state.json").is_file() and (folder / "dataset_info.json").is_file():
        return True
    card = folder / "README.md"
    if card.is_file():
        try:
            with card.open(encoding="utf-8", errors="replace") as stream:
                head = stream.read(65536)
        except OSError as error:
            raise refused("read", error, str(card)) from error
        front = head.split("\n---", 1)[0] if head.startswith("---") else ""
        if re.search(r"^(configs|dataset_info):", front, re.M):
            return True
    shards = [*folder.glob("*.parquet"), *(folder / "data").glob("*.parquet")]
    return any(_SHARD.search(file.name) for file in shards)


def _is_benchmark(name: str) -> bool:
    """True for a file name that may hold rows."""
    return not name.startswith(".") and name not in _NO_BENCHMARKS and bare_name(Path(name))[1] in _ENDINGS


def _waits(path: Path) -> bool:
    """True for a pipe, a socket or a device, which nobody means to audit who names its folder."""
    try:
        return path.exists() and not path.is_file()
    except OSError:  # `load` says why
        return False


def _raise(error: OSError) -> None:
    """Let `os.walk` fail at a folder that it cannot list, instead of taking it for an empty one."""
    raise error
