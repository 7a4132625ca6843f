"""Means over splits, added up as the splits come, so that never more than a few of them are in memory."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

__all__ = ["MANY_LABELS", "MeanOfSplits"]

MANY_LABELS = 100
"""More answers than these have their mean probabilities kept with 7 digits instead of 16: there are so many of them."""


class MeanOfSplits:
    """The mean (m, labels) of what S splits say, for each of several vectors.

    The splits are added in their order, whichever comes first, so that the last digit does not depend on the threads.
    """

    def __init__(self, splits: int) -> None:
        self._splits, self._lock = splits, Lock()
        self._sums: dict[str, NDArray[np.float64]] = {}
        self._means: dict[str, NDArray[np.floating]] = {}
        self._next: dict[str, int] = {}
        self._waiting: dict[tuple[str, int], NDArray[np.float32]] = {}

    def add(self, vector: str, split: int, probabilities: NDArray[np.float32]) -> None:
        """What split number `split` says by `vector`; each split is added once."""
        with self._lock:
            self._waiting[vector, split] = probabilities
            at = self._next.get(vector, 0)
            while (more := self._waiting.pop((vector, at), None)) is not None:
                if at == 0:
                    self._sums[vector] = more.astype(np.float64)
                else:
                    self._sums[vector] += more
                at += 1
            self._next[vector] = at
            if at == self._splits:
                mean = self._sums.pop(vector) / self._splits
                self._means[vector] = mean.astype(np.float32) if mean.shape[1] > MANY_LABELS else mean

    def of(self, vector: str) -> NDArray[np.floating]:
        """The mean of all splits by `vector`."""
        return self._means.pop(vector)
