"""Counting each n-gram once per group, so that a template of a hundred items is no more evidence than a single item.

One pass over the entries of the count matrix, compiled: time and memory grow with the entries, not with items times
n-grams.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.texts.compiled import kernel

__all__ = ["GroupCounts", "by_group", "count_units", "spread"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GroupCounts:
    """T n-grams over groups, with k labels."""

    count: Ints
    """(T,) groups that count for each n-gram."""
    hits: Floats
    """(k, T) sum over them of the share of the items with the n-gram that have the label."""


def by_group(groups: Ints) -> tuple[Ints, Ints]:
    """(the rows in order of their group (n,), where each group begins in that order (G + 1,))."""
    return np.argsort(groups, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(groups))])


def spread(counts: csr_matrix, groups: Ints, seed: int = 1) -> tuple[Ints, NDArray[np.uint64]]:
    """For each column of `counts` (n, P): in how many groups it occurs (P,), and a key of the rows that it is in (P,).

    Columns that occur in the very same rows have the same key, others another one: it is a sum of one random number
    per row, modulo 2^64.
    """
    rows, starts = by_group(groups)
    marks = np.random.Generator(np.random.PCG64(seed)).integers(0, 2**63, len(groups), dtype=np.uint64)
    units, keys = np.zeros(counts.shape[1], np.int64), np.zeros(counts.shape[1], np.uint64)
    _spread(counts.indptr, counts.indices, rows, starts, marks, units, keys)
    return units, keys


def count_units(
    counts: csr_matrix, columns: Ints, y: Ints, groups: Ints, labels: int, *, telling: bool = False
) -> GroupCounts:
    """Count the n-grams of some `columns` of `counts` (n, P) by group and label; `y` and `groups` are (n,).

    A group in which m items have the n-gram, h of them with the label, is one trial and h / m of a hit. With `telling`,
    groups that have several labels and the n-gram in every item do not count: there it cannot tell labels apart
    (Niven & Kao 2019).
    """
    rows, starts = by_group(groups)
    target = np.full(counts.shape[1], -1, np.int64)
    target[columns] = np.arange(len(columns))
    count, hits = np.zeros(len(columns), np.int64), np.zeros((labels, len(columns)))
    _count((counts.indptr, counts.indices), (rows, starts), y, target, telling, count, hits)
    return GroupCounts(count, hits)


@kernel
def _spread(indptr, indices, rows, starts, marks, units, keys):  # type: ignore[no-untyped-def]
    last = np.full(units.shape[0], -1, np.int64)
    for group in range(starts.shape[0] - 1):
        for i in range(starts[group], starts[group + 1]):
            row = rows[i]
            for k in range(indptr[row], indptr[row + 1]):
                j = indices[k]
                keys[j] += marks[row]
                if last[j] != group:
                    last[j] = group
                    units[j] += 1


@kernel
def _count(entries, grouped, y, target, telling, count, hits):  # type: ignore[no-untyped-def]
    (indptr, indices), (rows, starts) = entries, grouped
    within = np.zeros(count.shape[0], np.int64)
    for group in range(starts.shape[0] - 1):
        first, end = starts[group], starts[group + 1]
        several = False
        for i in range(first, end):
            several = several or y[rows[i]] != y[rows[first]]
            for k in range(indptr[rows[i]], indptr[rows[i] + 1]):
                if target[indices[k]] >= 0:
                    within[target[indices[k]]] += 1
        all_have = end - first if telling and several else -1
        # Second pass: add the shares; third: forget the group. A column is counted at its first item.
        for i in range(first, end):
            for k in range(indptr[rows[i]], indptr[rows[i] + 1]):
                t = target[indices[k]]
                if t >= 0 and abs(within[t]) != all_have:
                    if within[t] > 0:
                        count[t] += 1
                        within[t] = -within[t]
                    hits[y[rows[i]], t] += 1.0 / -within[t]
        for i in range(first, end):
            for k in range(indptr[rows[i]], indptr[rows[i] + 1]):
                if target[indices[k]] >= 0:
                    within[target[indices[k]]] = 0
