"""From the scores of one scheme to its numbers: kappas, intervals, p-values and the headline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.probe.crossfit import Ints, Scores
from audit.probe.measured import Measured, Stretch
from audit.result import SchemeResult, Settings, VectorResult
from audit.statistics import kappa
from audit.statistics.intervals import Errors, errors, expected_error, lower_bounds
from audit.statistics.resampling import seeded
from audit.statistics.significance import Null

__all__ = ["STRAY", "headline_of", "measure"]


STRAY = 0.01
"""An answer with a smaller share of the items is a slip, not one more way of being wrong by chance."""


def measure(
    name: str,
    y: Ints,
    groups: Ints,
    labels: int,
    scores: list[Scores],
    settings: Settings,
    counted: Collection[str],
    refitted: Callable[[Sequence[Scores], float], Stretch] = lambda strongest, null_sd: Stretch(),
) -> Measured[Scores]:
    """Statistics of `scores` against gold labels `y` (N,); items of one of the `groups` (N,) belong together.

    `counted` names the vectors that decide the verdict and that the correction covers. `refitted` is given the scores
    of the three counted vectors with the largest kappas and the standard deviation of the first one's null
    distribution, and says by how much refitting widens errors and null. The resampling draws do not depend on the
    scheme's name.
    """
    rows = scores[0].rows
    gold = y[rows]
    held = np.unique(groups[rows], return_inverse=True)[1]
    deciding = np.array([vector.vector.name in counted for vector in scores])
    matched = np.stack([vector.matched for vector in scores])
    kappas = _kappas(gold, matched, labels)
    middle = _median(kappas)
    null = Null(gold, matched, held, labels, settings.permutations, seeded(settings.seed, "permutation"))
    order = np.argsort(-np.where(deciding & ~np.isnan(middle), middle, -np.inf), kind="stable")
    strongest = order[: min(3, int(deciding.sum()))].tolist()
    stretch = refitted([scores[v] for v in strongest], null.sd(strongest[0]))
    tested = null.test(deciding, alpha=settings.alpha, stretch=stretch.null)
    spread = errors(gold, matched, held, labels, kappas, stretch=stretch.sampling, stretched_by=stretch.degrees)
    bounds = np.full(len(scores), np.nan)
    chosen = np.flatnonzero(deciding)
    own = Errors(spread.influence[chosen], spread.se[chosen], spread.degrees, spread.widening[chosen])
    bounds[chosen] = lower_bounds(middle[chosen], own, 1 - settings.leak_alpha, seeded(settings.seed, "bounds"))
    low, high = _ends(middle, spread)
    at_threshold = expected_error(settings.threshold, np.bincount(gold, minlength=labels) / len(gold), len(gold))
    upper = _ends(middle, replace(spread, se=np.fmax(spread.se, spread.widening * at_threshold)))[1]
    plain = np.stack([vector.predicted for vector in scores])
    plain_kappas = _kappas(gold, plain, labels)
    plain_spread = errors(
        gold, plain, held, labels, plain_kappas, stretch=stretch.sampling, stretched_by=stretch.degrees
    )
    tables = [[kappa.confusion(gold, row, labels) for row in of] for of in plain.astype(np.int64)]
    cohen = _median(plain_kappas)
    cohen_low, cohen_high = _ends(cohen, plain_spread)
    uniform, accuracy, balanced = (
        _median(np.array([[float(measure_of(table)) for table in of] for of in tables]))
        for measure_of in (kappa.uniform, kappa.accuracy, kappa.balanced_accuracy)
    )
    p = np.where(np.isnan(middle), np.nan, tested.p)
    corrected = np.where(np.isnan(middle), np.nan, tested.corrected)
    vectors = [
        VectorResult(
            vector=known.vector.name,
            label=known.vector.label,
            matched=_number(middle[v]),
            matched_low=_number(low[v]),
            matched_high=_number(high[v]),
            upper=_number(upper[v]),
            bound=_kappa(bounds[v]),
            split_sd=_number(float(np.std(kappas[v], ddof=1))) if kappas.shape[1] > 1 else None,
            cohen=_number(cohen[v]),
            cohen_low=_number(cohen_low[v]),
            cohen_high=_number(cohen_high[v]),
            uniform=_number(uniform[v]),
            accuracy=float(accuracy[v]),
            balanced_accuracy=_number(balanced[v]),
            p=_number(p[v]),
            p_corrected=_number(corrected[v]),
            validation=_number(known.validation),
            regularisation=dict(sorted(Counter(known.regularisation).items())),
            features=known.features,
            counted=bool(deciding[v]),
        )
        for v, known in enumerate(scores)
    ]
    headline, tied = headline_of(vectors)
    counts = np.bincount(y, minlength=labels)
    share = float(counts.max() / len(y))
    common = max(int((counts >= STRAY * len(y)).sum()), 2)
    result = SchemeResult(
        scheme=name,  # type: ignore[arg-type]  # one of the four names, from who calls
        splits=matched.shape[1],
        scored=len(rows),
        vectors=vectors,
        headline=headline,
        tied=tied,
        majority_accuracy=share,
        majority_uniform=(share - 1 / common) / (1 - 1 / common),
        p_floor=tested.floor,
        sampling_stretch=stretch.sampling,
        null_stretch=stretch.null,
    )
    return Measured(result, scores, spread, tested.critical, np.fmax(spread.se, tested.sd))


def _kappas(gold: Ints, predicted: NDArray[np.int16], labels: int) -> NDArray[np.float64]:
    """(V, S) Cohen's kappas of predictions (V, S, n); NaN where undefined."""
    return np.array(
        [[float(kappa.cohen(kappa.confusion(gold, row, labels))) for row in of] for of in predicted.astype(np.int64)]
    )


def _median(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(V,) medians over the splits that have a number; NaN without any."""
    known = [row[~np.isnan(row)] for row in values]
    return np.array([float(np.median(row)) if len(row) else np.nan for row in known])


def _ends(kappas: NDArray[np.float64], spread: Errors) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(V,) lower and upper ends of 95 % intervals, within the range of kappa; infinite where the error is."""
    half = spread.half_width()
    known = np.isfinite(half)
    return (
        np.where(known, np.maximum(kappas - half, -1.0), kappas - half),
        np.where(known, np.minimum(kappas + half, 1.0), kappas + half),
    )


def headline_of(vectors: Sequence[VectorResult]) -> tuple[str, list[str]]:
    """The counted vector with the best validation, the first in a tie, and the others tied with it."""
    counted = [vector for vector in vectors if vector.counted] or list(vectors)
    best = max(_or_least(vector.validation) for vector in counted)
    tied = [vector.vector for vector in counted if _or_least(vector.validation) == best]
    return tied[0], tied[1:]


def _or_least(value: float | None) -> float:
    return -1.0 if value is None else value


def _kappa(value: float) -> float | None:
    """The end of an interval, which no kappa can lie beyond: t intervals know nothing of -1 and 1."""
    return None if not np.isfinite(value) else float(np.clip(value, -1, 1))


def _number(value: float) -> float | None:
    return None if not np.isfinite(value) else float(value)
