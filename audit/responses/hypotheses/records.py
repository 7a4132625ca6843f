"""Replies of many models in many prompt styles, scored as they are read: memory holds a few bytes a reply, no texts."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from audit.answers.prompts import PromptIndex
from audit.responses.answers import DIGEST, REPLY_KEYS, other_items
from generators.answering.misfit import fitting
from generators.answering.scorer import Scorer
from generators.errors import Fault, InputError, refused
from generators.input.opening import open_regular
from generators.item import Item
from generators.jsonl import unreadable
from generators.progress import Progress, unwatched

if TYPE_CHECKING:
    import polars

__all__ = ["MISSING", "RIGHT", "UNPARSED", "WRONG", "Left", "Replies", "read_replies"]

WRONG, RIGHT, UNPARSED, MISSING = range(4)
"""What became of a reply. Unparsed is wrong, and counted; missing is a reply that is null."""

_LISTED = 20
_LONGEST_NAME = 200
_FAST = msgspec.json.Decoder().decode
_WATCHED = 2_000  # lines between two calls of the progress


@dataclass
class Left:
    """Lines that could not be used: how many, and the first of them."""

    count: int = 0
    first: list[Fault] = field(default_factory=list)

    def add(self, reason: str, place: str) -> None:
        """Count a line, and keep it if it is one of the first."""
        self.count += 1
        if len(self.first) < _LISTED:
            self.first.append(Fault(reason, place))


@dataclass
class Replies:
    """What the replies of a file came to."""

    table: polars.DataFrame
    """One row per item, model and style: `item` (place among the items), `model`, `style` (places in the lists),
    `outcome` (RIGHT, WRONG, UNPARSED or MISSING), in the order of the file."""
    models: list[str]
    styles: list[str]
    """In the order of their first occurrence; the empty text where records name none."""
    lines: int
    """Lines with a record."""
    empty: int
    """Records with a reply that is null."""
    unmatched: Left
    """Records that belong to no item."""
    doubled: Left
    """Records whose item, model and style an earlier line has: the first reply that is not null counts."""


def read_replies(
    path: PathLike[str] | str, items: Sequence[Item], scorer: Scorer, progress: Progress = unwatched
) -> Replies:
    """The replies of a file, one JSON object a line: `{id or prompt, reply, model, style}`, model and style optional.

    Raises InputError for a file that cannot be read, for lines that are no such record (the first 20 with their
    places), and where no record belongs to an item.
    """
    import polars

    ids = {item.id: place for place, item in enumerate(items)}
    prompts: PromptIndex | None = None
    models, styles = _Names(), _Names()
    columns = [array("i") for _ in range(5)]
    unmatched, faults, lines, read, size = Left(), Left(), 0, 0, _size(path)
    others: list[int] = []
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        lines += 1
        read += len(line)
        if lines % _WATCHED == 0:
            progress("reading replies", read, max(read, size))
        place = f"{path}: line {number}"
        try:
            record: Any = _decoded(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
        except (ValueError, RecursionError) as error:
            faults.add(f"is not one JSON object: {str(error)[:200]}", place)
            continue
        if wrong := _fault(record):
            faults.add(wrong, place)
            continue
        id = record.get("id")
        at = ids.get(id, -1) if isinstance(id, str) else -1
        reason = f"no item has the id {str(id)[:80]!r}"
        if record.get("prompt") is not None:
            prompts = prompts or PromptIndex(items)
            at, reason = _agreed(id, at, *prompts.place(record["prompt"]))
        if at < 0:
            unmatched.add(reason, place)
            continue
        if record.get(DIGEST) not in (None, items[at].digest()):
            others.append(number)
            continue
        reply = next(record[key] for key in REPLY_KEYS if key in record)
        cells = (
            at,
            models.place(record.get("model")),
            styles.place(record.get("style")),
            _scored(items[at], reply, scorer),
        )
        for column, cell in zip(columns, (*cells, number), strict=True):
            column.append(cell)
    if faults.count:
        raise _refusal(faults, lines)
    if others:
        raise other_items(len(others), others[0], str(path), "the items")
    if not columns[0]:
        raise InputError(_nothing(unmatched), str(path))
    named = dict(zip(("item", "model", "style", "outcome", "line"), columns, strict=True))
    table = polars.DataFrame({name: polars.Series(name, column, polars.Int32) for name, column in named.items()})
    null = polars.col("outcome") == MISSING
    # A harness that asks again after a failure writes a null first.
    first = table.sort(null, "line").unique(["item", "model", "style"], keep="first", maintain_order=True).sort("line")
    again = table.filter(~null).join(first, on="line", how="anti")
    doubled = Left(again.height)
    for at, number in again.head(_LISTED).select("item", "line").rows():
        doubled.first.append(
            Fault(f"another reply to {items[at].id!r}; the first one counts", f"{path}: line {number}")
        )
    empty = table.filter(null).height
    return Replies(first.drop("line"), models.names, styles.names, lines, empty, unmatched, doubled)


def _decoded(line: bytes) -> Any:
    try:
        return _FAST(line)
    except msgspec.DecodeError:
        # Half an emoji at the end of a cut reply is no Unicode, but Python writes it.
        return json.loads(line.decode())


def _agreed(id: Any, by_id: int, by_prompt: int, reason: str) -> tuple[int, str]:
    """The item of a record with a prompt, or why there is none: a known id counts, unless the prompt is another's."""
    if by_id < 0:
        return by_prompt, reason if id is None else f"no item has the id {str(id)[:80]!r}, and {reason}"
    if by_prompt not in (-1, by_id):
        return -1, f"its prompt is not that of {id!r}, but another item's"
    return by_id, ""


