"""A figure that a family promises of its release: measured on the items, written down, refused where it is missed."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Figure"]


class Figure(NamedTuple):
    """A number about all items of a release, with the bounds that it must keep."""

    name: str
    """`distinct 4-grams`."""
    meaning: str
    """What it is, as a clause: `different 4-grams among all, with names, numbers and nouns masked`."""
    value: float
    """NaN where it is undefined, which keeps no bound."""
    least: float | None = None
    most: float | None = None
