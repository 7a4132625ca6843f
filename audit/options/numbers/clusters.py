"""A suspected leak among options, with whole clusters of similar items left out of training: does it carry over?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import kappa
from audit.options.crossfit import Bed, crossfit
from audit.options.views import View
from audit.probe.clusters import FEWEST, SPLITS, joined
from audit.records.numbers import ClusterCheck
from audit.statistics.intervals import effective_groups

__all__ = ["check_clusters"]

Ints = NDArray[np.int64]


def check_clusters(
    bed: Bed,
    groups: Ints,
    partitions: Sequence[tuple[float, Ints]],
    view: View,
    observed: float,
    *,
    folds: int,
    margin: float,
) -> list[ClusterCheck]:
    """Kappa of `view` (`observed` without clusters) with the clusters of each partition kept together.

    `partitions` are (similarity, numbers of the clusters (n,)). A kappa is held if it is above `margin` and at least
    half of what it was, as in `audit.probe.clusters`.
    """
    pool = bed.pool
    quiet = replace(bed, fitting=replace(bed.fitting, progress=lambda done: None))
    checks = []
    for similarity, clusters in partitions:
        together = joined(groups, clusters)
        effective = effective_groups(together)
        if effective < FEWEST:
            continue
        (scores,) = crossfit(quiet, [view], pool.gold, together, scheme="clusters", folds=folds, splits=SPLITS)
        value = float(np.median([kappa(row, pool.size) for row in scores.shares[:, pool.gold].astype(np.float64)]))
        checks.append(
            ClusterCheck(
                vector=view.name,
                similarity=similarity,
                clusters=int(together.max()) + 1,
                largest=int(np.bincount(together).max()),
                effective=effective,
                kappa=value,
                held=value > margin and value >= observed / 2,
            )
        )
    return checks
