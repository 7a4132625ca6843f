"""What a puzzle asks for: everybody's identity, that of one character, or the number of solutions."""

from __future__ import annotations

from typing import Literal

from generators.item import Item

__all__ = ["Ask", "asks"]

Ask = Literal["all", "open", "one", "number"]
"""`all`: what every character is; `open`: the same, with no or several solutions; `one`: what one character is;
`number`: how many solutions there are."""


def asks(item: Item) -> Ask:
    """What an item of knights-knaves asks for."""
    if item.choices and "several" in item.choices:
        return "number"
    if item.metadata.get("asked") is not None:
        return "one"
    return "all" if len(item.metadata["solutions"]) == 1 else "open"
