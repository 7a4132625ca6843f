"""The difference in accuracy between the items that the probe predicts and the others, also among like items only.

With strata it is the Mantel-Haenszel difference of shares: the differences within strata, each weighted by
n1 n0 / (n1 + n0) (Mantel and Haenszel 1959; Cochran 1954), which is also what least squares gives with one constant
per stratum. The error is robust to dependence within groups.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import GroupedEstimate, of_items

__all__ = ["crossed", "stratified", "within"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def within(values: Floats, strata: Ints) -> Floats:
    """`values` (n,) less their means within `strata` (n,)."""
    held = np.unique(strata, return_inverse=True)[1]
    return np.asarray(values - (np.bincount(held, values) / np.bincount(held))[held])


def crossed(first: Ints, second: Ints) -> Ints:
    """Strata (n,) of items that are alike in both."""
    held = np.unique(second, return_inverse=True)[1]
    return np.asarray(np.unique(first, return_inverse=True)[1] * (int(held.max(initial=0)) + 1) + held)


def stratified(right: Floats, probe_right: Floats, groups: Ints, strata: Ints | None = None) -> GroupedEstimate | None:
    """Accuracy where the probe is right less accuracy where it is wrong, within `strata` (n,); all (n,).

    `right` are 0 and 1, or chance-corrected. Strata in which the probe is always right, or always wrong, say nothing.
    None if all do, and with too few groups for an error.
    """
    same = np.zeros(len(right), dtype=np.int64) if strata is None else np.unique(strata, return_inverse=True)[1]
    contrast = within(probe_right, same)
    squares = float(contrast @ contrast)
    if squares < 1e-9:
        return None
    value = float(contrast @ right) / squares
    # A stratum's own mean is estimated from its n items, which makes its residuals too small by (n - 1) / n.
    size = np.bincount(same)[same]
    residual = (within(right, same) - value * contrast) * np.sqrt(size / np.maximum(size - 1, 1))
    return of_items(value, contrast * residual / squares, groups, contrast**2)
