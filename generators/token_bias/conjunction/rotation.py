"""Whose turn it is, and whose completion an item borrows.

In every block each entry has one turn, lends its own completion once and borrows another's once. So the two arms of a
block have the same completions, each as often. A borrowed one always comes from another theme, and never from an entry
that the borrower is to be kept apart from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from generators.stream import Stream
from generators.token_bias.lexicon.entries import Entry

__all__ = ["borrowed", "turn"]


def borrowed(
    root: Stream, entries: tuple[Entry, ...], number: int, apart: frozenset[tuple[str, str]] = frozenset()
) -> tuple[Entry, Entry]:
    """(the entry of group `number`, the entry whose completion it borrows); a block has as many groups as entries.

    `apart` has the names of (borrower, lender) that never make a pair.
    """
    block, place = divmod(number, len(entries))
    return _pairs(root, entries, block, apart)[place]


def turn(root: Stream, entries: tuple[Entry, ...], number: int) -> Entry:
    """The entry of group `number`; a block has as many groups as entries."""
    block, place = divmod(number, len(entries))
    return _order(root, entries, block)[place]


@lru_cache(maxsize=32)
def _pairs(
    root: Stream, entries: tuple[Entry, ...], block: int, apart: frozenset[tuple[str, str]]
) -> Sequence[tuple[Entry, Entry]]:
    draws = root.child("block").child(block)
    sizes = Counter(entry.theme for entry in entries)
    ranks = {theme: rank for rank, theme in enumerate(draws.shuffled(list(sizes)))}
    # Themes stand together, so whoever stands at least the largest theme away is of another one, round the circle too.
    circle = sorted(draws.shuffled(entries), key=lambda entry: ranks[entry.theme])
    most = max(sizes.values())
    shift = draws.integer(most, len(circle) - most)
    pairs = [(entry, circle[(place + shift) % len(circle)]) for place, entry in enumerate(circle)]
    return _separated(draws.shuffled(pairs), apart)


def _separated(
    pairs: Sequence[tuple[Entry, Entry]], apart: frozenset[tuple[str, str]]
) -> Sequence[tuple[Entry, Entry]]:
    """The pairs, where two borrowers have exchanged what they borrow if one of them was to be kept apart from it."""

    def may(own: Entry, other: Entry) -> bool:
        return own.theme != other.theme and (own.name, other.name) not in apart

    mended = list(pairs)
    for place, (own, other) in enumerate(mended):
        if may(own, other):
            continue
        swap = next(rank for rank, (borrower, lent) in enumerate(mended) if may(own, lent) and may(borrower, other))
        borrower, lent = mended[swap]
        mended[place], mended[swap] = (own, lent), (borrower, other)
    return mended


@lru_cache(maxsize=32)
def _order(root: Stream, entries: tuple[Entry, ...], block: int) -> Sequence[Entry]:
    return root.child("block").child(block).shuffled(entries)
