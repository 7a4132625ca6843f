"""The difference of two sides as far as their replies carry it: without an item that both answered, nothing does.

Missing replies count as wrong. Where each side lacks the replies that the other has, the difference is one of how much
was asked and not of how much was right: no test is made of it.
"""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from audit.paired.difference import MARGIN, Difference, difference_of
from audit.paired.sides import Scores

__all__ = ["UNANSWERED", "both_replied", "difference_on"]

UNANSWERED = "no item has a reply of both"


def both_replied(a: Scores, b: Scores) -> bool:
    """Whether there is an item to which both have a reply, of one run at least."""
    return bool((a.replied & b.replied).any())


def difference_on(
    a: Scores, b: Scores, groups: NDArray[np.int64], margin: float = MARGIN, tests: int = 1
) -> Difference:
    """`difference_of` the scores of two sides on the same items, all of which both were asked.

    Where no item has a reply of both there are only the two shares and their difference, and a note that says why.
    """
    made = difference_of(a.right, b.right, groups, margin, max(tests, 1))
    if not made.items or both_replied(a, b):
        return made
    return replace(
        made,
        se=nan,
        low=nan,
        high=nan,
        p=nan,
        mcnemar_p=nan,
        correlation=nan,
        equivalent_p=nan,
        detectable=nan,
        note=f"INCONCLUSIVE: {UNANSWERED}, so no test and no interval",
        aside="",
    )
