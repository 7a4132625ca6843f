"""A folder: the benchmarks in it one by one, or one Hugging Face dataset that is a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from audit.sources.content import bare_name
from generators.errors import InputError

__all__ = ["check_named", "expand", "is_dataset", "is_folder", "name_within"]

_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".parquet")
_NO_BENCHMARKS = (
    "manifest.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json",
    "metadata.json", "croissant.json", "package.json", "package-lock.json", "config.json",
)  # fmt: skip
_SHARD = re.compile(r"-\d{5}-of-\d{5}")


def expand(source: str) -> list[str]:
    """The benchmarks of a source: the files of a folder and its subfolders in order of their paths.

    A file, `-`, an `hf://` address and a Hugging Face dataset folder stand for themselves, and so does a path
    that does not exist (`load` says so). Hidden files, manifests and cards are no benchmarks. Raises
    InputError for a folder without any, and for a source without a name.
    """
    check_named(source)
    path = Path(source)
    if source == "-" or source.startswith("hf://") or not is_folder(path) or is_dataset(path):
        return [source]
    found: list[str] = []
    try:
        for folder, inner, names in os.walk(path, onerror=_refuse):
            inner[:] = sorted(one for one in inner if not one.startswith("."))
            at = Path(folder)
            if at != path and is_dataset(at):
                inner.clear()
                found.append(str(at))
                continue
            found.extend(str(at / name) for name in names if _is_benchmark(name))
    except OSError as error:
        raise InputError(f"{error.filename or source}: cannot be read: {error.strerror}") from error
    if not found:
        raise InputError(f"{source}: no benchmark in this folder; looked for {', '.join(_ENDINGS)}, .gz, .zst")
    return sorted(found)


def name_within(folder: str, file: str) -> str:
    """What to call a file of a scanned folder: its path inside it, `/` between the parts, without its endings.

    `name_within("suite", "suite/deep/a.jsonl.gz")` is `deep/a`. A file outside the folder keeps its stem alone.
    """
    path = Path(file)
    stem = path.name if path.is_dir() else bare_name(path)[0]
    try:
        inner = path.relative_to(folder).parent.parts
    except ValueError:
        inner = ()
    return "/".join((*inner, stem))


def check_named(source: str) -> None:
    """Raise InputError for an empty name, which a path would take for the working directory."""
    if not source.strip():
        raise InputError("name a file, a folder, an hf:// address or - for standard input: the source is empty")


def is_folder(path: Path) -> bool:
    """True for a folder; what the system cannot even look up (a name too long) is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_dataset(folder: Path) -> bool:
    """True for what `datasets` saves or the Hub serves: `state.json`, a card with `configs`, or shards."""
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
            raise InputError(f"{card}: cannot be read: {error.strerror}") from error
        front = head.split("\n---", 1)[0] if head.startswith("---") else ""
        if re.search(r"^(configs|dataset_info):", front, re.M):
            return True
    files = [*folder.glob("*.parquet"), *(folder / "data").glob("*.parquet")]
    return any(_SHARD.search(one.name) for one in files)


def _is_benchmark(name: str) -> bool:
    """True for a file name that may hold rows."""
    return not name.startswith(".") and name not in _NO_BENCHMARKS and bare_name(Path(name))[1] in _ENDINGS


def _refuse(error: OSError) -> None:
    """A folder that cannot be listed is an error, not an empty folder."""
    raise error
