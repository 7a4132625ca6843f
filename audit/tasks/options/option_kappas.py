"""The weakest injected cue of right options that would be found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.findable import POWER, Injected, best_elsewhere, crossings, rounds_of
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import VECTOR, Draws, WordBed
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.refitting import Limit, limit_of
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
    pool = task.pool
    draw = partial(seeded, fitting.seed, "injection", "answers")
    rounds = []
    for k, gold in enumerate(task.relabelled(groups, rounds_of(len(pool.texts)), draw())):
        fold = fold_numbers(pool.strata, groups, folds, draw("folds", k))
        words = WordBed(task.tables["option"], pool.answers(gold), fold[pool.item])
        rounds.append(_InjectedOptions.draw(pool, gold, words, draw("marks", k)))
    return crossings(rounds, _WORDS, limit_of(limits, VECTOR.name).wanted(power), fitting)


@dataclass(frozen=True)
class _InjectedOptions(Injected):
    """One relabelling of n items: its markers (n,) are the rows that get a word, its answers the rows of the golds."""

    pool: OptionPool

    @classmethod
    def draw(cls, pool: OptionPool, gold: Ints, bed: WordBed, random: np.random.Generator) -> _InjectedOptions:
        level, word = random.random(pool.n), random.random(pool.n)
        otherwise = pool.start[:-1] + np.floor(random.random(pool.n) * pool.size).astype(np.int64)
        return cls(Draws(gold, level, otherwise, word), bed, pool)

    def probabilities(self, how: Regularisation, synonyms: int, strength: float) -> Floats:
        """(R, 2) as in the base."""
        words = np.full(len(self.pool.texts), -1, dtype=np.int64)
        words[self.draws.markers(strength)] = np.floor(self.draws.word * synonyms).astype(np.int64)
        return self.bed.probabilities(words, synonyms, how)

    def kappas(self, by_model: Floats, strength: float) -> tuple[float, float]:
        """As in the base; `by_model` is (models, R, 2)."""
        pool, gold = self.pool, self.draws.y
        hits = np.stack([chosen(of[:, 1], pool.start)[gold] for of in by_model])
        reader = (self.draws.markers(strength) == gold).astype(np.float64)
        reached = best_elsewhere(hits, hits, self.bed.fold[pool.start[:-1]])
        return choice_kappa(reader, pool.size), choice_kappa(reached, pool.size)
