"""All single n-grams at once: which go with an answer, after correction for how many were looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from hansproof.audit.result.shortcuts import NgramLabel, NgramTest, SingleNgrams
from hansproof.audit.statistics.association import binomial_tail, smoothed_pmi, z_scores
from hansproof.audit.statistics.permutation import holm
from hansproof.audit.texts.compiled import kernel

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["survey_ngrams"]

# One pass over the entries of the count matrix, compiled: time and memory grow with the entries, not with items times
# n-grams.

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


# Gardner et al. (2021): no single n-gram tells anything, so each answer is as common among its groups as everywhere.
# That base rate, for their 1/k, includes these groups, so p is a little too large for n-grams that most groups have.

FEWEST = 5
"""An n-gram in fewer groups says more about those groups than about the benchmark, and an answer likewise."""

MOST_LABELS = 20
"""Answers that are tested, the most common ones: a hundred answers would be a hundred times the tests."""

_SHOWN, _CANDIDATES, _ALSO = 20, 300, 5
_ALIKE = 0.7
"""N-grams that have this part of their items in common are listed as one."""


def survey_ngrams(
    table: FeatureTable,
    y: Ints,
    labels: Sequence[str],
    groups: Ints,
    *,
    alpha: float = 0.05,
    order: Sequence[str] = (),
    rates: Floats | None = None,
) -> SingleNgrams | None:
    """Test every n-gram of `table` (N texts) against every answer; None where nothing can be tested.

    `y` and `groups` are (N,) numbers from 0. Rows need not be items: with one row per option of an item, the item as
    its group, and right and wrong as labels, applicability, productivity and coverage are those of Niven & Kao (2019).
    `order` is the order of the answers in the result, by default that of `labels`. `rates` (N, labels) are the chances
    of the answers where they differ from row to row, as they do among items of two and of five options: an n-gram is
    then compared with the mean chance of the rows that have it. Trials whose chances differ vary less than a binomial
    of their mean, so p stays on the safe side (Hoeffding 1956).
    """
    size = np.bincount(groups)
    share = np.bincount(y, weights=1.0 / size[groups], minlength=len(labels)) / len(size)
    tested = np.flatnonzero((share * len(size) >= FEWEST) & (share < 1))
    tested = np.sort(tested[np.argsort(-share[tested], kind="stable")][:MOST_LABELS])
    ngrams = Ngrams(table, groups, FEWEST)
    if not len(tested) or not len(ngrams):
        return None
    names = [labels[c] for c in tested.tolist()]
    return _Survey(ngrams, y, groups, names, tested, share, alpha, rates).result(order or labels)


class _Survey:
    """T n-grams against k answers; arrays of numbers are (k, T)."""

    def __init__(
        self,
        ngrams: Ngrams,
        y: Ints,
        groups: Ints,
        names: list[str],
        tested: Ints,
        share: Floats,
        alpha: float,
        rates: Floats | None,
    ) -> None:
        self._ngrams, self._groups, self._names, self._alpha = ngrams, groups, names, alpha
        self._share = share[tested]
        # Labels that are not tested share the last row.
        row = np.full(len(share), len(tested), dtype=np.int64)
        row[tested] = np.arange(len(tested))
        self._y = row[y]
        self._count, hits = ngrams.counted(self._y, len(tested) + 1)
        self._hits = hits[:-1]
        self._rate = self._share[:, None] if rates is None else self._mean_rates(rates[:, tested])
        self._rate = np.broadcast_to(self._rate, self._hits.shape)
        self._z = z_scores(self._count, self._hits, self._rate)
        self._p = binomial_tail(self._count, self._hits, self._rate)
        self._corrected = holm(self._p.ravel()).reshape(self._p.shape)
        self._significant = self._corrected < alpha
        # The smallest p; where several are too small for a float64, the largest z.
        self._best = np.where(self._p == self._p.min(axis=0), self._z, -np.inf).argmax(axis=0)

    def _mean_rates(self, rates: Floats) -> Floats:
        """(k, T) mean chance of each answer in the groups with each n-gram; `rates` are (N, k)."""
        kinds, kind = np.unique(rates, axis=0, return_inverse=True)
        _, having = self._ngrams.counted(np.asarray(kind, dtype=np.int64).ravel(), len(kinds))
        return np.asarray(kinds.T @ having / self._count)

    def result(self, order: Sequence[str]) -> SingleNgrams:
        """The record; `order` names the answers in the order wanted."""
        units = int(self._groups.max()) + 1
        rates = dict(zip(self._names, self._share.tolist(), strict=True))
        significant = dict(zip(self._names, self._significant.sum(axis=1).tolist(), strict=True))
        return SingleNgrams(
            unit="item" if units == len(self._y) else "group",
            units=units,
            fewest=FEWEST,
            ngrams=len(self._ngrams),
            tests=self._p.size,
            alpha=self._alpha,
            significant=int(self._significant.any(axis=0).sum()),
            labels=[
                NgramLabel(label=name, base_rate=rates[name], significant=significant[name])
                for name in order
                if name in rates
            ],
            worst=self._worst(),
        )

    def _worst(self) -> list[NgramTest]:
        """The n-grams to list. One that is nearly in the same items as a listed one is named beside that one."""
        at, best = np.arange(len(self._ngrams)), self._best
        guilty = np.flatnonzero(self._significant[best, at])
        p, z = self._p[best, at][guilty], self._z[best, at][guilty]
        order = guilty[np.lexsort((guilty, -self._count[guilty], -z, p))][:_CANDIDATES].tolist()
        if not order:
            return []
        occurs = self._ngrams.occurs(order)
        common = (occurs.T @ occurs).toarray()
        items = common.diagonal()
        alike = common >= _ALIKE * (items[:, None] + items - common)
        stands_for: dict[int, list[int]] = {}
        for k, t in enumerate(order):
            same = next((other for other in stands_for if best[order[other]] == best[t] and alike[k, other]), None)
            if same is not None:
                stands_for[same].append(t)
            elif len(stands_for) < _SHOWN:
                stands_for[k] = [t]
        return [self._test(members, occurs[:, [k]]) for k, members in stands_for.items()]

    def _test(self, members: list[int], occurs: csr_matrix) -> NgramTest:
        """The first of `members` (places of n-grams); `occurs` (N, 1) has the items that contain it."""
        t = members[0]
        c = int(self._best[t])
        hit = (self._y == c).astype(np.int64)
        telling = count_units(occurs, np.zeros(1, np.int64), hit, self._groups, 2, telling=True)
        applicable = int(telling.count[0])
        texts = [text for member in members for text in self._ngrams.texts(member)]
        return NgramTest(
            ngram=texts[0],
            level=self._ngrams.level(t),
            label=self._names[c],
            also=texts[1 : 1 + _ALSO],
            count=int(self._count[t]),
            hits=float(self._hits[c, t]),
            z=float(self._z[c, t]),
            p=float(self._p[c, t]),
            p_corrected=float(self._corrected[c, t]),
            pmi=float(smoothed_pmi(self._count[t], self._hits[c, t], self._rate[c, t])),
            applicability=applicable,
            productivity=float(telling.hits[1, 0] / applicable) if applicable else None,
            coverage=applicable / (int(self._groups.max()) + 1),
        )
