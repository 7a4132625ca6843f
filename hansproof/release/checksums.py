"""Digests of files and of row orders, and `SHA256SUMS`, which `sha256sum -c` reads without us."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from hansproof.generators.errors import InputError, not_utf8, refused
from hansproof.generators.input import open_regular

__all__ = ["LINK", "SUMS", "digest_of", "order_digest", "parse_sums", "plain_name", "sums"]

SUMS = "SHA256SUMS"
"""The name of the list of digests in every release."""
LINK = "is a link, not a plain file"
"""What is wrong with a file of a release: what a link leads to may change, or be anybody's."""

_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


def digest_of(path: Path) -> str:
    """SHA-256 of a file as it lies there, as 64 hexadecimal digits.

    Raises InputError where the file cannot be read.
    """
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise refused("read", error, str(path)) from error


def order_digest(ids: Iterable[str]) -> str:
    """SHA-256 over the ids in order, a newline after each: it changes only with the order and the names of the rows."""
    digest = hashlib.sha256()
    for name in ids:
        digest.update(name.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def sums(digests: Mapping[str, str]) -> bytes:
    """The bytes of SHA256SUMS for file name -> digest, sorted by name."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def parse_sums(data: bytes, place: str) -> dict[str, str]:
    """File name -> digest, as `sums` wrote them.

    Raises InputError with the line: not a digest and a name, a name listed twice, a name that leads out of the folder
    (`/`, `\\`, `..`).
    """
    listed: dict[str, str] = {}
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise not_utf8(error, place) from error
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError("not 64 hexadecimal digits, two spaces and a file name", f"{place}: line {number}")
        digest, name = match.groups()
        if not plain_name(name):
            raise InputError(f"{name!r} is not the name of a file in this folder", f"{place}: line {number}")
        if name in listed:
            raise InputError(f"{name!r} is listed twice", f"{place}: line {number}")
        listed[name] = digest
    return listed


def plain_name(name: str) -> bool:
    """Whether `name` stays inside its folder on every system."""
    return name not in ("", ".", "..") and not set(name) & set("/\\:\0")
