"""Index: which frozen releases there are, with the size and SHA-256 of every file, and where to fetch them.

`index.json` beside this file is shipped in the package and is the only thing a download trusts. It is made from the
release folders by `python -m hansproof.fetch.index datasets`, never by hand. No address is fixed in it: where the
releases are published, its `base` (and `mirrors`) name that place; until then HANSPROOF_BASE_URL or --from do.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from generators.errors import HansproofError, InputError, UsageError
from generators.jsonl import write_bytes
from hansproof.fetch.index_faults import index_faults, release_faults
from hansproof.release.checksums import SUMS, parse_sums

__all__ = ["Index", "IndexFile", "Release", "build", "dump", "index_entry", "read_index"]


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
    """The subsets in the order of the manifest, then everything else by name."""

    @property
    def subsets(self) -> dict[str, IndexFile]:
        """Subset -> its file of rows, in the order of the release."""
        return {one.name.removesuffix(".jsonl"): one for one in self.files if _is_subset(one.name)}

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(one.size for one in self.files)

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Index:
    """All releases, and where they are published."""

    releases: tuple[Release, ...]
    base: str = ""
    """Address under which NAME/VERSION/FILE is found; empty where none is known."""
    mirrors: tuple[str, ...] = ()
    """Addresses of the same kind, tried in this order when the base fails."""

    def find(self, wanted: str) -> Release:
        """The release called `NAME@VERSION`, or the newest one of `NAME`. Raises UsageError with what there is."""
        name, at, version = wanted.partition("@")
        known = {one.name: one for one in self.releases}
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            listed = ", ".join(map(str, self.releases)) or "none"
            raise UsageError(f"no release is called {name!r}.{hint} Known: {listed}")
        versions = {one.version: one for one in self.releases if one.name == name}
        if not at:
            return versions[max(versions, key=lambda text: tuple(map(int, text.split("."))))]
        if version not in versions:
            raise UsageError(f"{name} has no version {version!r}. Known: {', '.join(versions)}")
        return versions[version]


def read_index(path: Path | str | None = None) -> Index:
    """The index shipped in the package, or the one in the file `path`.

    Raises InputError where the file cannot be read or breaks a rule; every fault is listed, among them names that
    would leave the cache folder (`..`, absolute paths, backslashes, drive letters, NUL).
    """
    place = "the shipped index" if path is None else str(path)
    try:
        shipped = files("hansproof.fetch").joinpath("index.json")
        parsed = json.loads(shipped.read_bytes() if path is None else Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"{place}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: is not JSON: {error}") from error
    faults = index_faults(parsed)
    if faults:
        raise InputError("\n".join(f"{place}: {fault}" for fault in faults))
    releases = tuple(
        Release(one["name"], one["version"], tuple(IndexFile(**file) for file in one["files"]))
        for one in parsed["releases"]
    )
    return Index(releases, parsed["base"], tuple(parsed["mirrors"]))


def index_entry(folder: Path | str) -> Release:
    """The entry of the release in `folder` (`.../NAME/VERSION`), from the bytes that are there.

    Raises InputError where the folder is no release: no `SHA256SUMS`, sums that do not agree with the files, names
    that cannot be downloaded safely, links.
    """
    folder = Path(folder).resolve()
    found = [path for path in folder.rglob("*") if path.is_symlink() or path.is_file()]
    paths = {path.relative_to(folder).as_posix(): path for path in found}
    linked = sorted(name for name, path in paths.items() if path.is_symlink())
    if linked:
        raise InputError(f"{folder}: {', '.join(linked)}: a link is no file of a release")
    digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}
    faults = _sum_faults(paths, digests)
    order = _manifest_order(folder)
    names = sorted(paths, key=lambda name: (not _is_subset(name), order.get(name, len(order)), name))
    listed = tuple(IndexFile(name, paths[name].stat().st_size, digests[name]) for name in names)
    release = Release(folder.parent.name, folder.name, listed)
    faults += release_faults(asdict(release) | {"files": [asdict(one) for one in listed]})
    if faults:
        raise InputError("\n".join(f"{folder}: {fault}" for fault in faults))
    return release


def build(datasets: Path | str, base: str = "", mirrors: tuple[str, ...] = ()) -> Index:
    """The index of every release folder `datasets/NAME/VERSION`, by name and then from the oldest version on."""
    folders = [path for path in Path(datasets).glob("*/*") if path.is_dir() and not path.name.startswith(".")]
    found = sorted((index_entry(folder) for folder in folders), key=lambda one: (one.name, _numbers(one.version)))
    return Index(tuple(found), base, mirrors)


def dump(index: Index) -> bytes:
    """The bytes of `index.json`: one line a file, so that a change shows as what it is."""
    releases = []
    for one in index.releases:
        rows = ",\n".join(f"   {json.dumps(asdict(file))}" for file in one.files)
        head = f'"name": {json.dumps(one.name)}, "version": {json.dumps(one.version)}'
        releases.append(f'  {{{head}, "files": [\n{rows}\n  ]}}')
    base, mirrors = json.dumps(index.base), json.dumps(list(index.mirrors))
    listed = ",\n".join(releases)
    return f'{{\n "base": {base},\n "mirrors": {mirrors},\n "releases": [\n{listed}\n ]\n}}\n'.encode()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _is_subset(name: str) -> bool:
    return name.endswith(".jsonl") and "/" not in name


def _manifest_order(folder: Path) -> dict[str, int]:
    """File -> its place among the manifest's subsets; empty where there is no such list."""
    try:
        subsets = json.loads((folder / "manifest.json").read_bytes())["subsets"]
        return {one["file"]: place for place, one in enumerate(subsets)}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # order alone depends on it; what a manifest must be is for `verify` to say


def _sum_faults(paths: dict[str, Path], digests: dict[str, str]) -> list[str]:
    if SUMS not in paths:
        return ["has no SHA256SUMS, so it is no finished release"]
    listed = parse_sums(paths[SUMS].read_bytes(), str(paths[SUMS]))
    faults = [f"SHA256SUMS names {name!r}, which is not there" for name in sorted(listed.keys() - digests.keys())]
    for name in sorted(digests.keys() - {SUMS}):
        if name not in listed:
            faults.append(f"{name} is not in SHA256SUMS")
        elif listed[name] != digests[name]:
            faults.append(f"{name} is not what SHA256SUMS says; run `hansproof verify`")
    return faults


def _main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m hansproof.fetch.index DATASETS", file=sys.stderr)
        return 2
    path = Path(__file__).with_name("index.json")
    try:
        old = read_index(path) if path.exists() else Index(())
        index = build(arguments[0], old.base, old.mirrors)
        write_bytes(path, dump(index), overwrite=True)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for one in index.releases:
        print(f"{one}: {len(one.files)} files, {one.size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
