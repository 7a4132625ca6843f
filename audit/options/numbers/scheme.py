"""From the choices of one scheme to its numbers, as `audit.probes.kappas` for labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import chance_of, expected_error, influence, kappa
from audit.options.crossfit import ViewScores
from audit.options.items.pool import Pool
from audit.options.numbers.null import null_of
from audit.probes.kappas import Kappas, MeasuredScheme, RefitWidening, number
from audit.result.audit_result import Settings
from audit.result.numbers import SchemeName
from audit.statistics.intervals import errors_of
from audit.statistics.permutation import seeded

__all__ = ["Constant", "measure"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Constant:
    """How far always choosing the same position goes."""

    accuracy: float
    kappa: float


def measure(
    name: SchemeName,
    pool: Pool,
    groups: Ints,
    scores: list[ViewScores],
    settings: Settings,
    constant: Constant | None,
    refitted: Callable[[Sequence[ViewScores], float], RefitWidening],
) -> MeasuredScheme[ViewScores]:
    """Statistics of `scores`; items of one of the `groups` (n,) count as one.

    `refitted` is given the scores of the three counted views with the largest kappas and the standard deviation of the
    first one's null, and says by how much refitting widens errors and null.
    """
    counted = np.array([of.view.counted for of in scores])
    hits = np.stack([of.shares[:, pool.gold] for of in scores]).astype(np.float64)
    kappas = np.array([[kappa(row, pool.size) for row in of] for of in hits])
    shares = np.stack([of.shares for of in scores])
    parts = (np.stack([influence(row, pool.size) for row in of]) for of in hits)
    judged = Kappas.judged(
        kappas,
        counted,
        null_of(pool, groups, shares, settings.permutations, seeded(settings.seed, "permutation")),
        partial(errors_of, parts, groups, kappas, chance_of(pool.size)),
        expected_error(settings.threshold, pool.size),
        settings,
        lambda strongest, null_sd: refitted([scores[v] for v in strongest], null_sd),
    )
    accuracy = np.median(hits.mean(axis=2), axis=1)
    vectors = [
        judged.entry(v, known.view, known, uniform=judged.middle[v], accuracy=accuracy[v])
        for v, known in enumerate(scores)
    ]
    return judged.measured(
        name,
        scores,
        vectors,
        scored=pool.n,
        majority_accuracy=constant.accuracy if constant else chance_of(pool.size),
        majority_uniform=number(constant.kappa) if constant else None,
    )