class _Names:
    """Numbers for texts, in order of first occurrence."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, name: str | None) -> int:
        name = name or ""
        if name not in self._places:
            self._places[name] = len(self.names)
            self.names.append(name)
        return self._places[name]


def _size(path: PathLike[str] | str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError as error:
        raise refused("read", error, str(path)) from error


def _lines(path: PathLike[str] | str) -> Iterator[bytes]:
    try:
        with open_regular(path) as file:
            yield from file
    except OSError as error:
        raise refused("read", error, str(path)) from error


def _scored(item: Item, reply: str | None, scorer: Scorer) -> int:
    if reply is None:
        return MISSING
    with fitting(item):
        reading = scorer.read(item, reply)
        return UNPARSED if reading.said is None else RIGHT if scorer.score(item, reading).right else WRONG


def _fault(record: Any) -> str:
    """What keeps a parsed line from being a record; empty where nothing does."""
    if not isinstance(record, dict):
        return 'is not a JSON object; each line is {"id": item id, "reply": text, "model": name, "style": name}'
    if record.get("id") is None and record.get("prompt") is None:
        return "has neither an item id nor a prompt"
    if record.get("prompt") is None and not isinstance(record["id"], str):
        return "its id is not text"
    keys = [key for key in REPLY_KEYS if key in record]
    if len(keys) != 1:
        return f"has {' and '.join(keys) or 'no reply'}; it needs one of {', '.join(REPLY_KEYS)}"
    if not isinstance(record[keys[0]], str | None):
        return f"its {keys[0]} is not text"
    if not isinstance(record.get(DIGEST), str | None):
        return f"its {DIGEST} is not text"
    for key in ("model", "style"):
        name = record.get(key)
        # These names reach a terminal.
        if name is not None and not (isinstance(name, str) and name.isprintable() and len(name) <= _LONGEST_NAME):
            return f"its {key} is not a short, printable text"
    return ""


def _refusal(faults: Left, lines: int) -> InputError:
    if faults.count == lines or faults.count <= _LISTED:
        return unreadable(faults.first, lines, usable=lines - faults.count)
    rest = faults.count - _LISTED + 1
    return InputError.of([*faults.first[:-1], Fault(f"... and {rest:,} more of {lines:,} lines")])


def _nothing(unmatched: Left) -> str:
    if not unmatched.count:
        return 'has no replies; each line is {"id": item id, "reply": text, "model": name, "style": name}'
    where = unmatched.first[0]
    return f"none of its {unmatched.count:,} replies belongs to an item; of the first, {where.reason}"
