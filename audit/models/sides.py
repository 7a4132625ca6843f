"""Which columns of a grid are compared, and as many runs of one side as of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm, nan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.replies.grid import MISSING, SKIPPED, UNCLEAR, Grid, Series, rights
from hansproof.audit.replies.scorers import own_subset
from hansproof.audit.statistics.shares import spread
from hansproof.generators.errors import InputError, UsageError, unknown
from hansproof.generators.item import Item

__all__ = [
    "AS_ONE",
    "Balanced",
    "Common",
    "Scores",
    "Side",
    "balanced",
    "beside",
    "in_common",
    "scores_of",
    "side_of",
    "sides_of",
    "titles",
]

# If A and B are equally good on an item, their scores could as well have changed places, but only where both are means
# of as many runs. So every item counts as many runs of each side as the side with fewer has, in turns, until all are
# used.
#
# Copies (temperature 0) count as one run. Where runs differ within items far less than those of the other side, every
# item counts as one run of each side, too: a mean of near-copies is 0 or 1, as a single run is.

Floats = NDArray[np.float64]

AS_ONE: Final = "count as one"
"""What the note says of runs that are alike, of which there is one on each side."""

_MOST: Final = 60
"""Choices of runs at most: all of 10 runs against 4 or 6, and nearly all of more."""

_FINEST: Final = 10_000
"""Finer fractions than this of a score are rounded in the exact test."""

_SHOWN: Final = 6
"""Titles, or subsets, that an error lists."""

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

    def variance(self, groups: NDArray[np.int64]) -> float:
        """Of the mean difference, by leaving out one of the `groups` at a time; the mean over the choices."""
        return float(np.mean([spread(apart, np.ones(len(apart)), groups).variance for apart in self.choices]))


def balanced(a: Floats, b: Floats) -> Balanced:
    """The choices for runs `a` (n, R) and `b` (n, S): 1 for right, 0 for wrong, NaN where a run was not asked an item.

    Every item was asked in at least one run of each side. Runs are taken in the order of the columns, from the first,
    the second, ... and round again.
    """
    copies = [runs.shape[1] if runs.shape[1] > 1 and _unlike(runs) == 0 else 0 for runs in (a, b)]
    # Of copies, of each item the first run that asked it.
    a, b = (
        np.take_along_axis(runs, (~np.isnan(runs)).argmax(axis=1)[:, None], axis=1) if same else runs
        for runs, same in zip((a, b), copies, strict=True)
    )
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


class Side(NamedTuple):
    """One of the two that are compared."""

    title: str
    columns: tuple[int, ...]
    """Columns of the grid: the runs of one model in one style; the score of an item is their mean."""


@dataclass(frozen=True)
class Scores:
    """The scores of one side, which follow from what became of its replies."""

    codes: NDArray[np.int8]
    """(N, R): the outcomes of a grid, by run in the order of their names."""

    @cached_property
    def right(self) -> Floats:
        """(N, R): 1 for right, 0 for wrong; NaN where a run was not asked."""
        return rights(self.codes)

    @cached_property
    def values(self) -> Floats:
        """(N,): the mean over the runs in which an item was asked, from 0 to 1; NaN where the side was not asked, no
        answer is right, or a run has no reply and that is skipped."""
        runs = (~np.isnan(self.right)).sum(axis=1)
        mean = np.nansum(self.right, axis=1) / np.maximum(runs, 1)
        return np.where((runs > 0) & ~(self.codes == SKIPPED).any(axis=1), mean, nan)

    @cached_property
    def unclear(self) -> NDArray[np.bool_]:
        """(N,): whether a reply gives no clear answer; it is wrong."""
        return np.asarray((self.codes == UNCLEAR).any(axis=1))

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """(N,): whether a reply is missing; it is wrong."""
        return np.asarray((self.codes == MISSING).any(axis=1))

    @property
    def read(self) -> NDArray[np.bool_]:
        """(N,): whether there is a clear reply, of one run at least."""
        return np.asarray((self.codes < UNCLEAR).any(axis=1))

    @property
    def not_clear(self) -> NDArray[np.bool_]:
        """(N,): whether there is no clear reply, of one run at least."""
        return self.unclear | self.missing

    def on(self, places: NDArray[np.int64]) -> Scores:
        """The scores of the items at `places`."""
        return Scores(self.codes[places])


def beside(first: Grid, second: Grid) -> Grid:
    """One grid with the series of `first` and then those of `second`. Both have the same items, in the same order."""
    if [item.id for item in first.items] != [item.id for item in second.items]:
        raise ValueError("two grids of different items")
    return replace(
        first,
        series=(*first.series, *second.series),
        outcomes=np.hstack([first.outcomes, second.outcomes]),
        read=(*first.read, *second.read) if first.read and second.read else (),
    )


def sides_of(series: Sequence[Series], *, apart: bool = False) -> list[Side]:
    """Every model in every style, in the order of the series; its runs are one side, unless they are to be `apart`."""
    columns: dict[tuple[str, ...], list[int]] = {}
    for place, each in enumerate(series):
        columns.setdefault((each.model, each.style, *([each.run] if apart else [])), []).append(place)
    sides = []
    for number, places in enumerate(columns.values(), 1):
        first, several = series[places[0]], f"{len(places)} runs"
        title = first.title if len(places) == 1 else first._replace(run=several).title
        sides.append(Side(title or f"answers {number}", tuple(places)))
    return sides


def side_of(series: Sequence[Series], name: str, option: str) -> Side:
    """The side that is called `name`: a title (`gpt, zero-shot, 2`), all runs of a model in a style (`gpt, zero-shot`),
    or the model, style or run of just one side.

    Raises UsageError, in the words of the `option` that took the name, for a name that fits none or several.
    """
    every = sides_of(series)
    singles = sides_of(series, apart=True)
    whole = [side for side in every if series[side.columns[0]]._replace(run="").title == name]
    if exact := [*whole, *(side for side in (*every, *singles) if side.title == name)]:
        return exact[0]
    fitting = [
        side
        for side in (every if len(every) > 1 else singles)
        if any(name in (series[place].model, series[place].style, series[place].run) for place in side.columns)
    ]
    if not fitting:
        parts = [part for each in series for part in (each.model, each.style, each.run) if part]
        titled = [side for side in every if side.title not in parts]
        error = unknown("series", name, list(dict.fromkeys([*parts, *(side.title for side in titled)])), within=option)
        start, _, _ = error.reason.partition(" Known: ")
        known = ", ".join(dict.fromkeys(parts))
        raise UsageError(f"{start} Known: {'; in full: '.join(filter(None, (known, titles(titled))))}")
    if len(fitting) > 1:
        several = f"{name!r} fits {len(fitting)} series: {titles(fitting)}"
        raise UsageError(f"{several}; write one of them in full", option)
    return fitting[0]


def titles(sides: Sequence[Side]) -> str:
    """`'gpt, 1'; 'gpt, 2'; ...`: the titles of the first six, told apart."""
    return "; ".join(repr(side.title) for side in sides[:_SHOWN]) + ("; ..." if len(sides) > _SHOWN else "")


class Common(NamedTuple):
    """Two sides on the items that both were asked, in the order of the grid."""

    items: tuple[Item, ...]
    groups: NDArray[np.int64]
    """(n,): the number of each item's group, from 0."""
    a: Scores
    b: Scores
    left_out: tuple[int, int]
    """Items that only A, only B was asked."""
    skipped: int
    """Items that were left out on request because a reply is missing."""


