"""Whole clusters of similar texts at several cut-offs, and the tree they are cut from.

A suspected leak is measured again with each partition kept whole in the folds: a kappa that is due to templates
vanishes at some cut-off, and a cue in otherwise unrelated texts survives them all. Average linkage (Sokal and
Michener 1958) does not chain unlike texts together, as single linkage would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from audit.groups.components import number_by_first
from audit.groups.sentences import fold_text
from audit.groups.vectors import Vectors, vectors

__all__ = ["CUTOFFS", "LARGEST", "SAMPLE", "Partition", "Tree", "distinct_texts", "similarity_partitions", "tree"]

CUTOFFS = (0.6, 0.45, 0.3, 0.2, 0.12)
"""Smallest mean similarity within a cluster: from repeated passages, over templates with long slots, to paraphrases."""

SAMPLE = 4000
"""Distinct texts that are compared in pairs; each of the rest joins the nearest cluster of these."""

LARGEST = 1 / 3
"""No cluster holds a larger share of the items, unless a few clusters that are far apart hold them all."""

FEW, FEW_SHARE, APART = 10, 0.9, 0.5
"""At most so many clusters hold this share of the items and are at most this times as similar as their own texts."""


@dataclass(frozen=True)
class Partition:
    """The clusters of n items at one cut-off."""

    cutoff: float
    """Smallest mean similarity, 0 to 1, at which two clusters were joined."""
    index: NDArray[np.int64]
    """(n,) number of the cluster of each item, by first appearance, 0..count-1."""
    count: int
    """Number of clusters, with those of one item."""


@dataclass(frozen=True)
class Tree:
    """Average linkage of distinct texts."""

    vectors: Vectors
    sample: int
    """The first `sample` texts are the leaves of the tree; the others are not in it."""
    links: NDArray[np.float64]
    """(sample - 1, 2) the two nodes that each link joins; link i makes node sample + i."""
    levels: NDArray[np.float64]
    """(2 * sample - 1,) mean similarity at which each node was joined; 1 for leaves."""
    sizes: NDArray[np.int64]
    """(2 * sample - 1,) texts below each node."""

    def leaves(self, node: int) -> list[int]:
        """Return the texts below a node."""
        pending, texts = [node], []
        while pending:
            top = pending.pop()
            if top < self.sample:
                texts.append(top)
            else:
                pending.extend(int(child) for child in self.links[top - self.sample])
        return texts


def distinct_texts(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the distinct texts in an order that depends on their content only, and the number of each item's.

    Texts are equal after `fold_text`. Ordered by a hash, any first m of them are a random sample.
    """
    keys = [fold_text(text) for text in texts]
    ordered = sorted(dict.fromkeys(keys), key=lambda key: blake2b(key.encode("utf-8", "surrogatepass")).digest())
    place = {key: at for at, key in enumerate(ordered)}
    return ordered, np.array([place[key] for key in keys], dtype=np.int64)


def tree(texts: Sequence[str]) -> Tree:
    """Link texts by their mean similarity; `texts` are those of `distinct_texts`. At least one text."""
    from scipy.cluster.hierarchy import linkage

    space = vectors(texts)
    sample = min(len(texts), SAMPLE)
    if sample < 2:
        nothing = np.zeros((0, 2))
        return Tree(space, sample, nothing, np.ones(sample), np.ones(sample, dtype=np.int64))
    distances = _distances(space, sample)
    joined = linkage(distances, "average")
    levels = np.concatenate([np.ones(sample), 1 - joined[:, 2]])
    sizes = np.concatenate([np.ones(sample, dtype=np.int64), joined[:, 3].astype(np.int64)])
    return Tree(space, sample, joined[:, :2], levels, sizes)


def similarity_partitions(
    texts: Sequence[str], cutoffs: Sequence[float] = CUTOFFS, groups: NDArray[np.int64] | None = None
) -> list[Partition]:
    """Partition n items into whole clusters of similar texts, one partition per cut-off, tightest first.

    With `groups`, shape (n,), each group stays whole too: it goes to the cluster that holds most of its items, which
    never chains clusters together. Without them, texts that are equal after `fold_text` always share a cluster.

    Reads prompts only, never answers, and does not depend on the order of the items. A partition that equals the one
    before it, or has only one cluster, is left out: the list is empty where nothing can be told apart. Time grows
    with n, beyond `SAMPLE` distinct texts linearly.
    """
    if not texts:
        return []
    distinct, place = distinct_texts(texts)
    linked = tree(distinct)
    items = np.bincount(place, minlength=len(distinct))
    partitions: list[Partition] = []
    for cutoff in sorted(cutoffs, reverse=True):
        clusters = _cut(linked, items, cutoff)[place]
        index = number_by_first((clusters if groups is None else _kept_whole(clusters, groups)).tolist())
        count = int(index.max()) + 1
        if count > 1 and not (partitions and np.array_equal(partitions[-1].index, index)):
            partitions.append(Partition(cutoff, index, count))
    return partitions


