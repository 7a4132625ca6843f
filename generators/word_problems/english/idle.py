"""What people are said to do where it matters to nobody: where they live, without a number and with one.

Such a remark stands for `had 12 pens of her own`, has as many words and characters, and holds at any time.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from hansproof.generators.stream import Stream

__all__ = ["remark"]

_NAMES = (
    "Elm Oak Mill Park Lake Hill York Abbey North South Church Garden School Market Castle Station Victoria Hawthorn"
    " Waterloo Nightingale"
)
_KINDS = "Row Lane Road Street Avenue Terrace Crescent"
_STREETS = [f"{name} {kind}" for name, kind in product(_NAMES.split(), _KINDS.split())]
_IN = (
    "had a room", "had a house", "had a garden", "had a sister", "had a brother", "had a cousin", "used to live",
    "had a new home", "had a big house", "had a small house", "had an old house", "had a big garden",
    "had an elder sister", "had a young nephew", "lived with a friend",
)  # fmt: skip
"""What people did in a street."""
_AT = (
    "grew up", "had rooms", "was living", "was staying", "lived alone", "used to live", "had once lived",
    "had always lived",
)  # fmt: skip
"""What they did at the number of a house there."""


@cache
def _table(numbered: bool) -> dict[tuple[int, int], list[str]]:
    """(words, characters but for `{}`) -> the remarks, with `{}` for a number or without one."""
    table: dict[tuple[int, int], list[str]] = {}
    ways = [f"{did} at {{}}" for did in _AT] if numbered else [f"{did} in" for did in _IN]
    for text in map(" ".join, product(ways, _STREETS)):
        table.setdefault((len(text.split()), len(text.replace("{}", ""))), []).append(text)
    return table


def remark(stream: Stream, instead: str, number: int | None) -> str:
    """What stands instead of `had 12 pens of her own`, with `number` if it is one, and as long in words and in
    characters."""
    numbered = number is not None
    size = len(instead) - len(str(number)) * numbered
    return stream.choice(_table(numbered)[len(instead.split()), size]).format(number)
