"""A quick look at some of the items: which feature vector predicts best, and whether that is significant.

Repairs take many looks, so a look has few splits and permutations; what is reported in the end are whole audits.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from audit.probes.crossfit import Fitting, crossfit_folds
from audit.probes.folds import fold_numbers
from audit.probes.kappas import measure
from audit.probes.logistic import REGULARISATIONS
from audit.repair.labels.pool import Bools, Pool
from audit.repair.subject import Look
from audit.result.audit_result import VectorResult
from audit.result.numbers import SchemeName
from audit.result.record import or_least
from audit.statistics.permutation import seeded
from audit.texts.sentences import fold_text
from audit.texts.similarity import number_by_first
from audit.texts.vectors import FURTHER, THIRTEEN, Vector, by_name

__all__ = ["kappa_of", "look", "outside", "within"]

Floats = NDArray[np.float64]

_SPLITS, _PERMUTATIONS = 2, 199
_SCORING = 4
"""Splits behind the scores by which items are matched or filtered."""


def look(pool: Pool, rows: Bools, scheme: SchemeName = "grouped") -> Look:
    """Cross-fit the counted vectors on `rows` (N,) of the pool; under `random`, only equal texts stay together."""
    groups = pool.groups
    if scheme == "random":
        groups = number_by_first(fold_text(text) for text in pool.benchmark.prompts)
    vectors = _measured(
        pool, rows, groups, scheme, [vector for vector in THIRTEEN + FURTHER if vector.name != "length"]
    )
    best = max(vectors, key=lambda vector: or_least(vector.matched))
    return Look(best, vectors)


def kappa_of(pool: Pool, rows: Bools, vector: str) -> float | None:
    """The matched kappa of one vector, as a look at the same rows has it."""
    return _measured(pool, rows, pool.groups, "grouped", [by_name(vector)])[0].matched


def _measured(
    pool: Pool, rows: Bools, groups: NDArray[np.int64], scheme: SchemeName, vectors: list[Vector]
) -> tuple[VectorResult, ...]:
    drawn = [_folds(pool, rows, groups, f"look {split}") for split in range(_SPLITS)]
    scores = crossfit_folds(pool.table, pool.y, vectors, pool.fitting, drawn)
    settings = msgspec.structs.replace(pool.settings, permutations=_PERMUTATIONS)
    counted = {vector.name for vector in vectors}
    return tuple(measure(scheme, pool.y, pool.groups, len(pool.labels), scores, settings, counted).result.vectors)


def within(pool: Pool, rows: Bools, vector: str) -> tuple[Floats, Floats]:
    """Out-of-fold scores of `rows` by models of the other rows: probabilities (N, labels) and shares of splits in which
    the most probable answer is right (N,); NaN for other items.
    """
    drawn = [_folds(pool, rows, pool.groups, f"score {split}") for split in range(_SCORING)]
    return _scored(pool, by_name(vector), drawn, rows)


def outside(pool: Pool, rows: Bools, others: Bools, vector: str) -> tuple[Floats, Floats]:
    """The same for `others`, by models fitted on `rows`, each on a random four fifths of the groups."""
    drawn = []
    for split in range(_SCORING):
        fold = _folds(pool, rows, pool.groups, f"score {split}")
        drawn.append(np.where(others, 0, np.where(fold > 0, 1, -1)))
    # All splits must leave out the same items, so each is fitted on its own.
    every = [_scored(pool, by_name(vector), [fold], others) for fold in drawn]
    return np.mean([values for values, _ in every], axis=0), np.mean([right for _, right in every], axis=0)


def _folds(pool: Pool, rows: Bools, groups: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """(N,) the fold of each of `rows`, -1 for the others."""
    fold = np.full(len(pool.y), -1, dtype=np.int64)
    held = np.unique(groups[rows], return_inverse=True)[1]
    random = seeded(pool.settings.seed, "harden", name)
    fold[rows] = fold_numbers(pool.y[rows], held, pool.settings.folds, random)
    return fold


def _scored(pool: Pool, vector: Vector, drawn: list[NDArray[np.int64]], wanted: Bools) -> tuple[Floats, Floats]:
    plain: Fitting = replace(pool.fitting, candidates=REGULARISATIONS[:1])
    scores = crossfit_folds(pool.table, pool.y, [vector], plain, drawn)[0]
    values = np.full((len(pool.y), len(pool.labels)), np.nan)
    right = np.full(len(pool.y), np.nan)
    values[scores.rows] = scores.probabilities
    right[scores.rows] = (scores.predicted == pool.y[scores.rows]).mean(axis=0)
    values[~wanted], right[~wanted] = np.nan, np.nan
    return values, right
