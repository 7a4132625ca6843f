"""A suspected leak, with whole clusters of similar texts left out of training: does it carry over to other texts?

Templates that nobody declared and no rule detected show here: their kappa collapses once similar texts stay together,
whereas a cue that runs through the benchmark survives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from audit.probe.crossfit import Fitting, Ints, crossfit
from audit.records.numbers import ClusterCheck
from audit.statistics import kappa
from audit.statistics.intervals import effective_groups

if TYPE_CHECKING:
    from audit.features.table import FeatureTable
    from audit.features.vectors import Vector

__all__ = ["FEWEST", "SPLITS", "check_clusters", "joined"]

FEWEST = 2.0
"""Fewest clusters (effective number) that are tried: fewer leave nothing to compare with."""

SPLITS = 3


def joined(first: Ints, second: Ints) -> Ints:
    """(n,) numbers of the groups that come of keeping together what either partition keeps together."""
    size = int(first.max()) + 1 + int(second.max()) + 1
    links = coo_matrix((np.ones(len(first)), (first, second + int(first.max()) + 1)), shape=(size, size))
    _, component = connected_components(links, directed=False)
    return np.asarray(np.unique(component[first], return_inverse=True)[1], dtype=np.int64)


def check_clusters(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    partitions: Sequence[tuple[float, Ints]],
    vector: Vector,
    observed: float,
    fitting: Fitting,
    *,
    folds: int,
    margin: float,
) -> list[ClusterCheck]:
    """Kappa of `vector` (`observed` without clusters) with the clusters of each partition kept together.

    `partitions` are (similarity, numbers of the clusters (N,)), to which `groups` are added. A kappa is held if it is
    above `margin` and at least half of what it was. Partitions with fewer than `FEWEST` clusters are not tried: they
    leave too little to learn from.
    """
    checks = []
    for similarity, clusters in partitions:
        together = joined(groups, clusters)
        effective = effective_groups(together)
        if effective < FEWEST:
            continue
        quiet = replace(fitting, progress=lambda done: None)
        (scores,) = crossfit(table, y, together, [vector], quiet, scheme="clusters", folds=folds, splits=SPLITS)
        kappas = [
            float(kappa.cohen(kappa.confusion(y, row, fitting.labels))) for row in scores.matched.astype(np.int64)
        ]
        value = float(np.nan_to_num(np.median(kappas)))
        checks.append(
            ClusterCheck(
                vector=vector.name,
                similarity=similarity,
                clusters=int(together.max()) + 1,
                largest=int(np.bincount(together).max()),
                effective=effective,
                kappa=value,
                held=value > margin and value >= observed / 2,
            )
        )
    return checks
