"""Index: all frozen releases, with the size and SHA-256 of every file, and why one is not trusted."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from hansproof.generators.errors import Fault, HansproofError, InputError, UsageError, unknown
from hansproof.generators.jsonl import PACKED, holds_items, json_fault, read_bytes, write_bytes
from hansproof.release.checksums import LINK, SUMS, digest_of, parse_sums
from hansproof.release.frozen import manifest_order

__all__ = ["Index", "IndexFile", "Release", "build", "dump", "read_index"]

# Above all, no name may lead out of the folder into which a release is downloaded.

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
# Lists what is allowed, not what is forbidden: no "..", root, drive, backslash, NUL or hidden file.
_PART = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._+-]*[A-Za-z0-9_+-])?")
# Windows reads these names as devices, whatever their suffix.
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_LONGEST = 200
_KEYS = {"name", "size", "sha256"}


def index_faults(parsed: Any, place: str) -> list[Fault]:
    """Everything wrong with a parsed index that was read from `place`; empty if nothing is."""
    if not isinstance(parsed, dict) or not isinstance(parsed.get("releases"), list):
        return [Fault("is not an index: an object with `base`, `mirrors` and a list `releases`", place)]
    faults = []
    if not isinstance(parsed.get("base"), str):
        faults.append(Fault("base is not a string", place))
    mirrors = parsed.get("mirrors")
    if not isinstance(mirrors, list) or not all(isinstance(mirror, str) for mirror in mirrors):
        faults.append(Fault("mirrors is not a list of strings", place))
    seen: set[tuple[str, str]] = set()
    for number, release in enumerate(parsed["releases"]):
        where = f"{place}: releases[{number}]"
        wrong = release_faults(release, where)
        faults += wrong
        if wrong:
            continue
        key = release["name"], release["version"]
        if key in seen:
            faults.append(Fault(f"{'@'.join(key)} is listed twice", where))
        seen.add(key)
    return faults


def release_faults(release: Any, place: str) -> list[Fault]:
    """Everything wrong with one entry of an index; empty if nothing is."""
    wanted = {"name", "version", "files"}
    if not isinstance(release, dict) or set(release) != wanted or not isinstance(release["files"], list):
        return [Fault("a release has exactly `name`, `version` and a list `files`", place)]
    reasons = []
    if not isinstance(release["name"], str) or not _NAME.fullmatch(release["name"]):
        reasons.append(f"the name {release['name']!r} is not lower-case words joined by hyphens")
    if not isinstance(release["version"], str) or not _VERSION.fullmatch(release["version"]):
        reasons.append(f"the version {release['version']!r} is not MAJOR.MINOR.PATCH")
    seen: set[str] = set()
    for file in release["files"]:
        if not isinstance(file, dict) or set(file) != _KEYS:
            reasons.append("a file has exactly `name`, `size` and `sha256`")
            continue
        reasons += _file_faults(file)
        # Two names that differ only in case are one file on many disks.
        name = str(file["name"]).casefold()
        if name in seen:
            reasons.append(f"the file {file['name']!r} is listed twice")
        elif {name.removesuffix(PACKED), f"{name}{PACKED}"} & seen:
            reasons.append(f"the file {file['name']!r} is listed twice, plain and packed")
        seen.add(name)
    if not release["files"]:
        reasons.append("has no files")
    return [Fault(reason, place) for reason in reasons]


def _file_faults(file: dict[str, Any]) -> list[str]:
    name, size, digest = file["name"], file["size"], file["sha256"]
    reasons = []
    parts = name.split("/") if isinstance(name, str) and len(name) <= _LONGEST else []
    if not parts or not all(_PART.fullmatch(part) and not _DEVICES.fullmatch(part) for part in parts):
        reasons.append(f"the file name {name!r} is refused: use parts of letters, digits and . _ + - joined by /")
    return reasons + _measure_faults(name, size, digest)


def _measure_faults(name: object, size: object, digest: object) -> list[str]:
    reasons = []
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        reasons.append(f"{name!r}: the size {size!r} is not a number of bytes")
    if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
        reasons.append(f"{name!r}: the sha256 {digest!r} is not 64 lower-case hexadecimal digits")
    return reasons


# A download trusts nothing but `index.json`, beside this file; `python -m hansproof.fetch.index datasets` writes it.
# There is no public mirror yet, so `base` and `mirrors` are empty: HANSPROOF_BASE_URL or --from say where to download.


@dataclass(frozen=True)
class IndexFile:
    """One file of a release."""

    name: str
    """Path inside the release folder, parts joined by `/`."""
    size: int
    """Bytes."""
    sha256: str
    """64 lower-case hexadecimal digits."""


@dataclass(frozen=True)
class Release:
    """One frozen version of one dataset."""

    name: str
    version: str
    """MAJOR.MINOR.PATCH."""
    files: tuple[IndexFile, ...]
    """The subsets in the order of the manifest, then all other files by name."""

    @property
    def subsets(self) -> dict[str, IndexFile]:
        """Subset -> its file of rows, in the order of the release."""
        return {file.name.partition(".jsonl")[0]: file for file in self.files if _is_subset(file.name)}

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Index:
    """All releases, and the addresses that publish them."""

    releases: tuple[Release, ...]
    base: str = ""
    """Address that serves NAME/VERSION/FILE; empty if there is none."""
    mirrors: tuple[str, ...] = ()
    """More such addresses, tried in this order when `base` fails."""

    def find(self, reference: str) -> Release:
        """The release `NAME@VERSION`, or the newest version of `NAME`. Raises UsageError with the known ones."""
        name, at, version = reference.partition("@")
        versions = {release.version: release for release in self.releases if release.name == name}
        if not versions:
            error = unknown("release", name, dict.fromkeys(release.name for release in self.releases))
            raise UsageError(
                f"{error.reason}. A release of your own needs an index of its own: "
                "`python -m hansproof.fetch.index DATASETS INDEX` writes one, and --index or `index=` reads it"
            )
        if not at:
            return versions[max(versions, key=_numbers)]
        if version not in versions:
            raise unknown("version", version, versions, within=name)
        return versions[version]


def read_index(path: Path | str | None = None) -> Index:
    """The index shipped in the package, or the one in the file `path`.

    Raises InputError with every fault if the file cannot be read or breaks a rule. Names that would leave the cache
    folder (`..`, absolute paths, backslashes, drive letters, NUL) are faults.
    """
    place = "the shipped index" if path is None else str(path)
    try:
        shipped = files("hansproof.fetch").joinpath("index.json")
        parsed = json.loads(shipped.read_bytes() if path is None else read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise InputError(json_fault(error), place) from error
    if faults := index_faults(parsed, place):
        raise InputError.of(faults)
    releases = tuple(
        Release(entry["name"], entry["version"], tuple(IndexFile(**file) for file in entry["files"]))
        for entry in parsed["releases"]
    )
    return Index(releases, parsed["base"], tuple(parsed["mirrors"]))


def index_entry(folder: Path | str) -> Release:
    """The entry of the release in `folder` (`.../NAME/VERSION`), computed from its files.

    Raises InputError if the folder is not a release: it has no `SHA256SUMS`, the sums disagree with the files, a name
    cannot be downloaded safely, or a file is a link.
    """
    folder = Path(folder).resolve()
    files_below = [path for path in folder.rglob("*") if path.is_symlink() or path.is_file()]
    paths = {path.relative_to(folder).as_posix(): path for path in files_below}
    linked = sorted(name for name, path in paths.items() if path.is_symlink())
    if linked:
        raise InputError.of([Fault(LINK, f"{folder}: {name}") for name in linked])
    listed = {name: _listing(name, path) for name, path in paths.items()}
    faults = [
        Fault(reason, str(folder))
        for reason in _sum_faults(paths, {name: file.sha256 for name, file in listed.items()})
    ]
    order = manifest_order(folder)
    names = sorted(paths, key=lambda name: (not _is_subset(name), order.get(name, len(order)), name))
    release = Release(folder.parent.name, folder.name, tuple(listed[name] for name in names))
    faults += release_faults(asdict(release) | {"files": list(map(asdict, release.files))}, str(folder))
    if faults:
        raise InputError.of(faults)
    return release


def build(datasets: Path | str, base: str = "", mirrors: tuple[str, ...] = ()) -> Index:
    """The index of every release folder `datasets/NAME/VERSION`, by name and then by version, oldest first."""
    folders = [path for path in Path(datasets).glob("*/*") if path.is_dir() and not path.name.startswith(".")]
    entries = [index_entry(folder) for folder in folders]
    return Index(tuple(sorted(entries, key=lambda entry: (entry.name, _numbers(entry.version)))), base, mirrors)


def dump(index: Index) -> bytes:
    """The bytes of `index.json`: one line per file, so that a diff shows exactly what changed."""
    releases = []
    for release in index.releases:
        rows = ",\n".join(f"   {json.dumps(asdict(file))}" for file in release.files)
        head = f'"name": {json.dumps(release.name)}, "version": {json.dumps(release.version)}'
        releases.append(f'  {{{head}, "files": [\n{rows}\n  ]}}')
    base, mirrors = json.dumps(index.base), json.dumps(list(index.mirrors))
    listed = ",\n".join(releases)
    return f'{{\n "base": {base},\n "mirrors": {mirrors},\n "releases": [\n{listed}\n ]\n}}\n'.encode()


def _listing(name: str, path: Path) -> IndexFile:
    return IndexFile(name, path.stat().st_size, digest_of(path))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _is_subset(name: str) -> bool:
    return holds_items(Path(name)) and "/" not in name


def _sum_faults(paths: dict[str, Path], digests: dict[str, str]) -> list[str]:
    if SUMS not in paths:
        return ["has no SHA256SUMS, so it is not a finished release"]
    listed = parse_sums(paths[SUMS].read_bytes(), str(paths[SUMS]))
    faults = [f"SHA256SUMS names {name!r}, which does not exist" for name in sorted(listed.keys() - digests.keys())]
    for name in sorted(digests.keys() - {SUMS}):
        if name not in listed:
            faults.append(f"{name} is not in SHA256SUMS")
        elif listed[name] != digests[name]:
            faults.append(f"{name} does not match SHA256SUMS; run `hansproof verify`")
    return faults


def _main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print("usage: python -m hansproof.fetch.index DATASETS [INDEX]", file=sys.stderr)
        return 2
    path = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).with_name("index.json")
    try:
        old = read_index(path) if path.exists() else Index(())
        index = build(arguments[0], old.base, old.mirrors)
        write_bytes(path, dump(index), overwrite=True)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for release in index.releases:
        print(f"{release}: {len(release.files)} files, {release.size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
