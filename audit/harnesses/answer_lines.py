"""The answers format of this project, JSON lines; and what a JSON file holds in place of answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from hansproof.audit.formats.column_names import NAMES
from hansproof.audit.formats.json_rows import described, json_table, keys_of, repeated_key
from hansproof.audit.formats.table import Table, as_plain, is_missing
from hansproof.audit.harnesses.log_values import as_verdict, name_fault, no_verdict_in
from hansproof.audit.harnesses.reply import Reply, as_asked, run_of_sample
from hansproof.generators.errors import Fault, InputError
from hansproof.generators.jsonl import json_fault, unreadable

__all__ = ["DIGEST", "REPLY_KEYS", "NoAnswersError", "answers_table", "replies_of_lines"]

_DOCUMENT_FORM = 'a list with an object for each answer is expected: [{"id": item id, "reply": text}, ...]'


class NoAnswersError(InputError):
    """A file that can be read, but holds no answers. Beside answers, in a folder, it is left out with a note."""

    def __init__(self, reason: str, place: str = "", short: str = "") -> None:
        super().__init__(reason, place)
        self.short = short or reason
        """What it holds, without what to do about it."""


def answers_table(value: Any, place: str) -> Table:
    """The rows of one JSON document. Raises NoAnswersError where it has no objects, or several lists of them."""
    holds = f"holds {described(value)}"
    none = NoAnswersError(f"{holds}; {_DOCUMENT_FORM}", place, f"it {holds}")
    if not any(isinstance(member, dict) for member in (value if isinstance(value, list) else [value])):
        raise none
    try:
        return json_table(value, place)
    except InputError as error:
        raise none from error


# Read as a stream, so that any length fits in memory. Numbers and truth values are read as their text, as in tables.

DIGEST = "item_digest"
"""The optional key that says which item was asked: `Item.digest`, as `hansproof prompts` writes it, or
`Item.line_digest`, as `hansproof run` does."""

REPLY_KEYS = NAMES["reply"][:4]
"""The keys under which a reply may stand; a line has exactly one of them."""

_FAST = msgspec.json.Decoder().decode
_KEPT = 1000
"""Faults that are kept; more are only counted."""
_LINE_FORM = 'each line is {"id": item id, "reply": text}, with "model" and "style" where there are several'


def replies_of_lines(numbered: Iterable[tuple[int, bytes]], path: str) -> Iterator[Reply]:
    """The reply of each line that is not blank; `numbered` are the lines with their numbers.

    Raises InputError after the last line with every fault (the first 1,000 of them), and where there is no reply.
    """
    faults: list[Fault] = []
    lines = wrong_lines = 0
    for number, line in numbered:
        # Editors of some systems put a byte order mark in front.
        line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not line.strip():
            continue
        lines += 1
        place = f"{path}: line {number}"
        try:
            record = _decoded(line)
            wrong = _fault(record) or _repeated(line, record)
        except (ValueError, RecursionError) as error:
            # A CR inside a line of JSON is written \\r.
            todo = "end its lines with LF, not CR" if b"\r" in line.rstrip() else "write one JSON object per line"
            wrong = f"{json_fault(error)}; {todo}"
        if wrong:
            wrong_lines += 1
            if wrong_lines <= _KEPT:
                faults.append(Fault(wrong, place))
        elif not wrong_lines:
            yield from _replies(record, place, number)
    if wrong_lines > _KEPT:
        faults.append(Fault(f"... and {wrong_lines - _KEPT:,} more of {lines:,} lines"))
    if faults:
        raise unreadable(faults, lines, usable=lines - wrong_lines)
    if not lines:
        raise InputError(f"has no replies; {_LINE_FORM}", path)


def _decoded(line: bytes) -> Any:
    try:
        return _FAST(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Half an emoji at the end of a cut reply is no Unicode, but Python writes it.
        return json.loads(line.rstrip().decode())


def _repeated(line: bytes, record: dict[str, Any]) -> str:
    """That a key stands twice, of which parsers keep the last; empty where none does.

    Lines with messages are not looked at: counting in them takes a quarter of the time of reading them.
    """
    looked_at = line.count(b'":') != len(record) and not isinstance(record.get("prompt"), list)
    key = repeated_key(line, record) if looked_at else None
    return "" if key is None else f"has the key {key!r} twice; keep one"


def _name(value: Any) -> str:
    """Names that differ by blanks alone are one."""
    return " ".join((_text(value) or "").split())


def _text(value: Any) -> str | None:
    """A plain value as its text; None for null and NaN, and for what is no plain value."""
    return value if isinstance(value, str) else None if is_missing(value) else as_plain(value)


def _is_plain(value: Any) -> bool:
    """Whether a value is null, or has a text."""
    return isinstance(value, str) or is_missing(value) or as_plain(value) is not None


def _replies(record: dict[str, Any], place: str, number: int) -> Iterator[Reply]:
    """The reply of a line; of a list of replies each, in a run of its own."""
    given = next(record[key] for key in REPLY_KEYS if key in record)
    id, prompt, seed = record.get("id"), record.get("prompt"), record.get("seed")
    benchmark = _name(record.get("benchmark"))
    # A text under one of these keys may be the gold answer.
    marks = [record[key] for key in NAMES["judged"] if isinstance(record.get(key), bool | int | float)]
    for sample, said in enumerate(given if isinstance(given, list) else [given], 1):
        yield Reply(
            place=place,
            reply=_text(said),
            # An object beside a prompt is the id of no item, but the prompt may find one.
            id=_text(id) if _is_plain(id) else str(id),
            # A prompt that is no text is none of the items': "" has no item, None leaves the id alone to decide.
            prompt=None if prompt is None else as_asked(prompt) or "",
            model=_name(record.get("model")),
            family=_name(record.get("family")),
            style=_name(record.get("style")),
            benchmark="" if name_fault(benchmark) else benchmark,  # other programs mean something else by the key
            run=run_of_sample(_text(record.get("run")) or "", sample),
            digest=record.get(DIGEST) or "",
            seed=seed if type(seed) is int else None,
            judged=as_verdict(marks[0]) if marks else None,
            undecided=no_verdict_in(marks[0]) if marks else "",
            unfinished=record.get("unfinished") or "",
            line=number,
        )


def _fault(record: Any) -> str:
    """What keeps a parsed line from being an answer; empty where nothing does."""
    if not isinstance(record, dict):
        return f"is not a JSON object but {described(record)}; {_LINE_FORM}"
    if record.get("prompt") is None and not _text(record.get("id")):
        if not _is_plain(record.get("id")):
            return "its id is not text"
        return f"has neither an item id nor a prompt, under `id` or `prompt`: {keys_of(record)} is all it has"
    keys = [key for key in REPLY_KEYS if key in record]
    if not keys:
        held = f"{', '.join(REPLY_KEYS)}: {keys_of(record)} is all it has"
        return f"has no reply under any of the keys {held}; name another with --column reply=KEY"
    if len(keys) > 1:
        return f"has {' and '.join(keys)}; keep the one that is the reply, or say which it is: --column reply={keys[0]}"
    given = record[keys[0]]
    several = isinstance(given, list) and DIGEST not in record  # a run that was played has one whole reply
    if not (given and all(map(_is_plain, given)) if several else _is_plain(given)):
        return f"its {keys[0]} is not text"
    for key in (DIGEST, "unfinished"):
        if not isinstance(record.get(key), str | None):
            return f"its {key} is not text"
    for key in ("model", "family", "style", "run"):
        value = record.get(key)
        if value is not None and (wrong := name_fault(_text(value) if _is_plain(value) else value)):
            return f"its {key} {wrong}"
    return ""
