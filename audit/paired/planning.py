"""How many items a difference takes, and what difference so many items show: before anybody pays for a run.

The power of McNemar's test (Connor 1987; `audit.statistics.power`), two-sided at 5 % with about 80 % power, times
the design effect 1 + (m - 1) icc of groups of m items whose paired differences correlate by icc (Kish 1965). Fewer
groups than the test needs (at 5 % six) find nothing, however many items they have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, isinf, isnan, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from audit.paired.balance import balanced
from audit.paired.sides import Common
from audit.statistics.power import ALPHA, least_moved, pairs_needed, shift_found
from audit.statistics.shares import clustered

__all__ = ["Design", "Plan", "discordance", "found_with", "intraclass", "measured_design", "pilot", "plan"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """What is known, or supposed, of two models and of the items."""

    discordant: float
    """Share of the items that only one of the two gets right; of means of runs, their mean squared difference."""
    low: float
    """95 % interval of `discordant`, from a pilot; NaN where the share is supposed."""
    high: float
    group_size: float = 1.0
    """Items of a group; of unequal groups, the size of the group of a random item."""
    icc: float = 0.0
    """Intraclass correlation of the paired differences within groups; measured ones lean towards 1 while few items
    differ, see `measured_design`."""

    @property
    def effect(self) -> float:
        """The design effect: how many times as many items it takes as without groups. 1 or more."""
        return 1 + (self.group_size - 1) * self.icc


@dataclass(frozen=True)
class Plan:
    """One row: a difference and its items, or a number of items and its difference."""

    design: Design
    difference: float
    """A share; NaN where not even a difference of all items would be found."""
    items: float
    """Infinite for no difference."""
    groups: float
    low: float
    """Items (or the difference) at the lower and the upper end of the interval of `discordant`; NaN without one."""
    high: float


def discordance(accuracy: float, difference: float, correlation: float) -> float:
    """The share of items that only one of two gets right, if one has `accuracy`, the other `difference` more or less.

    p (1 - q) + q (1 - p) - 2 r sqrt(p (1 - p) q (1 - q)) for accuracies p and q around `accuracy` and the correlation r
    of their right and wrong; never less than the difference takes, which is reached where all discordance goes one way.
    """
    p, q = min(accuracy + abs(difference) / 2, 1.0), max(accuracy - abs(difference) / 2, 0.0)
    apart = p * (1 - q) + q * (1 - p) - 2 * correlation * sqrt(p * (1 - p) * q * (1 - q))
    return max(apart, p - q)


def plan(design: Design, *, difference: float | None = None, items: int | None = None) -> Plan:
    """The items that a `difference` (a share) needs, or the smallest difference that `items` show with about 80 %
    power.

    Three points among 20 % discordant items, asked in pairs whose differences correlate by .3, take 1.3 times the 1,742
    items that they would take one by one:

    >>> plan(Design(0.2, nan, nan, group_size=2, icc=0.3), difference=0.03).items
    2265
    """
    if items is None:
        wanted = 0.0 if difference is None else abs(difference)
        needed, *ends = (_items(wanted, psi, design) for psi in (design.discordant, design.low, design.high))
        groups = needed if isinf(needed) else ceil(needed / design.group_size)
        return Plan(design, wanted, needed, groups, *ends)
    low, high = (found_with(items, replace(design, discordant=share)) for share in (design.low, design.high))
    return Plan(design, found_with(items, design), items, ceil(items / design.group_size), low, high)


def found_with(items: int, design: Design, alpha: float = ALPHA) -> float:
    """The smallest difference (a share) that `items` show with about 80 % power in a two-sided test at `alpha`.

    NaN where not even a difference of all is found: too few items, or too few groups for any p up to `alpha`.
    """
    if items / design.group_size < least_moved(alpha, two_sided=True):
        return nan
    return shift_found(int(items / design.effect), design.discordant, two_sided=True, alpha=alpha)


def _items(difference: float, discordant: float, design: Design) -> float:
    alone = pairs_needed(difference, discordant, two_sided=True)
    if isinf(alone) or isnan(alone):
        return alone
    return max(ceil(alone * design.effect - 1e-9), ceil(least_moved(ALPHA, two_sided=True) * design.group_size - 1e-9))


def pilot(common: Common) -> Design:
    """The design that a first comparison suggests, however few items it had."""
    return measured_design(balanced(common.a.right, common.b.right).choices, common.groups)


def measured_design(choices: Sequence[Floats], groups: Ints) -> Design:
    """The design of items whose differences (n,), for each choice of as many runs of both sides, are `choices`.

    Its intraclass correlation is that of the items and, as in `effective`, of one group more that differs as a whole:
    1 where no item differs, since nothing then speaks against it, and that of the items where many do.
    """
    size = np.bincount(groups)
    apart = choices[0]
    whole = len(choices) == 1 and bool(np.isin(apart, (-1, 0, 1)).all())
    interval = clustered(apart != 0, groups) if whole else None
    squares = float(np.mean([np.square(each).mean() for each in choices]))
    group_size = float(np.square(size).sum() / size.sum())
    return Design(
        discordant=squares,
        low=interval.low if interval else nan,
        high=interval.high if interval else nan,
        group_size=group_size,
        icc=_cautious_icc(choices, groups, squares, group_size) if group_size > 1 else 0.0,
    )


def _cautious_icc(choices: Sequence[Floats], groups: Ints, squares: float, group_size: float) -> float:
    icc = max(float(np.mean([intraclass(each, groups) for each in choices])), 0.0)
    sizes = float(np.mean([np.abs(each).mean() for each in choices]))
    shift = squares / sizes if sizes else 1.0
    unlike = len(groups) * (squares - float(np.mean([each.mean() for each in choices])) ** 2)
    added = group_size * shift**2
    return (unlike * icc + added) / (unlike + added)


def intraclass(values: Floats, groups: Ints) -> float:
    """The intraclass correlation of `values` (n,) within `groups` (n,): the one-way analysis of variance estimate.

    (MSB - MSW) / (MSB + (m - 1) MSW) with m = (n - sum of squared sizes / n) / (k - 1) for k groups. 0 where no group
    has two items, where there is one group, and where the values are all the same: nothing speaks for a correlation.
    Below 0 where items of a group differ more than others. Donner (1986).
    """
    held = np.unique(groups, return_inverse=True)[1]
    size = np.bincount(held).astype(np.float64)
    n, k = len(values), len(size)
    if k < 2 or k == n:
        return 0.0
    means = np.bincount(held, weights=values) / size
    between = float((size * np.square(means - values.mean())).sum()) / (k - 1)
    within = float(np.square(values - means[held]).sum()) / (n - k)
    m = (n - float(np.square(size).sum()) / n) / (k - 1)
    total = between + (m - 1) * within
    return (between - within) / total if total > 0 else 0.0
