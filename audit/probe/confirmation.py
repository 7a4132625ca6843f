"""A second look at a leak that rests on few groups: relabel, refit, and see how far kappa strays by chance.

The permutation p holds the out-of-fold predictions fixed. With many items that is exact enough, but folds share their
training groups, and with some dozens of groups kappas under the null scatter wider than fixed predictions show: on
benchmarks of templates only, one in eight was called a leak. Refitting costs too much to do always.
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


def wants_confirming(best: VectorResult, scheme: SchemeResult, groups: Ints) -> bool:
    """True where items come in groups and the kappa is not far above what could be detected at all."""
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
    """p of Cohen's kappa `observed` against `refits` relabelings by group, each cross-fitted anew.

    Student's t of observed against the mean and standard deviation of the null kappas, one-sided, times `vectors`
    (Bonferroni: the vector is the largest of so many). y and groups are (N,) numbers from 0.
    """
    from scipy.stats import t

    quiet = replace(fitting, progress=lambda done: None)
    null = []
    random = seeded(fitting.seed, "confirmation")
    for number, z in enumerate(permuted_labels(y, groups, refits, random)):
        one = crossfit(
            table, z.copy(), groups, [vector], replace(quiet, seed=fitting.seed + number), scheme="grouped", folds=folds
        )[0]
        null.append(_zero_if_undefined(kappa.cohen(kappa.confusion(z, one.predicted, fitting.labels))))
    mean, sd = _mean_and_sd(null)
    if sd == 0:
        p = 0.0 if observed > mean else 1.0
    else:
        p = float(t.sf((observed - mean) / (sd * np.sqrt(1 + 1 / refits)), refits - 1))
    return Confirmation(vector=vector.name, refits=refits, null_mean=mean, null_sd=sd, p=min(1.0, p * vectors))


def _mean_and_sd(values: Sequence[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1))


def _zero_if_undefined(value: NDArray[np.float64]) -> float:
    """Kappa of a relabeling in which only one answer is left to predict: such a probe knows nothing."""
    return 0.0 if np.isnan(value) else float(value)
