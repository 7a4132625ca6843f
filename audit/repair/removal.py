"""Which items go, whatever their answers are: all but one of each group, or those that are predicted most surely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST_BINS", "PAIR", "by_part", "first_of_each", "score_bins", "without_the_surest"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

PAIR = 4
"""A group of at most so many items may be a matched set, which is kept or removed as a whole."""
_PREDICTABLE = 0.75
"""Share of splits in which an item must be predicted right to be removed by a filter (Le Bras et al. 2020)."""
_SLICE = 0.05
"""Largest share of the items that one filter step removes."""
_BIN, FEWEST_BINS, _MOST_BINS = 40, 3, 10
"""Items per bin of scores, and how many bins there are."""


def by_part(chosen: Bools, rows: Bools) -> tuple[tuple[str, Bools], ...]:
    """The `rows` (N,) of the part that rules are chosen on, and those of the held-out part, by name."""
    return ("chosen", rows & chosen), ("held out", rows & ~chosen)


def first_of_each(groups: Ints, rows: Bools, random: np.random.Generator) -> Bools:
    """(N,) a random item of every group among `rows`."""
    used = np.flatnonzero(rows)
    order = used[random.permutation(len(used))]
    stays = np.zeros_like(rows)
    stays[order[np.unique(groups[order], return_index=True)[1]]] = True
    return stays


def score_bins(score: Floats) -> Ints:
    """(n,) the bin of each item, from 0, with equally many items in each; ties go by their order."""
    count = int(np.clip(len(score) // _BIN, FEWEST_BINS, _MOST_BINS))
    rank = np.argsort(np.argsort(np.round(score, 10), kind="stable"), kind="stable")
    return np.asarray(rank * count // max(len(score), 1))


def without_the_surest(
    right: Floats, groups: Ints, part: Bools, chance: float | None, random: np.random.Generator
) -> Bools:
    """(N,) False for the items of the groups in `part` that are predicted right most reliably.

    `right` (N,) is the share of the splits in which each item is. As many are left as `chance`, the share that is
    right by chance, would predict right beside those that are predicted wrong; None removes them all.
    """
    number = np.unique(groups[part], return_inverse=True)[1]
    size = np.bincount(number)
    score = np.bincount(number, right[part]) / size
    order = np.lexsort((random.random(len(size)), -score))
    order = order[score[order] >= _PREDICTABLE]
    room = _SLICE * part.sum()
    if chance is not None:
        wrong = int(size[score <= 1 - _PREDICTABLE].sum())
        room = min(room, size[order].sum() - wrong * chance / (1 - chance))
    gone = np.zeros(len(size), dtype=np.bool_)
    gone[order[np.cumsum(size[order]) <= room]] = True
    stays = np.ones_like(part)
    stays[np.flatnonzero(part)[gone[number]]] = False
    return stays
