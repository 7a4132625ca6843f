"""Runs of two sides as comparisons with as many runs of one as of the other.

If A and B are equally good on an item, their scores could as well have changed places, but only where both are means
of as many runs: the mean of ten runs is seldom 0, a single run often is. So with unequal numbers every item counts as
many runs of each side as the side with fewer has. Which runs these are goes round, until all have been used.

Nor could they where the runs of one side are copies, as at temperature 0, and those of the other are not: a mean of
copies is 0 or 1, as a single run is. Ten copies say what one of them says and count as one. Where runs are not copies
but differ within items far less than those of the other side, every item counts as one run of each side, too.
"""

from __future__ import annotations

from math import lcm, nan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["AS_ONE", "Balanced", "balanced"]

Floats = NDArray[np.float64]

AS_ONE: Final = "count as one"
"""What the note says of runs that are alike, of which there is one on each side."""

_MOST: Final = 60
"""Choices of runs at most: all of 10 runs against 4 or 6, and nearly all of more."""

_FINEST: Final = 10_000
"""Finer fractions than this of a score are rounded in the exact test."""

_ALIKE: Final = 0.1
"""Runs of a side hardly differ where two of them differ on an item at most this many times as often as on the other
side. More would say so of sides that only are nearly always right; less would miss some that do."""


class Balanced(NamedTuple):
    """Comparisons of the same items with equal numbers of runs; a single one if both sides have as many anyway."""

    choices: list[Floats]
    """For each choice of runs, (n,): the score of A less that of B."""
    unit: int
    """The differences are multiples of 1 / unit."""
    single: bool
    """Whether every difference is of single runs: -1, 0 or 1."""
    note: str = ""
    """Which runs are alike and count as one; empty where none are."""


def balanced(a: Floats, b: Floats) -> Balanced:
    """The choices for runs `a` (n, R) and `b` (n, S): 1 for right, 0 for wrong, NaN where a run was not asked an item.

    Every item was asked in at least one run of each side. Runs are taken in the order of the columns, from the first,
    the second, ... and round again.
    """
    copies = [runs.shape[1] if runs.shape[1] > 1 and _unlike(runs) == 0 else 0 for runs in (a, b)]
    a, b = (_first(runs) if same else runs for runs, same in zip((a, b), copies, strict=True))
    alike = [copies[0] or _alike(a, b), copies[1] or _alike(b, a)]
    note = _note(alike, copies)
    if a.shape[1] == b.shape[1] == 1:  # each item was asked once of each, or it would not be here
        return Balanced([a[:, 0] - b[:, 0]], 1, True, note)
    known = np.hstack([~np.isnan(a), ~np.isnan(b)])
    patterns, of_item = np.unique(known, axis=0, return_inverse=True)
    runs = [(np.flatnonzero(each[: a.shape[1]]), np.flatnonzero(each[a.shape[1] :])) for each in patterns]
    fewer = [1 if any(alike) else min(len(left), len(right)) for left, right in runs]
    longest = [max(len(left), len(right)) for left, right in runs]
    turns = lcm(*(most for most, least in zip(longest, fewer, strict=True) if most > least))
    choices = []
    for turn in range(min(turns, _MOST)):
        apart = np.empty(len(a))
        for place, (left, right) in enumerate(runs):
            rows = np.flatnonzero(of_item.ravel() == place)
            apart[rows] = _mean(a, rows, left, fewer[place], turn) - _mean(b, rows, right, fewer[place], turn)
        choices.append(apart)
    return Balanced(choices, min(lcm(*fewer), _FINEST), max(fewer, default=1) == 1, note)


def _unlike(runs: Floats) -> float:
    """How often two runs of an item differ, on average over the items that were asked in two runs or more; NaN without
    such items."""
    asked = (~np.isnan(runs)).sum(axis=1)
    right = np.nansum(runs, axis=1)
    several = asked > 1
    if not several.any():
        return nan
    count, hits = asked[several], right[several]
    return float((2 * hits * (count - hits) / (count * (count - 1))).mean())


def _alike(runs: Floats, others: Floats) -> int:
    """So many `runs` (columns) if they differ far less than the `others`; 0 if they do not, or one side has one run."""
    own, there = _unlike(runs), _unlike(others)
    return runs.shape[1] if 0 < own <= _ALIKE * there else 0


def _first(runs: Floats) -> Floats:
    """(n, 1): of each item the first run that asked it."""
    asked = (~np.isnan(runs)).argmax(axis=1)
    return np.take_along_axis(runs, asked[:, None], axis=1)


def _note(alike: list[int], copies: list[int]) -> str:
    if all(alike):  # both are copies: of two sides, only one can differ less than the other
        return f"the runs of each side are alike and {AS_ONE}"
    sides = ("first", "second")
    for this, other, count, same in zip(sides, sides[::-1], alike, copies, strict=True):
        if count:
            how = "are alike" if same else f"hardly differ, other than those of the {other},"
            return f"the {count} runs of the {this} side {how} and {AS_ONE}"
    return ""


def _mean(right: Floats, rows: NDArray[np.int64], runs: NDArray[np.int64], count: int, turn: int) -> Floats:
    """The mean score of `rows` over `count` of the `runs`, from the one whose turn it is."""
    taken = np.roll(runs, -turn)[:count] if len(runs) > count else runs
    mean: Floats = right[np.ix_(rows, taken)].mean(axis=1)
    return mean
