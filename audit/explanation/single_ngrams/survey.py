"""All single n-grams at once: which of them go with an answer, after correction for how many were looked at.

The null hypothesis of Gardner et al. (2021) is that no single n-gram tells anything: among the groups that have it,
each answer is as common as everywhere. The base rate stands in for their 1/k, and p is an exact binomial tail. The base
rate includes the groups with the n-gram, so p is a little too large for n-grams that most groups have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.explanation.single_ngrams.counts import count_units
from audit.explanation.single_ngrams.distinct import Ngrams
from audit.explanation.single_ngrams.figure import cells, curves
from audit.result.shortcuts import NgramLabel, NgramTest, SingleNgrams
from audit.statistics.association import binomial_tail, smoothed_pmi, z_scores
from audit.statistics.permutation import holm

if TYPE_CHECKING:
    from audit.texts.feature_table import FeatureTable

__all__ = ["FEWEST", "MOST_LABELS", "survey_ngrams"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

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
        units, at = int(self._groups.max()) + 1, np.arange(len(self._ngrams))
        # Holm's last step: whatever has a smaller p was rejected, and nothing else.
        p_limit = self._alpha / max(self._p.size - int(self._significant.sum()), 1)
        rates = dict(zip(self._names, self._share.tolist(), strict=True))
        significant = dict(zip(self._names, self._significant.sum(axis=1).tolist(), strict=True))
        pointed_to = [self._names[c] for c in self._best.tolist()]
        return SingleNgrams(
            unit="item" if units == len(self._y) else "group",
            units=units,
            fewest=FEWEST,
            ngrams=len(self._ngrams),
            tests=self._p.size,
            correction="holm",
            alpha=self._alpha,
            p_limit=p_limit,
            significant=int(self._significant.any(axis=0).sum()),
            labels=[
                NgramLabel(label=name, base_rate=rates[name], significant=significant[name])
                for name in order
                if name in rates
            ],
            worst=self._worst(),
            cells=cells(self._count, self._z[self._best, at], self._significant[self._best, at], pointed_to),
            curves=curves(p_limit, rates, int(self._count.max()), FEWEST),
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