def in_common(grid: Grid, a: Side, b: Side, *, skip_missing: bool = False) -> Common:
    """Both sides on the items that they share; `skip_missing` leaves out those to which one of the two has no reply.

    Raises InputError where nothing is left.
    """
    first, second = scores_of(grid, a), scores_of(grid, b)
    known = ~np.isnan(first.values), ~np.isnan(second.values)
    both = known[0] & known[1]
    lacking = both & (first.missing | second.missing) if skip_missing else np.zeros_like(both)
    places = np.flatnonzero(both & ~lacking)
    if not len(places):
        both_titles = f"{a.title} and {b.title}"
        if lacking.any():
            reason = f"every item that {both_titles} share lacks a reply of one of the two"
        elif silent := [side.title for side, some in zip((a, b), known, strict=True) if not some.any()]:
            reason = f"{' and '.join(silent)}: no reply to an item with a right answer"
        else:
            reason = f"{both_titles} have no item in common{_asked(grid, (a, b), known)}"
        raise InputError(reason, grid.benchmark)
    return Common(
        items=tuple(grid.items[place] for place in places),
        groups=np.unique(grid.groups()[places], return_inverse=True)[1],
        a=first.on(places),
        b=second.on(places),
        left_out=(int((known[0] & ~known[1]).sum()), int((known[1] & ~known[0]).sum())),
        skipped=int(lacking.sum()),
    )


def _asked(grid: Grid, sides: tuple[Side, Side], known: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> str:
    """What each was asked instead, where the subsets say it."""
    subsets = [list(dict.fromkeys(own_subset(grid.items[place]) for place in np.flatnonzero(some))) for some in known]
    if set(subsets[0]) & set(subsets[1]):
        return ""
    return ": " + ", ".join(
        f"{side.title} was asked {' and '.join(map(repr, names[:_SHOWN]))}"
        for side, names in zip(sides, subsets, strict=True)
    )


def scores_of(grid: Grid, side: Side) -> Scores:
    """The scores of the runs of `side`."""
    # In the order of their names, so that the order of the replies in a file changes nothing.
    return Scores(grid.outcomes[:, sorted(side.columns, key=lambda place: grid.series[place].run)])
