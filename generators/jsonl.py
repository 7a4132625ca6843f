"""Files of items, plain or packed: canonical bytes, and reading that names every faulty line."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zlib
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from hansproof.generators.errors import Fault, InputError, refused
from hansproof.generators.input import first_repeated, read_regular
from hansproof.generators.item import Item
from hansproof.generators.output import appearing

__all__ = [
    "PACKED",
    "dump",
    "holds_items",
    "json_fault",
    "pack",
    "parsed",
    "read",
    "read_bytes",
    "strict_json",
    "unreadable",
    "write",
    "write_bytes",
]

# A release holds its items packed, because text shrinks to a tenth. Packed bytes depend on the library that packed
# them, so a generator is checked by the lines themselves.

PACKED = ".gz"
"""What the name of a packed file ends with."""

_MOST = 1 << 30  # bytes; far more than any release has, and less than a bomb


def holds_items(path: Path) -> bool:
    """Whether a file goes by a name of items, `NAME.jsonl` or packed `NAME.jsonl.gz`."""
    return path.name.removesuffix(PACKED).endswith(".jsonl")


def pack(data: bytes) -> bytes:
    """`data` packed, without a name or a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def _unpacked(data: bytes, place: str) -> bytes:
    """The content of a packed file. Raises InputError where it is damaged or unpacks to more than a gigabyte."""
    try:
        with gzip.open(BytesIO(data)) as file:
            content = file.read(_MOST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be unpacked: {error}", place) from error
    if len(content) > _MOST:
        raise InputError(f"unpacks to more than {_MOST:,} bytes", place)
    return content


# A file with one fault usually has more of the same kind, so those of all lines are collected.

_BOM = "\ufeff"
_WALL = 5  # more lines than this with nothing but faults are another kind of file


def dump(items: Iterable[Item]) -> bytes:
    """The canonical bytes of a file of items, one line each, in the given order; b"" for none.

    Raises InputError for an item that breaks the rules of its fields, an id that occurs twice, and metadata
    whose keys or types differ between rows (Arrow, hence Parquet and Hugging Face datasets, wants one type).
    """
    rows = list(items)
    data = b"".join(row.line() for row in rows)
    faults = [Fault(reason, f"item {row.id!r}") for row, reasons in zip(rows, _row_faults(rows)) for reason in reasons]
    if faults:
        raise InputError.of(faults)
    return data


def write(path: Path | str, items: Iterable[Item], overwrite: bool = False) -> None:
    """Write a file of items, completely or not at all. Raises InputError as `dump` and `write_bytes` do."""
    write_bytes(path, dump(items), overwrite)


def write_bytes(path: Path | str, data: bytes, overwrite: bool = False) -> None:
    """Put `data` at `path` in one step: a reader sees nothing, the old file, or the complete new one.

    Raises InputError if `path` exists and `overwrite` is False, or if the system refuses to write it.
    """
    with appearing(path, overwrite) as file:
        file.write(data)


def read_bytes(path: Path | str, called: str = "") -> bytes:
    """The content of a file; of a packed one, what is in it.

    Raises InputError where the system does not give it, and for what is no regular file; `called` as for `read`.
    """
    called = called or str(path) or "''"
    try:
        data = read_regular(path, called)
    except OSError as error:
        beside = Path(f"{path}{PACKED}")
        if isinstance(error, FileNotFoundError) and os.path.lexists(beside):
            return read_bytes(beside, called)  # whoever names the items may leave out how they are kept
        raise refused("read", error, called) from error
    return _unpacked(data, called) if str(path).endswith(PACKED) else data


def read(path: Path | str, called: str = "") -> list[Item]:
    """The items of a file, in its order; [] for an empty file. `called` is what faults call it; its path by default.

    Raises InputError with the place and reason of the first 20 faults and the count of all, among them broken
    JSON, bytes that are not UTF-8, a key given twice, blank lines, NaN, ids that occur twice.
    """
    called = called or str(path)
    return parsed(read_bytes(path, called), called)


def parsed(data: bytes, called: str) -> list[Item]:
    """The items of the content of a file. Raises InputError as `read` does."""
    # Not splitlines(): that also parts at U+2028, which may stand inside a JSON string.
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    faults: list[tuple[int, str]] = []
    items: list[Item] = []
    places: list[int] = []
    for number, line in enumerate(lines, start=1):
        try:
            record = strict_json(line)
        except (ValueError, RecursionError) as error:
            faults.append((number, json_fault(error)))
            continue
        try:
            items.append(Item.from_record(record, f"{called}: line {number}"))
            places.append(number)
        except InputError as error:
            faults += [(number, fault.reason) for fault in error.faults]
    faults += [(number, reason) for number, reasons in zip(places, _row_faults(items, places)) for reason in reasons]
    faults.sort(key=lambda fault: fault[0])
    if faults:
        wrong = [Fault(reason, f"{called}: line {number}") for number, reason in faults]
        raise unreadable(wrong, len(lines), usable=len(items))
    return items


def unreadable(faults: Sequence[Fault], lines: int, *, usable: int) -> InputError:
    """One error for the `faults` of a file of `lines` lines, of which `usable` have none.

    Where none of more than five is usable, the file is of another kind: then only the first fault is told.
    """
    if usable or lines <= _WALL:
        return InputError.of(faults)
    return InputError(f"{faults[0].reason}; none of its {lines:,} lines can be used", faults[0].place)


def _row_faults(rows: list[Item], places: list[int] | None = None) -> list[list[str]]:
    """What is wrong with each row in view of the rows before it: ids, keys and types of metadata."""
    places = places or list(range(1, len(rows) + 1))
    ids: dict[str, int] = {}
    first: dict[str, tuple[str, int]] = {}
    alike: dict[str, tuple[Item, int]] = {}  # subset -> its first row: subsets may have keys of their own
    every: list[list[str]] = []
    for row, place in zip(rows, places):
        faults = []
        if row.id in ids:
            faults.append(f"its id {row.id!r} is also on line {ids[row.id]}")
        ids.setdefault(row.id, place)
        model, line = alike.setdefault(row.metadata["subset"], (row, place))
        odd = sorted(model.metadata.keys() ^ row.metadata.keys())
        if odd:
            faults.append(f"metadata has different keys from line {line}: {', '.join(map(repr, odd))}")
        for key, kind in _types("metadata", row.metadata).items():
            known, line = first.setdefault(key, (kind, place))
            if known != kind:
                faults.append(f"{key} is {kind}, but {known} on line {line}")
        every.append(faults)
    return every


def _types(place: str, value: Any) -> dict[str, str]:
    """The type at every path of a value, nulls excluded; entries of a list share one path."""
    if isinstance(value, dict):
        types = {place: "an object"}
        for key, entry in value.items():
            types |= _types(f"{place}.{key}", entry)
        return types
    if isinstance(value, list | tuple):
        types = {place: "a list"}
        for entry in value:
            types |= _types(f"{place}[]", entry)
        return types
    names = {bool: "a boolean", int: "an integer", float: "a fraction", str: "a string"}
    return {place: names[type(value)]} if value is not None else {}


def strict_json(line: bytes) -> Any:
    """A JSON text in UTF-8. Raises ValueError, which `json_fault` explains, also for a key that occurs twice."""
    text = line.decode("utf-8")
    if not text.strip():
        raise ValueError("is blank")
    return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError(f"the key {first_repeated(key for key, _ in pairs)!r} occurs twice")
    return record


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def json_fault(error: Exception) -> str:
    """Why a text is not the JSON that it should be, without Python's own vocabulary; `error` is the parser's."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        if error.doc.startswith(_BOM):
            return "begins with a byte order mark; save it as UTF-8 without one"
        place = f"line {error.lineno} character {error.colno}" if error.lineno > 1 else f"character {error.colno}"
        # "Unterminated string starting at" would go on with a place, which stands in front here.
        return f"broken JSON at {place}: {error.msg.removesuffix(' starting at')}"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if "integer string conversion" in str(error):
        return f"has an integer of more than {sys.get_int_max_str_digits():,} digits"
    return str(error)
