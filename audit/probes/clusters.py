"""A suspected leak, with whole clusters of similar texts left out of training: does it carry over to other texts?

Templates that nobody declared and no rule detected show here: their kappa collapses once similar texts stay together,
whereas a cue that runs through the benchmark survives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from hansproof.audit.probes.crossfit import Fitting, Ints, crossfit
from hansproof.audit.probes.task import Task
from hansproof.audit.result.numbers import ClusterCheck, Likeness
from hansproof.audit.statistics.intervals import effective_groups

if TYPE_CHECKING:
    from hansproof.audit.texts.vectors import Vector

__all__ = ["SPLITS", "check_clusters", "joined", "kappa_together"]

FEWEST = 2.0
"""Fewest clusters (effective number) that are tried: fewer leave nothing to compare with."""

SPLITS = 3
"""Of the folds that keep clusters together."""


def joined(first: Ints, second: Ints) -> Ints:
    """(n,) numbers of the groups that come of keeping together what either partition keeps together."""
    size = int(first.max()) + 1 + int(second.max()) + 1
    links = coo_matrix((np.ones(len(first)), (first, second + int(first.max()) + 1)), shape=(size, size))
    _, component = connected_components(links, directed=False)
    return np.asarray(np.unique(component[first], return_inverse=True)[1], dtype=np.int64)


def check_clusters(
    groups: Ints,
    partitions: Sequence[tuple[Likeness, Ints]],
    vector: str,
    observed: float,
    kappa_of: Callable[[Ints], float],
    margin: float,
) -> list[ClusterCheck]:
    """The kappa of a suspected leak with the clusters of each partition kept together.

    `partitions` are (likeness, numbers of the clusters (N,)), to which `groups` are added; `kappa_of` gives the kappa
    of the `vector` with such groups (N,) kept together. It is held if it is above `margin` and at least half of what
    was `observed` without clusters. Partitions with fewer than `FEWEST` clusters leave too little to learn from.
    """
    checks = []
    for alike, clusters in partitions:
        together = joined(groups, clusters)
        effective = effective_groups(together)
        if effective < FEWEST:
            continue
        value = float(np.nan_to_num(kappa_of(together)))
        checks.append(
            ClusterCheck(
                vector=vector,
                alike=alike,
                clusters=int(together.max()) + 1,
                largest=int(np.bincount(together).max()),
                effective=effective,
                kappa=value,
                held=value > margin and value >= observed / 2,
            )
        )
    return checks


def kappa_together(
    task: Task, together: Ints, vector: Vector, fitting: Fitting, *, folds: int, splits: int = SPLITS
) -> float:
    """Median kappa of the matched predictions of `vector` with the groups `together` (n,) in one fold each."""
    (scores,) = crossfit(task, together, [vector], fitting.quiet(), scheme="clusters", folds=folds, splits=splits)
    return float(np.median([task.kappa(row, task.gold, scores.units) for row in scores.matched]))
