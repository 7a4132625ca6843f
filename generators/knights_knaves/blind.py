"""Strategies that answer puzzles without solving them."""

from __future__ import annotations

from generators.blind import BlindStrategy, constant, rule
from generators.item import Item

__all__ = ["BLIND"]


def _kinds(item: Item) -> str:
    """The kinds of the statements in order: the surface that a bag of words sees."""
    return " ".join(item.metadata["kinds"])


BLIND: tuple[BlindStrategy, ...] = (
    constant(),
    rule("kinds", "gives the most common answer among puzzles with the same kinds of statement, in order", _kinds),
)
"""Best known first."""
