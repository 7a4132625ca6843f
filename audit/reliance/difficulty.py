"""What of the difference between the parts the difficulty of the items does not explain.

Items that the probe predicts may be easier for every reader. Stratifying by how many other models are right does not
mend this: their answers measure difficulty with noise, and what the noise hides stays in the difference. Three models
or more tell noise from difficulty, because noise is each model's own and difficulty is common. So the other models are
halved; with a and b the shares of the halves that are right,

    right = beyond * (the probe is right) + s1 a + s2 a^2 + a constant for each gold answer + noise

is fitted by two-stage least squares with b and b^2 as instruments for a and a^2, both ways round, averaged over
halvings that part every two models (or families: models of one family may share mistakes) at least once. If answers
follow a common difficulty, to which each model has a sensitivity of its own, `beyond` is 0; a model that gives the
probe's answer on a share r of the items, beside others that do not, has r. The halves are two proxies of a confounder
that nobody sees (Miao, Geng and Tchetgen Tchetgen 2018). What all models share cannot be told from difficulty.

The estimate is a ratio of determinants, and its error is that of the numerator, by leaving out one group of items at a
time: the denominator is small where the halves happen to agree little, and a test with the error of the ratio then
accuses too many. The test of the numerator holds however little they agree (Anderson and Rubin 1949; Fieller 1954).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import Estimate
from audit.reliance.strata import within

__all__ = ["MEASURABLE", "Beyond", "beyond", "halvings", "strata_of_others"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]

MEASURABLE = 2.0
"""Standard errors by which the common difficulty must stand out from noise."""
_AFFORDABLE = 1.5
"""Times the error of a straight line that a curve may have: it mends a bias, which only matters where errors are
small."""


@dataclass(frozen=True)
class Beyond:
    """The difference beyond difficulty, and how well difficulty was measured."""

    estimate: Estimate | None
    measurable: float | None
    """What the halves have in common beyond the parts, in standard errors; None with fewer than two other models."""
    reason: str
    """Why there is no estimate; else empty."""


def beyond(right: Floats, others: Floats, families: Ints, probe_right: Floats, groups: Ints, strata: Ints) -> Beyond:
    """The difference of `right` (n,) beyond difficulty; `others` (n, J) are other models, `families` (J,) theirs.

    `probe_right` (n,) is 1 where the probe is right, `strata` (n,) hold the gold answers. The square of a half with a
    single model says nothing new, and is left out; so is it where it costs too much precision.
    """
    if others.shape[1] < 2:
        return Beyond(None, None, "fewer than two other models: the difficulty of the items is not measured")
    contrast = within(probe_right, strata)
    if float(contrast @ contrast) < 1e-9:
        return Beyond(None, None, "the probe is right, or wrong, on all items with the same gold answer")
    present, held = np.unique(groups, return_inverse=True)
    degrees = _degrees(contrast, held)
    if degrees < 1:
        return Beyond(None, None, "too few groups of items")
    sides = [side for half in halvings(families) for side in (half, ~half)]
    measurable = _measurable(others, sides, contrast, strata, held)
    if measurable < MEASURABLE:
        return Beyond(None, measurable, "the other models share no difficulty that stands out from noise")
    response = within(right, strata)
    line, curve = (_fitted(response, others, sides, contrast, strata, held, power) for power in (1, 2))
    fit = curve if curve is not None and (line is None or _se(curve) <= _AFFORDABLE * _se(line)) else line
    if fit is None:
        return Beyond(None, measurable, "the difficulty of the items cannot be told from the parts")
    contributions = np.zeros(int(present.max()) + 1)
    contributions[present] = fit[1]
    return Beyond(Estimate(fit[0], contributions, degrees), measurable, "")


def halvings(families: Ints) -> Iterator[Truths]:
    """Halves of the models (J,) that keep families whole and part every two of them at least once.

    By the binary digits of the number of the family: three families have two halvings, eight have three. Models of a
    single family are halved one by one.
    """
    if len(np.unique(families)) < 2:
        families = np.arange(len(families))
    number = np.unique(families, return_inverse=True)[1]
    for digit in range(int(number.max()).bit_length()):
        yield np.asarray((number >> digit) & 1, dtype=np.bool_)


def strata_of_others(others: Floats) -> Ints:
    """(n,): how many of the other models (n, J) are right, rounded; models of several runs count by their mean."""
    return np.asarray(np.rint(others.sum(axis=1)), dtype=np.int64)


def _fitted(
    response: Floats, others: Floats, sides: list[Truths], contrast: Floats, strata: Ints, held: Ints, power: int
) -> tuple[float, Floats] | None:
    """The mean over `sides` and what each group contributes to its error; None where it is not determined."""
    count = int(held.max()) + 1
    rest = len(held) - np.bincount(held)
    whole, without = 0.0, np.zeros(count)
    for side in sides:
        several = min(side.sum(), (~side).sum()) > 1
        powers = range(1, (power if several else 1) + 1)
        proxy, instrument = (others[:, of].mean(axis=1) - 0.5 for of in (side, ~side))
        given = np.stack([contrast, *(within(proxy**k, strata) for k in powers)], axis=1)
        stands = np.stack([contrast, *(within(instrument**k, strata) for k in powers)], axis=1)
        products, targets = _by_group(stands, given, held, count), _by_group(stands, response[:, None], held, count)
        sums, aims = products.sum(axis=0), targets.sum(axis=0)
        size = float(np.abs(sums).max())
        denominator = float(np.linalg.det(sums / size))
        if abs(denominator) < 1e-12:
            return None
        # Means, not sums, so that what is left after a group is taken away is of the same scale.
        scale = (len(held) / rest)[:, None, None] / size
        whole += float(_numerator(sums / size, aims / size)) / denominator / len(sides)
        without += _numerator((sums - products) * scale, (aims - targets) * scale) / denominator / len(sides)
    return whole, np.sqrt((count - 1) / count) * (without.mean() - without)


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


def _degrees(contrast: Floats, held: Ints) -> float:
    """The effective number of groups (Kish 1965) less one; 0 if one of them has half of the contrast or more."""
    heavy = np.bincount(held, weights=contrast**2)
    share = heavy / heavy.sum()
    return 0.0 if share.max() >= 0.5 else 1 / float(share @ share) - 1


def _measurable(others: Floats, sides: list[Truths], contrast: Floats, strata: Ints, held: Ints) -> float:
    """Mean covariance of the halves within parts and gold answers, in standard errors over groups."""
    squares = float(contrast @ contrast)
    product = np.zeros(len(contrast))
    for side in sides:
        halves = [within(others[:, of].mean(axis=1), strata) for of in (side, ~side)]
        first, second = (half - float(contrast @ half) / squares * contrast for half in halves)
        product += first * second
    spread = float(np.sqrt(np.square(np.bincount(held, weights=product - product.mean())).sum()))
    return float(product.sum()) / spread if spread > 0 else 0.0
