"""JSON Lines and JSON to rows; a fault is reported by line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from audit.benchmark import LeftOut
from audit.table import Row, Table
from generators.errors import InputError

__all__ = ["decode", "json_table", "jsonl_table"]

_BYTE = re.compile(r"\(byte (\d+)\)")
_SPLITS = ("train", "training", "validation", "valid", "dev", "test")


def decode(data: bytes, place: str, line: int = 1) -> Any:
    """One JSON value. `line` is the line of its first byte.

    NaN, Infinity and lone surrogates, which Python's own writer emits, are read. Raises InputError with line
    and column, and UnicodeDecodeError where the bytes are not UTF-8.
    """
    try:
        return msgspec.json.decode(data)
    except UnicodeDecodeError:
        data.decode()  # says where in the whole, not where in the one string
        raise
    except RecursionError as error:
        raise InputError(f"{place}: line {line}: JSON is nested too deeply") from error
    except msgspec.DecodeError as error:
        text = data.decode()
        try:
            return json.loads(text)
        except RecursionError as deep:
            raise InputError(f"{place}: line {line}: JSON is nested too deeply") from deep
        except ValueError:
            found = _BYTE.search(str(error))
            at = min(int(found[1]), len(data)) if found else len(data)
            before = data[:at]
            row = line + before.count(b"\n")
            column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "ignore")) + 1
            what = _BYTE.sub("", str(error).removeprefix("JSON is malformed: ")).strip()
            what = "it ends too early" if what == "Input data was truncated" else what
            raise InputError(f"{place}: line {row} column {column}: broken JSON: {what}") from error


def lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, line without its end) for every line that is not blank."""
    if b"\n" not in data and b"\r" in data:  # the line ends of old Macintoshes
        data = data.replace(b"\r", b"\n")
    start, number = 0, 0
    while start < len(data):
        number += 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end].strip()
        if line:
            yield number, line
        start = end + 1


def jsonl_table(data: bytes, place: str) -> Table:
    """One JSON object a line; blank lines are no rows.

    A line that is not UTF-8, is no object or names a key twice is left out and listed. Raises InputError at
    the first line that is broken JSON.
    """
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for number, line in lines(data):
        try:
            value = decode(line, place, number)
        except UnicodeDecodeError as error:
            left_out.append(
                LeftOut(
                    f"line {number}",
                    f"not UTF-8: byte 0x{line[error.start]:02x} at offset {error.start} of the line",
                )
            )
            continue
        if not isinstance(value, dict):
            left_out.append(LeftOut(f"line {number}", "not a JSON object"))
        elif twice := _key_twice(line, value):
            left_out.append(LeftOut(f"line {number}", f"key {twice!r} occurs twice"))
        else:
            rows.append(Row(f"line {number}", value))
    return Table.of("JSONL", rows, left_out)


def json_table(value: Any, place: str) -> Table:
    """The rows of one JSON document: a list of records, or an object that holds one.

    Also lists by split (`{"train": [...], "test": [...]}`), which get a `split` column, and columns of equal
    length (`{"text": [...], "label": [...]}`). Raises InputError where there are none or several.
    """
    if isinstance(value, list):
        return _of_list(value, "JSON")
    if not isinstance(value, dict):
        raise InputError(f"{place}: unknown format: JSON, but no list of records in it")
    lists = {key: one for key, one in value.items() if _is_records(one)}
    if len(lists) == 1:
        key, records = next(iter(lists.items()))
        return _of_list(records, f"JSON, the list {key!r}")
    if lists and all(key.lower() in _SPLITS for key in lists):
        joined = [
            {**one, "split": key} if isinstance(one, dict) else one for key, records in lists.items() for one in records
        ]
        return _of_list(joined, "JSON, lists by split")
    if len(lists) > 1:
        known = ", ".join(repr(key) for key in lists)
        raise InputError(f"{place}: several lists of records ({known}): keep the one to audit")
    columns = {key: one for key, one in value.items() if isinstance(one, list) and one}
    if len(columns) > 1 and len({len(one) for one in columns.values()}) == 1:
        records = [dict(zip(columns, cells)) for cells in zip(*columns.values())]
        return _of_list(records, "JSON, columns")
    frames = {key: one for key, one in value.items() if isinstance(one, dict) and one}
    if len(frames) > 1 and len({tuple(one) for one in frames.values()}) == 1:
        index = next(iter(frames.values()))
        records = [{key: one[at] for key, one in frames.items()} for at in index]
        return _of_list(records, "JSON, columns by index")
    if any(not isinstance(one, (dict, list)) for one in value.values()):
        return _of_list([value], "JSONL")  # a file of a single row
    raise InputError(f"{place}: unknown format: a JSON object without a list of records")


def _of_list(records: list[Any], format: str) -> Table:
    """Rows by number; what is no object is left out."""
    rows, left_out = [], []
    for number, one in enumerate(records, 1):
        if isinstance(one, dict):
            rows.append(Row(f"row {number}", one))
        else:
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
    return Table.of(format, rows, left_out)


def _is_records(value: Any) -> bool:
    """True for a list that holds at least one object among its first entries; chat messages are no records."""
    if not isinstance(value, list):
        return False
    return any(isinstance(one, dict) and not {"role", "content"} <= one.keys() for one in value[:10])


def _key_twice(line: bytes, value: dict[str, Any]) -> str | None:
    """The first key that the row's own object names twice; nested objects may repeat it freely."""
    # Counting quotes is cheap and never misses a plain key; only a suspect line is parsed again.
    if all(line.count(b'"%s"' % key.encode("utf-8", "replace")) < 2 for key in value):
        return None
    try:
        pairs = json.JSONDecoder(object_pairs_hook=lambda found: found).decode(line.decode())
    except RecursionError:  # this reader stops a few levels short of the one that has read the line
        return None
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return str(key)
        seen.add(key)
    return None
