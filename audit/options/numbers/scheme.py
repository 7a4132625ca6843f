"""From the choices of one scheme to its numbers: kappas, intervals, p-values, as `audit.probe.scheme` for labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import chance_of, expected_error, influence, kappa
from audit.options.crossfit import ViewScores
from audit.options.numbers.null import null_of
from audit.options.pool import Pool
from audit.probe.measured import Measured, Stretch
from audit.probe.scheme import headline_of
from audit.records.numbers import SchemeResult, VectorResult
from audit.result import Settings
from audit.statistics.intervals import Errors, errors_of, lower_bounds
from audit.statistics.resampling import seeded

__all__ = ["Constant", "measure"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Constant:
    """How far always choosing the same position goes."""

    accuracy: float
    kappa: float


def measure(
    name: str,
    pool: Pool,
    groups: Ints,
    scores: list[ViewScores],
    settings: Settings,
    constant: Constant | None,
    refitted: Callable[[Sequence[ViewScores], float], Stretch],
) -> Measured[ViewScores]:
    """Statistics of `scores`; items of one of the `groups` (n,) count as one.

    `refitted` is given the scores of the three counted views with the largest kappas and the standard deviation of the
    first one's null, and says by how much refitting widens errors and null.
    """
    counted = np.array([of.view.counted for of in scores])
    hits = np.stack([of.shares[:, pool.gold] for of in scores]).astype(np.float64)
    kappas = np.array([[kappa(row, pool.size) for row in of] for of in hits])
    middle = np.median(kappas, axis=1)
    shares = np.stack([of.shares for of in scores])
    null = null_of(pool, groups, shares, settings.permutations, seeded(settings.seed, "permutation"))
    order = np.argsort(-np.where(counted, middle, -np.inf), kind="stable")
    strongest = order[: min(3, int(counted.sum()))].tolist()
    stretch = refitted([scores[v] for v in strongest], null.sd(strongest[0]))
    tested = null.test(counted, alpha=settings.alpha, stretch=stretch.null)
    parts = (np.stack([influence(row, pool.size) for row in of]) for of in hits)
    spread = errors_of(
        parts, groups, kappas, chance_of(pool.size), stretch=stretch.sampling, stretched_by=stretch.degrees
    )
    chosen = np.flatnonzero(counted)
    own = Errors(spread.influence[chosen], spread.se[chosen], spread.degrees, spread.widening[chosen])
    bounds = np.full(len(scores), np.nan)
    bounds[chosen] = lower_bounds(middle[chosen], own, 1 - settings.leak_alpha, seeded(settings.seed, "bounds"))
    half = spread.half_width()
    at_threshold = expected_error(settings.threshold, pool.size)
    most = replace(spread, se=np.fmax(spread.se, spread.widening * at_threshold)).half_width()
    accuracy = np.median(hits.mean(axis=2), axis=1)
    vectors = [
        VectorResult(
            vector=known.view.name,
            label=known.view.label,
            matched=_number(middle[v]),
            matched_low=_end(middle[v] - half[v]),
            matched_high=_end(middle[v] + half[v]),
            upper=_end(middle[v] + most[v]),
            bound=_end(bounds[v]),
            split_sd=_number(float(np.std(kappas[v], ddof=1))) if kappas.shape[1] > 1 else None,
            cohen=None,
            cohen_low=None,
            cohen_high=None,
            uniform=_number(middle[v]),
            accuracy=float(accuracy[v]),
            balanced_accuracy=None,
            p=_number(tested.p[v]),
            p_corrected=_number(tested.corrected[v]),
            validation=_number(known.validation),
            regularisation=dict(sorted(Counter(known.regularisation).items())),
            features=known.features,
            counted=bool(counted[v]),
        )
        for v, known in enumerate(scores)
    ]
    headline, tied = headline_of(vectors)
    result = SchemeResult(
        scheme=name,  # type: ignore[arg-type]  # `grouped` or `random`, from `audit.assessing.course`
        splits=kappas.shape[1],
        scored=pool.n,
        vectors=vectors,
        headline=headline,
        tied=tied,
        majority_accuracy=constant.accuracy if constant else chance_of(pool.size),
        majority_uniform=_number(constant.kappa) if constant else None,
        p_floor=tested.floor,
        sampling_stretch=stretch.sampling,
        null_stretch=stretch.null,
    )
    return Measured(result, scores, spread, tested.critical, np.fmax(spread.se, tested.sd))


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _end(value: float) -> float | None:
    """The end of an interval, within the range of kappa."""
    return float(np.clip(value, -1, 1)) if np.isfinite(value) else None
