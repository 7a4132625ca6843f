"""How many pairs a shift needs, and the smallest shift that so many pairs show (Connor 1987; Miettinen 1968).

Let psi be the share of discordant pairs and d the shift, the difference of the two accuracies. A pair's difference has
the variance psi without a shift and psi - d^2 with it, so n pairs find d with the power 1 - beta where

    d sqrt(n) = z(alpha) sqrt(psi) + z(beta) sqrt(psi - d^2)
"""

from __future__ import annotations

from math import ceil, isnan, nan, sqrt

from scipy import optimize, stats

__all__ = ["ALPHA", "POWER", "pairs_needed", "shift_found"]

ALPHA = 0.05
POWER = 0.8


def pairs_needed(shift: float, discordant: float, two_sided: bool, alpha: float = ALPHA, power: float = POWER) -> float:
    """Pairs with which the test finds `shift` (a share, any sign) with `power`, before a correction for several tests.

    `discordant` is the share of pairs with one answer right. Infinite for no shift; NaN where so few pairs are
    discordant that they cannot hold the shift, or where `discordant` is NaN. Without a shift to tell from, 5 points
    among 20 % discordant pairs need about 500 pairs, one-sided:

    >>> pairs_needed(0.05, 0.2, two_sided=False)
    493
    """
    size = abs(shift)
    if size == 0:
        return float("inf")
    if isnan(discordant) or size > discordant:
        return nan
    critical, wanted = _quantiles(two_sided, alpha, power)
    return ceil(((critical * sqrt(discordant) + wanted * sqrt(discordant - size**2)) / size) ** 2)


def shift_found(pairs: int, discordant: float, two_sided: bool, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest shift (a share) that `pairs` pairs find with `power`; NaN where even the largest is not found.

    >>> round(shift_found(493, 0.2, two_sided=False), 3)
    0.05
    """
    if pairs < 1 or isnan(discordant) or discordant <= 0:
        return nan
    critical, wanted = _quantiles(two_sided, alpha, power)

    def lacking(shift: float) -> float:
        return critical * sqrt(discordant) + wanted * sqrt(discordant - shift**2) - shift * sqrt(pairs)

    # The largest shift is that of pairs that all move one way.
    return float(optimize.brentq(lacking, 0.0, discordant)) if lacking(discordant) <= 0 else nan


def _quantiles(two_sided: bool, alpha: float, power: float) -> tuple[float, float]:
    return float(stats.norm.isf(alpha / 2 if two_sided else alpha)), float(stats.norm.ppf(power))
