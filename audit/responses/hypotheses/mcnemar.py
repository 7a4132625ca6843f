"""McNemar's test as Jiang et al. (2024) use it: did a change shift the answers of matched pairs?

Only the discordant pairs tell: n12 with the answer right before the change alone, n21 with the answer right after it
alone. Without an effect they are a fair coin's. The test without a continuity correction is the paper's; at 5 % it
calls up to 8 % of fair coins a shift while n12 + n21 is between 11 and 30, so the exact p stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Final, Literal

import numpy as np
from scipy import stats

from audit.statistics.paired_tests import sign_flip_p
from generators.dataset import Expectation

__all__ = ["EXACT", "ShiftTest", "benjamini_hochberg", "clustered_p", "shift_test"]

EXACT = 10
"""With at most so many discordant pairs the p is that of the binomial distribution; with more, of the normal one."""

_SIDES: Final[dict[Expectation, Literal["greater", "less", "two-sided"]]] = {
    "better": "greater",
    "worse": "less",
    "either": "two-sided",
}


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
    exact: float
    """The same p of the binomial distribution, however many pairs are discordant."""


def shift_test(before_only: int, after_only: int, expects: Expectation) -> ShiftTest:
    """The test of n12 = `before_only` against n21 = `after_only` discordant pairs. McNemar (1947).

    Of 487 pairs, 64 were right only before the change and 423 only after it:

    >>> round(shift_test(64, 423, "better").z, 6)
    16.267843
    """
    discordant = before_only + after_only
    if not discordant:
        return ShiftTest(nan, 1.0, "exact", 1.0)
    z = (after_only - before_only) / sqrt(discordant)
    exact = float(stats.binomtest(after_only, discordant, 0.5, _SIDES[expects]).pvalue)
    if discordant <= EXACT:
        return ShiftTest(z, exact, "exact", exact)
    return ShiftTest(z, _normal(z, expects), "normal", exact)


def clustered_p(shifts: Iterable[int], expects: Expectation) -> float:
    """The p of the same test where pairs of one cluster may answer alike, and clusters are independent.

    A cluster's shift is its n21 less its n12. Without an effect each is as likely as its opposite, so that
    z = sum of the shifts / sqrt(sum of their squares); with at most ten clusters that shift, all signs are counted. Of
    clusters with one pair each, it is `shift_test`.

    Four pairs right only after the change are 1 in 16; if they are two and two of a kind, 1 in 4:

    >>> clustered_p([1, 1, 1, 1], "better"), clustered_p([2, 2], "better")
    (0.0625, 0.25)
    """
    sizes = np.array([shift for shift in shifts if shift], dtype=np.int64)
    if not len(sizes):
        return 1.0
    total = int(sizes.sum())
    if len(sizes) > EXACT:
        return _normal(total / sqrt(int((sizes**2).sum())), expects)
    return sign_flip_p(sizes.tolist(), _SIDES[expects])


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """The p-values after the step-up correction for the false discovery rate (Benjamini and Hochberg 1995)."""
    return [float(value) for value in stats.false_discovery_control(np.array(p), method="bh")] if len(p) else []


def _normal(z: float, expects: Expectation) -> float:
    if expects == "either":
        return min(2 * float(stats.norm.sf(abs(z))), 1.0)
    return float(stats.norm.sf(z if expects == "better" else -z))
