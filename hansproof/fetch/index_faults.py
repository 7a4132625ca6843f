"""Faults of an index: what keeps a parsed `index.json` from being trusted.

Above all names that would lead out of the folder into which a release is downloaded. Used by `index` for what it reads
and for what it makes.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["index_faults", "release_faults"]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
# A list of what is allowed, not of what is forbidden: no "..", no root, no drive, no backslash, no NUL, nothing hidden.
_PART = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._+-]*[A-Za-z0-9_+-])?")
# Names that are devices, whatever their ending, where the system is Windows.
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_LONGEST = 200


def index_faults(parsed: Any) -> list[str]:
    """Everything wrong with a parsed index, in words; empty where nothing is."""
    if not isinstance(parsed, dict) or not isinstance(parsed.get("releases"), list):
        return ["is not an index: an object with `base`, `mirrors` and a list `releases`"]
    faults = [] if isinstance(parsed.get("base"), str) else ["base is not a string"]
    mirrors = parsed.get("mirrors")
    if not isinstance(mirrors, list) or not all(isinstance(one, str) for one in mirrors):
        faults.append("mirrors is not a list of strings")
    seen: list[tuple[str, str]] = []
    for place, one in enumerate(parsed["releases"]):
        found = release_faults(one)
        faults += [f"releases[{place}]: {fault}" for fault in found]
        if not found and (one["name"], one["version"]) in seen:
            faults.append(f"releases[{place}]: {one['name']}@{one['version']} is listed twice")
        seen += [] if found else [(one["name"], one["version"])]
    return faults


def release_faults(one: Any) -> list[str]:
    """Everything wrong with one entry of an index, in words; empty where nothing is."""
    if not isinstance(one, dict) or set(one) != {"name", "version", "files"} or not isinstance(one["files"], list):
        return ["a release has exactly `name`, `version` and a list `files`"]
    faults = []
    if not isinstance(one["name"], str) or not _NAME.fullmatch(one["name"]):
        faults.append(f"the name {one['name']!r} is not lower-case words joined by hyphens")
    if not isinstance(one["version"], str) or not _VERSION.fullmatch(one["version"]):
        faults.append(f"the version {one['version']!r} is not MAJOR.MINOR.PATCH")
    seen: list[str] = []
    for file in one["files"]:
        if not isinstance(file, dict) or set(file) != {"name", "size", "sha256"}:
            faults.append("a file has exactly `name`, `size` and `sha256`")
            continue
        faults += _file_faults(file)
        # Two names that differ by case only are one file on many disks.
        if str(file["name"]).casefold() in seen:
            faults.append(f"the file {file['name']!r} is listed twice")
        seen.append(str(file["name"]).casefold())
    return faults if one["files"] else [*faults, "has no files"]


def _file_faults(file: dict[str, Any]) -> list[str]:
    name, size, digest = file["name"], file["size"], file["sha256"]
    faults = []
    parts = name.split("/") if isinstance(name, str) and len(name) <= _LONGEST else []
    if not parts or not all(_PART.fullmatch(part) and not _DEVICES.fullmatch(part) for part in parts):
        faults.append(f"the file name {name!r} is refused: plain parts of letters, digits and . _ + - joined by /")
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        faults.append(f"{name!r}: the size {size!r} is not a number of bytes")
    if not isinstance(digest, str) or not _SHA256.fullmatch(digest):
        faults.append(f"{name!r}: the sha256 {digest!r} is not 64 lower-case hexadecimal digits")
    return faults
