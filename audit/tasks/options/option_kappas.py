"""From choices to numbers: null, kappas, what refitting widens, and the weakest cue that would be found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.findable import POWER, Injected, best_elsewhere, crossings, rounds_of
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import VECTOR, Draws, WordBed
from hansproof.audit.probes.kappas import Kappas, MeasuredScheme, RefitWidening, number
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.refitting import REFITS, Limit, limit_of, null_ratio, ratio_of_halvings
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.numbers import Findable, SchemeName
from hansproof.audit.statistics.intervals import errors_of
from hansproof.audit.statistics.permutation import Null, seeded
from hansproof.audit.tasks.options.option_crossfit import (
    OptionsDesign,
    ViewScores,
    chance_of,
    choice_kappa,
    chosen,
    crossfit_folds,
    expected_error,
    influence,
)
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.options.views import View

__all__ = ["measure", "null_stretch", "sampling_stretch", "smallest_found"]


def rotated(pool: OptionPool, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
    """`times` relabellings (n,), each the row of a new gold, under the null that options and goldness are unrelated.

    Within an item every option is then as likely to be gold. All items of one of the `groups` (n,) move together, by
    the same share of a full turn along `OptionPool.turns`: items with the same options get the same option as gold, if
    they had, and a pair that differed still differs. Where the items of a group have as many options, these moves form
    a group of transformations, of which the golds as they are count as one, and p = (b + 1) / (B + 1) holds (Hemerik &
    Goeman 2018). Items that stand alone draw their gold anew.
    """
    place = np.empty(len(pool.texts), dtype=np.int64)
    place[pool.turns] = np.arange(len(pool.texts)) - np.repeat(pool.start[:-1], pool.size)
    own, first = place[pool.gold], pool.start[:-1]
    count = int(groups.max()) + 1
    for _ in range(times):
        shift = np.floor(random.random(count)[groups] * pool.size).astype(np.int64)
        yield pool.turns[first + (own + shift) % pool.size]


def null_of(
    pool: OptionPool, groups: Ints, shares: NDArray[np.float32], times: int, random: np.random.Generator
) -> Null:
    """The null distribution of the kappas of choices (V, S, R) that stay as they are while the golds move."""
    vectors, splits, _ = shares.shape
    rows = np.ascontiguousarray(shares.reshape(vectors * splits, -1).T)  # by row: each relabelling picks n of them
    chance = float((1 / pool.size).mean())

    def kappas(gold: Ints) -> Floats:
        accuracy = rows[gold].mean(axis=0, dtype=np.float64)
        return np.asarray((accuracy - chance) / (1 - chance)).reshape(vectors, splits)

    moved = np.stack([kappas(gold) for gold in rotated(pool, groups, times, random)])
    return Null.of(kappas(pool.gold), moved)


def measure(
    name: SchemeName,
    pool: OptionPool,
    groups: Ints,
    scores: list[ViewScores],
    settings: Settings,
    constant: tuple[float, float] | None,
    refitted: Callable[[ViewScores, float], RefitWidening],
) -> MeasuredScheme[ViewScores]:
    """Statistics of `scores`; items of one of the `groups` (n,) count as one.

    `constant` is (accuracy, kappa) of always choosing the same position, where positions mean something.
    `refitted` is given the scores of the counted view with the largest kappa and the standard deviation of its null,
    and says by how much refitting widens errors and null.
    """
    counted = np.array([of.view.counted for of in scores])
    hits = np.stack([of.shares[:, pool.gold] for of in scores]).astype(np.float64)
    kappas = np.array([[choice_kappa(row, pool.size) for row in of] for of in hits])
    shares = np.stack([of.shares for of in scores])
    parts = (np.stack([influence(row, pool.size) for row in of]) for of in hits)
    judged = Kappas.judged(
        kappas,
        counted,
        null_of(pool, groups, shares, settings.permutations, seeded(settings.seed, "permutation")),
        partial(errors_of, parts, groups, kappas, chance_of(pool.size)),
        expected_error(settings.threshold, pool.size),
        settings,
        lambda strongest, null_sd: refitted(scores[strongest], null_sd),
    )
    accuracy = np.median(hits.mean(axis=2), axis=1)
    vectors = [
        judged.entry(v, known.view, known, uniform=judged.middle[v], accuracy=accuracy[v])
        for v, known in enumerate(scores)
    ]
    return judged.measured(
        name,
        scores,
        vectors,
        scored=pool.n,
        majority_accuracy=constant[0] if constant else chance_of(pool.size),
        majority_uniform=number(constant[1]) if constant else None,
    )


def sampling_stretch(bed: OptionsDesign, groups: Ints, view: View, folds: int) -> float:
    """Ratio of the standard error of kappa with refitting to that of fixed choices, at least 1."""
    alone = replace(bed, fitting=replace(bed.fitting, workers=1))
    pool = bed.pool

    def measured(fold: Ints, own: Ints) -> tuple[float, float]:
        return _kappa_and_variance(alone, view, pool.gold, own, fold)

    return ratio_of_halvings(pool.strata, groups, measured, bed.fitting.seed, bed.fitting.workers, folds)


def null_stretch(bed: OptionsDesign, groups: Ints, view: View, folds: int, fixed_sd: float) -> float:
    """Ratio of the standard deviation of kappa under relabelling with refitting to `fixed_sd`, at least 1.

    1 if `fixed_sd` is 0 or NaN.
    """
    if not fixed_sd > 0:
        return 1.0
    pool, seed = bed.pool, bed.fitting.seed
    alone = replace(bed, fitting=replace(bed.fitting, workers=1))
    golds = list(rotated(pool, groups, REFITS, seeded(seed, "refits")))

    def refit(number: int) -> float:
        fold = fold_numbers(pool.strata, groups, folds, seeded(seed, "refits", number))
        return _kappa_and_variance(alone, view, golds[number], groups, fold)[0]

    return null_ratio(in_threads(refit, range(REFITS), bed.fitting.workers), fixed_sd)


def _kappa_and_variance(bed: OptionsDesign, view: View, gold: Ints, groups: Ints, fold: Ints) -> tuple[float, float]:
    """Kappa of one split and its variance if the choices are held fixed; `groups` of the items used."""
    items = np.flatnonzero(fold >= 0)
    size = bed.pool.size[items]
    (scores,) = crossfit_folds(bed, [view], gold, [fold])
    hits = scores.shares[0, gold[items]].astype(np.float64)
    value = choice_kappa(hits, size)
    se = errors_of([influence(hits, size)[None]], groups, np.array([[value]]), chance_of(size)).se[0]
    return value, float(se) ** 2


# Golds are moved within their items, so that cues of the author's own do not count. A cue of strength s marks the right
# option with probability s, else any option of the item, so that a perfect reader of it has kappa s.

_WORDS = ((1, "1 word of right options"), (50, "50 words of right options"))
"""Synonyms; each marked option has one of them."""


def smallest_found(
    bed: OptionsDesign, groups: Ints, limits: Mapping[str, Limit], folds: int, power: float = POWER
) -> list[Findable]:
    """The smallest kappa of each kind of cue that is found with probability `power`.

    `limits` has the audit's test of each view: words are read by `word-1-presence`. None for a cue that is never found.
    """
    pool = bed.pool
    draw = partial(seeded, bed.fitting.seed, "injection", "answers")
    rounds = []
    for k, gold in enumerate(rotated(pool, groups, rounds_of(len(pool.texts)), draw())):
        fold = fold_numbers(pool.strata, groups, folds, draw("folds", k))
        words = WordBed(bed.tables["option"], pool.answers(gold), fold[pool.item])
        rounds.append(_InjectedOptions.draw(pool, gold, words, draw("marks", k)))
    return crossings(rounds, _WORDS, limit_of(limits, VECTOR.name).wanted(power), bed.fitting)


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
