"""Download: a frozen release from where it is published into the cache, each file checked before it has its name.

The index says what the files must be; a plan says what is to be done; only then is anything fetched. The cache is
CACHE/NAME/VERSION/FILE, the same layout as `datasets/`, so that one person's cache is another one's mirror.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlsplit

from generators.errors import DownloadError, InputError, UsageError
from generators.jsonl import write_bytes
from hansproof.fetch.index import Index, IndexFile, Release, read_index
from hansproof.fetch.transfer import Patience, fetch, shown
from hansproof.release.checksums import digest_of

__all__ = ["Step", "cache_folder", "download", "local_release", "plan_download", "sources"]

Action = Literal["download", "replace", "keep"]


@dataclass(frozen=True)
class Step:
    """What is to be done about one file."""

    file: IndexFile
    path: Path
    """Where it is, or will be."""
    action: Action
    """`download`: not there; `replace`: there, but not what the index says; `keep`: there and right."""


def cache_folder(cache: Path | str | None = None) -> Path:
    """Where downloads are kept: `cache`, else HANSPROOF_CACHE, else the platform's folder for caches."""
    from platformdirs import user_cache_path

    named = cache or os.environ.get("HANSPROOF_CACHE")
    return Path(named).expanduser() if named else user_cache_path("hansproof", appauthor=False)


def plan_download(release: Release, folder: Path) -> list[Step]:
    """One step a file, in the order of the index, for having `release` in `folder`; reads, changes nothing."""
    steps = []
    for file in release.files:
        path = folder / file.name
        try:
            right = path.stat().st_size == file.size and digest_of(path) == file.sha256
            action: Action = "keep" if right else "replace"
        except (FileNotFoundError, NotADirectoryError):
            action = "download"
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
        steps.append(Step(file, path, action))
    return steps


def sources(source: Path | str | None, index: Index) -> list[str]:
    """The addresses or folders to try, in order: `source` alone, else HANSPROOF_BASE_URL alone, else the index's own.

    Raises UsageError where there is none, where one is neither http(s) nor a folder, or has a query.
    """
    named = str(source) if source is not None else os.environ.get("HANSPROOF_BASE_URL", "")
    found = [named] if named else [one for one in (index.base, *index.mirrors) if one]
    if not found:
        raise UsageError(
            "no address to download from is known: name one with --from URL or --from FOLDER, or set HANSPROOF_BASE_URL"
        )
    for one in found:
        if not _is_address(one):
            if not Path(one).is_dir():
                raise UsageError(f"{shown(one)!r} is neither an http(s) address nor a folder")
            continue
        parts = urlsplit(one)
        if not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"{shown(one)!r}: an address has a host and neither ? nor #")
    return found


def download(
    name: str,
    *,
    source: Path | str | None = None,
    cache: Path | str | None = None,
    offline: bool = False,
    to: Path | str | None = None,
    force: bool = False,
    index: Path | str | None = None,
    patience: Patience | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Path:
    """The folder in which every file of the release `NAME[@VERSION]` now is, each checked against the index.

    `source` is an address or a folder with NAME/VERSION/FILE under it (or the release folder itself); `index` a file to
    be trusted instead of the shipped index; `to` a folder that gets a copy as NAME/VERSION (files that differ are only
    replaced with `force`); `offline` uses the cache alone; `report` hears one line a file. Several processes may do
    this at once. Raises UsageError, InputError and DownloadError; what arrived before stays and is gone on with.
    """
    listing = read_index(index)
    release = listing.find(name)
    folder = cache_folder(cache) / release.name / release.version
    if any(step.action != "keep" for step in plan_download(release, folder)):
        if offline:
            _refuse_offline(release, folder)
        _fill(release, folder, sources(source, listing), patience or Patience(), report)
    return folder if to is None else _copy(release, folder, Path(to) / release.name / release.version, force)


def local_release(release: Release, folder: Path) -> Path | None:
    """Where in `folder` the release is: under NAME/VERSION, or the folder itself; None where it is in neither."""
    below = folder / release.name / release.version
    if below.is_dir():
        return below
    return folder if (folder / release.files[0].name).is_file() else None


def _is_address(one: str) -> bool:
    return one.lower().startswith(("http://", "https://"))


def _refuse_offline(release: Release, folder: Path) -> None:
    steps = [step for step in plan_download(release, folder) if step.action != "keep"]
    words = {"download": "missing", "replace": "damaged"}
    listed = ", ".join(f"{step.file.name} ({words[step.action]})" for step in steps)
    raise DownloadError(f"{release} is not whole in the cache {folder}: {listed}; run again without --offline")


def _fill(release: Release, folder: Path, places: list[str], patience: Patience, report: Callable[[str], None]) -> None:
    from filelock import FileLock

    # Both beside the release, not in it: what is in it is what the index lists, checked.
    work = folder.with_name(f".{folder.name}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f".{folder.name}.lock")):  # the system frees it if this process dies
            work.mkdir(exist_ok=True)
            # Decided again: another process may have done it all while this one waited.
            for step in plan_download(release, folder):
                if step.action == "keep":
                    continue
                report(f"{step.action} {step.file.name} ({step.file.size:,} bytes)")
                step.path.parent.mkdir(parents=True, exist_ok=True)
                _get(release, step, places, work, patience)
            shutil.rmtree(work)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from error


def _get(release: Release, step: Step, places: list[str], work: Path, patience: Patience) -> None:
    """One file from the first place that has it."""
    file, failures = step.file, []
    for place in places:
        try:
            if _is_address(place):
                url = f"{place.rstrip('/')}/{release.name}/{release.version}/{quote(file.name)}"
                fetch(url, step.path, file.size, file.sha256, work, patience)
            else:
                _take(release, step, Path(place), work)
            return
        except DownloadError as error:
            failures.append(str(error))
    raise DownloadError("\n".join(failures))


def _take(release: Release, step: Step, place: Path, work: Path) -> None:
    """One file from a folder; read no further than one byte beyond its size."""
    found = local_release(release, place)
    if found is None:
        raise DownloadError(f"{place}: has neither {release.name}/{release.version} nor the files of {release}")
    try:
        with (found / step.file.name).open("rb") as file:
            data = file.read(step.file.size + 1)
    except OSError as error:
        raise DownloadError(f"{found / step.file.name}: cannot be read: {error.strerror or error}") from error
    if sha256(data).hexdigest() != step.file.sha256:
        raise DownloadError(f"{found / step.file.name}: is not the file of this release: its SHA-256 differs")
    write_bytes(work / step.file.sha256, data, overwrite=True)
    (work / step.file.sha256).replace(step.path)


def _copy(release: Release, folder: Path, target: Path, force: bool) -> Path:
    steps = plan_download(release, target)
    other = [step.file.name for step in steps if step.action == "replace"]
    if other and not force:
        raise InputError(f"{target}: holds other files of these names: {', '.join(other)}; --force replaces them")
    for step in steps:
        if step.action != "keep":
            try:
                step.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{step.path.parent}: cannot be made: {error.strerror or error}") from error
            write_bytes(step.path, (folder / step.file.name).read_bytes(), overwrite=force)
    return target
