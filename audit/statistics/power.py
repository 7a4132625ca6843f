"""How many pairs a shift needs, and the smallest shift that so many pairs show (Connor 1987; Miettinen 1968).

Let psi be the share of discordant pairs and d the shift, the difference of the two accuracies. A pair's difference has
the variance psi without a shift and psi - d^2 with it, so n pairs find d with the power 1 - beta where

    d sqrt(n) = z(alpha) sqrt(psi) + z(beta) sqrt(psi - d^2)

A shift of d needs psi >= d. Where fewer pairs than that are discordant, the shift itself would make them so: psi = d.
Fewer than five discordant pairs (two-sided: six) show nothing even if all move one way, so n also has to be large
enough for so many with the power 1 - beta. The number of pairs until then is negative binomial. Counted out, the power
of so many pairs is 75 to 84 % from 30 pairs on, where 80 % is asked for.
"""

from __future__ import annotations

from math import ceil, inf, isnan, log2, nan, sqrt
from statistics import NormalDist

from scipy import optimize, stats

__all__ = ["ALPHA", "POWER", "least_moved", "pairs_needed", "shift_found"]

ALPHA = 0.05
POWER = 0.8

_NORMAL = NormalDist()


def pairs_needed(shift: float, discordant: float, two_sided: bool, alpha: float = ALPHA, power: float = POWER) -> float:
    """Pairs with which the test finds `shift` (a share, any sign) with `power`, before a correction for several tests.

    `discordant` is the share of pairs with one answer right; at least as many as the shift takes are reckoned with.
    Infinite for no shift, NaN where `discordant` is NaN. Five points among 20 % discordant pairs need about 500 pairs,
    one-sided:

    >>> pairs_needed(0.05, 0.2, two_sided=False)
    493
    """
    if shift == 0:
        return inf
    return nan if isnan(discordant) else ceil(_pairs(abs(shift), discordant, two_sided, alpha, power))


def shift_found(pairs: int, discordant: float, two_sided: bool, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest shift (a share) that `pairs` pairs find with `power`; NaN where not even a shift of all is found.

    >>> round(shift_found(493, 0.2, two_sided=False), 3)
    0.05
    """
    if pairs < 1 or isnan(discordant):
        return nan

    def lacking(shift: float) -> float:
        return _pairs(shift, discordant, two_sided, alpha, power) - pairs

    if lacking(1.0) > 0:
        return nan
    # Pairs come in steps, and a whole stretch of shifts may take just as many: the smallest of them is where the sign
    # changes.
    return float(optimize.bisect(lambda shift: 1.0 if lacking(shift) > 0 else -1.0, 1e-6, 1.0, xtol=1e-12))


def least_moved(alpha: float, two_sided: bool) -> int:
    """Pairs (or groups) that have to move one way, all of them, for a p of at most `alpha`: p is then 2 ** -least.

    >>> least_moved(0.05, two_sided=True), least_moved(0.05, two_sided=False), least_moved(0.01, two_sided=True)
    (6, 5, 8)
    """
    return ceil(-log2(alpha / 2 if two_sided else alpha))


def _pairs(shift: float, discordant: float, two_sided: bool, alpha: float, power: float) -> float:
    psi = max(discordant, shift)
    tail = alpha / 2 if two_sided else alpha
    critical, wanted = -_NORMAL.inv_cdf(tail), _NORMAL.inv_cdf(power)
    enough = ((critical * sqrt(psi) + wanted * sqrt(psi - shift**2)) / shift) ** 2
    least = least_moved(alpha, two_sided)
    return max(enough, least + float(stats.nbinom.ppf(power, least, psi)))
