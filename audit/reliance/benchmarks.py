"""Joined answers as benchmarks: a grid for each, and the rows that the audit reads without a source of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from audit.answers.grid import Grid
from audit.answers.joining import Joined
from audit.answers.third_party import ACCEPTED
from generators.item import Item

__all__ = ["grids_of", "rows_of", "says_more"]


def says_more(items: Sequence[Item]) -> bool:
    """Whether an item has three choices or more, so that a wrong answer tells more than that it is wrong."""
    return any(item.choices is not None and len(item.choices) > 2 for item in items)


def grids_of(joined: Joined, whole: str = "") -> list[Grid]:
    """A grid per subset, in order of first occurrence, with what was said where it was kept.

    With `whole`, one grid of this name: the subsets of a third party's benchmark are its published splits.
    """
    places: dict[str, list[int]] = {}
    for place, item in enumerate(joined.grid.items):
        name = whole or str(item.metadata["subset"] or item.metadata["dataset"])
        places.setdefault(name, []).append(place)
    said = _said(joined) if joined.kept else None
    return [
        Grid(
            name,
            tuple(joined.grid.items[place] for place in own),
            joined.grid.series,
            joined.grid.outcomes[own],
            None if said is None else np.array([said[place] for place in own], dtype=np.str_),
        )
        for name, own in places.items()
    ]


def rows_of(grid: Grid) -> list[dict[str, Any]]:
    """The items with a gold answer as rows for the audit.

    Items of logs declare no groups, so the audit finds them; choices are given only where items have their own.
    """
    labels = {item.choices for item in grid.items}
    rows: list[dict[str, Any]] = []
    for item in grid.items:
        if item.answer is None:
            continue
        row: dict[str, Any] = {"id": item.id, "prompt": item.prompt, "answer": item.answer}
        if len(labels) > 1 and item.choices is not None:
            row["choices"] = list(item.choices)
        if ACCEPTED not in item.metadata:
            row["group"] = item.group
        rows.append(row)
    return rows


def _said(joined: Joined) -> list[list[str]]:
    """By item and series: the choice that a reply names, else nothing."""
    series = [
        [
            (kept.reading.said or "") if kept is not None and kept.reading is not None and item.choices else ""
            for kept, item in zip(column, joined.grid.items, strict=True)
        ]
        for column in joined.kept
    ]
    return [list(row) for row in zip(*series, strict=True)]
