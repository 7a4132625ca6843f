"""What people are said to do where it matters to nobody: where they live, without a number and with one.

Such a remark stands for `had 12 pens of her own`, has as many words and characters, and holds at any time.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from hansproof.generators.stream import Stream

__all__ = ["remark"]

_NAMES = (
    "Elm Oak Mill Park Lake High York Abbey North South Church Garden School Market Castle Station Victoria Hawthorn"
    " Waterloo Nightingale"
)
_KINDS = "Row Lane Road Street Avenue Terrace Crescent"
_STREETS = [f"{name} {kind}" for name, kind in product(_NAMES.split(), _KINDS.split())]
_IN = (
    "had a flat", "had a house", "used to live", "had always lived", "had a big flat", "had a small flat",
    "had a small house", "lived with a friend", "shared a small flat",
)  # fmt: skip
"""What people did in a street."""
_AT = ("was born", "still lived", "used to live", "had once lived", "had always lived")
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
