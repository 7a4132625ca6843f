"""Every option is scored by a probe that never saw its group; why the probe knows; and what it would have found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting, Scores
from hansproof.audit.probes.evidence import Evidence
from hansproof.audit.probes.findable import POWER, Injected, best_elsewhere, crossings, rounds_of
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import VECTOR, Draws, WordBed
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.refitting import Limit, limit_of
from hansproof.audit.probes.task import Accuracy, Task
from hansproof.audit.result.explanation import Giveaway
from hansproof.audit.result.numbers import Findable
from hansproof.audit.statistics.kappa import median_over_splits
from hansproof.audit.statistics.permutation import Null, seeded
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.split_probes import SplitBed, SplitRows

__all__ = [
    "OptionTask",
    "chance_of",
    "choice_kappa",
    "chosen",
    "giveaways",
    "influence",
    "largest_within",
    "letter",
    "shares_of",
    "smallest_found",
]


def chosen(scores: Floats, start: Ints) -> Floats:
    """(R,) the share of its item's choice that each row gets: 1 for the highest score, 1/t for t that tie, 0 else.

    A reader who cannot tell t options apart takes any of them, so that is what an expected hit is worth. `scores` (R,)
    are rounded, so that noise of the last bits breaks no tie; `start` (n + 1,) as in `OptionPool`.
    """
    size = np.diff(start)
    rounded = np.round(scores, 10)
    best = rounded == np.repeat(largest_within(rounded, start), size)
    return np.asarray(best / np.repeat(np.add.reduceat(best.astype(np.float64), start[:-1]), size))


def largest_within(values: Floats, start: Ints) -> Floats:
    """(n,) the largest value of each item."""
    return np.asarray(np.maximum.reduceat(values, start[:-1]))


def chance_of(size: Ints) -> float:
    """The accuracy of guessing: the mean of 1 / k over items of k options each."""
    return float((1 / size).mean())


def choice_kappa(hits: Floats | Sequence[float], size: Ints) -> float:
    """(accuracy - chance) / (1 - chance): 0 is guessing among the options, 1 is perfect; -1 / (k - 1) is never right.

    `hits` (n,) are shares of the right option, `size` (n,) numbers of options, at least 2; chance is the mean of 1 / k,
    which is what guessing gets on items of different sizes. Also called S (Bennett, Alpert & Goldstein 1954).
    NaN without items.
    """
    if not len(size):
        return float("nan")
    chance = chance_of(size)
    return (float(np.mean(hits)) - chance) / (1 - chance)


def influence(hits: Floats, size: Ints) -> Floats:
    """(n,) contribution of each item to the error of kappa, with mean 0: the delta method for a ratio of two means.

    ((h - accuracy) - (1 - kappa) (1 / k - chance)) / (1 - chance).
    """
    guess = 1 / size
    chance = guess.mean()
    accuracy = hits.mean()
    value = (accuracy - chance) / (1 - chance)
    return np.asarray((hits - accuracy - (1 - value) * (guess - chance)) / (1 - chance))


# A probe is fitted on rows ("is this the one?"), but chosen and judged by the options it picks.


@dataclass(frozen=True)
class OptionTask(Task):
    """Items with options of their own: the rows of an item are its options, labelled as wrong or right."""

    matched_as: ClassVar[type[np.generic]] = np.float32
    k: ClassVar[int] = 2

    pool: OptionPool
    position: tuple[float, float | None] | None = None
    """(accuracy, kappa unless it may be 0) of always choosing the same position, where positions mean something."""

    @property
    def gold(self) -> Ints:
        """The rows of the right options."""
        return self.pool.gold

    def taken(self, units: Ints) -> OptionTask:
        """As `Task` says."""
        rows = self.pool.rows_of(units)
        return OptionTask(
            {name: table.of(rows) for name, table in self.tables.items()}, self.pool.taken(units), self.position
        )

    def strata(self, gold: Ints) -> Ints:
        """The numbers of options."""
        return self.pool.strata

    def rows(self, units: Ints) -> Ints:
        """The options."""
        return self.pool.rows_of(units)

    def answers(self, gold: Ints) -> Ints:
        """1 for the right options, 0 for the wrong ones."""
        return self.pool.answers(gold)

    def matched(self, probabilities: Floats, units: Ints, shares: Floats) -> Floats:
        """The share of its item's choice that each option gets (`chosen`)."""
        return chosen(probabilities[:, 1], self._starts(units))

    def kappa(self, matched: NDArray[Any], gold: Ints, units: Ints) -> float:
        """That of the choices."""
        return choice_kappa(self.hits(matched, gold, units), self.pool.size[units])

    def influence(self, matched: NDArray[Any], gold: Ints, units: Ints) -> Floats:
        """That of a ratio of two means (`influence`)."""
        return np.stack([influence(self.hits(row, gold, units), self.pool.size[units]) for row in matched])

    def chance(self, units: Ints) -> float:
        """As `chance_of`."""
        return chance_of(self.pool.size[units])

    def relabelled(self, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
        """Golds move within their items (`rotated`)."""
        return rotated(self.pool, groups, times, random)

    def null(self, matched: NDArray[Any], units: Ints, groups: Ints, times: int, random: np.random.Generator) -> Null:
        """Of the kappas of choices (V, S, rows) that stay as they are while the golds move."""
        pool = self.pool if len(units) == self.pool.n else self.pool.taken(units)
        vectors, splits, _ = matched.shape
        rows = np.ascontiguousarray(matched.reshape(vectors * splits, -1).T)  # by row: each relabelling picks n of them
        chance = chance_of(pool.size)

        def kappas(gold: Ints) -> Floats:
            accuracy = rows[gold].mean(axis=0, dtype=np.float64)
            return np.asarray((accuracy - chance) / (1 - chance)).reshape(vectors, splits)

        moved = np.stack([kappas(gold) for gold in rotated(pool, groups, times, random)])
        return Null(kappas(pool.gold), moved)

    def expected_error(self, value: float, units: Ints) -> float:
        """Over independent items: each hit has chance v + (1 - v) / k."""
        size = self.pool.size[units]
        hit = value + (1 - value) / size
        return float(np.sqrt((hit * (1 - hit)).mean() / len(size)) / (1 - chance_of(size)))

    def accuracies(
        self, matched: NDArray[Any], predicted: NDArray[np.int16], units: Ints, groups: Ints,
        *, stretch: float, stretched_by: float,
    ) -> list[Accuracy]:  # fmt: skip
        """Those of the choices: kappa corrects for uniform chance."""
        kappas = np.array([[self.kappa(row, self.gold, units) for row in of] for of in matched])
        accuracy = [np.median(self.hits(of, self.gold, units).mean(axis=1)) for of in matched]
        return [Accuracy(*map(float, of)) for of in zip(median_over_splits(kappas), accuracy, strict=True)]

    @property
    def constant(self) -> tuple[float, float | None]:
        """Of the most common position; guessing has none."""
        return self.position or (chance_of(self.pool.size), None)

    def hits(self, matched: NDArray[Any], gold: Ints, units: Ints) -> Floats:
        """(..., m) the share of the right option in the choice of each of `units`."""
        places = self._starts(units)[:-1] + gold[units] - self.pool.start[units]
        return np.asarray(matched[..., places], dtype=np.float64)

    def _starts(self, units: Ints) -> Ints:
        """(m + 1,) where the rows of each item begin if only those of `units` are kept."""
        return np.concatenate(([0], np.cumsum(self.pool.size[units])))


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


_SHOWN = 10


def letter(place: int) -> str:
    """`A` for the first option."""
    return chr(ord("A") + place)


def giveaways(evidence: Evidence, pool: OptionPool, scores: Scores, ids: Sequence[str]) -> list[Giveaway]:
    """The items whose right option stands out most from the others, out of fold, and why; `ids` are (n,).

    The lead over the next option chooses them, because 1/2 means less where there are two options than where there
    are ten; they are listed by the probability of the right option, which reports show.
    """
    rows, pool = pool.rows_of(scores.units), pool.taken(scores.units)
    share = shares_of(pool, scores)
    gold = share[pool.gold]
    others = share.copy()
    others[pool.gold] = 0.0
    lead = gold - largest_within(others, pool.start)
    best = np.lexsort((np.arange(pool.n), -np.round(lead, 10)))[:_SHOWN]
    listed = []
    for item in sorted(best[lead[best] > 0].tolist(), key=lambda item: -round(float(gold[item]), 10)):
        first, right = int(pool.start[item]), int(pool.gold[item])
        prompt, offset = _shown(pool, item)
        # In marked texts, places are those of the marked text.
        marks = evidence.occurrences(int(rows[right]), 1) if scores.vector.table == "option" else []
        picked = first + int(share[first : int(pool.start[item + 1])].argmax())
        listed.append(
            Giveaway(
                id=ids[int(scores.units[item])],
                prompt=prompt,
                answer=f"{letter(right - first)}. {pool.texts[right]}",
                predicted=f"{letter(picked - first)}. {pool.texts[picked]}",
                probability=float(gold[item]),
                cues=[
                    msgspec.structs.replace(mark, start=mark.start + offset, end=mark.end + offset) for mark in marks
                ],
            )
        )
    return listed


def shares_of(pool: OptionPool, scores: Scores) -> Floats:
    """(R,) the probability of each option among those of its item: they add up to 1."""
    right = scores.probabilities[:, 1]
    total = np.add.reduceat(right, pool.start[:-1])
    equal = 1 / pool.size[pool.item]
    safe = np.where(total > 0, total, 1.0)[pool.item]
    return np.asarray(np.where(total[pool.item] > 0, right / safe, equal))


def _shown(pool: OptionPool, item: int) -> tuple[str, int]:
    """Question and options as one text, and where the text of the right option begins in it."""
    text, offset = pool.questions[item].rstrip(), 0
    for place, row in enumerate(range(int(pool.start[item]), int(pool.start[item + 1]))):
        text += f"\n{letter(place)}. "
        offset = len(text) if row == pool.gold[item] else offset
        text += pool.texts[row]
    return text, offset


# Golds are moved within their items, so that cues of the author's own do not count. A cue of strength s marks the right
# option with probability s, else any option of the item, so that a perfect reader of it has kappa s.

_WORDS = ((1, "1 word of right options"), (50, "50 words of right options"))
"""Synonyms; each marked option has one of them."""


def smallest_found(
    task: OptionTask,
    groups: Ints,
    fitting: Fitting,
    limits: Mapping[str, Limit],
    folds: int,
    power: float = POWER,
    split: SplitRows | None = None,
) -> list[Findable]:
    """The smallest kappa of each kind of cue that is found with probability `power`.

    With a `split`, cues are learnt from its training part, and those found in its test part count.

    `limits` has the audit's test of each view: words are read by `word-1-presence` of the options, the task's table
    "option". None for a cue that is never found.
    """
    pool = task.pool
    draw = partial(seeded, fitting.seed, "injection", "answers")
    rounds = []
    for k, gold in enumerate(task.relabelled(groups, rounds_of(len(pool.texts)), draw())):
        table, answers = task.tables["option"], pool.answers(gold)
        if split is None:
            fold = fold_numbers(pool.strata, groups, folds, draw("folds", k))
            words = WordBed(table, answers, fold[pool.item])
        else:
            words = SplitBed(table, answers, split.rows(task))
        tested = None if split is None else split.test
        rounds.append(_InjectedOptions.draw(pool, gold, words, draw("marks", k), tested))
    return crossings(rounds, _WORDS, limit_of(limits, VECTOR.name).wanted(power), fitting)


@dataclass(frozen=True)
class _InjectedOptions(Injected):
    """One relabelling of n items: its markers (n,) are the rows that get a word, its answers the rows of the golds."""

    pool: OptionPool = field(kw_only=True)

    @classmethod
    def draw(
        cls, pool: OptionPool, gold: Ints, bed: WordBed, random: np.random.Generator, tested: Ints | None
    ) -> _InjectedOptions:
        level, word = random.random(pool.n), random.random(pool.n)
        otherwise = pool.start[:-1] + np.floor(random.random(pool.n) * pool.size).astype(np.int64)
        return cls(Draws(gold, level, otherwise, word), bed, tested, pool=pool)

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
        here = slice(None) if self.tested is None else self.tested
        return choice_kappa(reader[here], pool.size[here]), choice_kappa(reached[here], pool.size[here])
