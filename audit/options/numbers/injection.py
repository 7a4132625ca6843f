"""The weakest cue put into the right options that the audit would find four times in five.

As in `audit.probe.injection`: golds are moved within their items, so that cues of the author's own do not count. A cue
of strength s marks the right option with probability s, else any option of the item, so that a perfect reader of it
has kappa s. A probe is cross-fitted on the marked options, and the smallest s at which its kappa suffices is sought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from audit.options.choosing import chosen, kappa, largest_within
from audit.options.crossfit import Bed
from audit.options.cues import ranks_within
from audit.options.items.pool import Pool
from audit.options.numbers.null import rotated
from audit.options.views import CUES
from audit.probes.findable import FEWEST, ITEMS, MOST, NULLS, OF_LENGTH, POWER, crossing
from audit.probes.folds import fold_numbers
from audit.probes.injected_cues import MODELS, VECTOR, WordBed
from audit.probes.logistic import Regularisation, Training, fit
from audit.probes.refitting import Limit, limit_of
from audit.probes.spreading import in_threads
from audit.result.numbers import Findable
from audit.statistics.permutation import seeded

__all__ = ["smallest_found"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_WORDS = ((1, "1 word of right options"), (10, "10 words of right options"), (50, "50 words of right options"))
"""Synonyms; each marked option has one of them."""

_LONGER = 1.2
"""A marked option becomes the longest of its item, by so much."""


def smallest_found(
    bed: Bed, groups: Ints, limits: Mapping[str, Limit], folds: int, power: float = POWER
) -> list[Findable]:
    """The smallest kappa of each kind of cue that is found with probability `power`.

    `limits` has the audit's test of each view: words are read by `word-1-presence`, length by the option cues. None
    for a cue that is never found.
    """
    times = min(max(2 * ITEMS // len(bed.pool.texts), FEWEST), MOST)
    marks = _marks(bed, groups, folds, times, "answers")
    beds = [WordBed(bed.tables["option"], of.pool.answers(of.gold), of.fold[of.pool.item]) for of in marks]
    rounds = list(zip(marks, beds, strict=True))
    wanted = limit_of(limits, VECTOR.name).wanted(power)
    results, start = [], wanted
    for synonyms, kind in _WORDS:
        found_from = crossing(partial(_by_words, rounds, synonyms, bed.fitting.workers), wanted, start)
        results.append(Findable(kind=kind, kappa=found_from, ceiling=1.0))
        start = found_from or 1.0  # more synonyms are never found from less
    values, workers = bed.tables["option"].numbers[CUES.name], bed.fitting.workers
    null = _lengths_read(_marks(bed, groups, folds, NULLS, "null"), values, workers, 0.0)
    wanted = limit_of(limits, CUES.name).wanted(power, float(np.std(null, ddof=1)))
    longest = _marks(bed, groups, folds, OF_LENGTH * times, "longest")
    longer = crossing(partial(_by_length, longest, values, workers), wanted, wanted)
    results.append(Findable(kind="length", kappa=longer, ceiling=1.0))
    return results


@dataclass(frozen=True)
class _Marks:
    """One relabelling, cut into folds, with the chances of its marks."""

    pool: Pool
    gold: Ints
    fold: Ints
    """(n,)"""
    luck: Floats
    """(n,) a mark of strength s is on the right option where this is below s."""
    other: Ints
    """(n,) the row that is marked otherwise."""
    which: Floats
    """(n,) which synonym, 0 to 1."""

    @classmethod
    def draw(cls, pool: Pool, gold: Ints, fold: Ints, random: np.random.Generator) -> _Marks:
        luck, which = random.random(pool.n), random.random(pool.n)
        other = pool.start[:-1] + np.floor(random.random(pool.n) * pool.size).astype(np.int64)
        return cls(pool, gold, fold, luck, other, which)

    def marked(self, strength: float) -> Ints:
        """(n,) the marked row of each item."""
        return np.where(self.luck < strength, self.gold, self.other)

    def reader(self, strength: float) -> float:
        """Kappa of a perfect reader of the mark."""
        return kappa((self.marked(strength) == self.gold).astype(np.float64), self.pool.size)

    def hits(self, scores: Floats) -> Floats:
        """(n,) the share of the right option in each item's choice."""
        return np.asarray(chosen(scores, self.pool.start)[self.gold])


