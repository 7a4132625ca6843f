"""Similar texts: vectors of word sequences, clusters of similar wording, equal frames, connected components."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.texts.sentences import UNSPACED, fold_text
from hansproof.audit.texts.tokens import TokenStream

__all__ = [
    "CLOSED",
    "FRAME",
    "LONGEST",
    "Components",
    "Partition",
    "Tree",
    "distinct_texts",
    "number_by_first",
    "similarity_partitions",
    "tokens",
    "tree",
]

# Make joins in an order that depends on the content of the texts and not on their positions: then the partition does
# too, with or without a limit.

CLOSED = 5
"""Smallest component, in items, that `quorum` protects."""


class Components:
    """Union-find over weighted nodes (Tarjan 1975), by size with path halving.

    `weights` is the number of items that each node stands for. `finds` counts look-ups (a test checks that the
    cost grows linearly), `refused` counts the joins that the limit forbade.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self._parent = list(range(len(weights)))
        self._own = list(weights)
        self._size = list(weights)
        self.finds = 0
        self.refused = 0

    def find(self, node: int) -> int:
        """Return the representative of the component of `node`."""
        self.finds += 1
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def join(self, nodes: Sequence[int], limit: int | None = None, quorum: bool = False) -> int:
        """Merge the components of all `nodes`, unless the result would have more than `limit` items.

        With `quorum`, a component of `CLOSED` or more items takes part only if at least half of its items are
        among the nodes, so that one coincidence does not chain two large groups together. Returns by how many the
        number of components fell: 0 if they were one already, if the limit forbids it, and for fewer than two.
        """
        present: dict[int, int] = {}
        for node in dict.fromkeys(nodes):
            root = self.find(node)
            present[root] = present.get(root, 0) + self._own[node]
        size = self._size
        roots = [root for root, n in present.items() if not quorum or size[root] < CLOSED or 2 * n >= size[root]]
        if len(roots) < 2:
            return 0
        total = sum(size[root] for root in roots)
        if limit is not None and total > limit:
            self.refused += 1
            return 0
        top = max(roots, key=lambda root: size[root])
        for root in roots:
            self._parent[root] = top
        size[top] = total
        return len(roots) - 1


def number_by_first(keys: Iterable[object]) -> NDArray[np.int64]:
    """Number distinct keys 0, 1, 2, ... in order of first appearance; shape (n,), empty for no keys."""
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)


# A word is a run of letters, or a single character in scripts that are written without spaces. Every number is the same
# word, and each punctuation mark is a word, so that code and tables have a shape too.

FRAME = 0.6
"""A word sequence in more than this share of the texts is the wording of the whole benchmark, and does not count."""

LONGEST = 2000
"""Words read per text: a longer text shares enough of its beginning."""

GRAM = 3
"""Longest word sequence that is counted."""

RESERVE = 6.0
"""Squared weight that every text has to itself: texts that share two or three words are not similar, however short."""

_TOKEN = re.compile(rf"[^\W\d_{UNSPACED}]+(?:'[^\W\d_{UNSPACED}]+)*|\d+(?:[.,]\d+)*|\S")


@dataclass(frozen=True)
class Vectors:
    """n texts over the m word sequences that at least two of them share and that are not the frame."""

    unit: Any
    """(n, m) float32 CSR; the dot product of two rows is their similarity, from 0 to 1."""
    keys: NDArray[np.int64]
    """(m,) the rarest word of each sequence, by which the evidence of a sequence is counted."""
    lengths: NDArray[np.int64]
    """(n,) words in each text, less those of the frame."""
    grams: NDArray[np.int64]
    """(m,) words in each sequence."""


def tokens(text: str) -> list[str]:
    """Return the first `LONGEST` words and marks of a text, folded; `0` for every number."""
    # A word that is longer than any real one is cut: a text of a megabyte without a space is one such word.
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    folded = folded.casefold().replace("’", "'")
    words = (match[0] for match in islice(_TOKEN.finditer(folded), LONGEST))
    return ["0" if word[0].isdigit() else word for word in words]


