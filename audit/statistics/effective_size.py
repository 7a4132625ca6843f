"""How many independent pairs grouped items are worth, from how alike the items of a group are."""

from __future__ import annotations

from math import nan, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Alike", "alike_items", "cancelling", "independent_pairs", "kish", "largest_groups", "unseen_chance"]

Ints = NDArray[np.int64]


class Alike(NamedTuple):
    """How far the numbers of items of one group go together: the intraclass correlation, counted pair by pair.

    With the residuals r of a group of m items, (sum of r)^2 - sum of r^2 is the sum of the products of all its pairs,
    each both ways, and (m - 1) times the sum of r^2 is what that would be if the items of the group differed alike. The
    ratio of the two sums over all groups is the correlation (Karlin, Cameron and Williams 1981, pairs weighing the
    same). So a large group speaks with all of its pairs, and groups whose items do not differ say nothing.
    """

    products: float
    """The sum over all pairs of a group, each both ways, of the products of their residuals."""
    most: float
    """What that sum is if all items of a group are alike."""

    def correlation(self, seen: float = 0.0) -> float:
        """`products` / `most`, after pairs that add up to `seen` more and are alike.

        1 where nothing speaks against it: no group has two items, or no item differs.

        >>> Alike(-2.0, 6.0).correlation(), Alike(-2.0, 6.0).correlation(seen=2.0), Alike(0.0, 0.0).correlation()
        (-0.3333333333333333, 0.0, 1.0)
        """
        return min((self.products + seen) / (self.most + seen), 1.0) if self.most + seen > 0 else 1.0


def alike_items(values: NDArray[np.float64], groups: Ints) -> Alike:
    """How alike the `values` (n,) of items of the same of `groups` (n,) are, which are numbered from 0.

    Two pairs, (1, 1) and (1, 0), around their mean of 3/4: products 1/16 and -3/16, both ways.

    >>> alike_items(np.array([1.0, 1.0, 1.0, 0.0]), np.array([0, 0, 1, 1]))
    Alike(products=-0.25, most=0.75)
    """
    residuals = values - values.mean()
    squares = np.bincount(groups, weights=np.square(residuals))
    sums = np.bincount(groups, weights=residuals)
    return Alike(float((np.square(sums) - squares).sum()), float(squares @ (np.bincount(groups) - 1)))


# The variance between groups tells whether items of a group answer alike: T pairs have the variance (psi - D^2) / T,
# where psi is the share of pairs that differ and D the difference. Few groups that moved tell little, so one group more
# is taken to have moved: a usual one as a whole, or one of the largest as far as items were seen to move together,
# whichever is more. With no group moved, that leaves as many pairs as large groups; with many, it is forgotten.

_LARGEST: Final = 0.1
"""A large group is one of the largest that hold this share of the items: that is where a difference may sit."""

_USUAL: Final = 1 / 3
"""A usual group is not smaller than any outside the largest that hold this share of the items."""

_FOLLOWED: Final = 3.0
"""Items of a large group that all others of their group follow, beside those that were seen: for what was not drawn."""


def kish(sizes: Ints) -> float:
    """The effective number of groups of `sizes` (G,): (sum of sizes)^2 / sum of squares. Kish (1965). 0 without any.

    >>> kish(np.array([3, 3, 3])), kish(np.array([8, 1, 1]))
    (3.0, 1.5151515151515151)
    """
    total = float(sizes.sum())
    return total * total / float(np.square(sizes, dtype=np.float64).sum()) if total else 0.0


def largest_groups(sizes: Ints, share: float) -> float:
    """How many groups of `sizes` (G,), the largest first, hold this `share` of all items; the last one counts in part.

    A share of 1/5 of groups of one size is a fifth of the groups:

    >>> largest_groups(np.array([4] * 10), 0.2), largest_groups(np.array([1] * 20 + [10, 10]), 0.5)
    (2.0, 2.0)
    """
    falling = np.sort(sizes)[::-1]
    held = np.concatenate([[0], np.cumsum(falling)])
    return float(np.interp(share * held[-1], held, np.arange(len(held))))


def unseen_chance(difference: float, sizes: Ints) -> float:
    """The chance to draw no group of those that would cancel the `difference` (a share), in a worst case.

    In a share s of the items, in the largest groups of `sizes` (G,), the side that is behind is right and the other one
    wrong throughout; in all others it is as it was seen. The true difference is 0 for s = |D| / (1 + |D|), see
    `cancelling`. If k groups hold that share, none is drawn with the chance (1 - s) ** (k / s). No test of a mean
    excludes such a case by itself: it has to take unseen groups for like those that were seen (Bahadur and Savage
    1956). 1 for no difference.

    Twelve groups cannot exclude that 16 points are cancelled by a seventh of all groups; a hundred can:

    >>> round(unseen_chance(0.16, np.array([20] * 12)), 2), round(unseen_chance(0.16, np.array([20] * 100)), 2)
    (0.17, 0.0)
    """
    share = cancelling(difference)
    return float((1 - share) ** (largest_groups(sizes, share) / share)) if share else 1.0


def cancelling(difference: float) -> float:
    """The share of items that, all for the other side, cancel a `difference` of the others: (1 - s) |D| - s = 0.

    >>> cancelling(0.25)
    0.2
    """
    return abs(difference) / (1 + abs(difference))


def independent_pairs(
    difference: float, discordant: float, variance: float, shift: float, alike: Alike, sizes: Ints, *, single: bool
) -> float:
    """As many independent pairs as have the variance of this `difference` of groups of `sizes` (G,).

    (psi - D^2 + m s / n) / (V + m^2 s^2 / n^2) for n items and one group more of m items that shift by s (see above):
    psi is `discordant`, V the `variance` between groups, and s the `shift` of an item that differs, 1 for right and
    wrong. n / m where no group moved. At most n for `single` runs; means of runs may be worth more. NaN where the
    variance is.

    m is the size of a usual group: that of the group of a random item (Kish 1965), or of the smallest of the largest
    that hold a third of the items. A group of the largest, of M items, that correlate by r (`alike`) counts as
    sqrt(M (1 + (M - 1) r)), which has the variance of its sum. m is the larger of the two.
    """
    if np.isnan(variance):
        return nan
    items = float(sizes.sum())
    large = _LARGEST * items / largest_groups(sizes, _LARGEST)
    icc = max(alike.correlation(seen=_FOLLOWED * shift**2 * (large - 1)), 0.0)
    falling = np.sort(sizes)[::-1].astype(np.float64)
    last = int(np.searchsorted(np.cumsum(falling), _USUAL * items - 1e-9))
    usual = max(float(falling @ falling) / items, float(falling[last]))
    added = max(usual, sqrt(large * (1 + (large - 1) * icc))) * shift / items
    pairs = (discordant - difference**2 + added) / (variance + added**2)
    return min(pairs, items) if single else pairs