def _kept_whole(clusters: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) the cluster that holds most items of each item's group; of several, the one with the smallest number."""
    pairs, times = np.unique(np.stack([groups, clusters]), axis=1, return_counts=True)
    order = np.lexsort((pairs[1], -times, pairs[0]))
    own, first = np.unique(pairs[0][order], return_index=True)
    return np.asarray(pairs[1][order][first][np.searchsorted(own, groups)], dtype=np.int64)


def _distances(space: Vectors, sample: int) -> NDArray[np.float64]:
    """(sample * (sample - 1) / 2,) 1 - similarity of each pair: common sequences by a dense product, rare ones not."""
    unit = space.unit[:sample]
    common = np.bincount(unit.indices, minlength=unit.shape[1]) > 0.05 * sample
    dense = unit[:, np.flatnonzero(common)].toarray()
    rare = unit[:, np.flatnonzero(~common)]
    distances = np.empty(sample * (sample - 1) // 2)
    start = 0
    for first in range(0, sample, 500):  # by blocks: the whole square would double the memory
        block = dense[first : first + 500] @ dense.T + (rare[first : first + 500] @ rare.T).toarray()
        for at, row in enumerate(block, first):
            distances[start : start + sample - at - 1] = 1 - row[at + 1 :]
            start += sample - at - 1
    return np.clip(distances, 0, 1, out=distances)


def _cut(linked: Tree, items: NDArray[np.int64], cutoff: float) -> NDArray[np.int64]:
    """(distinct texts,) cluster of each text; `items` counts the items of each text."""
    nodes = _nodes(linked, cutoff, linked.sample)
    if not _few(linked, items, nodes):
        nodes = _nodes(linked, cutoff, max(1, int(LARGEST * linked.sample)))
    clusters = np.arange(len(items)) + len(items)  # every text of the rest starts alone
    for number, node in enumerate(nodes):
        clusters[linked.leaves(node)] = number
    if linked.sample < len(items):
        _assign(linked, nodes, clusters, cutoff)
    return clusters


def _nodes(linked: Tree, cutoff: float, most: int) -> list[int]:
    """The topmost nodes with a level of `cutoff` or more and at most `most` texts."""
    pending, nodes = [len(linked.levels) - 1], []
    while pending:
        node = pending.pop()
        if node < linked.sample or (linked.levels[node] >= cutoff and linked.sizes[node] <= most):
            nodes.append(node)
        else:
            pending.extend(int(child) for child in linked.links[node - linked.sample])
    return nodes


def _few(linked: Tree, items: NDArray[np.int64], nodes: list[int]) -> bool:
    """True if a handful of clusters, far apart, hold nearly all items: then they are templates, however large."""
    shares = {node: items[linked.leaves(node)].sum() / items[: linked.sample].sum() for node in nodes}
    large = [node for node in nodes if shares[node] >= 0.5 / FEW]
    if not 2 <= len(large) <= FEW or sum(shares[node] for node in large) < FEW_SHARE:
        return False
    centres = _centres(linked, large)
    between = (centres @ centres.T)[~np.eye(len(large), dtype=bool)]
    return bool(between.max() <= APART * min(linked.levels[node] for node in large))


def _centres(linked: Tree, nodes: list[int]) -> NDArray[np.float32]:
    """(nodes, m) mean vectors: their products are the mean similarities of average linkage."""
    return np.stack([np.asarray(linked.vectors.unit[linked.leaves(node)].mean(axis=0)).ravel() for node in nodes])


def _assign(linked: Tree, nodes: list[int], clusters: NDArray[np.int64], cutoff: float) -> None:
    """Put each text outside the sample into the cluster it is most similar to, if it is at least `cutoff`."""
    from scipy import sparse

    sizes = linked.sizes[nodes]
    member = sparse.csr_matrix(
        (1 / sizes[clusters[: linked.sample]], (clusters[: linked.sample], np.arange(linked.sample))),
        shape=(len(nodes), linked.sample),
    )
    centres = (member @ linked.vectors.unit[: linked.sample]).T.tocsr()
    for first in range(linked.sample, len(clusters), 500):
        near = (linked.vectors.unit[first : first + 500] @ centres).tocsr()
        best = np.asarray(near.argmax(axis=1)).ravel()
        level = np.asarray(near.max(axis=1).todense()).ravel()
        here = np.arange(first, first + len(best))
        clusters[here] = np.where(level >= cutoff, best, clusters[here])
