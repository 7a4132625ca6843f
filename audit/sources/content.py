"""The bytes of a file: read, decompressed, and as UTF-8. Faults below the format are said here."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from audit.table import did_you_mean
from generators.errors import InputError

__all__ = ["LIMIT", "Content", "bare_name", "read", "utf8"]

LIMIT = 4 * 2**30
"""Largest size after decompression, in bytes: a few kilobytes can unpack to more than any memory holds."""

_CHUNK = 2**20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FOREIGN = {
    b"PK\x03\x04": "a zip archive (also .xlsx and .eval): unpack or export it to JSONL or CSV",
    b"BZh": "bzip2-compressed: unpack it, or use .gz or .zst",
    b"\xfd7zXZ": "xz-compressed: unpack it, or use .gz or .zst",
    b"SQLite": "an SQLite database: export the table to CSV",
    b"ARROW1": "an Arrow file: save it as Parquet",
    b"version https://git-lfs": "a Git LFS pointer, not the file: run `git lfs pull`",
    b"<!DOCTYPE": "a web page: download the file itself",
    b"<html": "a web page: download the file itself",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
}


@dataclass(frozen=True)
class Content:
    """A file's bytes, decompressed, with the digest of the bytes as stored."""

    place: str
    """What the user named, for messages."""
    data: bytes
    sha256: str
    extension: str
    """`.csv` of `bench.csv.gz`, lower case; a hint only. Empty for standard input."""


def bare_name(path: Path) -> tuple[str, str]:
    """(stem, extension) of a file, compression endings taken off: `bench.csv.gz` gives (`bench`, `.csv`)."""
    name = path.name
    for ending in (".gz", ".zst", ".zstd"):
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    bare = Path(name)
    return bare.stem or path.name, bare.suffix.lower()


def read(source: str, *, limit: int | None = None) -> Content:
    """Read the file `source`, or standard input for `-`, and decompress it by content.

    `limit` is the largest decompressed size in bytes (default `LIMIT`). Raises InputError where the file is
    absent, unreadable, empty, damaged, too large or of a kind that holds no rows.
    """
    if source == "-":
        stored = getattr(sys.stdin, "buffer", sys.stdin).read()
        place, extension = "standard input", ""
        if isinstance(stored, str):
            stored = stored.encode("utf-8", "surrogateescape")
    else:
        stored, place, extension = _stored(source), source, bare_name(Path(source))[1]
    data = _decompressed(stored, place, LIMIT if limit is None else limit)
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xfe\xff"):
        raise InputError(f"{place}: the file is empty: there is nothing to audit")
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            raise InputError(f"{place}: unknown format: this is {what}")
    return Content(place, data, hashlib.sha256(stored).hexdigest(), extension)


def utf8(content: Content) -> bytes:
    """The text as UTF-8 without byte-order mark; UTF-16 and UTF-32 are recognised by theirs.

    Bytes that are not UTF-8 are left for the reader, which knows the line. Raises InputError for a broken
    UTF-16 or UTF-32 text, and for one without its mark.
    """
    data = content.data
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            if encoding == "utf-8":
                return data[len(bom) :]
            try:
                return data.decode(encoding).encode()
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{content.place}: not {encoding.upper()} at byte {error.start}, although its byte-order "
                    "mark says so: save it as UTF-8"
                ) from error
    head = data[:4096]
    if head.count(0) * 5 > len(head):
        raise InputError(
            f"{content.place}: unknown format: binary, or UTF-16 without its byte-order mark; save it as UTF-8"
        )
    return data


def _stored(source: str) -> bytes:
    """The bytes on disk; every reason why there are none becomes one line."""
    path = Path(source)
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        folder = path.parent
        try:
            siblings = sorted(one.name for one in folder.iterdir())
        except OSError:
            siblings = []
        hint = did_you_mean(path.name, siblings)
        raise InputError(f"{source}: no such file.{hint}") from error
    except IsADirectoryError as error:
        raise InputError(f"{source}: a folder, not a file") from error
    except PermissionError as error:
        raise InputError(f"{source}: cannot be read: permission denied") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{source}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _decompressed(stored: bytes, place: str, limit: int) -> bytes:
    """The bytes after gzip or Zstandard, whatever the name says; other bytes come back as they are."""
    if stored.startswith(b"\x1f\x8b"):
        kind, chunks = "gzip", _gunzip(stored)
    elif stored.startswith(b"\x28\xb5\x2f\xfd"):
        kind, chunks = "Zstandard", _unzstd(stored)
    else:
        return stored
    out = io.BytesIO()
    try:
        for chunk in chunks:
            out.write(chunk)
            if out.tell() > limit:
                raise InputError(f"{place}: unpacks to more than {limit:,} bytes; split it into smaller files")
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{place}: damaged {kind} data ({error}): fetch or compress it again") from error
    return out.getvalue()


def _gunzip(stored: bytes) -> Iterator[bytes]:
    """The content of a gzip file, piece by piece."""
    with gzip.GzipFile(fileobj=io.BytesIO(stored)) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _unzstd(stored: bytes) -> Iterator[bytes]:
    """The content of all frames of a Zstandard file, in pieces; EOFError where the last breaks off."""
    import zstandard

    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        # A block of 4 bytes may unpack to 128 kB: small pieces in keep the pieces out under the limit.
        for at in range(0, len(stored), 4096):
            piece = stored[at : at + 4096]
            while piece:
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(piece)
                piece = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        raise OSError(str(error)) from error
    if not frame.eof:
        raise EOFError("it breaks off before its end")
