"""An effect beyond what everybody feels, where nobody sees that itself, and two noisy proxies stand for it.

    response = effect * contrast + s1 a + s2 a^2 + a constant for each stratum + noise

is fitted by two-stage least squares, where b and b^2 are instruments for a and a^2: a and b are the proxies, here means
over two halves of the other models (Miao, Geng and Tchetgen Tchetgen 2018). It is averaged over the sides given, which
take both ways round of several halvings.

The estimate is a ratio of determinants, and its error is that of the numerator, by leaving out one group of items at a
time: the denominator is small where the halves happen to agree little, and a test with the error of the ratio then
accuses too many. The test of the numerator holds however little they agree (Anderson and Rubin 1949; Fieller 1954).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import GroupedEstimate
from audit.reliance.strata import within

__all__ = ["MEASURABLE", "Rows", "Side", "effect_beyond", "effective_degrees", "shared"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MEASURABLE = 2.0
"""Standard errors by which what the halves have in common must stand out from noise."""
_AFFORDABLE = 1.5
"""Times the error of a straight line that a curve may have: it mends a bias, which only matters where errors are
small."""

_DOUBT = 0.5
"""Of what is taken off: its standard error, as a share of it. In simulated studies in which it is large (parts that
differ by three logits), 7 to 8 % of the models without an advantage would be above the 5 % point without it."""


@dataclass(frozen=True)
class Rows:
    """What is to be explained, and by what; all (n,)."""

    response: Floats
    contrast: Floats
    strata: Ints
    groups: Ints


@dataclass(frozen=True)
class Side:
    """One way round of one halving."""

    use: Ints
    """(m,) the rows on which both halves say something."""
    proxy: Floats
    """(m,)"""
    instrument: Floats
    """(m,)"""
    several: bool
    """Whether both halves are of several models: else the square of a proxy says nothing new, and is left out."""


def effect_beyond(
    rows: Rows, sides: Sequence[Side], without: Callable[[int], float] = lambda power: 0.0
) -> GroupedEstimate | None:
    """The effect with what each group of items adds to its error; None where it is not determined.

    `without` says what a fit up to each power of the proxies shows where there is no effect; it is taken off, and half
    of it counts as an error more.
    """
    present, held = np.unique(rows.groups, return_inverse=True)
    degrees = effective_degrees(within(rows.contrast, rows.strata), held)
    if degrees < 1:
        return None
    line, curve = (_less(_fitted(rows, sides, held, power), without, power) for power in (1, 2))
    fit = curve if curve is not None and (line is None or _se(curve) <= _AFFORDABLE * _se(line)) else line
    if fit is None:
        return None
    value, contributions = fit
    spread = np.zeros(int(present.max()) + 1)
    spread[present] = contributions
    return GroupedEstimate(value, spread, degrees)


def effective_degrees(contrast: Floats, held: Ints) -> float:
    """The effective number of groups (Kish 1965) less one; 0 if one of them has half of the contrast or more."""
    heavy = np.bincount(held, weights=contrast**2)
    share = heavy / heavy.sum()
    return 0.0 if share.max() >= 0.5 else 1 / float(share @ share) - 1


def shared(rows: Rows, sides: Sequence[Side]) -> float:
    """Mean covariance of proxy and instrument beyond contrast and strata, in standard errors over groups."""
    product = np.zeros(len(rows.contrast))
    for side in sides:
        strata = rows.strata[side.use]
        contrast = within(rows.contrast[side.use], strata)
        squares = max(float(contrast @ contrast), 1e-12)
        halves = [within(half, strata) for half in (side.proxy, side.instrument)]
        first, second = (half - float(contrast @ half) / squares * contrast for half in halves)
        product[side.use] += first * second
    held = np.unique(rows.groups, return_inverse=True)[1]
    spread = float(np.sqrt(np.square(np.bincount(held, weights=product - product.mean())).sum()))
    return float(product.sum()) / spread if spread > 0 else 0.0


def _fitted(rows: Rows, sides: Sequence[Side], held: Ints, power: int) -> tuple[float, Floats, Floats] | None:
    """The mean over `sides`, what each group contributes to its error, and how that grows; None if not determined."""
    count = int(held.max()) + 1
    whole, without, below = 0.0, np.zeros(count), np.zeros(count)
    for side in sides:
        strata, own = rows.strata[side.use], held[side.use]
        contrast, response = (within(values[side.use], strata) for values in (rows.contrast, rows.response))
        powers = range(1, (power if side.several else 1) + 1)
        given = np.stack([contrast, *(within(side.proxy**k, strata) for k in powers)], axis=1)
        stands = np.stack([contrast, *(within(side.instrument**k, strata) for k in powers)], axis=1)
        products, targets = _by_group(stands, given, own, count), _by_group(stands, response[:, None], own, count)
        sums, aims = products.sum(axis=0), targets.sum(axis=0)
        size = float(np.abs(sums).max())
        denominator = float(np.linalg.det(sums / size)) if size > 0 else 0.0
        if abs(denominator) < 1e-12:
            return None
        # Means, not sums, so that what is left after a group is taken away is of the same scale.
        rest = len(own) - np.bincount(own, minlength=count)
        scale = (len(own) / np.maximum(rest, 1))[:, None, None] / size
        whole += float(_numerator(sums / size, aims / size)) / denominator / len(sides)
        left = (sums - products) * scale
        without += _numerator(left, (aims - targets) * scale) / denominator / len(sides)
        # An effect that is larger by 1 adds the denominator to the numerator.
        below += np.linalg.det(left) / denominator / len(sides)
    factor = np.sqrt((count - 1) / count)
    return whole, factor * (without.mean() - without), factor * (below.mean() - below)


def _less(
    fit: tuple[float, Floats, Floats] | None, without: Callable[[int], float], power: int
) -> tuple[float, Floats] | None:
    if fit is None:
        return None
    value, contributions, growth = fit
    less = without(power)
    own = contributions - less * growth
    squares = float(own @ own)
    wider = sqrt(1 + (_DOUBT * less) ** 2 / squares) if squares > 0 else 1.0
    return value - less, own * wider


def _numerator(products: Floats, targets: Floats) -> Floats:
    """Of the first unknown, by Cramer's rule: (..., p, p) and (..., p, 1) to (...)."""
    replaced = products.copy()
    replaced[..., :, 0] = targets[..., :, 0]
    return np.asarray(np.linalg.det(replaced))


def _by_group(first: Floats, second: Floats, held: Ints, count: int) -> Floats:
    """(G, p, q): the sums over each group of the products of the columns of (n, p) and (n, q)."""
    products = first[:, :, None] * second[:, None, :]
    sums = np.zeros((count, *products.shape[1:]))
    np.add.at(sums, held, products)
    return sums


def _se(fit: tuple[float, Floats]) -> float:
    return float(np.sqrt(np.square(fit[1]).sum()))
