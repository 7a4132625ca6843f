"""The n-grams that are looked at: those in enough groups, where several in the very same items are one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from audit.explanation.single_ngrams.counts import count_units, spread

if TYPE_CHECKING:
    from audit.texts.feature_table import FeatureTable

__all__ = ["Ngrams"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Ngrams:
    """T different n-grams of a table of N texts, those of words first."""

    def __init__(self, table: FeatureTable, groups: Ints, fewest: int) -> None:
        self._table, self._groups = table, groups
        self._every: list[tuple[str, int]] = []
        keys = [np.empty(0, np.uint64)]
        for level in table.levels:
            units, key = spread(table.counts(level), groups)
            kept = np.flatnonzero(units >= fewest)
            self._every += [(level, column) for column in kept.tolist()]
            keys.append(key[kept])
        _, first, inverse = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self._places: list[list[int]] = [[] for _ in order]
        for place, kind in enumerate(rank[inverse].tolist()):
            self._places[kind].append(place)

    def __len__(self) -> int:
        return len(self._places)

    def level(self, t: int) -> str:
        """`word` or `gpt2`."""
        return self._every[self._places[t][0]][0]

    def texts(self, t: int) -> list[str]:
        """The n-gram, then the others that occur in the very same items."""
        return [self._table.ngram_text(*self._every[place]) for place in self._places[t]]

    def counted(self, y: Ints, labels: int) -> tuple[Ints, Floats]:
        """(groups with each n-gram (T,), their hits (labels, T)); `y` (N,) are numbers of labels."""
        count, hits = np.zeros(len(self), np.int64), np.zeros((labels, len(self)))
        for level, of, columns in self._by_level(range(len(self))):
            counted = count_units(self._table.counts(level), columns, y, self._groups, labels)
            count[of], hits[:, of] = counted.count, counted.hits
        return count, hits

    def occurs(self, chosen: Sequence[int]) -> csr_matrix:
        """(N, len(chosen)) int64: 1 where an item has the n-gram, columns in the order of `chosen`."""
        parts, order = [], []
        for level, of, columns in self._by_level(chosen):
            parts.append(self._table.counts(level)[:, columns])
            order.append(of)
        joint = hstack(parts, format="csr", dtype=np.int64)[:, np.argsort(np.concatenate(order))]
        joint.data[:] = 1
        return csr_matrix(joint)

    def _by_level(self, chosen: Sequence[int]) -> list[tuple[str, Ints, Ints]]:
        """(level, places in `chosen` of its n-grams, their columns) for each level."""
        firsts = [self._every[self._places[t][0]] for t in chosen]
        return [
            (
                level,
                np.array([k for k, (of, _) in enumerate(firsts) if of == level], dtype=np.int64),
                np.array([column for of, column in firsts if of == level], dtype=np.int64),
            )
            for level in self._table.levels
        ]
