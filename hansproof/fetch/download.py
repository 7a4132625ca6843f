"""Download: brings a frozen release into the cache and checks each file before the file gets its name.

The index lists the files, a plan decides what to do about each, and only then is anything fetched. The cache is
CACHE/NAME/VERSION/FILE, the layout of `datasets/`, so your cache can be somebody else's mirror.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlsplit

from generators.errors import DownloadError, Fault, InputError, UsageError, refused
from generators.input import recording
from generators.jsonl import PACKED, is_there, packed, read_bytes, unpacked, write_bytes
from generators.output import make_folders, remove_folder, write_together
from hansproof.cache import cache_folder
from hansproof.fetch.index import Index, IndexFile, Packed, Release, read_index
from hansproof.fetch.transfer import Patience, fetch, shown
from hansproof.manifests.checksums import digest_of

__all__ = ["Step", "download", "local_release", "plan_download", "sources"]

Action = Literal["download", "replace", "keep"]


@dataclass(frozen=True)
class Step:
    """What to do about one file."""

    file: IndexFile
    path: Path
    """Where the file is, or will be."""
    action: Action
    """`download`: it is missing; `replace`: it does not match the index; `keep`: it does."""


def plan_download(release: Release, folder: Path) -> list[Step]:
    """One step per file, in the order of the index, to complete `release` in `folder`. Only reads.

    Raises InputError for a file that is there and cannot be read.
    """
    steps = []
    for file in release.files:
        path = folder / file.name
        try:
            with recording(aside=True):
                right = path.stat().st_size == file.size and digest_of(path) == file.sha256
            action: Action = "keep" if right else "replace"
        except (FileNotFoundError, NotADirectoryError):
            action = "download"
        except OSError as error:
            raise refused("read", error, str(path)) from error
        steps.append(Step(file, path, action))
    return steps


def sources(source: Path | str | None, index: Index) -> list[str]:
    """The addresses or folders to try, in order: `source`, else HANSPROOF_BASE_URL, else those of the index.

    Raises UsageError if there is none, or if one is neither a folder nor a plain http(s) address.
    """
    named = str(source) if source is not None else os.environ.get("HANSPROOF_BASE_URL", "")
    places = [named] if named else [address for address in (index.base, *index.mirrors) if address]
    if not places:
        raise UsageError("there is no public mirror yet: pass --from URL or --from FOLDER, or set HANSPROOF_BASE_URL")
    for place in places:
        if not _is_address(place):
            if not Path(place).is_dir():
                raise UsageError(f"{shown(place)!r} is neither an http(s) address nor a folder")
            continue
        try:
            parts = urlsplit(place)
        except ValueError as error:  # an opening bracket without its closing one
            raise UsageError(f"{place!r} is not an address: {error}") from error
        if not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"{shown(place)!r}: an address needs a host and must not contain ? or #")
    return places


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
    """Download the release `NAME[@VERSION]` if necessary; returns the folder with all its files, each one checked.

    `source` is an address or a folder that has NAME/VERSION/FILE (or the release folder itself). `index` is a file to
    trust instead of the shipped index. `to` gets a copy as NAME/VERSION; `force` lets the copy replace files that
    differ. `offline` uses the cache alone. `report` is called with one line per file. Several processes may download
    at once. Raises UsageError, InputError or DownloadError; the next call resumes what this one left.
    """
    listing = read_index(index)
    release = listing.find(name)
    folder = cache_folder(cache) / release.name / release.version
    if any(step.action != "keep" for step in plan_download(release, folder)):
        if offline:
            _refuse_offline(release, folder)
        _fill(release, folder, sources(source, listing), patience or Patience(), report)
    if to is None:
        return folder
    return _copy(release, folder, Path(to) / release.name / release.version, force, report)


def local_release(release: Release, folder: Path) -> Path | None:
    """The folder of the release: NAME/VERSION in `folder`, or `folder` itself; None if it is neither."""
    nested = folder / release.name / release.version
    if nested.is_dir():
        return nested
    return folder if is_there(folder / release.files[0].name) else None


def _is_address(place: str) -> bool:
    return place.lower().startswith(("http://", "https://"))


def _refuse_offline(release: Release, folder: Path) -> None:
    steps = [step for step in plan_download(release, folder) if step.action != "keep"]
    words = {"download": "missing", "replace": "damaged"}
    listed = ", ".join(f"{step.file.name} ({words[step.action]})" for step in steps)
    raise DownloadError(f"{release} is not complete in the cache: {listed}; run again without --offline", str(folder))


def _fill(release: Release, folder: Path, places: list[str], patience: Patience, report: Callable[[str], None]) -> None:
    # The lock and the unfinished files lie beside the release, which itself has only checked files of the index.
    work = folder.with_name(f".{folder.name}.part")
    with ExitStack() as undo:
        for made in reversed(make_folders(folder.parents[1], folder)):
            undo.callback(remove_folder, made)  # unless there is anything in it
        try:
            with _locked(folder, report):
                work.mkdir(exist_ok=True)
                undo.callback(remove_folder, work)
                # Plan again: another process may have fetched everything while this one waited.
                for step in plan_download(release, folder):
                    if step.action == "keep":
                        continue
                    report(f"{step.action} {step.file.name} ({step.file.size:,} bytes)")
                    step.path.parent.mkdir(parents=True, exist_ok=True)
                    _get(release, step, places, work, patience)
                shutil.rmtree(work)
        except OSError as error:
            raise refused("written", error, str(folder)) from error


@contextmanager
def _locked(folder: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Nobody else writes to `folder`, of the cache, meanwhile; the system releases the lock if this process dies."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder.with_name(f".{folder.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        report(f"waiting for another download into {folder}")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _get(release: Release, step: Step, places: list[str], work: Path, patience: Patience) -> None:
    """Fetch one file from the first place that has it."""
    file, faults = step.file, list[Fault]()
    for place in places:
        try:
            if _is_address(place):
                url = f"{place.rstrip('/')}/{release.name}/{release.version}/{quote(file.name)}"
                if file.packed:
                    try:
                        _fetch_packed(url, step, file.packed, work, patience)
                        return
                    except DownloadError as error:  # a mirror may have the file itself, as a cache does
                        faults += error.faults
                fetch(url, step.path, file.size, file.sha256, work, patience)
            else:
                _take(release, step, Path(place), work)
            return
        except DownloadError as error:
            faults += error.faults
    raise DownloadError.of(faults)


def _fetch_packed(url: str, step: Step, kept: Packed, work: Path, patience: Patience) -> None:
    arrived = work / f"{kept.sha256}{PACKED}"
    fetch(url + PACKED, arrived, kept.size, kept.sha256, work, patience)
    _unpack(arrived, step, work)


def _unpack(path: Path, step: Step, work: Path) -> None:
    """Put the content of a packed file at its place once its digest is right."""
    try:
        data = unpacked(path, step.file.size)
    except InputError as error:
        raise DownloadError.of(error.faults) from error
    _put(data, step, work, path)


def _put(data: bytes, step: Step, work: Path, path: Path) -> None:
    if sha256(data).hexdigest() != step.file.sha256:
        raise DownloadError("is not the file of this release: its SHA-256 differs", str(path))
    write_bytes(work / step.file.sha256, data, overwrite=True)
    (work / step.file.sha256).replace(step.path)


def _take(release: Release, step: Step, place: Path, work: Path) -> None:
    """Take one file from a folder, reading at most one byte beyond its size."""
    folder = local_release(release, place)
    if folder is None:
        raise DownloadError(f"has neither {release.name}/{release.version} nor the files of {release}", str(place))
    path = folder / step.file.name
    if not path.exists() and is_there(path):
        _unpack(packed(path), step, work)
        return
    try:
        with path.open("rb") as file:
            data = file.read(step.file.size + 1)
    except OSError as error:
        raise DownloadError(f"cannot be read: {error.strerror or error}", str(path)) from error
    _put(data, step, work, path)


def _copy(release: Release, folder: Path, target: Path, force: bool, report: Callable[[str], None]) -> Path:
    """The release in `target`, which may be the cache itself; of two copies at once the second finds what it needs."""
    above = target.parents[1]
    if all(step.action == "keep" for step in plan_download(release, target)):
        return target
    with ExitStack() as held:
        # A cache that cannot be written is copied from all the same, without waiting for others.
        with suppress(OSError):
            held.enter_context(_locked(folder, report))
        steps = plan_download(release, target)
        differing = [step.path for step in steps if step.action == "replace"]
        if differing and not force:
            raise InputError.of([Fault("exists and differs; pass --force", str(path)) for path in differing])
        missing = {step.file.name: read_bytes(folder / step.file.name) for step in steps if step.action != "keep"}
        if missing and os.path.realpath(target) != os.path.realpath(folder):
            within = {f"{release.name}/{release.version}/{name}": data for name, data in missing.items()}
            write_together(above, within, overwrite=force)
    return target
