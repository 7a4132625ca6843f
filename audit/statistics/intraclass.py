"""How alike the items of a group are: the intraclass correlation in which every pair of items counts.

With the residuals r of a group of m items, (sum of r)^2 - sum of r^2 is the sum of the products of all its pairs, each
both ways, and (m - 1) times the sum of r^2 is what that would be if the items of the group differed alike. The ratio of
the two sums over all groups is the correlation (Karlin, Cameron and Williams 1981, pairs weighing the same). So a large
group speaks with all of its pairs, and groups whose items do not differ say nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Alike", "alike_items"]


class Alike(NamedTuple):
    """How far the numbers of items of one group go together, counted pair by pair."""

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


def alike_items(values: NDArray[np.float64], groups: NDArray[np.int64]) -> Alike:
    """How alike the `values` (n,) of items of the same of `groups` (n,) are, which are numbered from 0.

    Two pairs, (1, 1) and (1, 0), around their mean of 3/4: products 1/16 and -3/16, both ways.

    >>> alike_items(np.array([1.0, 1.0, 1.0, 0.0]), np.array([0, 0, 1, 1]))
    Alike(products=-0.25, most=0.75)
    """
    residuals = values - values.mean()
    squares = np.bincount(groups, weights=np.square(residuals))
    sums = np.bincount(groups, weights=residuals)
    return Alike(float((np.square(sums) - squares).sum()), float(squares @ (np.bincount(groups) - 1)))
