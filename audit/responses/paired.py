"""Two conditions answered in matched pairs: the effect original - perturbed, its test, its interval, its power.

Plain arrays of right and wrong go in, one `Paired` comes out; `effects` finds the pairs in the items of a release. The
numbers are those of `audit.paired.difference`. Beside them stands the paired t-test of Opedal et al. (2024), so that
their tables can be repeated; nothing is decided by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from audit.paired.difference import FEW, difference_of

__all__ = ["Paired", "compare"]

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Paired:
    """The difference between two conditions over matched pairs; accuracies and effects are shares from 0 to 1."""

    pairs: int
    original: float
    """Accuracy in the original condition; NaN without pairs."""
    perturbed: float
    both_right: float
    """Pair accuracy: the share of the pairs with both items right; NaN without pairs."""
    effect: float
    """Mean over pairs of (original right - perturbed right): positive where the perturbed condition costs accuracy."""
    se: float
    """Standard error of the effect, robust to clusters; NaN where all pairs differ alike, or none does."""
    low: float
    """Lower end of the 95 % interval, before any correction; NaN with too few pairs."""
    high: float
    p: float
    """Two-sided, exact: McNemar's where each pair is a cluster of its own; NaN with too few pairs."""
    original_only: int
    """Discordant pairs with only the original item right."""
    perturbed_only: int
    t: float
    """Student's t of the paired test; NaN with too few pairs, and where every difference is the same."""
    t_p: float
    """Two-sided p of the paired t-test."""
    detectable: float
    """Smallest true effect found with about 80 % power, two-sided, with so many pairs: at alpha .05 / `tests`, so after
    Holm's correction. NaN with too few pairs."""
    note: str
    """Why something is undefined or not to be relied on, in words; empty where all is well."""


def compare(original: Bools, perturbed: Bools, clusters: Ints | None = None, tests: int = 1) -> Paired:
    """The comparison of `original` (n,) and `perturbed` (n,), True where the item is right, row by row a pair.

    `clusters` (n,) numbers what belongs together, from 0; each pair is a cluster of its own where it is None.
    `tests` is how many effects are corrected together.
    """
    pairs = len(original)
    first, second = original.astype(np.float64), perturbed.astype(np.float64)
    apart = difference_of(first, second, np.arange(pairs) if clusters is None else clusters, tests=tests)
    t = p = nan
    if pairs >= FEW and bool((first - second).std() > 0):
        tested = stats.ttest_rel(first, second)
        t, p = float(tested.statistic), float(tested.pvalue)
    return Paired(
        pairs=pairs,
        original=apart.a,
        perturbed=apart.b,
        both_right=float((original & perturbed).mean()) if pairs else nan,
        effect=apart.difference,
        se=apart.se,
        low=apart.low,
        high=apart.high,
        p=apart.p,
        original_only=apart.a_only,
        perturbed_only=apart.b_only,
        t=t,
        t_p=p,
        detectable=apart.detectable,
        note=apart.note,
    )
