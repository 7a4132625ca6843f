"""Replies of many models in many prompt styles, scored as they are read: memory holds a byte a reply, no texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit.answers.grid import MISSING, NOT_ASKED, RIGHT, UNCLEAR, WRONG
from audit.answers.joining import Joined
from audit.answers.left import Left
from audit.notation import series_title

if TYPE_CHECKING:
    import polars

__all__ = ["MISSING", "RIGHT", "UNCLEAR", "WRONG", "Outcomes", "outcomes_of"]


@dataclass
class Outcomes:
    """What the replies of some files came to."""

    table: polars.DataFrame
    """One row per item, model and style: `item` (place among the items), `model`, `style` (places in the lists),
    `outcome` (RIGHT, WRONG or UNCLEAR), by model and style and then by item; nothing where there is no reply."""
    models: list[str]
    """Repetitions of a run are models of their own: `gpt, epoch 2`."""
    styles: list[str]
    """In the order of their first occurrence; the empty text where records name none."""
    lines: int
    """Replies read."""
    empty: int
    """Replies that are null."""
    unmatched: Left
    """Replies that belong to no item."""
    doubled: Left
    """Replies whose item, model and style an earlier one has: the first reply that is not null counts."""


def outcomes_of(joined: Joined) -> Outcomes:
    """The outcomes of replies that have found their items."""
    import polars

    series = joined.grid.series
    models = list(dict.fromkeys(_named(each.model, each.run) for each in series))
    styles = list(dict.fromkeys(each.style for each in series))
    columns: list[list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = [[], [], [], []]
    for at, each in enumerate(series):
        codes = joined.grid.outcomes[:, at]
        places = np.flatnonzero((codes != MISSING) & (codes < NOT_ASKED))
        model, style = models.index(_named(each.model, each.run)), styles.index(each.style)
        values = places, np.full(len(places), model), np.full(len(places), style), codes[places]
        for column, value in zip(columns, values, strict=True):
            column.append(np.asarray(value, dtype=np.int32))
    named = zip(("item", "model", "style", "outcome"), columns, strict=True)
    table = polars.DataFrame({name: np.concatenate(column) for name, column in named})
    return Outcomes(table, models, styles, joined.replies, joined.empty, joined.unmatched, joined.doubled)


def _named(model: str, run: str) -> str:
    return series_title(model, run=run)
