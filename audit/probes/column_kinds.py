"""Kinds of columns: which columns of a training set are equal, and one column for each kind. Compiled passes.

All take the entries of a CSR matrix X (n, p) and see one more column, the constant 1, behind the last.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.texts.compiled import kernel

__all__ = ["Arrays", "Entries", "columns_of_kinds", "find_kinds", "rows_of_kinds"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Arrays = tuple[Ints32, Ints32, Floats]
"""Where each row or column begins, the indices of its entries, and their values."""


@dataclass(frozen=True)
class Entries:
    """The entries of a sparse matrix, by column or by row, in the plain arrays that the solvers take."""

    indptr: Ints32
    indices: Ints32
    data: Floats
    width: int
    """How many columns the matrix has."""

    @property
    def arrays(self) -> Arrays:
        """What a kernel takes."""
        return self.indptr, self.indices, self.data


def find_kinds(rows: Arrays, random: Floats, p: int) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
    """First column (q,) and number of columns (q,) of each kind, kind (p + 1,) of each column, whether a kind varies.

    `random` (2, n) weighs the rows. Kinds are numbered in the order of their first columns. Returned in the order
    first, kind, count, varies.
    """
    sums = np.zeros((p + 1, 2))
    constant = np.zeros(p + 1, dtype=np.bool_)
    _sums(rows, random, sums, constant)
    kind = np.empty(p + 1, dtype=np.int64)
    first, count = np.empty(p + 1, dtype=np.int64), np.zeros(p + 1, dtype=np.int64)
    size = 1 << int(2 * p + 2).bit_length()
    q = _number(sums, sums.view(np.uint64), kind, first, count, np.full(size, -1, dtype=np.int64))
    first = first[:q]
    return first, kind, count[:q], ~constant[first]


def columns_of_kinds(entries: Arrays, first: Ints, kind: Ints) -> Entries:
    """CSC entries (n, q) of the first column of each kind."""
    starts = np.zeros(len(first) + 1, dtype=np.int32)
    own = _own(first, kind)
    _count(entries, own, starts)
    rows, values = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1])
    _transpose(entries, own, starts[:-1].copy(), rows, values)
    return Entries(starts, rows, values, len(first))


def rows_of_kinds(entries: Arrays, first: Ints, kind: Ints, factors: Floats, chosen: NDArray[np.bool_]) -> Entries:
    """CSR entries of the first columns of the `chosen` kinds, each times its factor; never the constant 1."""
    target = np.where(chosen, np.cumsum(chosen) - 1, -1)
    own = _own(first, kind)
    column = np.where(own >= 0, target[own], -1)
    starts, columns, values = np.zeros_like(entries[0]), np.zeros_like(entries[1]), np.zeros_like(entries[2])
    used = _pick(entries, own, column, factors, starts, columns, values)
    return Entries(starts, columns[:used], values[:used], int(chosen.sum()))


def _own(first: Ints, kind: Ints) -> Ints:
    """(p + 1,) the kind of each column that is the first of it, -1 for its twins."""
    own = np.full(len(kind), -1, dtype=np.int64)
    own[first] = np.arange(len(first))
    return own


@kernel
def _sums(entries, random, sums, constant):  # type: ignore[no-untyped-def]
    (indptr, indices, data), p, n = entries, sums.shape[0] - 1, random.shape[1]
    filled, low, high = np.zeros(p, np.int64), np.full(p, np.inf), np.full(p, -np.inf)
    for i in range(n):
        a, b = random[0, i], random[1, i]
        for k in range(indptr[i], indptr[i + 1]):
            j, x = indices[k], data[k]
            sums[j, 0] += x * a
            sums[j, 1] += x * b
            filled[j] += 1
            low[j] = min(low[j], x)
            high[j] = max(high[j], x)
        sums[p, 0] += a
        sums[p, 1] += b
    for j in range(p):
        constant[j] = filled[j] == 0 or (filled[j] == n and low[j] == high[j])
    constant[p] = True


@kernel
def _number(sums, bits, kind, first, count, table):  # type: ignore[no-untyped-def]
    """Number the different rows of `sums` by open addressing; `table` has a power of two of places, all -1."""
    mask, q = np.uint64(table.shape[0] - 1), 0
    for j in range(sums.shape[0]):
        mixed = (bits[j, 0] ^ (bits[j, 1] >> np.uint64(17))) * np.uint64(0x9E3779B97F4A7C15)
        place = (mixed >> np.uint64(24)) & mask
        while True:
            known = table[place]
            if known < 0:
                table[place] = q
                kind[j], first[q], count[q] = q, j, 1
                q += 1
                break
            if sums[first[known], 0] == sums[j, 0] and sums[first[known], 1] == sums[j, 1]:
                kind[j] = known
                count[known] += 1
                break
            place = (place + np.uint64(1)) & mask
    return q


@kernel
def _count(entries, own, starts):  # type: ignore[no-untyped-def]
    """Fill `starts` with where each kind's column begins."""
    indptr, indices, _ = entries
    n, p = indptr.shape[0] - 1, own.shape[0] - 1
    for k in range(indptr[n]):
        j = own[indices[k]]
        if j >= 0:
            starts[j + 1] += 1
    if own[p] >= 0:
        starts[own[p] + 1] += n
    for j in range(starts.shape[0] - 1):
        starts[j + 1] += starts[j]


@kernel
def _transpose(entries, own, free, rows, values):  # type: ignore[no-untyped-def]
    (indptr, indices, data), p = entries, own.shape[0] - 1
    for i in range(indptr.shape[0] - 1):
        for k in range(indptr[i], indptr[i + 1]):
            j = own[indices[k]]
            if j >= 0:
                rows[free[j]], values[free[j]] = i, data[k]
                free[j] += 1
        if own[p] >= 0:
            rows[free[own[p]]], values[free[own[p]]] = i, 1.0
            free[own[p]] += 1


@kernel
def _pick(entries, own, column, factors, starts, columns, values):  # type: ignore[no-untyped-def]
    (indptr, indices, data), used = entries, 0
    for i in range(indptr.shape[0] - 1):
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            if column[j] >= 0:
                columns[used], values[used] = column[j], data[k] * factors[own[j]]
                used += 1
        starts[i + 1] = used
    return used
