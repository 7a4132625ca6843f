"""By how much refitting widens what fixed predictions show, and what a probe must reach to be found.

Out-of-fold predictions held fixed do not know that another sample of items would also have trained other probes.
Folds share training items, so the difference is largest where items come in groups. Two ratios are measured by
refitting the strongest vector: of the sampling error (for intervals and bounds) and of the null distribution (for
p-values). Each is a noisy estimate of something that differs little between benchmarks, so each is drawn towards what
is usual (an empirical Bayes estimate, Efron & Morris 1975): no verdict hangs on the luck of a few refits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from hansproof.audit.probes.crossfit import Fitting, Ints, crossfit_folds
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.spreading import spread_out
from hansproof.audit.probes.task import Task
from hansproof.audit.statistics.permutation import seeded

if TYPE_CHECKING:
    from hansproof.audit.texts.vectors import Vector

__all__ = [
    "DEGREES",
    "HALVINGS",
    "REFITS",
    "USUAL_NULL",
    "USUAL_SAMPLING",
    "Limit",
    "limit_of",
    "null_stretch",
    "sampling_stretch",
]

HALVINGS = 40
"""Random halvings; each gives two kappas that share no item."""

REFITS = 24
"""Relabellings that are fitted anew."""

# Measured on 19 public benchmarks with 80 halvings and 48 relabellings each: sampling ratios of .95 to 1.84 (mean 1.34,
# standard deviation between benchmarks .21), null ratios of .88 to 1.36 (mean 1.12, .12). One benchmark's 40 halvings
# err by .11 of the ratio, so the usual one weighs as much as half of them; its 24 relabellings err as much as null
# ratios differ.
USUAL_SAMPLING, _WEIGHT_SAMPLING = 1.3, 20
USUAL_NULL, _WEIGHT_NULL = 1.15, 24

DEGREES = 60.0
"""Of freedom of the sampling ratio: it errs by 9 % (1 / (2 * .09**2))."""


def sampling_stretch(task: Task, groups: Ints, vector: Vector, fitting: Fitting, folds: int) -> float:
    """Ratio of the standard error of kappa with refitting to that of fixed predictions, at least 1.

    The units are halved, group by group, and each half is cross-fitted by itself. The halves share nothing, so the
    squared difference of their kappas estimates the sum of two true variances: of the test units, of training, and of
    the split. Fixed predictions give the same sum without training. The ratio is assumed not to depend on size, and
    drawn towards what is usual. 1 with fewer than eight groups, whose halves are too small to fit; a half that is a
    single group cannot be cross-fitted either, and its halving is left out.
    """
    if int(groups.max()) + 1 < 8:
        return 1.0
    seen = spread_out(
        _halving, task, (groups, vector, fitting.alone(), folds), range(HALVINGS),
        workers=fitting.workers, spread=fitting.spread, done=lambda _: fitting.progress(1),
    )  # fmt: skip
    return _ratio(seen)


def _halving(task: Task, shared: tuple[Ints, Vector, Fitting, int], number: int) -> tuple[float, float]:
    """Squared difference of the kappas of two halves, and the sum of their variances."""
    groups, vector, fitting, folds = shared
    strata = task.strata(task.gold)
    half = fold_numbers(strata, groups, 2, seeded(fitting.seed, "halving", number))
    halves = []
    for side in (0, 1):
        units = np.flatnonzero(half == side)
        own = np.unique(groups[units], return_inverse=True)[1]
        if own.max() == 0:  # one group holds as many units as all others together
            return 0.0, 0.0
        fold = np.full(len(groups), -1, dtype=np.int64)
        inner = np.unique(strata[units], return_inverse=True)[1]
        fold[units] = fold_numbers(inner, own, folds, seeded(fitting.seed, "halving", number, side))
        halves.append(_kappa_and_variance(task, task.gold, own, vector, fitting, fold))
    (first, own_first), (second, own_second) = halves
    return (first - second) ** 2, own_first + own_second


def _ratio(seen: Sequence[tuple[float, float]]) -> float:
    halved = [pair for pair in seen if pair[1] > 0]
    if not halved:
        return 1.0
    true, fixed = (sum(column) for column in zip(*halved, strict=True))
    return _drawn(true / fixed, len(halved), USUAL_SAMPLING, _WEIGHT_SAMPLING)


def _drawn(variances: float, times: int, usual: float, weight: int) -> float:
    """The ratio of standard deviations, at least 1, from one of variances that was seen `times` times."""
    return math.sqrt(max(1.0, (times * variances + weight * usual**2) / (times + weight)))


def null_stretch(task: Task, groups: Ints, vector: Vector, fitting: Fitting, folds: int, fixed_sd: float) -> float:
    """Ratio of the standard deviation of kappa under relabellings with refitting to `fixed_sd`, at least 1.

    Each relabelling by groups is cross-fitted anew. The prediction for one unit depends on the label of another and the
    reverse, so even without groups fixed predictions vary too little. 1 if `fixed_sd` is 0 or NaN.
    """
    if not fixed_sd > 0:
        return 1.0
    refitted = spread_out(
        _refit, task, (groups, vector, fitting.alone(), folds),
        list(enumerate(task.relabelled(groups, REFITS, seeded(fitting.seed, "refits")))),
        workers=fitting.workers, spread=fitting.spread, done=lambda _: fitting.progress(1),
    )  # fmt: skip
    return _drawn(float(np.var(refitted, ddof=1)) / fixed_sd**2, REFITS, USUAL_NULL, _WEIGHT_NULL)


def _refit(task: Task, shared: tuple[Ints, Vector, Fitting, int], job: tuple[int, Ints]) -> float:
    (groups, vector, fitting, folds), (number, gold) = shared, job
    fold = fold_numbers(task.strata(gold), groups, folds, seeded(fitting.seed, "refits", number))
    return _kappa_and_variance(task, gold, groups, vector, fitting, fold)[0]


def _kappa_and_variance(
    task: Task, gold: Ints, groups: Ints, vector: Vector, fitting: Fitting, fold: Ints
) -> tuple[float, float]:
    """Kappa of matched predictions of one split, and its variance if they are held fixed; 0 and 0 where undefined.

    `groups` are those of the units that take part.
    """
    (scores,) = crossfit_folds(task, [vector], fitting, [fold], gold)
    value = task.kappa(scores.matched[0], gold, scores.units)
    if np.isnan(value):
        return 0.0, 0.0
    se = task.errors(scores.matched[None], gold, scores.units, groups, np.array([[value]])).se[0]
    return value, float(se) ** 2


@dataclass(frozen=True)
class Limit:
    """The test of one vector's kappa as this audit made it."""

    critical: float
    """Kappa above which the vector is significant; infinite where there was nothing to test."""
    spread: float
    """Standard deviation of a kappa."""

    def wanted(self, power: float) -> float:
        """The mean kappa of a probe that is significant with probability `power`."""
        return self.critical + NormalDist().inv_cdf(power) * self.spread


_NONE = Limit(math.inf, math.nan)


def limit_of(limits: Mapping[str, Limit], vector: str) -> Limit:
    """The limit of `vector` with a cue in the texts; `limits` has that of every vector as the texts are.

    Where the kappa of `vector` cannot vary, its limit is infinite: twins of the same words and opposite answers are
    predicted alike. A cue would part them, so the strictest limit of the vectors that do vary takes its place; an
    infinite one if there are none.
    """
    own = limits.get(vector)
    if own is not None and math.isfinite(own.critical):
        return own
    varying = [limit for limit in limits.values() if math.isfinite(limit.critical)]
    return max(varying, key=lambda limit: limit.critical, default=_NONE)
