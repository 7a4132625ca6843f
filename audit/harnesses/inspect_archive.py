"""inspect_ai's `.eval` logs: a zip with the samples as JSON, read in memory and within limits.

A sample is one file, or a folder of its parts (a chunked sample); a log may hold both. Of a chunked sample the shell,
its metadata and the long texts that its input refers to are read.

The standard library reads the directory of the archive but, before Python 3.14, not members compressed with Zstandard,
which is what inspect writes. Members are never written to disk.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

import msgspec

from hansproof.audit.formats import content
from hansproof.audit.formats.json_rows import decode
from hansproof.audit.formats.table import Table, is_too_deep
from hansproof.audit.harnesses.inspect_ai import log_table, unusable
from hansproof.generators.errors import InputError, not_utf8

__all__ = ["archive_samples", "archive_table"]

_SAMPLE = re.compile(r"samples/(?P<name>.+)_epoch_(?P<epoch>\d{1,9})(?P<shell>/sample)?\.json\Z", re.S)
_ATTACHMENT = re.compile(r"attachment://(\d{1,9})(?!\d)")
_CHUNK = re.compile(r"(?P<folder>.+)/attachments/(?P<start>\d{1,9})\.json", re.S)
_HEADERS = ("header.json", "_journal/start.json")
"""Of a run that ended, and of one that did not or goes on."""
_LARGEST = 512 * 2**20
"""Largest size of one member after decompression, in bytes."""
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_FOREIGN = "unknown format: this is a zip archive (also .xlsx): unpack or export it to JSONL or CSV"
_DAMAGED = "a truncated or damaged inspect_ai log (its directory, which stands at the end, {}): fetch the log again"
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
    invalidation: Any = None


class _Answered(_Sample):
    """The same with what the model replied, and how it was scored."""

    output: Any = None
    scores: Any = None
    error: Any = None
    score: Any = None
    """The name of `scores` in older logs."""


def archive_table(data: bytes, place: str) -> Table:
    """The samples of a log. Raises InputError for any other zip, a damaged one, and one that unpacks to too much."""
    samples, header, held = _documents(data, place, _Sample)
    return log_table(samples, header, held)


def archive_samples(data: bytes, place: str) -> tuple[list[dict[str, Any]], Any]:
    """The samples of all epochs of a log with their replies and scores, and its header.

    Raises InputError as `archive_table` does.
    """
    samples, header, _ = _documents(data, place, _Answered)
    return samples, header


def _documents(data: bytes, place: str, kind: type[_Sample]) -> tuple[list[dict[str, Any]], Any, int]:
    """The samples as a `kind` of record, those of first epochs where replies are not read; the header; and how many
    samples the log holds."""
    foreign = InputError(_FOREIGN, place)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, struct.error) as error:
        if _begins_a_log(data, place):
            raise InputError(_DAMAGED.format("is missing or broken"), place) from error
        raise foreign from error
    headers = {member.filename: member for member in members if member.filename in _HEADERS}
    samples = _first_epochs(members) if kind is _Sample else _every_epoch(members)
    if not headers:
        raise InputError(_DAMAGED.format("lists no header"), place) if samples else foreign
    _check_names(members, place)
    log = _Log(data, place, {member.filename: member for member in members}, kind)
    name = next(name for name in _HEADERS if name in headers)
    header = log.value(headers[name])
    if not isinstance(header, dict) or not isinstance(header.get("eval"), dict):
        raise InputError("damaged (it does not say what was evaluated): fetch the log again", f"{place}: {name}")
    if name != _HEADERS[0]:
        header = {**header, "status": "started"}  # the journal of a run begins so, and says no status
    if not samples:
        raise unusable(header, place)
    return [log.sample(member) for member in samples], header, len(_every_epoch(members))


def _begins_a_log(data: bytes, place: str) -> bool:
    """Whether a zip that cannot be read is a log, by the name of its first member or its own."""
    first = data[_LOCAL.size : _LOCAL.size + len(_HEADERS[1])]
    return place.lower().endswith(".eval") or first.startswith((_HEADERS[1].encode(), b"header.json", b"samples/"))


class _Log:
    """The members of a log, unpacked one by one, all within the limit of a single file."""

    def __init__(self, data: bytes, place: str, members: dict[str, zipfile.ZipInfo], kind: type[_Sample]) -> None:
        self._data, self._place, self._members, self._decoder = data, place, members, msgspec.json.Decoder(kind)
        self._left = content.LIMIT
        self._chunks: dict[str, list[tuple[int, str]]] = {}
        """The chunks of long texts of each chunked sample: where they begin, and their names."""
        for name in members:
            if match := _CHUNK.fullmatch(name):
                self._chunks.setdefault(match["folder"], []).append((int(match["start"]), name))

    def text(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member. Raises InputError as `_unpacked` does, and where the log as a whole is too large."""
        if self._left < _LARGEST:
            limit, much = self._left, f"the log unpacks to more than {content.LIMIT:,} bytes"
        else:
            limit, much = _LARGEST, f"unpacks to more than {_LARGEST:,} bytes"
        text = _unpacked(self._data, member, self._place, limit, much)
        self._left -= len(text)
        return text

    def value(self, member: zipfile.ZipInfo) -> Any:
        """A member as JSON. Raises InputError as `text` does, and where it is broken."""
        where = f"{self._place}: {member.filename}"
        try:
            return decode(self.text(member), where)
        except UnicodeDecodeError as error:
            raise not_utf8(error, where) from error

    def sample(self, member: zipfile.ZipInfo) -> dict[str, Any]:
        """The fields of a sample that are read; `member` is the whole sample or the shell of a chunked one."""
        sample = _sample(self.text(member), f"{self._place}: {member.filename}", self._decoder)
        folder, chunked, _ = member.filename.rpartition("/sample.json")
        if chunked:
            metadata = self._members.get(f"{folder}/metadata.json")
            if metadata is not None:
                sample["metadata"] = self.value(metadata)
            sample["attachments"] = self._attachments(folder, _referred([sample["input"], sample.get("output")]))
        return sample

    def _attachments(self, folder: str, wanted: set[int]) -> dict[str, str]:
        """The long texts at the places `wanted`. Each chunk of them is named by the place of its first one."""
        chunks = sorted(self._chunks.get(folder, ()))
        starts = [start for start, _ in chunks]
        texts: dict[str, str] = {}
        for number in sorted({bisect_right(starts, place) - 1 for place in wanted} - {-1}):
            start, name = chunks[number]
            chunk = self.value(self._members[name])
            if isinstance(chunk, list):
                texts |= {str(at): text for at, text in enumerate(chunk, start) if isinstance(text, str)}
        return texts


