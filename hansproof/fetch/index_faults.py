"""Faults of an index: what keeps a parsed `index.json` from being trusted.

Above all, names that would lead out of the folder into which a release is downloaded. `index` checks both what it
reads and what it writes.
"""

from __future__ import annotations

import re
from typing import Any

from generators.errors import Fault
from generators.jsonl import PACKED

__all__ = ["index_faults", "release_faults"]

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
        if not isinstance(file, dict) or set(file) - {"packed"} != _KEYS:
            reasons.append("a file has exactly `name`, `size` and `sha256`, and may have `packed`")
            continue
        reasons += _file_faults(file)
        if file.get("packed") is not None:
            reasons += _packed_faults(file["name"], file["packed"])
        # Two names that differ only in case are one file on many disks.
        name = str(file["name"]).casefold()
        if name in seen:
            reasons.append(f"the file {file['name']!r} is listed twice")
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


def _packed_faults(name: object, stored: object) -> list[str]:
    if not isinstance(stored, dict) or set(stored) != {"size", "sha256"}:
        return [f"{name!r}: `packed` has exactly `size` and `sha256`"]
    return _measure_faults(f"{name}{PACKED}", stored["size"], stored["sha256"])


def _measure_faults(name: object, size: object, digest: object) -> list[str]:
    reasons = []
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        reasons.append(f"{name!r}: the size {size!r} is not a number of bytes")
    if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
        reasons.append(f"{name!r}: the sha256 {digest!r} is not 64 lower-case hexadecimal digits")
    return reasons