def vectors(texts: Sequence[str]) -> Vectors:
    """Return the vectors of distinct texts, given in an order that depends on their content only.

    A sequence of one to `GRAM` words counts 1 + log(times) in a text, times log(texts) * log(n / texts): both a
    coincidence of two texts and a phrase of common use weigh little, the wording of a template weighs most. What no
    other text has (names, unique fillings) and the frame drop out. No texts give a matrix without rows.
    """
    from scipy import sparse

    from hansproof.audit.texts.ngrams import count

    n = len(texts)
    numbers: dict[str, int] = {}
    flat, starts = array("i"), np.zeros(n + 1, dtype=np.int64)
    for at, text in enumerate(texts, 1):
        flat.extend([numbers.setdefault(word, len(numbers)) for word in tokens(text)])
        starts[at] = len(flat)
    counted = count(TokenStream(np.asarray(flat, dtype=np.int32), starts), range(len(numbers)), GRAM)
    counts, words = sparse.csr_matrix(counted.counts, dtype=np.float32), counted.unigrams
    shared_by = np.bincount(counts.indices, minlength=counts.shape[1])
    size_of = np.repeat(np.arange(1, GRAM + 1), [words, *map(len, counted.longer)])
    rarest = np.arange(words)
    for keys in counted.longer:
        first, last = rarest[keys // words], keys % words
        rarest = np.append(rarest, np.where(shared_by[last] < shared_by[first], last, first))
    longest = sparse.csr_matrix(counts[:, np.flatnonzero((shared_by > FRAME * n) & (size_of == GRAM))])
    lengths = np.diff(starts) - np.asarray(longest.sum(axis=1)).ravel().astype(np.int64)
    kept = np.flatnonzero((shared_by >= 2) & (shared_by <= FRAME * n))
    counts = counts[:, kept]
    counts.data = 1 + np.log(counts.data)
    spread_of = shared_by[kept]
    weight = np.log(spread_of) * np.log(n / np.maximum(spread_of, 1))
    weight = weight / weight.mean() if len(weight) else weight
    weighted = counts @ sparse.diags_array(weight.astype(np.float32))
    del counts
    norm = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel() + RESERVE)
    unit = sparse.csr_matrix(sparse.diags_array((1 / norm).astype(np.float32)) @ weighted)
    return Vectors(unit, rarest[kept], lengths, size_of[kept])


# A kappa that is due to templates vanishes where they stay together; a cue in otherwise unrelated texts does not.
# Average linkage (Sokal and Michener 1958) does not chain unlike texts together, as single linkage would.

CUTOFFS = {"template": 0.3, "wording": 0.12}
"""Smallest mean similarity within a cluster: of templates with long slots, and of paraphrases. In 35 of 35 audits the
looser alone decided as five cut-offs between .6 and .12 did."""

SHARES = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
"""A word in so many of the texts is a common one: the first share that leaves enough frames counts."""

VARIED = 10.0
"""Fewest frames (effective number): fewer leave too little to learn a cue from."""

SAMPLE = 4000
"""Distinct texts that are compared in pairs; each of the rest joins the nearest cluster of these."""

LARGEST = 1 / 3
"""No cluster holds a larger share of the items, unless a few clusters that are far apart hold them all."""

FEW, FEW_SHARE, APART = 10, 0.9, 0.5
"""At most so many clusters hold this share of the items and are at most this times as similar as their own texts."""


@dataclass(frozen=True)
class Partition:
    """n items in whole clusters that are alike in one respect."""

    alike: Literal["template", "wording", "frame"]
    """Wording as similar as that of one template, or at all similar (`CUTOFFS`); or the same `frames`."""
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

    def topmost(self, wanted: Callable[[int], bool], below: int | None = None) -> list[int]:
        """Return the topmost nodes, or those `below` a node, that are wanted; leaves always are."""
        pending, nodes = [len(self.levels) - 1 if below is None else below], []
        while pending:
            node = pending.pop()
            if node < self.sample or wanted(node):
                nodes.append(node)
            else:
                pending.extend(int(child) for child in self.links[node - self.sample])
        return nodes

    def leaves(self, node: int) -> list[int]:
        """Return the texts below a node."""
        return self.topmost(lambda _: False, node)


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


