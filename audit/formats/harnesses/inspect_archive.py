"""inspect_ai's `.eval` logs: a zip of one JSON file per sample, read in memory and within limits.

The standard library reads the directory of the archive but, before Python 3.14, not members compressed with Zstandard,
which is what inspect writes. Members are never written to disk.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from typing import Any

import msgspec

from audit.formats.harnesses.inspect_ai import log_table
from audit.formats.json_rows import decode
from audit.formats.table import Table
from audit.sources import content
from generators.errors import InputError

__all__ = ["archive_table"]

_SAMPLE = re.compile(r"samples/(?P<name>.+)_epoch_(?P<epoch>\d{1,9})\.json\Z", re.S)
_HEADERS = ("header.json", "_journal/start.json")
_LARGEST = 512 * 2**20
"""Largest size of one member after decompression, in bytes."""
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_FOREIGN = "unknown format: this is a zip archive (also .xlsx): unpack or export it to JSONL or CSV"
_LOCAL = struct.Struct("<4s22xHH")
"""A member's own header: its mark, and the lengths of its name and of what follows the name."""


class _Sample(msgspec.Struct):
    """What is read of a sample: messages, events and replies are skipped unread."""

    input: Any = None
    target: Any = None
    id: Any = None
    epoch: Any = 1
    choices: Any = None
    metadata: Any = None
    attachments: Any = None


_DECODER = msgspec.json.Decoder(_Sample)


def archive_table(data: bytes, place: str) -> Table:
    """The samples of a log. Raises InputError for any other zip, a damaged one, and one that unpacks to too much."""
    foreign = InputError(_FOREIGN, place)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as error:
        raise foreign from error
    headers = [member for member in members if member.filename in _HEADERS]
    samples = _first_epochs(members)
    if not headers:
        raise foreign
    _check_names(members, place)
    if not samples:
        raise InputError("an inspect_ai log without samples; log them (log_samples=True)", place)
    left = content.LIMIT
    documents: list[dict[str, Any]] = []
    for member in samples:
        text = _unpacked(data, member, place, min(left, _LARGEST))
        left -= len(text)
        documents.append(_sample(text, f"{place}: {member.filename}"))
    header = decode(_unpacked(data, headers[-1], place, _LARGEST), f"{place}: {headers[-1].filename}")
    return log_table(documents, header.get("eval") if isinstance(header, dict) else None)


def _first_epochs(members: Iterable[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The member of each sample's first epoch, in the order of the archive; of equal names the last one counts."""
    first: dict[str, tuple[int, zipfile.ZipInfo]] = {}
    for member in members:
        match = _SAMPLE.match(member.filename)
        if match and (match["name"] not in first or int(match["epoch"]) <= first[match["name"]][0]):
            first[match["name"]] = (int(match["epoch"]), member)
    return [member for _, member in first.values()]


def _check_names(members: Iterable[zipfile.ZipInfo], place: str) -> None:
    """Raise InputError for a member whose name leads out of the archive: no log has one."""
    for member in members:
        parts = member.filename.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or (len(parts[0]) == 2 and parts[0][1] == ":"):
            raise InputError(f"a member is called {member.filename!r}, which leads out of the archive", place)


def _unpacked(data: bytes, member: zipfile.ZipInfo, place: str, limit: int) -> bytes:
    """The bytes of one member. Raises InputError if it is damaged, encrypted, or larger than `limit`."""
    where = f"{place}: {member.filename}"
    packed = _packed(data, member, where)
    out = io.BytesIO()
    try:
        for chunk in _chunks(packed, member.compress_type, where):
            out.write(chunk)
            if out.tell() > limit:
                raise InputError(f"unpacks to more than {limit:,} bytes", where)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"damaged ({error}): fetch the log again", where) from error
    if zlib.crc32(out.getbuffer()) != member.CRC:
        raise InputError("damaged (its checksum is wrong): fetch the log again", where)
    return out.getvalue()


def _packed(data: bytes, member: zipfile.ZipInfo, where: str) -> bytes:
    """The compressed bytes, found behind the member's own header."""
    if member.flag_bits & 1:
        raise InputError("encrypted: no log is", where)
    start = member.header_offset
    header = data[start : start + _LOCAL.size]
    if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
        raise InputError("damaged (its header is missing): fetch the log again", where)
    _, name, extra = _LOCAL.unpack(header)
    begin = start + _LOCAL.size + name + extra
    packed = data[begin : begin + member.compress_size]
    if len(packed) < member.compress_size:
        raise InputError("damaged (it is truncated): fetch the log again", where)
    return packed


def _chunks(packed: bytes, method: int, where: str) -> Iterable[bytes]:
    """The content piece by piece, so that a limit stops it early."""
    if method == _STORED:
        return [packed]
    if method == _DEFLATED:
        return _inflated(packed)
    if method == _ZSTANDARD:
        return content.unzstd(packed)
    raise InputError(f"compressed by method {method}, which no log of inspect_ai is", where)


def _inflated(packed: bytes) -> Iterable[bytes]:
    stream = zlib.decompressobj(-15)
    while packed and not stream.eof:
        yield stream.decompress(packed, 2**20)
        packed = stream.unconsumed_tail
    yield stream.flush()


def _sample(text: bytes, where: str) -> dict[str, Any]:
    """The fields of one sample that are read. Raises InputError if it is not a JSON object."""
    try:
        return msgspec.structs.asdict(_DECODER.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # NaN, or broken: the slower reader tells them apart
    try:
        value = decode(text, where)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: byte 0x{text[error.start]:02x} at offset {error.start}", where) from error
    if not isinstance(value, dict):
        raise InputError("not a JSON object", where)
    return value
