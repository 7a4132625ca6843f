"""JSON Lines and JSON to rows; faults are reported by line and column."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.table import WHOLE, Budget, Row, Sieve, Table, check_values, kind_of, parted
from hansproof.audit.notation import things
from hansproof.generators.errors import InputError, not_utf8
from hansproof.generators.input import first_repeated
from hansproof.generators.jsonl import json_fault

__all__ = [
    "Entry",
    "decode",
    "described",
    "entries_of",
    "json_table",
    "jsonl_table",
    "keys_of",
    "lines",
    "repeated_key",
    "with_repeats_marked",
]

_FEW_KEYS = 100
_MANY_KEYS = 6
"""Keys of an object that are named."""
_LONGEST_KEY = 40
"""Characters of one of them."""
_EXPECTED = 'a list of objects is expected: [{"prompt": text, "answer": gold answer}, ...]'
_SPLITS = ("train", "training", "validation", "valid", "dev", "test")


def decode(data: bytes, place: str, line: int = 1) -> Any:
    """One JSON value. `line` is the line of its first byte.

    NaN, Infinity and lone surrogates are accepted, because Python's `json` writes them. Raises InputError with line
    and column, and UnicodeDecodeError if the bytes are not UTF-8.
    """
    try:
        return msgspec.json.decode(data)
    except UnicodeDecodeError:
        data.decode()  # its error counts from the start of the data, not of the string inside it
        raise
    except RecursionError as error:
        raise InputError("JSON is nested too deeply", f"{place}: line {line}") from error
    except msgspec.DecodeError:
        return _decoded_slowly(data.decode(), place, line)


def _decoded_slowly(text: str, place: str, line: int) -> Any:
    """The same by the standard library, which accepts NaN and whose errors say where they are."""
    text = text.rstrip()  # what ends too early ends where its last character is, not on the blank line behind it
    try:
        return json.loads(text)
    except RecursionError as error:
        raise InputError("JSON is nested too deeply", f"{place}: line {line}") from error
    except json.JSONDecodeError as error:
        what = (
            "it ends too early"
            if error.pos >= len(text)
            else error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        )
        where = f"{place}: line {line + error.lineno - 1} column {error.colno}"
        raise InputError(f"broken JSON: {what}", where) from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise InputError(json_fault(error), f"{place}: line {line}") from error


def lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, line without its ending) for every line that is not blank."""
    if b"\n" not in data and b"\r" in data:  # line endings of old Macintoshes
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


class Entry(NamedTuple):
    """One object of a log: a line of JSON Lines, or a row of a table."""

    number: int
    """Of the line or row, from 1."""
    place: str
    """`log.jsonl: line 12`."""
    values: dict[str, Any]


def entries_of(numbered: Iterable[tuple[int, bytes]], path: str) -> Iterator[Entry]:
    """The object on each line of a log that is not blank; `numbered` are its lines with their numbers.

    Raises InputError, with the line, for one that is not JSON, not UTF-8 or no object.
    """
    for number, line in numbered:
        if line.strip():
            place = f"{path}: line {number}"
            try:
                value = decode(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, path, number)
            except UnicodeDecodeError as error:
                raise not_utf8(error, place) from error
            if not isinstance(value, dict):
                raise InputError(f"is {described(value)}, and not a JSON object as the lines before it", place)
            yield Entry(number, place, value)


def described(value: Any) -> str:
    """What kind of JSON value it is, with as much of what is in it as tells which."""
    if isinstance(value, dict) and value:
        return f"an object with the {'key' if len(value) == 1 else 'keys'} {keys_of(value)}"
    if isinstance(value, dict | list) and not value:
        return f"an empty {kind_of(value)}"
    if not isinstance(value, list):
        return "null" if value is None else f"a {kind_of(value)}"
    kinds = {kind_of(member) for member in value}
    return f"a list of {things(len(value), kinds.pop() if len(kinds) == 1 else 'different value')}"


def keys_of(value: dict[str, Any]) -> str:
    """The first keys of an object, quoted, and how many more it has."""
    names = ", ".join(repr(key[:_LONGEST_KEY]) for key in list(value)[:_MANY_KEYS])
    return names + (f" and {len(value) - _MANY_KEYS:,} more" if len(value) > _MANY_KEYS else "") or "nothing"


def jsonl_table(data: bytes, place: str, budget: Budget = WHOLE) -> Table:
    """One JSON object per line; blank lines are skipped.

    A line that is not UTF-8, is not an object or has a key twice is left out and listed. Raises InputError at
    the first line that is not JSON, and for more rows than the budget has.
    """
    sieve: Sieve[Row | LeftOut] = Sieve(budget, place)
    for number, line in lines(data):
        check_values(line, f"{place}: line {number}")
        try:
            value = decode(line, place, number)
        except UnicodeDecodeError as error:
            detail = f"byte 0x{line[error.start]:02x} at offset {error.start} of the line"
            sieve.add(LeftOut(f"line {number}", "not UTF-8", detail), line)
            continue
        if not isinstance(value, dict):
            sieve.add(LeftOut(f"line {number}", "not a JSON object"), line)
        elif repeated := repeated_key(line, value):
            sieve.add(LeftOut(f"line {number}", f"key {repeated!r} occurs twice"), line)
        else:
            sieve.add(Row(f"line {number}", value), value, line.count(b",") + 1)
    rows, left_out = parted(sieve.kept)
    return Table.of("JSONL", rows, left_out, sampled_from=sieve.sampled_from)


