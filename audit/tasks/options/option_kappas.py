"""The weakest injected cue of right options that would be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.findable import FEWEST, ITEMS, MOST, POWER, crossing
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import MODELS, VECTOR, WordBed
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.refitting import Limit, limit_of
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.result.numbers import Findable
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.options.option_crossfit import OptionTask, choice_kappa, chosen
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool

__all__ = ["smallest_found"]

# Golds are moved within their items, so that cues of the author's own do not count. A cue of strength s marks the right
# option with probability s, else any option of the item, so that a perfect reader of it has kappa s.

_WORDS = ((1, "1 word of right options"), (50, "50 words of right options"))
"""Synonyms; each marked option has one of them."""


def smallest_found(
    task: OptionTask, groups: Ints, fitting: Fitting, limits: Mapping[str, Limit], folds: int, power: float = POWER
) -> list[Findable]:
    """The smallest kappa of each kind of cue that is found with probability `power`.

    `limits` has the audit's test of each view: words are read by `word-1-presence`. None for a cue that is never found.
    """
    times = min(max(2 * ITEMS // len(task.pool.texts), FEWEST), MOST)
    marks = _marks(task, groups, fitting.seed, folds, times)
    beds = [WordBed(task.tables["option"], of.pool.answers(of.gold), of.fold[of.pool.item]) for of in marks]
    rounds = list(zip(marks, beds, strict=True))
    wanted = limit_of(limits, VECTOR.name).wanted(power)
    results, start = [], wanted
    for synonyms, kind in _WORDS:
        found_from = crossing(partial(_by_words, rounds, synonyms, fitting.workers), wanted, start)
        results.append(Findable(kind=kind, kappa=found_from))
        start = found_from or 1.0  # more synonyms are never found from less
    return results


@dataclass(frozen=True)
class _Marks:
    """One relabelling, cut into folds, with the chances of its marks."""

    pool: OptionPool
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
    def draw(cls, pool: OptionPool, gold: Ints, fold: Ints, random: np.random.Generator) -> _Marks:
        luck, which = random.random(pool.n), random.random(pool.n)
        other = pool.start[:-1] + np.floor(random.random(pool.n) * pool.size).astype(np.int64)
        return cls(pool, gold, fold, luck, other, which)

    def marked(self, strength: float) -> Ints:
        """(n,) the marked row of each item."""
        return np.where(self.luck < strength, self.gold, self.other)

    def reader(self, strength: float) -> float:
        """Kappa of a perfect reader of the mark."""
        return choice_kappa((self.marked(strength) == self.gold).astype(np.float64), self.pool.size)

    def hits(self, scores: Floats) -> Floats:
        """(n,) the share of the right option in each item's choice."""
        return np.asarray(chosen(scores, self.pool.start)[self.gold])


def _marks(task: OptionTask, groups: Ints, seed: int, folds: int, times: int) -> list[_Marks]:
    """`times` relabellings, each with folds and marks of its own."""
    pool, draw = task.pool, partial(seeded, seed, "injection", "answers")
    return [
        _Marks.draw(pool, gold, fold_numbers(pool.strata, groups, folds, draw("folds", number)), draw("marks", number))
        for number, gold in enumerate(task.relabelled(groups, times, draw()))
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
    for at, (entry, _) in enumerate(rounds):
        hits = np.stack([entry.hits(of) for of in fitted[at * len(MODELS) : (at + 1) * len(MODELS)]])
        values.append(choice_kappa(_best_elsewhere(hits, entry.fold), entry.pool.size))
    return float(np.mean([entry.reader(strength) for entry, _ in rounds])), float(np.mean(values))


def _best_elsewhere(hits: Floats, fold: Ints) -> Floats:
    """(n,) for each fold the hits (models, n) of the model that is best on the next fold; ties go to the first."""
    out, used = np.empty(hits.shape[1]), np.unique(fold)
    for here, following in zip(used, np.roll(used, -1), strict=True):
        best = int(hits[:, fold == following].sum(axis=1).argmax())
        out[fold == here] = hits[best, fold == here]
    return out
