"""Slices: items that share the values of some keys of their metadata, and the order in which slices are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from generators.errors import InputError
from generators.item import Item

__all__ = ["Values", "in_order", "slice_name", "values_of"]

Values = tuple[Any, ...]
"""The values of one slice, key by key."""


def values_of(item: Item, keys: Sequence[str]) -> Values | None:
    """The values of `keys`; None where the item lacks one of them. Raises InputError for a list or an object."""
    values = tuple(item.metadata.get(key) for key in keys)
    for key, value in zip(keys, values):
        if isinstance(value, list | tuple | dict):
            raise InputError(f"metadata.{key} is not a text, a number or a boolean", f"item {item.id!r}")
    return None if None in values else values


def slice_name(values: Values) -> str:
    """`E, 4`."""
    return ", ".join(map(str, values))


def in_order(slices: Iterable[Values]) -> list[Values]:
    """Numbers by size, before everything else by its text."""

    def rank(value: Any) -> tuple[bool, float, str]:
        number = isinstance(value, int | float)
        return not number, value if number else 0, str(value)

    return sorted(slices, key=lambda values: [rank(value) for value in values])