class _Repeating(dict[str, Any]):
    """An object that has a key twice."""

    key = ""
    """The first such key."""


def with_repeats_marked(value: Any, data: bytes) -> Any:
    """An object or a list of records; what has a key twice is marked, so that it can be left out.

    Counting is cheap and never misses a plain key; only suspect data are parsed again, and those with so many keys that
    counting each would read them as many times.
    """
    records = value if isinstance(value, list) else [value]
    counts = Counter(key for record in records if isinstance(record, dict) for key in record)
    few = len(counts) <= _FEW_KEYS
    if few and all(data.count(b'"%s"' % key.encode("utf-8", "replace")) <= count for key, count in counts.items()):
        return value
    try:
        return json.JSONDecoder(object_pairs_hook=_marked).decode(data.decode())
    except (RecursionError, ValueError):  # this reader accepts less than the one that has read the data
        return value


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) == len(pairs):
        return record
    marked = _Repeating(record)
    marked.key = first_repeated(key for key, _ in pairs) or ""
    return marked


def repeated_key(line: bytes, value: dict[str, Any]) -> str | None:
    """The first key that the object of this line has twice; nested objects may repeat it."""
    marked = with_repeats_marked(value, line)
    return marked.key if isinstance(marked, _Repeating) else None


def json_table(value: Any, place: str) -> Table:
    """The rows of one JSON document: a list of records, or an object that contains one.

    Also accepts lists by split (`{"train": [...], "test": [...]}`), which get a `split` column, columns of equal length
    (`{"text": [...], "label": [...]}`), by split or not, and records by name (`{"q1": {...}, "q2": {...}}`). Raises
    InputError if there is no list of records, or several.
    """
    if isinstance(value, list):
        return _of_list(value, "JSON")
    if not isinstance(value, dict):
        raise InputError(f"unknown format: {described(value)}; {_EXPECTED}", place)
    lists = {key: member for key, member in value.items() if _is_records(member)}
    if not lists and (records := _of_columns(value)):
        return _of_list(records, "JSON, columns")
    parts = lists or {key: records for key, member in value.items() if (records := _of_columns(member))}
    if parts and all(key.lower() in _SPLITS for key in parts) and (len(parts) > 1 or not lists):
        joined = [
            {**record, "split": split} if isinstance(record, dict) else record
            for split, records in parts.items()
            for record in records
        ]
        return _of_list(joined, "JSON, lists by split" if lists else "JSON, columns by split")
    if len(lists) > 1:
        keys = ", ".join(repr(key) for key in lists)
        raise InputError(f"several lists of records ({keys}): keep the one to audit", place)
    for key, records in lists.items():
        return _of_list(records, f"JSON, the list {key!r}")
    frames = {key: cells for key, cells in value.items() if isinstance(cells, dict) and cells}
    if len(frames) > 1 and len({tuple(cells) for cells in frames.values()}) == 1:
        index = next(iter(frames.values()))
        if len(index) < len(frames) and not all(at.isdecimal() for at in index):
            return _of_list([{"id": key, **record} for key, record in frames.items()], "JSON, records by name")
        return _of_list([{key: cells[at] for key, cells in frames.items()} for at in index], "JSON, columns by index")
    if any(not isinstance(member, (dict, list)) for member in value.values()):
        return _of_list([value], "JSONL")  # a file of a single row
    raise InputError(f"unknown format: {described(value)}; {_EXPECTED}", place)


def _of_list(records: list[Any], format: str) -> Table:
    """Numbered rows; entries that are not objects are left out."""
    rows, left_out = [], []
    for number, record in enumerate(records, 1):
        if isinstance(record, _Repeating):
            left_out.append(LeftOut(f"row {number}", f"key {record.key!r} occurs twice"))
        elif isinstance(record, dict):
            rows.append(Row(f"row {number}", record))
        else:
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
    return Table.of(format, rows, left_out)


def _of_columns(value: Any) -> list[dict[str, Any]]:
    """The records of an object of lists of one length, which are columns; those members that are no lists are left."""
    lists = (
        {key: cells for key, cells in value.items() if isinstance(cells, list) and cells}
        if isinstance(value, dict)
        else {}
    )
    if len(lists) < 2 or len({len(cells) for cells in lists.values()}) > 1:
        return []
    return [dict(zip(lists, cells)) for cells in zip(*lists.values())]


def _is_records(value: Any) -> bool:
    """True for a list with at least one object among its first entries; chat messages do not count as records."""
    if not isinstance(value, list):
        return False
    return any(isinstance(entry, dict) and not {"role", "content"} <= entry.keys() for entry in value[:10])