def _marks(bed: Bed, groups: Ints, folds: int, times: int, name: str) -> list[_Marks]:
    """`times` relabellings, each with folds and marks of its own."""
    pool = bed.pool
    draw = partial(seeded, bed.fitting.seed, "injection", name)
    return [
        _Marks.draw(pool, gold, fold_numbers(pool.strata, groups, folds, draw("folds", number)), draw("marks", number))
        for number, gold in enumerate(rotated(pool, groups, times, draw()))
    ]


def _by_words(
    rounds: Sequence[tuple[_Marks, WordBed]], synonyms: int, workers: int, strength: float
) -> tuple[float, float]:
    """Mean kappa of the mark and of a probe's choices, if the mark is one of `synonyms` words."""

    def scores(job: tuple[Regularisation, tuple[_Marks, WordBed]]) -> Floats:
        how, (entry, bed) = job
        words = np.full(len(entry.pool.texts), -1, dtype=np.int64)
        words[entry.marked(strength)] = np.floor(entry.which * synonyms).astype(np.int64)
        return bed.probabilities(words, synonyms, how)[:, 1]

    jobs = [(how, entry) for entry in rounds for how in MODELS]
    fitted = in_threads(scores, jobs, workers)
    values = []
    for number, (entry, _) in enumerate(rounds):
        hits = np.stack([entry.hits(of) for of in fitted[number * len(MODELS) : (number + 1) * len(MODELS)]])
        values.append(kappa(_best_elsewhere(hits, entry.fold), entry.pool.size))
    return float(np.mean([entry.reader(strength) for entry, _ in rounds])), float(np.mean(values))


def _best_elsewhere(hits: Floats, fold: Ints) -> Floats:
    """(n,) for each fold the hits (models, n) of the model that is best on the next fold; ties go to the first."""
    out, used = np.empty(hits.shape[1]), np.unique(fold)
    for here, following in zip(used, np.roll(used, -1), strict=True):
        best = int(hits[:, fold == following].sum(axis=1).argmax())
        out[fold == here] = hits[best, fold == here]
    return out


def _by_length(rounds: Sequence[_Marks], values: Floats, workers: int, strength: float) -> tuple[float, float]:
    """The same if the marked option is the longest of its item, read by the option cues."""
    read = _lengths_read(rounds, values, workers, strength)
    return float(np.mean([entry.reader(strength) for entry in rounds])), float(np.mean(read))


def _lengths_read(rounds: Sequence[_Marks], values: Floats, workers: int, strength: float) -> list[float]:
    """The kappa of each round."""

    def read(entry: _Marks) -> float:
        return kappa(entry.hits(_scores(entry, _lengthened(entry, values, strength))), entry.pool.size)

    return in_threads(read, rounds, workers)


def _lengthened(entry: _Marks, values: Floats, strength: float) -> Floats:
    """The cues (R, p) with the marked options longer: characters and words are columns 0 and 2, their ranks follow."""
    out, rows, start = values.copy(), entry.marked(strength), entry.pool.start
    for column in (0, 2):
        out[rows, column] = np.log1p(np.ceil(_LONGER * np.expm1(largest_within(values[:, column], start))))
        out[:, column + 1] = ranks_within(out[:, column], start)
    return out


def _scores(entry: _Marks, values: Floats) -> Floats:
    """(R,) out-of-fold probabilities of a regression on numbers, standardised on the training rows."""
    y, fold, out = entry.pool.answers(entry.gold), entry.fold[entry.pool.item], np.empty(len(values))
    for number in np.unique(fold):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        mean, deviation = values[train].mean(axis=0), values[train].std(axis=0)
        scaled = (values - mean) / np.where(deviation > 0, deviation, 1.0)
        model = fit(Training(csr_matrix(scaled[train]), y[train]), MODELS[0])
        out[test] = model.probabilities(csr_matrix(scaled[test]), 2)[:, 1]
    return out
