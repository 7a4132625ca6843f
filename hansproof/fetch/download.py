"""Download: a frozen release into the cache, each file checked first; and its rows as a table."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload
from urllib.parse import quote, urlsplit

from hansproof.audit.result_cache import cache_folder
from hansproof.fetch.index import Index, IndexFile, Release, read_index
from hansproof.fetch.transfer import Patience, fetch, shown
from hansproof.generators.errors import DownloadError, Fault, InputError, UsageError, refused, unknown
from hansproof.generators.input import read_regular, recording
from hansproof.generators.item import Item
from hansproof.generators.jsonl import read, read_bytes, write_bytes
from hansproof.generators.output import make_folders, remove_folder, write_together
from hansproof.release.checksums import digest_of

if TYPE_CHECKING:
    import datasets
    import pandas
    import polars

__all__ = ["download", "load", "sources"]

# A plan decides what to do about each listed file before anything is fetched. The cache is CACHE/NAME/VERSION/FILE, the
# layout of `datasets/`, so it can be somebody else's mirror.

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
    return folder if (folder / release.files[0].name).is_file() else None


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
            undo.enter_context(_locked(folder, report))
            work.mkdir(exist_ok=True)
            undo.callback(remove_folder, work)  # before the lock goes: the next process makes this folder anew
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
                fetch(url, step.path, file.size, file.sha256, work, patience)
            else:
                _take(release, step, Path(place), work)
            return
        except DownloadError as error:
            faults += error.faults
    raise DownloadError.of(faults)


def _take(release: Release, step: Step, place: Path, work: Path) -> None:
    """Take one file from a folder."""
    folder = local_release(release, place)
    if folder is None:
        raise DownloadError(f"has neither {release.name}/{release.version} nor the files of {release}", str(place))
    path = folder / step.file.name
    try:
        data = read_regular(path)
    except FileNotFoundError as error:
        raise DownloadError(f"cannot be read: {error.strerror}", str(path)) from error
    except InputError as error:
        raise DownloadError.of(error.faults) from error
    if sha256(data).hexdigest() != step.file.sha256:
        raise DownloadError("is not the file of this release: its SHA-256 differs", str(path))
    write_bytes(work / step.file.sha256, data, overwrite=True)
    (work / step.file.sha256).replace(step.path)


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
        missing = {step.file.name: (folder / step.file.name).read_bytes() for step in steps if step.action != "keep"}
        if missing and os.path.realpath(target) != os.path.realpath(folder):
            within = {f"{release.name}/{release.version}/{name}": data for name, data in missing.items()}
            write_together(above, within, overwrite=force)
    return target


KINDS = ("datasets", "pandas", "polars", "items")
"""What `load` can return."""

_Place = Path | str | None


@overload
def load(name: str, *, subset: str | None = None, as_: Literal["datasets"] = "datasets", source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> datasets.Dataset: ...  # fmt: skip
@overload
def load(name: str, *, subset: str | None = None, as_: Literal["pandas"], source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> pandas.DataFrame: ...  # fmt: skip
@overload
def load(name: str, *, subset: str | None = None, as_: Literal["polars"], source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> polars.DataFrame: ...  # fmt: skip
@overload
def load(name: str, *, subset: str | None = None, as_: Literal["items"], source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> list[Item]: ...  # fmt: skip
def load(
    name: str,
    *,
    subset: str | None = None,
    as_: Literal["datasets", "pandas", "polars", "items"] = "datasets",
    source: _Place = None,
    cache: _Place = None,
    offline: bool = False,
    index: _Place = None,
) -> Any:
    """The rows of the release `NAME[@VERSION]`: one subset, or all subsets in the order of the release.

    `as_` chooses the type: "datasets" is a Hugging Face Dataset, "pandas" a frame whose `choices` and `metadata` are
    lists and dicts, "polars" a frame whose `metadata` is a struct, "items" a list of Item. `source`, `cache`,
    `offline` and `index` are passed to `download`. Without `subset`, each metadata key needs one type across all
    subsets; a key that a subset lacks is null there (in pandas: absent).
    Raises UsageError for a name that does not exist, DownloadError, and InputError if the rows do not fit one table.
    """
    if as_ not in KINDS:
        raise unknown("kind of table", as_, KINDS)
    release = read_index(index).find(name)
    if subset is not None and subset not in release.subsets:
        raise unknown("subset", subset, release.subsets, within=str(release))
    folder = download(str(release), source=source, cache=cache, offline=offline, index=index)
    paths = [folder / release.subsets[name].name for name in ([subset] if subset is not None else release.subsets)]
    if not paths:
        raise InputError("has no rows: none of its files is SUBSET.jsonl.gz", str(release))
    if as_ == "polars":
        return _polars(paths, str(release))
    items = [item for path in paths for item in read(path)]
    if as_ == "items":
        return items
    records = [item.record() for item in items]
    if as_ == "pandas":
        import pandas

        # As objects, so that the null choices of an open item do not turn into NaN.
        return pandas.DataFrame.from_records(records).astype({"choices": object, "metadata": object})
    return _datasets(records, str(release))


def _polars(paths: list[Path], release: str) -> polars.DataFrame:
    import polars

    parts = [read_bytes(path) for path in paths]
    # Infer the schema from all rows: from the first ones alone, later keys would vanish silently.
    frames = [polars.read_ndjson(BytesIO(part), infer_schema_length=None) for part in parts]
    if len(frames) == 1:
        return frames[0]
    # Polars would silently turn a column of numbers and texts into texts.
    if not all(_fit(left, right) for left, right in combinations([frame.schema["metadata"] for frame in frames], 2)):
        raise InputError("its subsets do not fit into one table; name one (types in metadata differ)", release)
    return polars.read_ndjson(BytesIO(b"".join(parts)), infer_schema_length=None)


def _fit(left: Any, right: Any) -> bool:
    """Whether two polars types can share a column without either being rewritten as text."""
    import polars

    if isinstance(left, polars.Struct) and isinstance(right, polars.Struct):
        dtypes = {field.name: field.dtype for field in right.fields}
        return all(_fit(field.dtype, dtypes.get(field.name, field.dtype)) for field in left.fields)
    if isinstance(left, polars.List) and isinstance(right, polars.List):
        return _fit(left.inner, right.inner)
    return left == right or polars.Null in (left, right) or bool(left.is_numeric() and right.is_numeric())


def _datasets(records: list[dict[str, Any]], release: str) -> datasets.Dataset:
    from datasets import Dataset

    try:
        return Dataset.from_list(records)
    except (TypeError, ValueError, NotImplementedError) as error:  # the base classes of Arrow's errors
        raise InputError(f"its subsets do not fit into one table; name one ({error})", release) from error
