"""What this benchmark is large enough to show: the smallest kappa that would be found with 80 % power."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from audit.probe import kappa
from audit.probe.resampling import permuted_labels

__all__ = ["detectable_kappa"]


def detectable_kappa(
    y: NDArray[np.int64],
    groups: NDArray[np.int64],
    random: np.random.Generator,
    *,
    alpha: float = 0.05,
    vectors: int = 13,
    power: float = 0.8,
    draws: int = 400,
) -> float:
    """(z(1 - alpha / vectors) + z(power)) * sd, one-sided, Bonferroni over `vectors` (Holm's first step).

    sd is the standard deviation of Cohen's kappa between the labels (n,) and a relabeling that keeps each
    group's labels together: the chance spread of a prediction as clustered as the labels themselves, which is
    the widest that grouped folds let happen. About 3.5 / sqrt(n) for two balanced labels and items
    of their own. NaN where every relabeling is the same (one group, one label).
    """
    labels = int(y.max()) + 1
    null = [float(kappa.cohen(kappa.confusion(y, z, labels))) for z in permuted_labels(y, groups, draws, random)]
    sd = float(np.std(null))
    if not sd > 0:
        return float("nan")
    return float((NormalDist().inv_cdf(1 - alpha / vectors) + NormalDist().inv_cdf(power)) * sd)
