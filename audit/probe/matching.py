"""Predictions that give each answer as often as it occurs: what a reader does who knows the shares of the answers.

The most probable answer is the wrong question where answers are rare: with one rare answer in five items, a probe may
rank nearly all rare items first and yet give the common answer to every one of them. Its kappa is then 0, although the
text tells. Matched predictions ask how well the probe ranks the items. With balanced answers they hardly differ from
the most probable ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.statistics import kappa

__all__ = ["matched", "matched_kappa", "shares_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def matched(probabilities: Floats, shares: Floats) -> NDArray[np.int64]:
    """(m,) label numbers, each given to about its share of the m items; no gold answer of these items is used.

    `probabilities` is (m, k), `shares` (k,) the shares of the answers in training. An item's rank among the m items is
    compared answer by answer: it gets the answer whose rank exceeds 1 - share by most. For two answers the items with
    the highest probability of the second get it, share * m of them. Ties keep a common rank, so that a probe that knows
    nothing gives the most common answer to all, for a kappa of exactly 0. Of two answers, the items that are highest
    for one get it even if so many tie that they exceed its share: a word is a cue however many items contain it.
    An answer without a share is never given. No items give an empty array.
    """
    m, k = probabilities.shape
    if m == 0:
        return np.empty(0, dtype=np.int64)
    if k == 2:
        if shares.min() == 0:
            return np.full(m, int(shares.argmax()), dtype=np.int64)
        rank = _ranks(probabilities[:, 1])
        given = np.asarray(rank > 1 - shares[1], dtype=np.int64)
        if rank.min() < rank.max():
            given[rank == rank.max()], given[rank == rank.min()] = 1, 0
        return given
    score = np.stack([_ranks(probabilities[:, c]) for c in range(k)], axis=1) - (1 - shares)
    score[:, shares == 0] = -np.inf
    return np.asarray(score.argmax(axis=1))


def matched_kappa(gold: Ints, probabilities: Floats, shares: Floats) -> float:
    """Cohen's kappa of matched predictions; 0 where it is undefined: one answer alone says nothing about a model."""
    value = float(kappa.cohen(kappa.confusion(gold, matched(probabilities, shares), len(shares))))
    return 0.0 if np.isnan(value) else value


def shares_of(y: Ints, labels: int) -> Floats:
    """(labels,) the share of each label among `y`."""
    return np.asarray(np.bincount(y, minlength=labels) / len(y))


def _ranks(values: Floats) -> Floats:
    """Ranks from 0 to 1, equal values sharing their mean rank; rounding keeps noise of the last bits from ordering."""
    _, place, count = np.unique(np.round(values, 10), return_inverse=True, return_counts=True)
    return np.asarray(((np.cumsum(count) - count / 2) / len(values))[place])
