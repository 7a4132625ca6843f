"""Plan: what a room of this family says of one of its subsets, and how sets of matched items are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from hansproof.generators.dataset import Draft, Subset
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["NAME", "OURS", "PAPER", "Levels", "Plan", "Room", "from_sets", "stream_of"]

NAME = "token-bias"
PAPER, OURS = "paper", "ours"


class Levels(NamedTuple):
    """The levels of a knob; the names are those of `Knob`. A subset at a level is made as the subset is."""

    meaning: str
    least: int
    most: int
    shown: str


class Plan(NamedTuple):
    """How the items of a subset are made and checked."""

    make: Callable[[Stream, str, int], Draft]
    """(stream of the dataset, name of the subset, also at a level, index) -> the item."""
    check: Callable[[Item], list[str]]
    """The faults of an item, found by reading its prompt."""
    subset: Subset
    origin: str
    """PAPER where the paper has items of this design, OURS where only we have; every item says it as `origin`."""
    levels: Levels | None = None


Room = Mapping[str, Plan]
"""The subsets of one room, by name, in the order of the release."""

# The `group` of an item is its content (a biography, a disaster, a setting): what is said of one content may hold of it
# alone, so folds and intervals go by it. The items of a content come in several sets; within a set they differ in their
# condition alone, and its name stands as `matched` in their metadata.


@lru_cache(maxsize=256)
def stream_of(stream: Stream, subset: str) -> Stream:
    """The stream of a subset: one object, by which what was drawn for it is found again."""
    return stream.child(subset)


def from_sets(group: Callable[[Stream, str, int], Sequence[Draft]], size: int) -> Callable[[Stream, str, int], Draft]:
    """`Plan.make` from what makes a set of `size` items, which stand together in index.

    The last sets are kept, because their items are usually made one right after the other.
    """
    kept = lru_cache(maxsize=8)(group)

    def make(stream: Stream, subset: str, index: int) -> Draft:
        number, member = divmod(index, size)
        return kept(stream, subset, number)[member]

    return make
