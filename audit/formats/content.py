"""The bytes of one file: read, decompressed, and as UTF-8. Faults below the level of the format are raised here."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hansproof.generators.errors import InputError, near_file, refused
from hansproof.generators.input import LIMIT, note, read_all, read_regular

__all__ = ["LIMIT", "STDIN", "Content", "bare_name", "joined", "read", "text_beside", "unpacked", "unzstd", "utf8"]

STDIN = "standard input"
"""What messages call it."""

_CHUNK = 2**20
_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FOREIGN = {
    b"BZh": "bzip2-compressed: unpack it, or use .gz or .zst",
    b"\xfd7zXZ": "xz-compressed: unpack it, or use .gz or .zst",
    b"SQLite": "an SQLite database: export the table to CSV",
    b"ARROW1": "an Arrow file: save it as Parquet",
    b"version https://git-lfs": "a Git LFS pointer, not the file: run `git lfs pull`",
    b"<!DOCTYPE": "a web page: download the file itself",
    b"<html": "a web page: download the file itself",
    b"%PDF": "a PDF",
    b"\x89PNG": "an image",
}


@dataclass(frozen=True)
class Content:
    """The bytes of a file after decompression, and the digest of the bytes as stored."""

    place: str
    """What messages call it: the source as the user named it."""
    data: bytes
    sha256: str
    extension: str
    """Lower case, such as `.csv` for `bench.csv.gz`; only a hint. Empty for standard input."""


def bare_name(path: Path) -> tuple[str, str]:
    """(stem, extension) of a file name without its compression ending: `bench.csv.gz` gives (`bench`, `.csv`)."""
    name = path.name
    for ending in (".gz", ".zst", ".zstd"):
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    bare = Path(name)
    return bare.stem or path.name, bare.suffix.lower()


def read(source: str, *, limit: int | None = None) -> Content:
    """Read the file `source`, or standard input for `-`. Compression is recognised by content, not by name.

    `limit` is the largest size in bytes (default `LIMIT`), also after decompression. Raises InputError if the file is
    missing, unreadable, empty, damaged, too large or of a kind that holds no rows.
    """
    limit = LIMIT if limit is None else limit
    if source == "-":
        stored, place, extension = _standard_input(limit), STDIN, ""
    else:
        stored, place, extension = _stored(source, limit), source, bare_name(Path(source))[1]
    data = unpacked(stored, place, limit)
    return Content(place, data, hashlib.sha256(stored).hexdigest(), extension)


def text_beside(path: Path, limit: int) -> str | None:
    """The text of a small file that belongs to a source; None where there is none that can be read."""
    try:
        return read_regular(path, limit=limit).decode("utf-8-sig")
    except (OSError, InputError, UnicodeDecodeError):
        return None


def unpacked(stored: bytes, place: str, limit: int = LIMIT) -> bytes:
    """The bytes of a file after decompression, which is recognised by content, not by name.

    Raises InputError as `read` does for content that is empty, damaged, too large or of a kind that holds no rows.
    """
    data = _decompressed(stored, place, limit)
    if data is not stored and data.startswith((_GZIP, _ZSTANDARD)):
        raise InputError("compressed twice: unpack it once, and name the file that comes out", place)
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xfe\xff"):
        raise InputError("the file is empty", place)
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            raise InputError(f"unknown format: this is {what}", place)
    return data


def utf8(content: Content) -> bytes:
    """The text as UTF-8 without a byte-order mark; UTF-16 and UTF-32 are recognised by theirs.

    Bytes that are not UTF-8 are left for the reader, which knows the line. Raises InputError for broken
    UTF-16 or UTF-32, and for UTF-16 or UTF-32 without a byte-order mark.
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
                    f"not {encoding.upper()} at byte {error.start}, although its byte-order mark says so: "
                    "save it as UTF-8",
                    content.place,
                ) from error
    head = data[:4096]
    if head.count(0) * 5 > len(head):
        raise InputError(
            "unknown format: binary, or UTF-16 without its byte-order mark; save it as UTF-8", content.place
        )
    return data


def _standard_input(limit: int) -> bytes:
    """All that standard input gives. Raises InputError where whoever started the program has closed it."""
    stream = sys.stdin
    if stream is None or stream.closed:
        raise InputError("standard input is closed; pipe something into it, or name a file")
    note("/dev/stdin")  # the shell may have opened a file
    return read_all(getattr(stream, "buffer", stream), STDIN, limit)


def _stored(source: str, limit: int) -> bytes:
    """The bytes on disk. Raises InputError, one line for each way in which reading can fail."""
    try:
        return read_regular(source, limit=limit)
    except FileNotFoundError as error:
        raise InputError(f"no such file.{near_file(source)}", source) from error
    except IsADirectoryError as error:
        raise InputError("a folder, not a file", source) from error
    except OSError as error:
        raise refused("read", error, source) from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"cannot be read: {error}", source) from error


def _decompressed(stored: bytes, place: str, limit: int) -> bytes:
    """The bytes after gzip or Zstandard, whatever the file is called; other bytes are returned unchanged."""
    if stored.startswith(_GZIP):
        kind, chunks = "gzip", _gunzip(stored)
    elif stored.startswith(_ZSTANDARD):
        kind, chunks = "Zstandard", unzstd(stored)
    else:
        return stored
    much = InputError(f"unpacks to more than {limit:,} bytes; split it into smaller files", place)
    try:
        return joined(chunks, limit, much)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"damaged {kind} data ({error}): fetch or compress it again", place) from error


def joined(chunks: Iterable[bytes], limit: int, much: InputError) -> bytes:
    """The bytes of all chunks. Raises `much` as soon as they are more than `limit`."""
    out = io.BytesIO()
    for chunk in chunks:
        out.write(chunk)
        if out.tell() > limit:
            raise much
    return out.getvalue()


def _gunzip(stored: bytes) -> Iterator[bytes]:
    """The content of a gzip file, piece by piece."""
    with gzip.GzipFile(fileobj=io.BytesIO(stored)) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def unzstd(stored: bytes) -> Iterator[bytes]:
    """The content of all frames of a Zstandard file, piece by piece. Raises EOFError if the last is truncated."""
    import zstandard

    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        # A block of 4 bytes may unpack to 128 kB: feeding small pieces keeps what comes out within the limit.
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
        raise EOFError("it is truncated")
