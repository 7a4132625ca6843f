"""What two-stage least squares shows of a model without an advantage, because a square is no logistic curve.

The halves of the other models stand for difficulty, and what they stand for is a curve of the shares that the halves
get right. That of a model is none, exactly: it lies now above and now below a straight line or a parabola of theirs.
Where the parts differ much in difficulty, this does not cancel. The rest is small, but does not shrink with the number
of items, while errors do; so it is reckoned from fitted curves, and taken off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.reliance.difficulty.curves import Curves

__all__ = ["expected_effect"]

Floats = NDArray[np.float64]


def expected_effect(curves: Curves, halves: Sequence[NDArray[np.bool_]], power: int) -> float:
    """The effect that a fit with `power` (1 a line, 2 a parabola) shows where there is none; the mean over `halves`.

    `halves` (J,) say which of the others are the proxy; the rest are its instrument. 0 where the fit is not determined.
    """
    part = _within(np.array([0.0, 1.0])[None, :, None], curves)
    response = _within(curves.target[:, None, :], curves)
    effects = []
    for half in halves:
        powers = range(1, (power if min(half.sum(), (~half).sum()) > 1 else 1) + 1)
        given, stands = (
            [part, *(_within(_moment(curves, which, k)[:, None, :], curves) for k in powers)] for which in (half, ~half)
        )
        products = np.array([[float((curves.items * x * y).sum()) for y in given] for x in stands])
        targets = np.array([float((curves.items * x * response).sum()) for x in stands])
        if abs(np.linalg.det(products / np.abs(products).max())) < 1e-12:
            return 0.0
        effects.append(float(np.linalg.solve(products, targets)[0]))
    return float(np.mean(effects))


def _moment(curves: Curves, which: NDArray[np.bool_], power: int) -> Floats:
    """(S, Q): the mean of (share of the models that are right, less a half) to the `power`, at each node."""
    curve = curves.others[which]
    mean = curve.mean(axis=0) - 0.5
    if power == 1:
        return np.asarray(mean)
    noise = (curves.noise[which, None, None] * curve * (1 - curve)).sum(axis=0) / int(which.sum()) ** 2
    return np.asarray(mean**2 + noise)


def _within(values: Floats, curves: Curves) -> Floats:
    """`values`, each of an item, less their mean within strata: (S, 2, Q)."""
    items = curves.items
    means = (items * values).sum(axis=(1, 2), keepdims=True) / items.sum(axis=(1, 2), keepdims=True)
    return np.asarray(values - means)
