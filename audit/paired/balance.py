"""Runs of two sides as comparisons with as many runs of one as of the other.

If A and B are equally good on an item, their scores could as well have changed places, but only where both are means
of as many runs: the mean of ten runs is seldom 0, a single run often is. So with unequal numbers every item counts as
many runs of each side as the side with fewer has. Which runs these are goes round, until all have been used.
"""

from __future__ import annotations

from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Balanced", "balanced"]

Floats = NDArray[np.float64]

_MOST: Final = 60
"""Choices of runs at most: all of 10 runs against 4 or 6, and nearly all of more."""

_FINEST: Final = 10_000
"""Finer fractions than this of a score are rounded in the exact test."""


class Balanced(NamedTuple):
    """Comparisons of the same items with equal numbers of runs; a single one if both sides have as many anyway."""

    choices: list[Floats]
    """For each choice of runs, (n,): the score of A less that of B."""
    unit: int
    """The differences are multiples of 1 / unit."""
    single: bool
    """Whether every difference is of single runs: -1, 0 or 1."""


def balanced(a: Floats, b: Floats) -> Balanced:
    """The choices for runs `a` (n, R) and `b` (n, S): 1 for right, 0 for wrong, NaN where a run was not asked an item.

    Every item was asked in at least one run of each side. Runs are taken in the order of the columns, from the first,
    the second, ... and round again.
    """
    if a.shape[1] == b.shape[1] == 1:  # each item was asked once of each, or it would not be here
        return Balanced([a[:, 0] - b[:, 0]], 1, True)
    known = np.hstack([~np.isnan(a), ~np.isnan(b)])
    patterns, of_item = np.unique(known, axis=0, return_inverse=True)
    runs = [(np.flatnonzero(each[: a.shape[1]]), np.flatnonzero(each[a.shape[1] :])) for each in patterns]
    turns = lcm(*(max(len(left), len(right)) for left, right in runs if len(left) != len(right)))
    fewer = [min(len(left), len(right)) for left, right in runs]
    choices = []
    for turn in range(min(turns, _MOST)):
        apart = np.empty(len(a))
        for place, (left, right) in enumerate(runs):
            rows = np.flatnonzero(of_item.ravel() == place)
            apart[rows] = _mean(a, rows, left, fewer[place], turn) - _mean(b, rows, right, fewer[place], turn)
        choices.append(apart)
    return Balanced(choices, min(lcm(*fewer), _FINEST), max(fewer, default=1) == 1)


def _mean(right: Floats, rows: NDArray[np.int64], runs: NDArray[np.int64], count: int, turn: int) -> Floats:
    """The mean score of `rows` over `count` of the `runs`, from the one whose turn it is."""
    taken = np.roll(runs, -turn)[:count] if len(runs) > count else runs
    mean: Floats = right[np.ix_(rows, taken)].mean(axis=1)
    return mean
