"""Plan: what a room of this family says of one of its subsets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from generators.dataset import Draft, Subset
from generators.item import Item
from generators.knights_knaves.checking import check as checked
from generators.stream import Stream

__all__ = ["VERSION", "Plan", "Room"]

VERSION = "2.0.0"
"""Of the generator: it changes whenever the bytes of an item do."""


class Plan(NamedTuple):
    """How the items of a subset are made and checked."""

    make: Callable[[Stream, int], Draft]
    """(stream of the dataset, index) -> the item."""
    subset: Subset
    check: Callable[[Item], list[str]] = checked
    """The faults of an item, found by a second way of solving it."""


Room = Mapping[str, Plan]
"""The subsets of one room, by name, in the order of the release."""
