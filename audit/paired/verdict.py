"""From numbers to a word: who is better, whether the difference is negligible, or that nobody can tell.

The rule, in this order:

1. INCONCLUSIVE: fewer than 30 items in common, or fewer than 6 effective groups (five coins all fall alike in 1 of 16
   tosses, so that five groups can show nothing at 5 %), or no item to which both have a reply.
2. "A better" or "B better": the exact p over groups is at most .05, after Holm's correction where there are several
   subsets. Before the correction that is so exactly where the 95 % interval leaves out 0.
3. "equivalent": two one-sided tests show that the difference is smaller than the margin, at 5 %.
4. "no difference shown": neither. It is no claim that there is none.
"""

from __future__ import annotations

from math import isnan
from typing import Literal

from audit.paired.difference import FEW, FEWEST_GROUPS, Difference
from audit.statistics.power import ALPHA

__all__ = ["Word", "word_of"]

Word = Literal["A better", "B better", "equivalent", "no difference shown", "INCONCLUSIVE"]


def word_of(difference: Difference, p: float, equivalent_p: float) -> Word:
    """The verdict; `p` and `equivalent_p` are corrected for the other subsets, where there are any."""
    if difference.items < FEW or difference.effective_groups < FEWEST_GROUPS or isnan(difference.p):
        return "INCONCLUSIVE"
    if p <= ALPHA:
        return "A better" if difference.difference > 0 else "B better"
    if not isnan(equivalent_p) and equivalent_p <= ALPHA:
        return "equivalent"
    return "no difference shown"
