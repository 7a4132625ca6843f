"""Whose turn it is, and whose completion an item borrows.

In every block each entry has one turn, lends its own completion once and borrows another's once. So the two arms of a
block have the same completions, each as often. A borrowed one always comes from another theme.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from generators.stream import Stream
from generators.token_bias.lexicon.entries import Entry

__all__ = ["borrowed", "turn"]


def borrowed(root: Stream, entries: tuple[Entry, ...], number: int) -> tuple[Entry, Entry]:
    """(the entry of group `number`, the entry whose completion it borrows); a block has as many groups as entries."""
    block, place = divmod(number, len(entries))
    return _pairs(root, entries, block)[place]


def turn(root: Stream, entries: tuple[Entry, ...], number: int) -> Entry:
    """The entry of group `number`; a block has as many groups as entries."""
    block, place = divmod(number, len(entries))
    return _order(root, entries, block)[place]


@lru_cache(maxsize=32)
def _pairs(root: Stream, entries: tuple[Entry, ...], block: int) -> Sequence[tuple[Entry, Entry]]:
    draws = root.child("block").child(block)
    sizes = Counter(entry.theme for entry in entries)
    ranks = {theme: rank for rank, theme in enumerate(draws.shuffled(list(sizes)))}
    # Themes stand together, so whoever stands at least the largest theme away is of another one, round the circle too.
    circle = sorted(draws.shuffled(entries), key=lambda entry: ranks[entry.theme])
    most = max(sizes.values())
    shift = draws.integer(most, len(circle) - most)
    pairs = [(entry, circle[(place + shift) % len(circle)]) for place, entry in enumerate(circle)]
    return draws.shuffled(pairs)


@lru_cache(maxsize=32)
def _order(root: Stream, entries: tuple[Entry, ...], block: int) -> Sequence[Entry]:
    return root.child("block").child(block).shuffled(entries)