def _referred(value: Any) -> set[int]:
    """The places of the long texts that an input refers to."""
    if is_too_deep(value):
        return set()
    return {int(place) for place in _ATTACHMENT.findall(json.dumps(value, default=str))}


def _first_epochs(members: Iterable[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The member of each sample's first epoch, in the order of the archive; of equal names the last one counts."""
    first: dict[str, tuple[int, zipfile.ZipInfo]] = {}
    for member in members:
        match = _SAMPLE.match(member.filename)
        if match and (match["name"] not in first or int(match["epoch"]) <= first[match["name"]][0]):
            first[match["name"]] = (int(match["epoch"]), member)
    return [member for _, member in first.values()]


def _every_epoch(members: Iterable[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The member of each sample and epoch, in the order of the archive; of equal names the last one counts."""
    latest = {
        (match["name"], int(match["epoch"])): member for member in members if (match := _SAMPLE.match(member.filename))
    }
    return list(latest.values())


def _check_names(members: Iterable[zipfile.ZipInfo], place: str) -> None:
    """Raise InputError for a member whose name leads out of the archive: no log has one."""
    for member in members:
        parts = member.filename.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or (len(parts[0]) == 2 and parts[0][1] == ":"):
            raise InputError(f"a member is called {member.filename!r}, which leads out of the archive", place)


def _unpacked(data: bytes, member: zipfile.ZipInfo, place: str, limit: int, much: str) -> bytes:
    """The bytes of one member. Raises InputError if it is damaged, encrypted, or, as `much`, larger than `limit`."""
    where = f"{place}: {member.filename}"
    packed = _packed(data, member, where)
    try:
        text = content.joined(_chunks(packed, member.compress_type, where), limit, InputError(much, where))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"damaged ({error}): fetch the log again", where) from error
    if zlib.crc32(text) != member.CRC:
        raise InputError("damaged (its checksum is wrong): fetch the log again", where)
    return text


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


def _sample(text: bytes, where: str, decoder: msgspec.json.Decoder[_Sample]) -> dict[str, Any]:
    """The fields of one sample that are read. Raises InputError if it is not a JSON object."""
    try:
        return msgspec.structs.asdict(decoder.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # NaN, or broken: the slower reader tells them apart
    try:
        value = decode(text, where)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: byte 0x{text[error.start]:02x} at offset {error.start}", where) from error
    if not isinstance(value, dict):
        raise InputError("not a JSON object", where)
    return value
