"""McNemar's test as Jiang et al. (2024) use it: did a change shift the answers of matched pairs?

Only the discordant pairs tell: n12 with the answer right before the change alone, n21 with the answer right after it
alone. Without an effect they are a fair coin's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Literal

import numpy as np
from scipy import stats

from generators.hypothesis import Expectation

__all__ = ["EXACT", "ShiftTest", "benjamini_hochberg", "shift_test"]

EXACT = 10
"""With at most so many discordant pairs the p is that of the binomial distribution; with more, of the normal one."""


@dataclass(frozen=True)
class ShiftTest:
    """One test of one shift."""

    z: float
    """(n21 - n12) / sqrt(n12 + n21), without a continuity correction: positive where the change helped. NaN without
    discordant pairs."""
    p: float
    """One-sided in the expected direction, or two-sided where either is expected; 1 without discordant pairs."""
    method: Literal["exact", "normal"]
    """Which distribution `p` is of."""


def shift_test(before_only: int, after_only: int, expects: Expectation) -> ShiftTest:
    """The test of n12 = `before_only` against n21 = `after_only` discordant pairs. McNemar (1947).

    Of 487 pairs, 64 were right only before the change and 423 only after it:

    >>> round(shift_test(64, 423, "better").z, 6)
    16.267843
    """
    discordant = before_only + after_only
    z = (after_only - before_only) / sqrt(discordant) if discordant else nan
    if discordant <= EXACT:
        if not discordant:
            return ShiftTest(z, 1.0, "exact")
        side = {"better": "greater", "worse": "less", "either": "two-sided"}[expects]
        return ShiftTest(z, float(stats.binomtest(after_only, discordant, 0.5, side).pvalue), "exact")
    if expects == "either":
        p = 2 * float(stats.norm.sf(abs(z)))
    else:
        p = float(stats.norm.sf(z if expects == "better" else -z))
    return ShiftTest(z, min(p, 1.0), "normal")


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """The p-values after the step-up correction for the false discovery rate (Benjamini and Hochberg 1995)."""
    return [float(value) for value in stats.false_discovery_control(np.array(p), method="bh")] if len(p) else []
