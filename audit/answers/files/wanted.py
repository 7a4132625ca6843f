"""What a JSON file holds in place of answers, in words, and what was expected there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.formats.json_rows import json_table
from audit.formats.table import Table
from audit.notation import things
from generators.errors import InputError

__all__ = ["NoAnswersError", "answers_table", "described", "refuse_other_lines"]

_KEYS = 6
"""Keys of an object that are named."""
_LONGEST = 40
"""Characters of one of them."""
_FORM = 'an object for each answer is expected: [{"id": item id, "reply": text}, ...]'


class NoAnswersError(InputError):
    """A file that can be read, but holds no answers. Beside answers, in a folder, it is left out with a note."""

    def __init__(self, reason: str, place: str = "", short: str = "") -> None:
        super().__init__(reason, place)
        self.short = short or reason
        """What it holds, without what to do about it."""


def answers_table(value: Any, place: str) -> Table:
    """The rows of one JSON document. Raises InputError where it has no objects, or several lists of them."""
    members = value if isinstance(value, list) else [value]
    if not any(isinstance(member, dict) for member in members):
        raise _no_answers(described(value), place)
    try:
        return json_table(value, place)
    except InputError as error:
        lists = [repr(key[:_LONGEST]) for key, inner in value.items() if _holds_objects(inner)]
        if len(lists) > 1:
            reason = f"holds several lists of objects ({', '.join(lists)}): keep the one with the answers"
            raise NoAnswersError(reason, place, f"it holds several lists of objects ({', '.join(lists)})") from error
        raise _no_answers(described(value), place) from error


def refuse_other_lines(values: Sequence[Any], place: str) -> None:
    """Raise InputError for a file whose first lines are these JSON values, none of them an object, unless it is one
    document."""
    kinds = {_kind(value) for value in values}
    if len(values) > 1:
        raise _no_answers(f"a {kinds.pop()} on each line" if len(kinds) == 1 else "lines of several kinds", place)
    if kinds and kinds != {"list"}:
        raise _no_answers(described(values[0]), place)


def described(value: Any) -> str:
    """What kind of JSON value it is, with as much of what is in it as tells which."""
    if isinstance(value, dict) and value:
        names = ", ".join(repr(key[:_LONGEST]) for key in list(value)[:_KEYS])
        more = f" and {len(value) - _KEYS:,} more" if len(value) > _KEYS else ""
        return f"an object with the {'key' if len(value) == 1 else 'keys'} {names}{more}"
    if isinstance(value, dict | list) and not value:
        return f"an empty {_kind(value)}"
    if not isinstance(value, list):
        return "null" if value is None else f"a {_kind(value)}"
    kinds = {_kind(member) for member in value}
    return f"a list of {things(len(value), kinds.pop() if len(kinds) == 1 else 'different value')}"


def _no_answers(held: str, place: str) -> NoAnswersError:
    return NoAnswersError(f"holds {held}; {_FORM}", place, f"it holds {held}")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth value"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, list) else "object" if isinstance(value, dict) else "null"


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(member, dict) for member in value)
