"""Items by series: what became of every answer. Every analysis of model answers starts from a grid."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.answers.judging.judged import by_harness
from audit.answers.judging.outcome import Outcome
from audit.answers.judging.readings import Read
from audit.notation import series_title
from generators.item import Item

__all__ = [
    "ASKED",
    "MISSING",
    "NONE",
    "NOT_APPLICABLE",
    "NOT_ASKED",
    "RIGHT",
    "SKIPPED",
    "UNCLEAR",
    "WRONG",
    "Grid",
    "Series",
    "code_of",
    "column_of",
]

WRONG, RIGHT, UNCLEAR, MISSING, NOT_ASKED, NOT_APPLICABLE, SKIPPED = range(7)
"""Unclear is wrong, and counted. Missing: no reply in a subset of which the series has others; wrong, and counted.
Not asked: the series has no reply to any item of the subset, or its logs, which hold only a part of it, do not name
the item. Not applicable: no answer is right there, or the mark of the harness that counts is neither right nor wrong.
Skipped: as missing, but left out on request."""


class Series(NamedTuple):
    """One model in one prompt style and one run: a column of a grid."""

    model: str
    style: str = ""
    run: str = ""
    family: str = ""

    @property
    def title(self) -> str:
        """What tables call it: `series_title`, which is empty where nothing is named."""
        return series_title(self.model, self.style, self.run)


@dataclass(frozen=True)
class Grid:
    """N items of one benchmark, answered by S series."""

    benchmark: str
    items: tuple[Item, ...]
    """In the order of the source. Third-party rows become items, too: `group` is their group, or their id."""
    series: tuple[Series, ...]
    outcomes: NDArray[np.int8]
    """(N, S): WRONG, RIGHT, UNCLEAR, MISSING, NOT_ASKED, NOT_APPLICABLE or SKIPPED."""
    said: NDArray[np.str_] | None = None
    """(N, S): the answer that each reply gives, as one of the item's answers; empty where it gives none. None where
    only right and wrong are known."""
    read: tuple[tuple[Read | None, ...], ...] = ()
    """By series and item: what was read from each reply, None without one; empty unless somebody asked for it."""

    def right(self) -> NDArray[np.float64]:
        """(N, S): 1 for right, 0 for wrong, unclear and missing, NaN where not asked, not applicable or skipped."""
        right: NDArray[np.float64] = (self.outcomes == RIGHT).astype(np.float64)
        right[self.outcomes >= NOT_ASKED] = np.nan
        return right

    def counted(self) -> NDArray[np.bool_]:
        """(N, S): whether an item is in the numbers of a series: it was asked, and is not skipped."""
        counted: NDArray[np.bool_] = ~np.isin(self.outcomes, (NOT_ASKED, SKIPPED))
        return counted

    def groups(self) -> NDArray[np.int64]:
        """(N,): the number of each item's group, from 0, in order of first occurrence."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(item.group, len(numbers)) for item in self.items], dtype=np.int64)


ASKED = "asked"
"""The key of the metadata of an item that a harness asks only on request, such as a perturbed one, with what it asks
then: of another one the subset says it."""

NONE = -1
"""Of an item that no reply names."""


def code_of(scored: Outcome) -> int:
    """The code of a reply that was read and scored."""
    if scored.score.right is None:
        return NOT_APPLICABLE
    if scored.right:
        return RIGHT
    return MISSING if scored.missing else UNCLEAR if scored.unclear else WRONG


def column_of(
    codes: array[int], items: Sequence[Item], skip_missing: bool, partial: Collection[str]
) -> NDArray[np.int8]:
    """(N,): the codes with missing (or skipped), not asked and not applicable where there is no reply.

    A series was not asked a subset (or what `ASKED` names) of which it has no reply, nor, in the subsets that its logs
    hold only a part of (`partial`), an item that they do not name.
    """
    column = np.frombuffer(codes, dtype=np.int8).copy()
    subsets = [str(item.metadata["subset"]) for item in items]
    parts = [str(item.metadata.get(ASKED, subset)) for item, subset in zip(items, subsets, strict=True)]
    asked = {part for part, code in zip(parts, column.tolist(), strict=True) if code != NONE}
    for place, (part, subset, item) in enumerate(zip(parts, subsets, items, strict=True)):
        if column[place] in (NONE, MISSING):
            if part not in asked or (subset in partial and column[place] == NONE):
                column[place] = NOT_ASKED
            elif skip_missing:
                column[place] = SKIPPED
            else:
                column[place] = NOT_APPLICABLE if item.answer is None and not by_harness(item) else MISSING
    return column
