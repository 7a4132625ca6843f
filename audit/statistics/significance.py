"""Is there any cue? Permutation p-values over groups, corrected for the number of vectors and combined over splits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.statistics.resampling import relabelled

__all__ = ["Null", "Significance"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Significance:
    """One p-value per vector (V,), combined over the splits."""

    p: Floats
    """One-sided, for each vector alone."""
    corrected: Floats
    """The same after correction for all counted vectors; NaN for the others."""
    floor: float
    """The smallest p that so many permutations can show."""
    critical: Floats
    """(V,) the kappa at which the corrected p reaches alpha; infinite for vectors that are not counted."""
    sd: Floats
    """(V,) standard deviation of each kappa under the null with refitting; NaN where predictions never vary."""


class Null:
    """What V vectors over S splits would score if the labels had nothing to do with the texts.

    The predictions (V, S, n) stay as they are and the labels (n,) change places between groups (`relabelled`), `times`
    times. The statistic is Cohen's kappa in standard deviations of its null distribution.
    """

    def __init__(
        self,
        y: Ints,
        predicted: NDArray[np.int16],
        groups: Ints,
        labels: int,
        times: int,
        random: np.random.Generator,
    ) -> None:
        vectors, splits, n = predicted.shape
        flat = predicted.reshape(vectors * splits, n)
        given = np.stack([np.bincount(row, minlength=labels) for row in flat]) / n
        null = np.stack([_kappas(z, flat, given, labels) for z in relabelled(y, groups, times, random)])
        observed = _kappas(y, flat, given, labels).reshape(vectors, splits)
        self._standardise(observed, null.reshape(times, vectors, splits))

    @classmethod
    def of(cls, observed: Floats, null: Floats) -> Null:
        """From kappas (V, S) and those of the same predictions under relabellings (times, V, S)."""
        made = cls.__new__(cls)
        made._standardise(observed, null)
        return made

    def _standardise(self, observed: Floats, null: Floats) -> None:
        sd, mean = null.std(axis=0), null.mean(axis=0)
        self._varies = sd > 1e-12
        self._sd = np.where(self._varies, sd, np.inf)
        self._null = (null - mean) / self._sd
        self._observed = (observed - mean) / self._sd

    def sd(self, vector: int) -> float:
        """Standard deviation of a vector's kappa, averaged over the splits in which its predictions vary; else NaN."""
        varies = self._varies[vector]
        return float(self._sd[vector, varies].mean()) if varies.any() else float("nan")

    def test(self, counted: NDArray[np.bool_], *, alpha: float, stretch: float = 1.0) -> Significance:
        """p-values, given that refitting widens the null by `stretch` (1 or more; `audit.probe.numbers.stretch`).

        Within a split, p = (b + 1) / (B + 1) (Phipson & Smyth 2010), and the corrected p compares with the largest
        statistic over the vectors `counted` (V,) in each permutation: max-T (Westfall & Young 1993), which keeps the
        correlation between the vectors. Over splits, p is twice the median (Meinshausen, Meier & Bühlmann 2009), valid
        however the splits depend on each other. Predictions that never vary have p = 1.
        """
        times, vectors, splits = self._null.shape
        t = self._observed / stretch
        largest = self._null[:, counted].max(axis=1)
        single = np.where(self._varies, ((self._null >= t).sum(axis=0) + 1) / (times + 1), 1.0)
        joint = np.where(self._varies, ((largest[:, None] >= t).sum(axis=0) + 1) / (times + 1), 1.0)
        factor = 1 if splits == 1 else 2
        quantile = float(np.quantile(largest, 1 - alpha / factor, axis=0).mean())
        sds = np.array([self.sd(v) for v in range(vectors)])
        return Significance(
            p=np.minimum(1.0, factor * np.median(single, axis=1)),
            corrected=np.where(counted, np.minimum(1.0, factor * np.median(joint, axis=1)), np.nan),
            floor=min(1.0, factor / (times + 1)),
            critical=np.where(counted & ~np.isnan(sds), quantile * stretch * sds, np.inf),
            sd=stretch * sds,
        )


def _kappas(z: Ints, predicted: NDArray[np.int16], given: Floats, labels: int) -> Floats:
    """Cohen's kappa of each row of predictions with labels z; 0 where all items have and get one label."""
    agreement = (predicted == z.astype(np.int16)).mean(axis=1)
    expected = given @ (np.bincount(z, minlength=labels) / len(z))
    room = 1 - expected
    return np.asarray(np.where(room > 1e-12, (agreement - expected) / np.where(room > 1e-12, room, 1.0), 0.0))
