"""Kappa of one probe on some of the test items, and how far it falls short of that on all of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from audit.result.tasks import SplitKappa
from audit.statistics import kappa
from audit.statistics.intervals import effective_groups, errors, influence
from audit.statistics.kappa import matched

__all__ = ["Subsets"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Subsets:
    """One probe's probabilities (m, k) for m test items with labels and groups (m,).

    Predictions are matched anew for each subset: among fewer items, other ones are the likeliest. `prior` (k,) are the
    shares of the labels in the training part.
    """

    def __init__(self, gold: Ints, groups: Ints, probabilities: Floats, prior: Floats) -> None:
        self._gold, self._groups, self._probabilities, self._prior = gold, groups, probabilities, prior
        self._whole, self._spread = self._measured(np.ones(len(gold), dtype=np.bool_))

    def all(self) -> SplitKappa:
        """The kappa of all items."""
        return self.kappa("all", np.ones(len(self._gold), dtype=np.bool_))

    def kappa(self, name: Literal["all", "no near-duplicate", "new template"], kept: Bools) -> SplitKappa:
        """The kappa of the items `kept` (m,) with its interval, and its fall, whose interval knows the common items."""
        value, spread = self._measured(kept)
        groups = np.unique(self._groups[kept], return_inverse=True)[1]
        low = high = fall = fall_low = None
        if value is not None:
            given = self._given(kept)[None, None].astype(np.int16)
            error = errors(self._gold[kept], given, groups, len(self._prior), np.array([[value]]))
            half = float(error.half_width()[0])
            if np.isfinite(half):
                low, high = max(value - half, -1.0), min(value + half, 1.0)
            if self._whole is not None and name != "all":
                fall = self._whole - value
                fall_low = self._lower(fall, self._spread - spread, error.degrees)
        return SplitKappa(
            items_kept=name,
            items=int(kept.sum()),
            groups=effective_groups(groups) if len(groups) else 0.0,
            kappa=value,
            low=low,
            high=high,
            fall=fall,
            fall_low=fall_low,
        )

    def _given(self, kept: Bools) -> Ints:
        return matched(self._probabilities[kept], self._prior)

    def _measured(self, kept: Bools) -> tuple[float | None, Floats]:
        """(kappa, None where only one answer is left; contribution of each group of all items to its error)."""
        count = int(self._groups.max()) + 1
        gold = self._gold[kept]
        if len(np.unique(gold)) < 2:
            return None, np.zeros(count)
        given = self._given(kept)
        value = float(kappa.cohen(kappa.confusion(gold, given, len(self._prior))))
        of_items = influence(gold, given, len(self._prior)) / len(gold)
        return value, np.asarray(np.bincount(self._groups[kept], weights=of_items, minlength=count), dtype=np.float64)

    @staticmethod
    def _lower(fall: float, spread: Floats, degrees: float) -> float | None:
        """The lower end of the 95 % interval of a difference, given the contribution of each group to its error."""
        from scipy.stats import t

        if len(spread) < 2:
            return None
        se = float(np.sqrt((spread**2).sum() * len(spread) / (len(spread) - 1)))
        return max(fall - se * float(t.ppf(0.975, degrees)), -2.0)
