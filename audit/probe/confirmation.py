"""A second look at a leak on few groups: relabel, refit, and see how far kappa strays by chance.

The permutation p holds the out-of-fold predictions fixed. With many items that is exact enough. But folds share
training groups, so with a few dozen groups the kappas under the null scatter more widely than fixed predictions show:
of benchmarks made of templates alone, one in eight was called a leak. Refitting is too expensive to do every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.probe import kappa
from audit.probe.crossfit import Fitting, Ints, crossfit
from audit.probe.resampling import permuted_labels, seeded
from audit.result import Confirmation, SchemeResult, VectorResult

if TYPE_CHECKING:
    from audit.features.table import FeatureTable
    from audit.features.vectors import Vector

__all__ = ["REFITS", "confirm", "wants_confirming"]

REFITS = 40
"""Relabelings; enough for the mean and standard deviation of the null."""


def wants_confirming(best: VectorResult, scheme: SchemeResult, groups: Ints) -> bool:
    """Whether items come in groups and the kappa is less than 2.5 times the smallest detectable one."""
    if best.cohen is None or scheme.detectable is None or len(np.unique(groups)) == len(groups):
        return False
    return best.cohen < 2.5 * scheme.detectable


def confirm(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    vector: Vector,
    observed: float,
    fitting: Fitting,
    *,
    folds: int,
    vectors: int,
    refits: int = REFITS,
) -> Confirmation:
    """p of Cohen's kappa `observed` against `refits` relabellings by group, each cross-fitted anew.

    One-sided Student's t of `observed` against the mean and standard deviation of the null kappas, times `vectors`:
    the vector was picked as the largest of so many (Bonferroni). `y` and `groups` are (N,) numbers from 0.
    """
    from scipy.stats import t

    quiet = replace(fitting, progress=lambda done: None)
    null = []
    random = seeded(fitting.seed, "confirmation")
    for number, z in enumerate(permuted_labels(y, groups, refits, random)):
        refit = replace(quiet, seed=fitting.seed + number)
        (scores,) = crossfit(table, z.copy(), groups, [vector], refit, scheme="grouped", folds=folds)
        null.append(_zero_if_undefined(kappa.cohen(kappa.confusion(z, scores.predicted, fitting.labels))))
    mean, sd = _mean_and_sd(null)
    if sd == 0:
        p = 0.0 if observed > mean else 1.0
    else:
        p = float(t.sf((observed - mean) / (sd * np.sqrt(1 + 1 / refits)), refits - 1))
    return Confirmation(vector=vector.name, refits=refits, null_mean=mean, null_sd=sd, p=min(1.0, p * vectors))


def _mean_and_sd(values: Sequence[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1))


def _zero_if_undefined(value: NDArray[np.float64]) -> float:
    """Kappa of a relabelling, 0 if only one answer was left to predict: such a probe knows nothing."""
    return 0.0 if np.isnan(value) else float(value)
