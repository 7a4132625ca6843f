"""How many items a difference takes, and what difference so many items show: before anybody pays for a run.

Two-sided at 5 % with about 80 % power: that of McNemar's test where only a share is supposed and each item stands for
itself (Connor 1987; `audit.statistics.power`), and else, also for whatever was measured, that of the sign-flip test
(`shift_of_groups`). Groups of m items whose paired differences correlate by icc multiply the variance by the design
effect 1 + (m - 1) icc (Kish 1965). Fewer groups than the test needs (at 5 % six) find nothing, however many items they
have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, isinf, isnan, nan, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.sides import Balanced, Common, balanced
from hansproof.audit.statistics.power import ALPHA, Alternative, least_moved, pairs_needed, shift_found, shift_of_groups
from hansproof.audit.statistics.shares import clustered

__all__ = ["Design", "Plan", "discordance", "found_with", "measured_design", "pilot", "plan"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Seen:
    """What a pilot says beside its `Design`: by it the variance grows where one side comes nearer to one half."""

    accuracy: float
    """The mean of both sides."""
    difference: float
    differing: float
    """The share of items that differ at all: of right and wrong, those that only one of the two gets right."""
    step: float
    """The least by which items differ: 1 for right and wrong, 1 / R for means of R runs."""

    def growth(self, shift: float, discordant: float) -> float:
        """How many times the variance of the pilot an item's difference has at a true difference of `shift`.

        Runs, and items, vary by p (1 - p) with the chance p of being right. The side farther from one half stays, and
        the other one is `shift` away from it, on the way to one half and beyond. From .9 and .9 to .9 and .8: 1.39
        times.
        """
        # If a share `discordant` differs, the two are not both right, or both wrong, more often than this.
        level = min(max(self.accuracy, 1 - self.accuracy), 1 - discordant / 2)
        top = min(level + abs(self.difference) / 2, 1 - _ROUNDING)
        return _spread(top, max(top - shift, 0.0)) / _spread(top, max(top - abs(self.difference), 0.0))


def _spread(first: float, second: float) -> float:
    return first * (1 - first) + second * (1 - second)


@dataclass(frozen=True)
class Design:
    """What is known, or supposed, of two models and of the items."""

    discordant: float
    """Share of the items that only one of the two gets right; of means of runs, their mean squared difference."""
    low: float
    """95 % interval of `discordant`, from a pilot; NaN where the share is supposed."""
    high: float
    group_size: float = 1.0
    """Items of a group; of unequal groups, the size of the group of a random item, which is what the variance follows
    (Kish 1965), and more where only large groups differ."""
    icc: float = 0.0
    """Intraclass correlation of the paired differences within groups; measured ones lean towards 1 while hardly any
    item differs, see `measured_design`."""
    seen: Seen | None = None
    """What else a pilot says; None where the design is supposed."""
    mean_size: float = nan
    """Items per group of a pilot, by which groups are counted; NaN for a supposed design, all of `group_size`."""

    @property
    def per_group(self) -> float:
        """Items per group: of unequal groups fewer than the group of a random item has."""
        return self.group_size if isnan(self.mean_size) else self.mean_size

    @property
    def alone(self) -> bool:
        """Whether nothing is known but the share of pairs that differ, for which McNemar's power is published."""
        return self.group_size == 1 and self.seen is None

    def at(self, shift: float) -> Alternative:
        """What the items do at a true difference of `shift`, which takes as many items that differ."""
        least = shift - shift**2
        if self.seen is None:
            return Alternative(
                max(self.discordant - shift**2, least), max(self.discordant, shift), shift >= self.discordant, 1.0
            )
        variance = (self.discordant - self.seen.difference**2) * self.seen.growth(shift, self.discordant)
        whole = self.seen.step == 1
        if variance <= (least if whole else 0.0):
            return Alternative(least, max(shift, 0.0), whole, self.seen.step)
        # A run in 1 / step differs where it is worse by `shift` in runs that are independent.
        differing = variance + shift**2 if whole else max(self.seen.differing, 1 - (1 - shift) ** (1 / self.seen.step))
        return Alternative(variance, differing, False, self.seen.step)

    @property
    def effect(self) -> float:
        """The design effect: how many times the variance of as many items without groups. 1 or more."""
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
    """That hold so many items, `Design.per_group` each. Where sizes differ, they are worth fewer of one size, and that
    is in `items`."""
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

    Three points among 20 % discordant items, asked in pairs whose differences correlate by .3, take about 1.3 times the
    1,742 items that they would take one by one:

    >>> plan(Design(0.2, nan, nan, group_size=2, icc=0.3), difference=0.03).items
    2347
    """
    if items is None:
        wanted = 0.0 if difference is None else abs(difference)
        needed, *ends = (_items(wanted, psi, design) for psi in (design.discordant, design.low, design.high))
        groups = needed if isinf(needed) else ceil(needed / design.per_group - _ROUNDING)
        return Plan(design, wanted, needed, groups, *ends)
    low, high = (found_with(items, replace(design, discordant=share)) for share in (design.low, design.high))
    return Plan(design, found_with(items, design), items, ceil(items / design.per_group - _ROUNDING), low, high)


def found_with(items: int, design: Design, alpha: float = ALPHA) -> float:
    """The smallest difference (a share) that `items` show with about 80 % power in a two-sided test at `alpha`.

    NaN where not even a difference of all is found: too few items, or too few groups for any p up to `alpha`; and where
    the share of items that differ is not known.
    """
    if isnan(design.discordant):
        return nan
    if design.alone:
        return shift_found(items, design.discordant, two_sided=True, alpha=alpha)
    return shift_of_groups(items, design.group_size, design.icc, alpha, design.at)


def _items(difference: float, discordant: float, design: Design) -> float:
    if design.alone or difference == 0 or isnan(discordant):
        return pairs_needed(difference, discordant, two_sided=True)
    supposed = replace(design, discordant=discordant)

    def enough(items: int) -> bool:
        return found_with(items, supposed) <= difference * (1 + _ROUNDING)  # NaN is not

    low, high = 0, ceil(least_moved(ALPHA, two_sided=True) * design.group_size - _ROUNDING)
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def pilot(common: Common) -> Design:
    """The design that a first comparison suggests, however few items it had."""
    accuracy = float((np.nanmean(common.a.right) + np.nanmean(common.b.right)) / 2)
    return measured_design(balanced(common.a.right, common.b.right), common.groups, accuracy)


def measured_design(choices: Balanced, groups: Ints, accuracy: float) -> Design:
    """The design of items with these `choices` of as many runs of both sides; `accuracy` is the mean of the sides.

    The design effect is that of the standard error: the variance of the difference by leaving out one group at a time
    (`shares.spread`), as a multiple of that of as many independent items. If the group of a random item has m items, it
    is 1 + (m - 1) icc, which says the icc. So a large group counts with all of its pairs, and where items of large
    groups seldom differ, it is small: the analysis of variance takes small groups for as telling. Never below 0, and of
    all pairs within groups and one pair more that differs alike: 1 where no item differs, since nothing then speaks
    against it, and nearly that of the items where some do. Above 1 only large groups move, and m is theirs.
    """
    size = np.bincount(groups)
    group_size = float(np.square(size).sum() / size.sum())
    each = choices.choices
    interval = clustered(each[0] != 0, groups) if choices.single and len(each) == 1 else None
    squares = float(np.mean([np.square(apart).mean() for apart in each]))
    unlike = squares - float(np.mean([apart.mean() for apart in each])) ** 2
    icc = 0.0
    if group_size > 1:
        variance = choices.variance(groups)
        # Twice as many ordered pairs as pairs, each of the variance of an item.
        pairs = len(groups) * unlike * (group_size - 1) / 2
        products = (len(groups) ** 2 * variance - len(groups) * unlike) / 2
        icc = 1.0 if isnan(variance) else (max(products, 0.0) + 1) / (pairs + 1)
        group_size, icc = 1 + (group_size - 1) * max(icc, 1.0), min(icc, 1.0)
    return Design(
        discordant=squares,
        low=interval.low if interval else nan,
        high=interval.high if interval else nan,
        group_size=group_size,
        icc=icc,
        seen=Seen(
            accuracy=accuracy,
            difference=float(np.mean([apart.mean() for apart in each])),
            differing=float(np.mean([(apart != 0).mean() for apart in each])),
            step=1 / choices.unit,
        ),
        mean_size=len(groups) / len(size),
    )
