"""Agreement corrected for chance: the kappas, predictions matched to the answers' shares, two judges.

The kappas take confusion counts (..., k, k), gold in rows and predicted in columns, and return (...), so that one call
serves one benchmark, thirteen vectors or a thousand bootstrap replicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "STRAY",
    "Agreement",
    "accuracy",
    "agree",
    "agree_counts",
    "balanced_accuracy",
    "cohen",
    "cohen_of",
    "common_answers",
    "confusion",
    "matched",
    "matched_kappa",
    "median_over_splits",
    "pearson",
    "shares_of",
    "uniform",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def confusion(gold: NDArray[np.int64], predicted: NDArray[np.int64], labels: int) -> NDArray[np.int64]:
    """Counts (labels, labels) of two (n,) arrays of label numbers; gold in rows."""
    return np.bincount(gold * labels + predicted, minlength=labels * labels).reshape(labels, labels)


def accuracy(counts: NDArray[np.generic]) -> Floats:
    """Share of items predicted correctly; NaN without items."""
    c = np.asarray(counts, dtype=np.float64)
    return _ratio(np.trace(c, axis1=-2, axis2=-1), c.sum(axis=(-2, -1)))


def cohen(counts: NDArray[np.generic]) -> Floats:
    """kappa = (p_o - p_e) / (1 - p_e), p_e from the marginals of gold and prediction.

    0 is chance, 1 is a benchmark that gives itself away; always predicting one label gives exactly 0. NaN if p_e = 1,
    that is, if gold and prediction are the same single label. Cohen (1960).
    """
    c = np.asarray(counts, dtype=np.float64)
    total = c.sum(axis=(-2, -1))
    expected = _ratio((c.sum(axis=-1) * c.sum(axis=-2)).sum(axis=-1), total * total)
    return _ratio(accuracy(c) - expected, 1.0 - expected)


def cohen_of(gold: NDArray[np.int64], predicted: NDArray[np.integer], labels: int) -> float:
    """Cohen's kappa of two (n,) arrays of label numbers; NaN where it is undefined."""
    return float(cohen(confusion(gold, predicted.astype(np.int64), labels)))


def uniform(counts: NDArray[np.generic]) -> Floats:
    """(accuracy - 1/k) / (1 - 1/k), k the number of labels: what Pacchiardi et al. (2024) call kappa.

    0 is a fair die, 1 is perfect; with unbalanced labels, always predicting the most common one scores above 0. Also
    called S (Bennett, Alpert & Goldstein 1954). NaN for k = 1.
    """
    k = counts.shape[-1]
    if k < 2:
        return np.full(counts.shape[:-2], np.nan)
    return np.asarray((accuracy(counts) - 1 / k) / (1 - 1 / k))


def balanced_accuracy(counts: NDArray[np.generic]) -> Floats:
    """Share of items predicted correctly per label, averaged over the labels that occur; NaN without items."""
    c = np.asarray(counts, dtype=np.float64)
    support = c.sum(axis=-1)
    recall = _ratio(np.diagonal(c, axis1=-2, axis2=-1), support)
    occurs = support > 0
    return _ratio(np.where(occurs, recall, 0.0).sum(axis=-1), occurs.sum(axis=-1).astype(np.float64))


def _ratio(top: Floats, bottom: Floats) -> Floats:
    """top / bottom; NaN if bottom is 0."""
    safe = np.where(bottom == 0, 1.0, bottom)
    return np.where(bottom == 0, np.nan, np.asarray(top, dtype=np.float64) / safe)


def matched(probabilities: Floats, shares: Floats) -> NDArray[np.int64]:
    """(m,) label numbers, each given to about its share of the m items; no gold answer of these items is used.

    The most probable answer is the wrong question where answers are rare: with one rare answer in five items, a probe
    may rank nearly all rare items first and yet give the common answer to every one of them. Its kappa is then 0,
    although the text tells. Matched predictions ask how well the probe ranks the items. With balanced answers they
    hardly differ from the most probable ones.

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
    value = cohen_of(gold, matched(probabilities, shares), len(shares))
    return 0.0 if np.isnan(value) else value


def median_over_splits(values: Floats) -> Floats:
    """(V,) medians of (V, S) over the splits that have a number; NaN without any."""
    known = [row[~np.isnan(row)] for row in values]
    return np.array([float(np.median(row)) if len(row) else np.nan for row in known])


STRAY = 0.01
"""An answer with a smaller share of the items is a slip, not one more way of being wrong by chance."""


def common_answers(counts: Ints) -> int:
    """How many answers, given how often each occurs, are ways of being wrong by chance; at least 2."""
    return max(int((counts >= STRAY * counts.sum()).sum()), 2)


def shares_of(y: Ints, labels: int) -> Floats:
    """(labels,) the share of each label among `y`."""
    return np.asarray(np.bincount(y, minlength=labels) / len(y))


def _ranks(values: Floats) -> Floats:
    """Ranks from 0 to 1, equal values sharing their mean rank; rounding keeps noise of the last bits from ordering."""
    _, place, count = np.unique(np.round(values, 10), return_inverse=True, return_counts=True)
    return np.asarray(((np.cumsum(count) - count / 2) / len(values))[place])


@dataclass(frozen=True)
class Agreement:
    """Counts of two yes-or-no judgements of the same replies, and their agreement corrected for chance."""

    replies: int
    """Replies with both judgements."""
    both: int
    """Replies to which both judgements are yes."""
    first_only: int
    second_only: int
    neither: int
    kappa: float
    """(p_o - p_e) / (1 - p_e): 1 is full agreement, 0 what chance gives. NaN where p_e = 1. Cohen (1960)."""
    reason: str
    """Why kappa is undefined; empty where it is defined."""


def agree(first: Sequence[bool], second: Sequence[bool], words: tuple[str, str] = ("no", "yes")) -> Agreement:
    """The agreement of two judgements, reply by reply; `words` are what False and True are called.

    Kappa is NaN, with the reason, without replies and where both judgements are the same single word throughout:
    chance agrees fully then, and kappa says nothing.
    """
    counts = confusion(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), 2)
    (neither, second_only), (first_only, both) = counts.tolist()
    return agree_counts(both, first_only, second_only, neither, words)


def pearson(first: Sequence[float], second: Sequence[float]) -> tuple[float, str]:
    """Pearson's correlation of two judgements of the same replies, and why it is undefined; of marks it is phi.

    NaN without replies, and where a side says the same throughout: a constant correlates with nothing.
    """
    if not len(first):
        return nan, "there are no replies to compare"
    constant = [name for name, side in (("first", first), ("second", second)) if len(set(side)) == 1]
    if constant:
        return nan, f"{'each' if constant[1:] else f'the {constant[0]}'} judgement is the same for every reply"
    return float(np.asarray(np.corrcoef(first, second))[0, 1]), ""


def agree_counts(
    both: int, first_only: int, second_only: int, neither: int, words: tuple[str, str] = ("no", "yes")
) -> Agreement:
    """The same of counts."""
    replies = both + first_only + second_only + neither
    kappa, reason = nan, ""
    if not replies:
        reason = "there are no replies to compare"
    elif replies in (neither, both):
        reason = f"both judgements of every reply are {words[both > 0]!r}"
    else:
        kappa = float(cohen(np.array([[neither, second_only], [first_only, both]], dtype=np.int64)))
    return Agreement(replies, both, first_only, second_only, neither, kappa, reason)
