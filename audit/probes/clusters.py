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
from hansproof.audit.result.numbers import ClusterCheck
from hansproof.audit.statistics.intervals import effective_groups

if TYPE_CHECKING:
    from hansproof.audit.texts.similarity import Partition
    from hansproof.audit.texts.vectors import Vector

__all__ = ["SPLITS", "hold_apart", "joined", "kappa_together"]

FEWEST = 2.0
"""Fewest clusters (effective number) that are tried: fewer leave nothing to compare with."""

SPLITS = 3
"""Of the folds that keep clusters together."""

SUSPECTS = 3
"""Suspected leaks that are checked, until one holds."""


def joined(first: Ints, second: Ints) -> Ints:
    """(n,) numbers of the groups that come of keeping together what either partition keeps together."""
    size = int(first.max()) + 1 + int(second.max()) + 1
    links = coo_matrix((np.ones(len(first)), (first, second + int(first.max()) + 1)), shape=(size, size))
    _, component = connected_components(links, directed=False)
    return np.asarray(np.unique(component[first], return_inverse=True)[1], dtype=np.int64)


def hold_apart(
    suspects: Sequence[tuple[str, float]],
    groups: Ints,
    partitions: Sequence[Partition],
    value_of: Callable[[str, Ints], float],
    margin: float,
) -> list[ClusterCheck]:
    """What is left of the strongest `suspects` (name, kappa) with clusters of similar texts kept together.

    To the clusters of each of the `partitions`, which name those of templates apart, the `groups` (n,) are added;
    `value_of` gives the kappa of a suspect with such groups (n,) kept together. It is held if it is above `margin` and
    at least half of what it is without clusters; no further suspect is checked if all checks of one are held.
    Partitions with fewer than `FEWEST` clusters leave too little to learn from.
    """
    apart = [(part.alike, joined(groups, part.index)) for part in partitions if part.alike != "template"]
    apart = [(alike, together) for alike, together in apart if together.max() < groups.max()]  # that join some
    sizes = [(alike, together, effective_groups(together)) for alike, together in apart]
    checks: list[ClusterCheck] = []
    for name, observed in suspects[:SUSPECTS]:
        held = True
        for alike, together, effective in sizes:
            if effective < FEWEST:
                continue
            value = float(np.nan_to_num(value_of(name, together)))
            holds = value > margin and value >= observed / 2
            held &= holds
            checks.append(
                ClusterCheck(
                    vector=name,
                    alike=alike,
                    clusters=int(together.max()) + 1,
                    largest=int(np.bincount(together).max()),
                    effective=effective,
                    kappa=value,
                    held=holds,
                )
            )
        if held:
            break
    return checks


def kappa_together(
    task: Task,
    together: Ints,
    vector: Vector,
    fitting: Fitting,
    *,
    folds: int,
    splits: int = SPLITS,
    tested: Ints | None = None,
) -> float:
    """Median kappa of the matched predictions of `vector` with the groups `together` (n,) in one fold each, on the
    units `tested`, by default all."""
    (scores,) = crossfit(task, together, [vector], fitting.quiet(), scheme="clusters", folds=folds, splits=splits)
    units = scores.units if tested is None else tested
    return float(np.median([task.kappa(row[task.rows(units)], task.gold, units) for row in scores.matched]))
