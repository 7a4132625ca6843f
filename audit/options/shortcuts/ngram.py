"""The shortest shortcut in options: one n-gram, which training chooses, to be looked for or to be avoided.

An n-gram tells something only where some options of an item have it and others do not. So it is judged within items:
how often the right option has it, against the share of the item's options that do (Mantel & Haenszel 1959).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.ladder.ngram import FEWEST_ITEMS, LEVELS
from audit.options.choosing import chosen
from audit.options.crossfit import ViewScores
from audit.options.evidence import RIGHT, WRONG
from audit.options.items.pool import Pool
from audit.options.shortcuts.picking import scores_of
from audit.result.shortcuts import SingleNgram

if TYPE_CHECKING:
    from audit.texts.feature_table import FeatureTable

__all__ = ["single_option_ngram", "within_items"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def single_option_ngram(
    table: FeatureTable, pool: Pool, folds: Sequence[Ints]
) -> tuple[ViewScores, SingleNgram | None]:
    """The choices of the best single n-gram on the splits `folds`, each the fold (n,) of every item, and its name.

    For each fold, the n-gram with the largest absolute z among the other folds' items chooses: the options that have
    it, or where z is negative those that do not. Where all have it or none, every option is as good.
    """
    levels = [_Level.of(table.presence(level), pool) for level in LEVELS]
    shares = np.zeros((len(folds), len(pool.texts)), dtype=np.float32)
    picks: list[tuple[int, int, bool] | None] = []
    for split, fold in enumerate(folds):
        used, place = np.unique(fold, return_inverse=True)
        sums = [level.by_fold(place, len(used)) for level in levels]
        for f in range(len(used)):
            rows = pool.rows_of(np.flatnonzero(place == f))
            pick = _best([(off.sum(axis=0) - off[f], var.sum(axis=0) - var[f]) for off, var in sums])
            scores = np.zeros(len(pool.texts))
            if pick is not None:
                level, at, having = pick
                scores[levels[level].rows(at)] = 1.0 if having else -1.0
            shares[split, rows] = chosen(scores, pool.start)[rows]
            picks.append(None if pick is None else (pick[0], int(levels[pick[0]].columns[pick[1]]), pick[2]))
    named = _named(table, pool, picks)
    return scores_of("ngram", shares, ["one n-gram"] * len(picks)), named


def within_items(having: sp.csr_matrix, pool: Pool) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """What every n-gram adds to the statistic in every item, (n, p) each: hit minus expectation, and its variance.

    `having` (R, p) has 1 where an option has an n-gram. In an item, t of k options have it, and the right one is any of
    the k by chance: its hit has the mean t / k and the variance t / k (1 - t / k). z is the sum of the former over the
    root of the sum of the latter, without continuity correction (Mantel & Haenszel 1959).
    """
    member = sp.csr_matrix((np.ones(len(pool.item)), (pool.item, np.arange(len(pool.item)))))
    share = sp.diags_array(1 / pool.size) @ (member @ having)
    return sp.csr_matrix(having[pool.gold] - share), sp.csr_matrix(share - share.multiply(share))


@dataclass(frozen=True)
class _Level:
    """The n-grams of one level that tell options apart in enough items."""

    having: sp.csc_matrix
    """(R, p)"""
    columns: Ints
    """(p,) their columns in the table, ascending."""
    off: sp.csr_matrix
    """(n, p) as in `within_items`."""
    variance: sp.csr_matrix

    @classmethod
    def of(cls, presence: sp.csr_matrix, pool: Pool) -> _Level:
        often = np.flatnonzero(np.bincount(presence.indices, minlength=presence.shape[1]) >= FEWEST_ITEMS)
        off, variance = within_items(presence[:, often].astype(np.float64), pool)
        variance.data[variance.data < 1e-12] = 0.0
        variance.eliminate_zeros()
        telling = np.flatnonzero(np.bincount(variance.indices, minlength=len(often)) >= FEWEST_ITEMS)
        columns = often[telling]
        return cls(presence[:, columns].tocsc(), columns, off[:, telling], variance[:, telling])

    def by_fold(self, place: Ints, folds: int) -> tuple[Floats, Floats]:
        """(folds, p) sums over the items of each fold."""
        member = sp.csr_matrix((np.ones(len(place)), (place, np.arange(len(place)))), shape=(folds, len(place)))
        return (member @ self.off).toarray(), (member @ self.variance).toarray()

    def rows(self, at: int) -> Ints:
        """The options with the n-gram in this place."""
        return np.asarray(self.having.indices[self.having.indptr[at] : self.having.indptr[at + 1]], dtype=np.int64)


def _best(sums: Sequence[tuple[Floats, Floats]]) -> tuple[int, int, bool] | None:
    """(level, place, whether to look for it) of the largest |z|.

    Ties go to the earlier level, then to an n-gram to look for, then to the lower place.
    """
    best, largest = None, 0.0
    for level, (off, variance) in enumerate(sums):
        z = np.round(np.where(variance > 0, off / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0), 8)
        if len(z) and np.abs(z).max() > largest:
            at = int(z.argmax() if z.max() >= -z.min() else z.argmin())
            best, largest = (level, at, bool(z[at] > 0)), float(np.abs(z[at]))
    return best


def _named(table: FeatureTable, pool: Pool, picks: Sequence[tuple[int, int, bool] | None]) -> SingleNgram | None:
    """The n-gram chosen most often, the first of several in the order of levels and columns."""
    times = Counter(pick for pick in picks if pick is not None)
    if not times:
        return None
    (level, column, having), often = min(times.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = table.presence(LEVELS[level])[:, [column]].nonzero()[0]
    right = int(pool.answers(pool.gold)[rows].sum())
    return SingleNgram(
        ngram=table.ngram_text(LEVELS[level], column),
        level=LEVELS[level],
        words=1 if column < table.unigrams(LEVELS[level]) else 2,
        label=RIGHT if having else WRONG,
        count=len(rows),
        count_label=right if having else len(rows) - right,
        chosen=often / len(picks),
    )
