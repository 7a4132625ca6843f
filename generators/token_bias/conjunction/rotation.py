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

__all__ = ["Apart", "borrowed", "places_near", "turn"]

Apart = frozenset[tuple[str, str]]
"""Names of (borrower, lender) that never make a pair."""


def places_near(entries: tuple[Entry, ...]) -> Apart:
    """All entries that are to be kept apart because one of them names the place of the other as near."""
    return frozenset(
        pair
        for own in entries
        for other in entries
        if other.place in own.near
        for pair in ((own.name, other.name), (other.name, own.name))
    )


def borrowed(root: Stream, entries: tuple[Entry, ...], number: int, apart: Apart = frozenset()) -> tuple[Entry, Entry]:
    """(the entry of group `number`, the entry whose completion it borrows); a block has as many groups as entries."""
    block, place = divmod(number, len(entries))
    return _pairs(root, entries, block, apart)[place]


def turn(root: Stream, entries: tuple[Entry, ...], number: int) -> Entry:
    """The entry of group `number`; a block has as many groups as entries."""
    block, place = divmod(number, len(entries))
    return _order(root, entries, block)[place]


@lru_cache(maxsize=32)
def _pairs(root: Stream, entries: tuple[Entry, ...], block: int, apart: Apart) -> Sequence[tuple[Entry, Entry]]:
    draws = root.child("block").child(block)
    while True:  # of the stories, which have most to keep apart, a block in 80 is drawn again
        pairs = _separated(draws.shuffled(_circle(draws, entries)), apart)
        if all(_may(own, other, apart) for own, other in pairs):
            return pairs


def _circle(draws: Stream, entries: tuple[Entry, ...]) -> list[tuple[Entry, Entry]]:
    sizes = Counter(entry.theme for entry in entries)
    ranks = {theme: rank for rank, theme in enumerate(draws.shuffled(list(sizes)))}
    # Themes stand together, so whoever stands at least the largest theme away is of another one, round the circle too.
    circle = sorted(draws.shuffled(entries), key=lambda entry: ranks[entry.theme])
    most = max(sizes.values())
    shift = draws.integer(most, len(circle) - most)
    return [(entry, circle[(place + shift) % len(circle)]) for place, entry in enumerate(circle)]


def _separated(pairs: Sequence[tuple[Entry, Entry]], apart: Apart) -> Sequence[tuple[Entry, Entry]]:
    """The pairs, where two borrowers have exchanged what they borrow if one of them was to be kept apart from it.

    Who finds nobody to exchange with keeps it.
    """
    mended = list(pairs)
    for place, (own, other) in enumerate(mended):
        if _may(own, other, apart):
            continue
        for swap, (borrower, lent) in enumerate(mended):
            if _may(own, lent, apart) and _may(borrower, other, apart):
                mended[place], mended[swap] = (own, lent), (borrower, other)
                break
    return mended


def _may(own: Entry, other: Entry, apart: Apart) -> bool:
    return own.theme != other.theme and (own.name, other.name) not in apart


@lru_cache(maxsize=32)
def _order(root: Stream, entries: tuple[Entry, ...], block: int) -> Sequence[Entry]:
    return root.child("block").child(block).shuffled(entries)
