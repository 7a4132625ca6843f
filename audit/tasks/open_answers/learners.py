"""Strategies that learn from some items and answer others.

Ties go to the smallest number, and numbers follow the alphabet, so the order of the items changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.statistics.permutation import seeded

__all__ = ["Candidates", "Learner", "Lookup", "crossfit"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Learnt(NamedTuple):
    """What a strategy learnt of one cue."""

    cue: str
    right: int
    """Items for which following it is right, of those that have it."""
    items: int


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

    @cached_property
    def _codes(self) -> tuple[Ints, Ints]:
        """The item of every right answer, and one number for its feature and the answer."""
        item, place = np.nonzero(self.accepted >= 0)
        return item, self.feature[item] * (self.accepted.max() + 1) + self.accepted[item, place]

    def _most_common(self, train: Bools) -> tuple[Ints, Ints, Ints, int]:
        """(features, the most common answer of each, how often it is right, the most common answer of all)."""
        item, code = self._codes
        codes, counts = np.unique(code[train[item]], return_counts=True)
        features, answers = np.divmod(codes, self.accepted.max() + 1)
        order = np.lexsort((answers, -counts, features))
        first = order[np.unique(features[order], return_index=True)[1]]
        constant = int(np.bincount(answers, weights=counts).argmax()) if len(answers) else 0
        return features[first], answers[first], counts[first], constant

    def evidence(self, texts: Sequence[str]) -> list[Learnt]:
        """What was learnt from all items together, most often right first; `texts` are those of the answers."""
        features, answers, counts, _ = self._most_common(np.ones(len(self.feature), dtype=np.bool_))
        items = np.bincount(self.feature)
        rows = zip(features.tolist(), answers.tolist(), counts.tolist(), strict=True)
        cues = [Learnt(f"{self.signs[f]}: {texts[a]}", count, int(items[f])) for f, a, count in rows if self.signs]
        return sorted(cues, key=lambda cue: (-cue.right, cue.cue))

    def answers(self, train: Bools) -> Ints:
        """(n,) the number of the text that is given to each item, learnt from those of `train` (n,)."""
        features, answers, _, constant = self._most_common(train)
        given = np.full(int(self.feature.max()) + 1, constant, dtype=np.int64)
        given[features] = answers
        return given[self.feature]


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

    @cached_property
    def _right(self) -> Bools:
        answer = self.gold[self.text]
        return np.asarray(((answer[:, None] == self.accepted[self.item]) & (answer >= 0)[:, None]).any(axis=1))

    @cached_property
    def _useful(self) -> Ints:
        """The places of candidates whose cue is ever right: nobody learns the others."""
        return np.flatnonzero(np.bincount(self.cue[self._right], minlength=self._cues)[self.cue] > 0)

    @property
    def _cues(self) -> int:
        return int(self.cue.max()) + 1 if len(self.cue) else 0

    def evidence(self, texts: Sequence[str]) -> list[Learnt]:
        """The cues that were right most often among all items, the surest of them first."""
        items = np.bincount(self.cue, minlength=len(self.signs))
        hits = np.bincount(self.cue[self._right], minlength=len(self.signs))
        cues = [Learnt(self.signs[at], int(hits[at]), int(items[at])) for at in np.flatnonzero(hits).tolist()]
        return sorted(cues, key=lambda cue: (-cue.right * cue.right / cue.items, cue.cue))

    def answers(self, train: Bools) -> Ints:
        """As of `Lookup`."""
        out = Lookup("", "", np.zeros(len(self.accepted), dtype=np.int64), self.accepted).answers(train)
        share = float((out[0] == self.accepted[train]).any(axis=1).mean()) if train.any() else 0.0
        item, cue, text = self.item[self._useful], self.cue[self._useful], self.text[self._useful]
        if not len(item):
            return out
        learnt = train[item]
        tried = np.bincount(cue[learnt], minlength=self._cues)
        met = np.bincount(cue[learnt & self._right[self._useful]], minlength=self._cues)
        rate = ((met + 2 * share) / (tried + 2))[cue]
        items, starts, counts = np.unique(item, return_index=True, return_counts=True)
        best = np.maximum.reduceat(rate, starts)
        at = np.flatnonzero(rate == np.repeat(best, counts))
        first = at[np.unique(item[at], return_index=True)[1]]
        followed = (best > share) & (met[cue[first]] > 0)
        out[items[followed]] = text[first[followed]]
        return out


Learner = Lookup | Candidates
"""A strategy that learns."""


def crossfit(
    learners: Sequence[Learner],
    groups: Ints,
    is_right: Callable[[Ints], Bools],
    settings: Settings,
    *,
    scheme: str,
    splits: int,
) -> tuple[Floats, Ints]:
    """The share of the splits in which each learner is right for each item, and its guesses in the first split: (L, n).

    Every item is answered by what was learnt without its fold, and no group (n,) is in two folds. `is_right` says of a
    guess for each item whether it is right; `scheme` names the draws.
    """
    right = np.zeros((len(learners), len(groups)))
    first = np.zeros((len(learners), len(groups)), dtype=np.int64)
    for split in range(splits):
        random = seeded(settings.seed, "open-ended", scheme, split)
        fold = fold_numbers(np.zeros_like(groups), groups, settings.folds, random)
        for at, learner in enumerate(learners):
            guesses = np.zeros_like(groups)
            for held in np.unique(fold):
                guesses[fold == held] = learner.answers(fold != held)[fold == held]
            right[at] += is_right(guesses)
            if split == 0:
                first[at] = guesses
    return right / splits, first
