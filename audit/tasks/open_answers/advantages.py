"""The advantage of strategies over chance, with its interval, its bound and its p from one standard error.

The advantage is kappa with the share that chance gets right in the place of expected agreement: (a - c) / (1 - c),
where a is the share that the strategy gets right. It is a smooth function of two means over the same items, so its
error is a sum of one contribution per item (the delta method), added up within groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.statistics.intervals import Errors, degrees_of_freedom, effective_groups, simultaneous

__all__ = ["Advantages", "advantages", "refitted", "without_the_best"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_FEW = 10
"""With hits in fewer groups than this, the normal interval ends too early: Clopper and Pearson's (1934) joins it."""


@dataclass(frozen=True)
class Advantages:
    """Of V strategies. No number is below -1, although (a - c) / (1 - c) would be where c is above one half."""

    value: Floats
    """(V,) (a - c) / (1 - c); NaN, as all other numbers are, if chance is always right."""
    low: Floats
    """(V,) ends of 95 % intervals over groups; NaN with fewer than two groups."""
    high: Floats
    bound: Floats
    """(V,) lower bounds that hold for all strategies at once, at the level of `leak_alpha`."""
    p: Floats
    """(V,) no better than chance, corrected for all strategies (max-T); twice the one-sided p, so at 2 `leak_alpha` the
    bound is 0, and no interval that includes 0 stands beside a p below .05. 1 where it cannot be tested."""


def refitted(folds: int) -> float:
    """By how much the interval of what learns in so many folds is widened: the square root of 1 + folds / (folds - 1).

    Items scored by one fit share its chances. The variance over items knows nothing of that, and no estimate without
    bias exists (Bengio and Grandvalet 2004); the factor is Nadeau and Bengio's (2003).
    """
    return float(np.sqrt(1 + folds / (folds - 1)))


def advantages(
    right: Floats, chance: Floats, groups: Ints, stretch: Floats, *, leak_alpha: float, random: np.random.Generator
) -> Advantages:
    """The advantages of V strategies over chance.

    `right` (V, n) and `chance` (n,) are the shares, 0 to 1, in which each item is answered rightly, over splits or over
    guesses; `stretch` (V,) widens errors, 1 for what learns nothing.
    """
    share, base = right.mean(axis=1), float(chance.mean())
    count = int(groups.max()) + 1
    undefined = np.full(len(right), np.nan)
    if base >= 1:
        return Advantages(undefined, undefined, undefined, undefined, np.ones(len(right)))
    value = (share - base) / (1 - base)
    parts = ((right - share[:, None]) - (1 - value[:, None]) * (chance - base)) / (1 - base) / len(chance)
    influence: Floats = np.stack([np.bincount(groups, weights=row, minlength=count) for row in parts])
    together = (influence**2).sum(axis=1)
    degrees = degrees_of_freedom(groups, together, (parts**2).sum(axis=1))
    if count < 2 or degrees <= 0:
        return Advantages(np.maximum(value, -1.0), undefined, undefined, undefined, np.ones(len(right)))
    degrees = max(degrees, 1.0)
    se = np.sqrt(together * count / (count - 1)) * stretch
    se[(right == 1).all(axis=1)] = _never_wrong(groups, base, degrees)
    errors = Errors(influence, se, degrees, stretch)
    bound, p = simultaneous(value, errors, 1 - leak_alpha, random)
    half = errors.half_width()
    high = np.fmax(value + half, _few_hits(right, base, groups))
    value, low, high, bound = (np.clip(numbers, -1.0, 1.0) for numbers in (value, value - half, high, bound))
    return Advantages(value, low, high, bound, np.minimum(2 * p, 1.0))


def _never_wrong(groups: Ints, base: float, degrees: float) -> float:
    """Standard error whose 95 % interval begins where Clopper and Pearson's does, where no group has an error."""
    from scipy.stats import t

    return float((1 - 0.025 ** (1 / effective_groups(groups))) / (1 - base) / t.ppf(0.975, degrees))


def _few_hits(right: Floats, base: float, groups: Ints) -> Floats:
    """(V,) upper ends that hold where hits are few: those of Clopper and Pearson over the effective number of groups.

    NaN where more than a few groups have hits. Without a hit among 100 groups it is .036 before the share of chance is
    taken off.
    """
    from scipy.stats import beta

    trials = effective_groups(groups)
    few = np.array([(np.bincount(groups, weights=row) > 0).sum() < _FEW for row in right])
    hits = right.mean(axis=1) * trials
    top = beta.ppf(0.975, hits + 1, np.maximum(trials - hits, 1e-9))
    return np.where(few, (top - base) / (1 - base), np.nan)


def without_the_best(right: Floats, chance: Floats, clusters: Ints) -> float:
    """The smallest advantage (n,) that is left when one of the clusters (n,) is left out; NaN with a single one.

    What learns nothing is as good without the texts of a cluster as with them, so leaving clusters out of training
    shows nothing: this shows whether it works in one cluster alone.
    """
    size = np.bincount(clusters)
    if len(size) < 2:
        return float("nan")
    share = (right.sum() - np.bincount(clusters, weights=right)) / (len(right) - size)
    base = (chance.sum() - np.bincount(clusters, weights=chance)) / (len(right) - size)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.nanmin(np.where(base < 1, (share - base) / (1 - base), np.nan)))
