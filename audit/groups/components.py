"""Connected components: items joined by evidence, with a limit that keeps weak evidence from chaining.

`audit.groups.grouping` turns the result into group numbers. Make joins in an order that depends on the content of
the texts and not on their positions: then the partition does too, with or without a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLOSED", "Components", "number_by_first"]

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
