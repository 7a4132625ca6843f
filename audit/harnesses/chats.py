"""Chats that are items: what the assistant says last is the gold, and `reading.items` takes it off the prompt.

`{"messages": [{"role": ..., "content": ...}, ...]}`, as fine-tuning takes them, and `{"conversations": [{"from": ...,
"value": ...}, ...]}`, as ShareGPT has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hansproof.audit.formats.column_names import ANSWERS, folded
from hansproof.audit.formats.table import Row, Table, said_by_assistant

__all__ = ["CHATS", "is_answered", "is_chats", "items_of_chats"]

CHATS = "chats"
"""The format of their table."""
_COLUMNS = ("messages", "conversations", "conversation", "turns", "dialog", "dialogue", "chat")
_SAID = {*ANSWERS, "chosen"}
_NOTE = "column 'answer' is what the assistant says last"


def is_chats(first: Sequence[dict[str, Any]]) -> bool:
    """True for rows with a chat that ends with the assistant, and without a column that says itself what is right."""
    return all(_chat(values) is not None and _SAID.isdisjoint(map(folded, values)) for values in first)


def items_of_chats(table: Table, place: str) -> Table:
    """One row per chat; those that end otherwise have no gold, and stay so."""
    rows, columns = [], set[str]()
    for row in table.rows:
        values = row.values
        if (name := _chat(values)) is not None:
            columns.add(name)
            values = {**values, "answer": said_by_assistant(values[name][-1])}
        rows.append(Row(row.place, values))
    roles = (("prompt", min(columns)), ("answer", "answer"))
    return Table.of(CHATS, rows, table.left_out, notes=(*table.notes, _NOTE), defaults=roles)


def _chat(values: dict[str, Any]) -> str | None:
    return next((name for name in _COLUMNS if is_answered(values.get(name))), None)


def is_answered(turns: Any) -> bool:
    """Whether a value is a chat of several turns whose last one is the assistant's."""
    return isinstance(turns, (list, tuple)) and len(turns) > 1 and said_by_assistant(turns[-1]) is not None
