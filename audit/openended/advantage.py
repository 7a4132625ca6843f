"""How much better a strategy is than the best constant, how sure that is, and whether it could be chance.

The advantage is kappa with the best constant in the place of chance: (a - c) / (1 - c), where a is the share of the
items that the strategy gets right and c that of the constant. 0 is no better than always giving the most common answer,
1 is a benchmark that the strategy solves. It is a smooth function of two means over the same items, so its error is a
sum of one contribution per item (the delta method), added up within groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.statistics.intervals import Errors, degrees_of_freedom, effective_groups, lower_bounds

__all__ = ["Advantages", "advantages", "refitted", "sign_flips", "without_the_best"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_FEW = 10
"""With hits in fewer groups than this, the normal interval ends too early: Clopper and Pearson's (1934) joins it."""
_AT_ONCE = 64
"""Sign flips in one go."""


@dataclass(frozen=True)
class Advantages:
    """Of V strategies."""

    value: Floats
    """(V,) (a - c) / (1 - c); NaN if the constant is always right."""
    low: Floats
    """(V,) ends of 95 % intervals over groups."""
    high: Floats
    bound: Floats
    """(V,) lower bounds that hold for all strategies at once, at the level of `leak_alpha`."""
    p: Floats
    """(V,) one-sided: no better than the constant."""
    corrected: Floats
    """(V,) the same for the best of V strategies: max-T."""
    floor: float
    """The smallest p that so many sign flips can show."""


def refitted(folds: int) -> float:
    """By how much the interval of what learns in so many folds is widened: the square root of 1 + folds / (folds - 1).

    Items scored by one fit share its chances. The variance over items knows nothing of that, and no estimate without
    bias exists (Bengio and Grandvalet 2004); the factor is Nadeau and Bengio's (2003).
    """
    return float(np.sqrt(1 + folds / (folds - 1)))


def advantages(
    right: Floats,
    constant: Floats,
    groups: Ints,
    stretch: Floats,
    *,
    leak_alpha: float,
    flips: int,
    draws: np.random.Generator,
    signs: np.random.Generator,
) -> Advantages:
    """The advantages of V strategies over the constant.

    `right` (V, n) and `constant` (n,) are shares of the splits, 0 to 1, in which each item was answered rightly;
    `stretch` (V,) widens errors, 1 for what learns nothing. Intervals need two groups, else they are infinite.
    """
    share, base = right.mean(axis=1), float(constant.mean())
    if base >= 1:
        ones = np.ones(len(right))
        undefined = np.full(len(right), np.nan)
        return Advantages(undefined, undefined, undefined, undefined, ones, ones, 1 / (flips + 1))
    value = (share - base) / (1 - base)
    n, count = len(constant), int(groups.max()) + 1
    influence = np.empty((len(right), count))
    together, alone = np.empty(len(right)), np.empty(len(right))
    for v, row in enumerate(right):
        parts = ((row - share[v]) - (1 - value[v]) * (constant - base)) / (1 - base) / n
        influence[v] = np.bincount(groups, weights=parts, minlength=count)
        together[v], alone[v] = (influence[v] ** 2).sum(), (parts**2).sum()
    degrees = degrees_of_freedom(groups, together, alone)
    widening = np.asarray(stretch, dtype=np.float64)
    if count < 2 or degrees <= 0:
        errors = Errors(influence, np.full(len(right), np.inf), 1.0, widening)
    else:
        degrees = max(degrees, 1.0)
        se = np.sqrt(together * count / (count - 1)) * stretch
        se[(right == 1).all(axis=1)] = _never_wrong(groups, base, degrees)
        errors = Errors(influence, se, degrees, widening)
    half = errors.half_width()
    bound = lower_bounds(value, errors, 1 - leak_alpha, draws)
    high = np.fmax(value + half, _few_hits(right, base, groups))
    p, corrected = sign_flips(right - constant, groups, stretch, flips, signs)
    return Advantages(value, value - half, np.minimum(high, 1.0), bound, p, corrected, 1 / (flips + 1))


def _never_wrong(groups: Ints, base: float, degrees: float) -> float:
    """Standard error whose 95 % interval begins where Clopper and Pearson's does, where no group has an error."""
    from scipy.stats import t

    return float((1 - 0.025 ** (1 / effective_groups(groups))) / (1 - base) / t.ppf(0.975, degrees))


def _few_hits(right: Floats, base: float, groups: Ints) -> Floats:
    """(V,) upper ends that hold where hits are few: those of Clopper and Pearson over the effective number of groups.

    NaN where more than a few groups have hits. Without a hit among 100 groups it is .036 before the constant's share
    is taken off.
    """
    from scipy.stats import beta

    trials = effective_groups(groups)
    out = np.full(len(right), np.nan)
    for v, row in enumerate(right):
        hit = np.bincount(groups, weights=row) > 0
        if hit.sum() < _FEW:
            hits = float(row.mean()) * trials
            top = float(beta.ppf(0.975, hits + 1, max(trials - hits, 1e-9)))
            out[v] = (top - base) / (1 - base)
    return out


def without_the_best(right: Floats, constant: Floats, clusters: Ints) -> float:
    """The smallest advantage (n,) that is left when one of the clusters (n,) is left out; NaN with a single one.

    What learns nothing is as good without the texts of a cluster as with them, so leaving clusters out of training
    shows nothing: this shows whether it works in one cluster alone.
    """
    size = np.bincount(clusters)
    if len(size) < 2:
        return float("nan")
    share = (right.sum() - np.bincount(clusters, weights=right)) / (len(right) - size)
    base = (constant.sum() - np.bincount(clusters, weights=constant)) / (len(right) - size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.nanmin(np.where(base < 1, (share - base) / (1 - base), np.nan)))


def sign_flips(
    differences: Floats, groups: Ints, stretch: Sequence[float] | Floats, flips: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """(p, corrected p), both (V,): does a strategy answer more items rightly than the constant?

    If it is no better, each group's difference is as likely negative as positive. The statistic is their sum over
    the root of the sum of squares, which flipping signs leaves alone; p = (b + 1) / (B + 1) (Phipson and Smyth 2010),
    exact for any number of groups, as in McNemar's test. The corrected p compares with the largest statistic over the
    strategies (max-T, Westfall and Young 1993). Those that learn are divided by `stretch`.
    """
    count = int(groups.max()) + 1
    sums = np.stack([np.bincount(groups, weights=row, minlength=count) for row in differences])
    norm = np.sqrt((sums**2).sum(axis=1))
    scaled = sums / np.where(norm > 0, norm, 1.0)[:, None]
    observed = scaled.sum(axis=1) / np.asarray(stretch)
    single, joint = np.ones(len(sums)), np.ones(len(sums))
    scaled, done = scaled.T.astype(np.float32), 0
    while done < flips:
        times = min(_AT_ONCE, flips - done)
        signs = random.integers(0, 2, size=(times, count), dtype=np.int8).astype(np.float32) * 2 - 1
        null = signs @ scaled
        # What should be equal may differ in the last bits.
        single += (null >= observed - 1e-4).sum(axis=0)
        joint += (null.max(axis=1)[:, None] >= observed - 1e-4).sum(axis=0)
        done += times
    varies = norm > 0
    return np.where(varies, single / (flips + 1), 1.0), np.where(varies, joint / (flips + 1), 1.0)
