"""Strategies that learn from some items and answer others, counted once so that leaving folds out costs little.

Both learn by counting in folds: what was learnt without some folds follows from the counts of all items less those of
the folds. Ties go to the smallest number, and numbers follow the alphabet, so the order of the items changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Candidates", "Constant", "Learner", "Lookup"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Learnt(NamedTuple):
    """What a strategy learnt of one cue."""

    cue: str
    right: int
    """Items for which following it is right, of those that have it."""
    items: int


Taught = Callable[[Collection[int]], Ints]
"""Answers every item: (n,) the number of the text that was learnt for it without the folds given. The texts of the gold
answers have the numbers of these answers."""


@dataclass(frozen=True)
class Lookup:
    """Gives the most common answer among the items with the same feature; over all items for a feature that is new."""

    name: str
    description: str
    feature: Ints
    """(n,) number of each item's feature."""
    accepted: Ints
    """(n, m) numbers of the answers that are right for it, -1 for none."""
    signs: Sequence[str] = ()
    """What each feature is called; empty for features that are mere numbers."""

    def evidence(self, texts: Sequence[str]) -> list[Learnt]:
        """What was learnt from all items together, most often right first; `texts` are those of the answers."""
        item, place = np.nonzero(self.accepted >= 0)
        pairs, counts = np.unique(
            np.stack([self.feature[item], self.accepted[item, place]]), axis=1, return_counts=True
        )
        items = np.bincount(self.feature)
        best: dict[int, Learnt] = {}
        for feature, answer, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
            if self.signs and (feature not in best or count > best[feature].right):
                best[feature] = Learnt(f"{self.signs[feature]}: {texts[answer]}", count, int(items[feature]))
        return sorted(best.values(), key=lambda cue: (-cue.right, cue.cue))

    def prepared(self, fold: Ints, folds: int) -> Taught:
        """The counts of each (feature, answer) by fold."""
        item, place = np.nonzero(self.accepted >= 0)
        answers = int(self.accepted.max()) + 1
        codes, pair = np.unique(self.feature[item] * answers + self.accepted[item, place], return_inverse=True)
        counts = np.bincount(fold[item] * len(codes) + pair, minlength=folds * len(codes)).reshape(folds, len(codes))
        of_pair, answer = codes // answers, codes % answers

        def taught(held: Collection[int]) -> Ints:
            learnt = counts.sum(axis=0) - counts[list(held)].sum(axis=0)
            features, starts = np.unique(of_pair, return_index=True)
            most = np.maximum.reduceat(learnt, starts)
            at = np.flatnonzero(learnt == np.repeat(most, np.diff([*starts.tolist(), len(learnt)])))
            first = at[np.unique(of_pair[at], return_index=True)[1]]
            best = np.where(most > 0, answer[first], np.bincount(answer, weights=learnt).argmax())
            return np.asarray(best[np.searchsorted(features, self.feature)])

        return taught


def Constant(accepted: Ints) -> Lookup:  # noqa: N802
    """Always gives the most common answer."""
    return Lookup("constant", "always the most common answer", np.zeros(len(accepted), dtype=np.int64), accepted)


@dataclass(frozen=True)
class Candidates:
    """Every prompt offers candidates under cues; the cue under which candidates were right most often is followed.

    A cue's rate is (hits + 2 c) / (tries + 2), where c is the rate of the most common answer, so that a cue that was
    met once does not rule; where no cue beats c, the most common answer is given.
    """

    name: str
    description: str
    item: Ints
    """(E,) the item of each candidate, ascending."""
    cue: Ints
    """(E,) the number of its cue, ascending within an item."""
    text: Ints
    """(E,) the number of its text."""
    gold: Ints
    """(T,) the number of the gold answer that each text is, -1 for a text that is nobody's gold."""
    accepted: Ints
    """(n, m)"""
    signs: Sequence[str] = ()
    """The cues, in the order of their numbers."""

    def evidence(self, texts: Sequence[str]) -> list[Learnt]:
        """The cues that were right most often among all items, the surest of them first."""
        answer = self.gold[self.text]
        right = ((answer[:, None] == self.accepted[self.item]) & (answer >= 0)[:, None]).any(axis=1)
        items = np.bincount(self.cue, minlength=len(self.signs))
        hits = np.bincount(self.cue[right], minlength=len(self.signs))
        cues = [Learnt(self.signs[at], int(hits[at]), int(items[at])) for at in np.flatnonzero(hits).tolist()]
        return sorted(cues, key=lambda cue: (-cue.right * cue.right / cue.items, cue.cue))

    def prepared(self, fold: Ints, folds: int) -> Taught:
        """The hits and tries of each cue by fold; cues that are never right are left out, as nobody learns them."""
        answer = self.gold[self.text]
        right = ((answer[:, None] == self.accepted[self.item]) & (answer >= 0)[:, None]).any(axis=1)
        cues = int(self.cue.max()) + 1 if len(self.cue) else 0
        useful = np.bincount(self.cue[right], minlength=cues) > 0
        kept = useful[self.cue]
        item, cue, hit = self.item[kept], self.cue[kept], right[kept]
        place = fold[item] * cues + cue
        tries = np.bincount(place, minlength=folds * cues).reshape(folds, cues)
        hits = np.bincount(place[hit], minlength=folds * cues).reshape(folds, cues)
        text, constant = self.text[kept], Constant(self.accepted).prepared(fold, folds)

        def taught(held: Collection[int]) -> Ints:
            out = constant(held)
            learnt_from = ~np.isin(fold, list(held))
            share = float((out[0] == self.accepted[learnt_from]).any(axis=1).mean()) if learnt_from.any() else 0.0
            if not len(item):
                return out
            out = out.copy()
            met = hits.sum(axis=0) - hits[list(held)].sum(axis=0)
            tried = tries.sum(axis=0) - tries[list(held)].sum(axis=0)
            rate = ((met + 2 * share) / (tried + 2))[cue]
            items, starts = np.unique(item, return_index=True)
            best = np.maximum.reduceat(rate, starts)
            at = np.flatnonzero(rate == np.repeat(best, np.diff([*starts.tolist(), len(rate)])))
            first = at[np.unique(item[at], return_index=True)[1]]
            followed = (best > share) & (met[cue[first]] > 0)
            out[items[followed]] = text[first[followed]]
            return out

        return taught


Learner = Lookup | Candidates
"""A strategy that learns; `prepared` is told the folds once and returns what answers."""
