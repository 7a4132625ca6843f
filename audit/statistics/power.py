"""How many pairs a difference takes, and the smallest difference that so many pairs or groups show."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, floor, inf, isnan, log2, nan, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from scipy import optimize, special, stats

__all__ = ["ALPHA", "Alternative", "least_moved", "pairs_needed", "shift_found", "shift_of_groups"]

# Connor (1987), Miettinen (1968). With psi the share of discordant pairs and d the shift, a pair's difference has the
# variance psi without a shift and psi - d^2 with it, so n pairs find d with the power 1 - beta where
#
#     d sqrt(n) = z(alpha) sqrt(psi) + z(beta) sqrt(psi - d^2)
#
# A shift of d needs psi >= d; where fewer pairs are discordant, psi = d. Fewer than five discordant pairs (two-sided:
# six) show nothing even if all move one way, so n also has to be large enough for so many with the power 1 - beta (a
# negative binomial). Counted out, the power is 75 to 84 % from 30 pairs on, where 80 % is asked for.

ALPHA = 0.05
POWER = 0.8
"""How often a shift of the size in question is to be found."""


def pairs_needed(shift: float, discordant: float, two_sided: bool) -> float:
    """Pairs with which the test finds `shift` (a share, any sign) with 80 % power, before correcting for several tests.

    `discordant` is the share of pairs with one answer right; at least as many as the shift takes are reckoned with.
    Infinite for no shift, NaN where `discordant` is NaN. Five points among 20 % discordant pairs need about 500 pairs,
    one-sided:

    >>> pairs_needed(0.05, 0.2, two_sided=False)
    493
    """
    if shift == 0:
        return inf
    return nan if isnan(discordant) else ceil(_pairs(abs(shift), discordant, two_sided, ALPHA))


def shift_found(pairs: int, discordant: float, two_sided: bool, alpha: float = ALPHA) -> float:
    """The smallest shift (a share) that `pairs` pairs find with 80 % power; NaN where not even a shift of all is found.

    >>> round(shift_found(493, 0.2, two_sided=False), 3)
    0.05
    """
    if pairs < 1 or isnan(discordant):
        return nan

    def lacking(shift: float) -> float:
        # Pairs come in steps, and a whole stretch of shifts may take as many: the sign changes at the smallest of them.
        return 1.0 if _pairs(shift, discordant, two_sided, alpha) > pairs else -1.0

    return nan if lacking(1.0) > 0 else float(optimize.bisect(lacking, 1e-6, 1.0, xtol=1e-12))


def least_moved(alpha: float, two_sided: bool) -> int:
    """Pairs (or groups) that have to move one way, all of them, for a p of at most `alpha`: p is then 2 ** -least.

    >>> least_moved(0.05, two_sided=True), least_moved(0.05, two_sided=False), least_moved(0.01, two_sided=True)
    (6, 5, 8)
    """
    return ceil(-log2(alpha / 2 if two_sided else alpha))


def _pairs(shift: float, discordant: float, two_sided: bool, alpha: float) -> float:
    psi = max(discordant, shift)
    tail = alpha / 2 if two_sided else alpha
    critical, wanted = -NormalDist().inv_cdf(tail), NormalDist().inv_cdf(POWER)
    enough = ((critical * sqrt(psi) + wanted * sqrt(psi - shift**2)) / shift) ** 2
    least = least_moved(alpha, two_sided)
    return max(enough, least + float(stats.nbinom.ppf(POWER, least, psi)))


# Among K groups of a size the sign-flip test is nearly Student's with K - 1 degrees of freedom, so its power is that of
# the noncentral t: d has the noncentrality d / sqrt(V), where V is the variance of the measured difference between
# groups. Three things are coarser than t, and matter where groups are few:
#
# - p is a multiple of 2 / 2^K: six groups are significant at 5 % only if all move the same way, which is p = .031.
# - Sums of whole numbers tie, and a tie counts as far out. That costs about one item, or what moves together.
# - Groups that did not move are no coins. At least as many have to move as the test needs.

_NONE: Final = 1e-9

_MANY: Final = 40
"""With more coins than this p is as fine as wanted."""


def noncentrality(groups: float, alpha: float) -> float:
    """How many standard errors a difference has to be of 0, for the sign-flip test of so many `groups` to find it.

    Two-sided at `alpha`. NaN for fewer groups than can be significant. With many groups it is that of the normal
    distribution, z(alpha / 2) + z(.8); six groups all have to move the same way, with six times the same chance:

    >>> round(noncentrality(100_000, 0.05), 2), round(noncentrality(6, 0.05), 2)
    (2.8, 4.39)
    """
    least = least_moved(alpha, two_sided=True)
    coins = floor(groups + 1e-9)
    if coins < least:
        return nan
    reached = alpha if coins > _MANY else 2 * floor(alpha / 2 * 2**coins) / 2**coins
    critical = float(stats.t.isf(reached / 2, groups - 1))
    needed = float(special.nctdtrinc(groups - 1, 1 - POWER, critical))
    same_way = float(stats.norm.ppf(POWER ** (1 / coins))) * sqrt(coins) if coins == least else -inf
    return max(needed, same_way)


class Alternative(NamedTuple):
    """What the items of a benchmark do if the true difference is so and so large."""

    variance: float
    """Of an item's difference."""
    differing: float
    """The share of items that differ at all."""
    one_way: bool
    """Whether all of them go the same way, by 1: right with one side, and wrong with the other one."""
    step: float
    """The least by which items differ: 1 for right and wrong, 1 / R for means of R runs."""


def shift_of_groups(
    items: float, group_size: float, icc: float, alpha: float, alternative: Callable[[float], Alternative]
) -> float:
    """The smallest true difference (a share) that is found with 80 % power in `items` items of groups of `group_size`.

    `icc` is the intraclass correlation of the items' differences; `alternative` says what they do at a difference. NaN
    where not even a difference of all items would be found.
    """
    groups = items / group_size
    needed = noncentrality(groups, alpha)
    if isnan(needed):
        return nan
    effect = 1 + (group_size - 1) * icc
    least = least_moved(alpha, two_sided=True)

    def lacking(shift: float) -> float:
        there = alternative(shift)
        moving = _moving(there.differing, group_size, icc)
        if not moving > 0 or least + float(stats.nbinom.ppf(POWER, least, moving)) > groups:
            return 1.0
        # All groups that move go the same way, so that their number is all that counts.
        if there.one_way:
            return -1.0
        return needed * sqrt(there.variance * effect / items) + there.step * effect / items - shift

    if lacking(1.0) > 0:
        return nan
    return _NONE if lacking(_NONE) <= 0 else float(optimize.brentq(lacking, _NONE, 1.0, xtol=_NONE))


def _moving(discordant: float, group_size: float, icc: float) -> float:
    """The chance that a group has a discordant item, if the number of them is beta-binomial with this `icc`.

    1 - (1 - psi)^m for icc 0, and psi for icc 1. The icc alone does not say it: where items copy one answer of their
    group instead, more groups have one. Skellam (1948).
    """
    share = min(discordant, 1.0)
    if icc >= 1 or share == 1:
        return share
    if icc <= 0:
        return 1 - float((1 - share) ** group_size)
    strength = (1 - icc) / icc
    first, second = share * strength, (1 - share) * strength
    calm: float = special.betaln(first, second + group_size) - special.betaln(first, second)
    return 1 - exp(calm)
