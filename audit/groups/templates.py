"""Clusters of similar texts that stand out so far that they must be templates, however long their slots.

A template has a range of similarities over which its texts are one cluster: below its weakest link, above its link to
any other. The clusters with the widest ranges are taken (excess of mass: Campello et al. 2013), if their texts have
enough words in common that the whole benchmark has not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.groups.similarity import Tree, tree

__all__ = ["template_clusters"]

LEAST_SIMILAR = 0.2
"""Least mean similarity of a cluster."""

NOISE = 0.1
"""Similarities below this are those of unrelated texts: no range reaches further down."""

ALONE = 1.3
"""How much more the range of a text by itself counts: a cluster must be clearly better than none."""

COMMON = 0.7
"""A word sequence is common to a cluster if at least this share of its texts has it."""

EVIDENCE, EVIDENCE_SHARE = 5, 0.12
"""Distinct words in the common sequences: at least so many, and this share of the length of the texts. Of fewer than
eight texts a larger share is asked for, half of two: among so many pairs, some are alike by chance."""


def template_clusters(distinct: Sequence[str]) -> list[list[int]]:
    """Return the clusters of two or more texts that stand out, as positions in `distinct`.

    `distinct` must come from `distinct_texts`. A text outside the sample of the tree joins the cluster it is most
    similar to, halfway (on a log scale) between the cluster's own link and the next. No texts give no clusters.
    """
    if len(distinct) < 3:  # two texts have no others to stand out from
        return []
    linked = tree(distinct)
    above, wide = _ranges(linked)
    pending, chosen = [len(linked.levels) - 1], []
    while pending:
        node = pending.pop()
        if node < linked.sample:
            continue
        if wide[node] and _evident(linked, node):
            chosen.append(node)
        else:
            pending.extend(int(child) for child in linked.links[node - linked.sample])
    clusters = [sorted(linked.leaves(node)) for node in chosen]
    if chosen and linked.sample < len(distinct):
        _extend(linked, clusters, np.sqrt(linked.levels[chosen] * above[chosen]))
    return sorted(clusters)


def _ranges(linked: Tree) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the level at which each node joins another, and whether its range beats those of the nodes below it."""
    n = linked.sample
    levels = np.maximum(linked.levels, NOISE)
    above = np.full(len(levels), NOISE)
    above[linked.links.astype(np.int64).ravel()] = np.repeat(levels[n:], 2)
    mass = linked.sizes * np.log(levels / np.minimum(above, levels))
    mass[:n] *= ALONE
    wide = np.zeros(len(levels), dtype=np.bool_)
    best = mass.copy()
    for at, (left, right) in enumerate(linked.links.astype(np.int64).tolist()):
        below = best[left] + best[right]
        node = n + at
        wide[node] = levels[node] >= LEAST_SIMILAR and mass[node] > below
        best[node] = max(best[node], below) if wide[node] else below
    wide[-1] = False  # the root is all texts: there is nothing it stands out from
    return above, wide


def _evident(linked: Tree, node: int) -> bool:
    """True if the texts below a node have enough distinct words in common, each in a sequence of two or more."""
    texts = linked.leaves(node)
    space = linked.vectors
    spread = np.bincount(space.unit[texts].indices, minlength=len(space.keys))
    common = (spread >= COMMON * len(texts)) & (space.grams > 1)
    words = len(np.unique(space.keys[common]))
    share = max(EVIDENCE_SHARE, 1 / len(texts))
    return words >= max(EVIDENCE, share * float(space.lengths[texts].mean()))


def _extend(linked: Tree, clusters: list[list[int]], least: NDArray[np.float64]) -> None:
    """Add to each cluster the texts outside the sample that are similar enough to its texts on average."""
    unit = linked.vectors.unit
    centres = np.stack([np.asarray(unit[members].mean(axis=0)).ravel() for members in clusters]).T
    for first in range(linked.sample, unit.shape[0], 500):
        near = unit[first : first + 500] @ centres
        best = near.argmax(axis=1)
        for at, cluster in enumerate(best.tolist()):
            if near[at, cluster] >= least[cluster]:
                clusters[cluster].append(first + at)
