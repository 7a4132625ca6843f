"""By how much refitting widens what fixed choices show, as `audit.probes.refitting` does for labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import chance_of, influence, kappa
from audit.options.crossfit import Bed, crossfit_folds
from audit.options.numbers.null import rotated
from audit.options.views import View
from audit.probes.folds import fold_numbers
from audit.probes.refitting import REFITS, ratio_of_halvings
from audit.probes.spreading import in_threads
from audit.statistics.intervals import errors_of
from audit.statistics.permutation import seeded

__all__ = ["null_stretch", "sampling_stretch"]

Ints = NDArray[np.int64]


def sampling_stretch(bed: Bed, groups: Ints, views: Sequence[View], folds: int) -> float:
    """Ratio of the standard error of kappa with refitting to that of fixed choices, at least 1."""
    alone = replace(bed, fitting=replace(bed.fitting, workers=1))
    pool = bed.pool

    def measured(fold: Ints, own: Ints) -> list[tuple[float, float]]:
        return _kappas_and_variances(alone, views, pool.gold, own, fold)

    return ratio_of_halvings(pool.strata, groups, measured, bed.fitting.seed, bed.fitting.workers, folds)


def null_stretch(bed: Bed, groups: Ints, view: View, folds: int, fixed_sd: float) -> float:
    """Ratio of the standard deviation of kappa under relabelling with refitting to `fixed_sd`, at least 1.

    1 if `fixed_sd` is 0 or NaN.
    """
    if not fixed_sd > 0:
        return 1.0
    pool, seed = bed.pool, bed.fitting.seed
    alone = replace(bed, fitting=replace(bed.fitting, workers=1))
    golds = list(rotated(pool, groups, REFITS, seeded(seed, "refits")))

    def refit(number: int) -> float:
        fold = fold_numbers(pool.strata, groups, folds, seeded(seed, "refits", number))
        return _kappas_and_variances(alone, [view], golds[number], groups, fold)[0][0]

    spread = float(np.std(in_threads(refit, range(REFITS), bed.fitting.workers), ddof=1))
    return max(1.0, spread / fixed_sd)


def _kappas_and_variances(
    bed: Bed, views: Sequence[View], gold: Ints, groups: Ints, fold: Ints
) -> list[tuple[float, float]]:
    """For each view, kappa of one split and its variance if the choices are held fixed; `groups` of the items used."""
    items = np.flatnonzero(fold >= 0)
    size = bed.pool.size[items]
    measured = []
    for scores in crossfit_folds(bed, views, gold, [fold]):
        hits = scores.shares[0, gold[items]].astype(np.float64)
        value = kappa(hits, size)
        se = errors_of([influence(hits, size)[None]], groups, np.array([[value]]), chance_of(size)).se[0]
        measured.append((value, float(se) ** 2))
    return measured
