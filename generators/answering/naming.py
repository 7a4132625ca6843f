"""Names as whole words: where a text writes any of a few names, the longest first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

__all__ = ["choices_named", "mentions_in", "written_names"]


def choices_named(line: str, choices: Sequence[str]) -> list[str]:
    """The choices that a line names as whole words, in order of first occurrence.

    Upper and lower case are the same, unless a choice is one character (`a` is a word, `A` an option) or two choices
    differ in nothing else.
    """
    names, folds = written_names(tuple(choices))
    return list(dict.fromkeys(choice for _, choice in mentions_in(_folded(line) if folds else _plain(line), names)))


@lru_cache(maxsize=1024)
def written_names(choices: tuple[str, ...]) -> tuple[dict[str, str], bool]:
    """The choices as a line writes them, the longest first, -> choice; and whether case is folded."""
    folded = {_folded(choice): choice for choice in choices}
    folds = len(folded) == len(choices) and all(len(choice) > 1 for choice in choices)
    names = folded if folds else {_plain(choice): choice for choice in choices}
    return {name: names[name] for name in sorted(names, key=lambda name: (-len(name), name))}, folds


def mentions_in(line: str, names: Mapping[str, str]) -> list[tuple[int, str]]:
    """(start, choice) of each name that stands in the line as a whole word, without overlaps, from left to right.

    What one pattern of all names finds; but compiling a pattern for each item takes far longer than reading a reply.
    """
    mentions: list[tuple[int, str]] = []
    ahead = {name: start for name in names if (start := _whole(line, name, 0)) >= 0}
    while ahead:
        # Of names that start at the same place, the longest: `min` keeps the first.
        name = min(ahead, key=ahead.__getitem__)
        mentions.append((ahead[name], names[name]))
        # An empty choice takes up no room, and would stand at the same place for ever.
        end = ahead[name] + max(len(name), 1)
        ahead = {
            name: later
            for name, start in ahead.items()
            if (later := start if start >= end else _whole(line, name, end)) >= 0
        }
    return mentions


def _whole(line: str, name: str, start: int) -> int:
    """Where the name next stands as a whole word: `5` is not in `-5`, `0.5` or `5.2`, `entailed` not in
    `non-entailed`; -1 where it does not."""
    before, after = _BEFORE[name[:1].isdigit()], _AFTER[name[-1:].isdigit()]
    place = line.find(name, start)
    while place >= 0 and not (before.match(line, place) and after.match(line, place + len(name))):
        place = line.find(name, place + 1)
    return place


_BEFORE = re.compile(r"(?<!\w)(?<!\w-)"), re.compile(r"(?<!\w)(?<!\w-)(?<![-−+])(?<!\d[.,])")
_AFTER = re.compile(r"(?!\w)(?!-\w)"), re.compile(r"(?!\w)(?!-\w)(?![.,]\d)")
"""In front of and behind a whole word, and a number."""


def _plain(text: str) -> str:
    return " ".join(normalize("NFC", text).split())


def _folded(text: str) -> str:
    return _plain(text.casefold())
