"""Connected components: items joined by evidence, with a limit that keeps weak evidence from chaining.

Fed by `audit.groups.found`, which turns the result into group numbers. Joins are to be asked for in an order
that depends on what the texts say and not on where they stand: then so does the partition, limit or no limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLOSED", "Components", "number_by_first"]

CLOSED = 5
"""Items in a component from which on `quorum` asks for half of them."""


class Components:
    """Union-find over weighted nodes (Tarjan 1975), by size with path halving.

    A node may stand for several items: `weights` says for how many. `finds` counts the look-ups made
    (a test sees the cost grow in step with n), `refused` the joins that the limit forbade.
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
        """Make one component of those of all `nodes`, unless it would hold more than `limit` items.

        With `quorum`, a component of `CLOSED` or more items takes part only if at least half of its items are
        among the nodes: one coincidence does not chain two large groups together. Returns how many components
        fewer there are: 0 where they were one already, where the limit forbids it, and for fewer than two.
        """
        present: dict[int, int] = {}
        for node in dict.fromkeys(nodes):
            root = self.find(node)
            present[root] = present.get(root, 0) + self._own[node]
        size = self._size
        roots = [r for r, n in present.items() if not quorum or size[r] < CLOSED or 2 * n >= size[r]]
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
    """Number equal keys alike, 0, 1, 2, ... by first appearance; shape (n,), empty for no keys."""
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)