def similarity_partitions(texts: Sequence[str], groups: NDArray[np.int64] | None = None) -> list[Partition]:
    """Partition n items into whole clusters of texts that are alike, once in each respect.

    With `groups`, shape (n,), each group stays whole too: it goes to the cluster that holds most of its items, which
    never chains clusters together. Without them, texts that are equal after `fold_text` always share a cluster.

    Reads prompts only, never answers, and does not depend on the order of the items. A partition that has only one
    cluster is left out: the list is empty where nothing can be told apart. Time grows with n, beyond `SAMPLE` distinct
    texts linearly.
    """
    if not texts:
        return []
    distinct, place = distinct_texts(texts)
    linked = tree(distinct)
    items = np.bincount(place, minlength=len(distinct))
    ways: list[tuple[Literal["template", "wording", "frame"], NDArray[np.int64]]] = [
        ("template", _cut(linked, items, CUTOFFS["template"])),
        ("wording", _cut(linked, items, CUTOFFS["wording"])),
        ("frame", frames(distinct)),
    ]
    partitions: list[Partition] = []
    for alike, clusters in ways:
        own = clusters[place]
        index = number_by_first((own if groups is None else _kept_whole(own, groups)).tolist())
        count = int(index.max()) + 1
        if count > 1:
            partitions.append(Partition(alike, index, count))
    return partitions


def frames(texts: Sequence[str]) -> NDArray[np.int64]:
    """(n,) number of the frame of each text: its commonest words alone, in their order, in any language.

    `All Kens are Lims. No Lims are Tors.` has the frame `all are . no are .`. Of `SHARES`, the largest counts that
    leaves `VARIED` frames; where none does, every text is one by itself.
    """
    words = [tokens(text) for text in texts]
    spread = Counter(word for text in words for word in set(text))
    for share in SHARES:
        common = {word for word, times in spread.items() if times >= share * len(texts)}
        index = number_by_first(tuple(word for word in text if word in common) for text in words)
        if len(texts) ** 2 >= VARIED * int((np.bincount(index) ** 2).sum()):  # Kish (1965)
            return index
    return np.arange(len(texts))


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
    nodes = linked.topmost(lambda node: linked.levels[node] >= cutoff)
    if not _few(linked, items, nodes):
        most = max(1, int(LARGEST * linked.sample))
        nodes = linked.topmost(lambda node: linked.levels[node] >= cutoff and linked.sizes[node] <= most)
    clusters = np.arange(len(items)) + len(items)  # every text of the rest starts alone
    for number, node in enumerate(nodes):
        clusters[linked.leaves(node)] = number
    if linked.sample < len(items):
        _assign(linked, nodes, clusters, cutoff)
    return clusters


def _few(linked: Tree, items: NDArray[np.int64], nodes: list[int]) -> bool:
    """True if a handful of clusters, far apart, hold nearly all items: then they are templates, however large."""
    shares = {node: items[linked.leaves(node)].sum() / items[: linked.sample].sum() for node in nodes}
    large = [node for node in nodes if shares[node] >= 0.5 / FEW]
    if not 2 <= len(large) <= FEW or sum(shares[node] for node in large) < FEW_SHARE:
        return False
    # The products of mean vectors are the mean similarities of average linkage.
    unit = linked.vectors.unit
    centres = np.stack([np.asarray(unit[linked.leaves(node)].mean(axis=0)).ravel() for node in large])
    between = (centres @ centres.T)[~np.eye(len(large), dtype=bool)]
    return bool(between.max() <= APART * min(linked.levels[node] for node in large))


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
