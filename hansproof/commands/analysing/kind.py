"""What a kind of analysis is: the options that it takes, the files that it reads, and what it makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generators.errors import UsageError
from hansproof.commands.options.items import item_reading
from hansproof.commands.options.replies import named_once, reply_reading

if TYPE_CHECKING:
    from hansproof.terminal.reports import Made

__all__ = ["READING", "AnalysisKind", "Given", "files_read", "reading", "single_source"]

Given = Mapping[str, Any]
"""The options of `analyse` by their names, with None or an empty tuple for those that were not given."""

READING = ("models", "styles", "columns", "reply_columns")
"""Options that say how replies are read."""


@dataclass(frozen=True)
class AnalysisKind:
    """One thing by which answers are analysed."""

    name: str
    """What --by calls it."""
    takes: Sequence[str]
    """The options that go with it, beside those of every kind: REPLIES, --items, --json, --csv, --html, --force."""
    reads: Callable[[Given], Sequence[str]]
    """The files that it reads, which no output may be; raises UsageError where they are not named as it needs them."""
    make: Callable[[Given, Sequence[str]], Made]
    """Does the work; the names of the outputs that are wanted, such as `html`, come with what was given."""


def files_read(given: Given) -> list[str]:
    """The files of replies under their own names, those of items, and the table of families."""
    return [*named_once(given["answers"]), *given["sources"], *filter(None, [given["families"]])]


def reading(given: Given) -> dict[str, Any]:
    """How answers and items are read, as the functions want it."""
    return {
        "models": given["models"],
        "styles": given["styles"],
        **reply_reading(given["columns"], given["reply_columns"]),
        **item_reading(given),
    }


def single_source(given: Given) -> str:
    """The items, of a kind that takes one benchmark. Raises UsageError where there are none or several."""
    sources: Sequence[str] = given["sources"]
    if len(sources) != 1:
        raise UsageError("name the items that were answered, once: --items SOURCE")
    return sources[0]
