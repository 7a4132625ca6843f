"""What a puzzle asks for: everybody's identity, that of one character, the number of solutions, or all of them."""

from __future__ import annotations

from typing import Literal

from generators.item import Item

__all__ = ["OUTCOMES", "SENTINEL", "Ask", "asks"]

Ask = Literal["all", "open", "one", "number"]
"""`all`: what every character is; `open`: the same, with no, one or several solutions; `one`: what one character is;
`number`: how many solutions there are."""

SENTINEL = "CONCLUSION:"
"""The last line of every prompt, and the heading of every answer."""

OUTCOMES = ("none", "one", "several")
"""The answers to how many solutions there are."""


def asks(item: Item) -> Ask:
    """What an item of knights-knaves asks for; items of version 1.0.0 do not say it, but show it."""
    said: Ask | None = item.metadata.get("ask")
    if said in ("all", "open", "one", "number"):
        return said
    if item.choices and "several" in item.choices:
        return "number"
    if item.metadata.get("asked") is not None:
        return "one"
    return "all" if len(item.metadata["solutions"]) == 1 else "open"
