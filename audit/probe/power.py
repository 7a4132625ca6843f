"""What a benchmark is large enough to show: the smallest kappa that the test detects with 80 % power."""

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

    sd is the standard deviation of Cohen's kappa between the labels (n,) and a relabelling that keeps the labels of
    each group together. That is the chance spread of predictions as clustered as the labels themselves, the widest that
    grouped folds allow. About 3.5 / sqrt(n) for two balanced labels and no groups. NaN if all relabellings are the same
    (one group, or one label).
    """
    labels = int(y.max()) + 1
    null = [float(kappa.cohen(kappa.confusion(y, z, labels))) for z in permuted_labels(y, groups, draws, random)]
    sd = float(np.std(null))
    if not sd > 0:
        return float("nan")
    return float((NormalDist().inv_cdf(1 - alpha / vectors) + NormalDist().inv_cdf(power)) * sd)
