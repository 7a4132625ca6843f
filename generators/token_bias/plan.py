"""Plan: what a room of this family says of one of its subsets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from hansproof.generators.dataset import Draft, Subset
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["NAME", "OURS", "PAPER", "Plan", "Room"]


NAME = "token-bias"
PAPER, OURS = "paper", "ours"


class Plan(NamedTuple):
    """How the items of a subset are made and checked."""

    make: Callable[[Stream, str, int], Draft]
    """(stream of the dataset, name of the subset, index) -> the item."""
    check: Callable[[Item], list[str]]
    """The faults of an item, found by reading its prompt."""
    subset: Subset
    origin: str
    """PAPER where the paper has items of this design, OURS where only we have; every item says it as `origin`."""


Room = Mapping[str, Plan]
"""The subsets of one room, by name, in the order of the release."""
