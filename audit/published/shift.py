"""Do the two parts give the answers equally often? The distance between their shares, and its p over groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.statistics.permutation import relabelled

__all__ = ["label_shift"]

Ints = NDArray[np.int64]


def label_shift(
    y: Ints, groups: Ints, train: Ints, test: Ints, labels: int, times: int, random: np.random.Generator
) -> tuple[float, float]:
    """(total variation distance between the shares of the labels in both parts, its p).

    Half the sum of the absolute differences: 0 for equal shares, 1 for no common label. p = (b + 1) / (B + 1) over
    relabellings in which whole groups change places (Phipson & Smyth 2010), so a large template is no evidence by
    itself. `y` and `groups` are (N,), the rows of the parts need not cover them.
    """
    rows = np.concatenate([train, test])
    own = np.unique(groups[rows], return_inverse=True)[1]
    cut = len(train)

    def distance(z: Ints) -> float:
        ours, theirs = (np.bincount(part, minlength=labels) / len(part) for part in (z[:cut], z[cut:]))
        return float(np.abs(ours - theirs).sum() / 2)

    observed = distance(y[rows])
    null = np.array([distance(z) for z in relabelled(y[rows], own, times, random)])
    return observed, float((int((null >= observed - 1e-12).sum()) + 1) / (times + 1))
