"""Every option is scored by a probe that never saw its group; and why the probe knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting, Rivals, chosen_in_pairs, draw_folds
from hansproof.audit.probes.evidence import Evidence, shown_model
from hansproof.audit.probes.kappas import MeasuredScheme
from hansproof.audit.probes.logistic import Training, fit
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.result.explanation import Cue, Giveaway, Occurrence
from hansproof.audit.result.record import or_least
from hansproof.audit.tasks.options.option_rows import Floats, Ints, OptionPool
from hansproof.audit.tasks.options.views import View, shown_ngram

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = [
    "RIGHT",
    "WRONG",
    "OptionEvidence",
    "OptionsDesign",
    "ViewScores",
    "best_ngram_view",
    "chance_of",
    "choice_kappa",
    "chosen",
    "crossfit",
    "crossfit_folds",
    "expected_error",
    "influence",
    "largest_within",
    "letter",
    "shares_of",
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


def expected_error(value: float, size: Ints) -> float:
    """Standard error of kappa over independent items if it is truly `value`: each hit has chance v + (1 - v) / k."""
    hit = value + (1 - value) / size
    return float(np.sqrt((hit * (1 - hit)).mean() / len(size)) / (1 - chance_of(size)))


# The same design as `audit.probes.crossfit`: several splits, and within each, for every outer fold another fold chooses
# the regularisation. A probe is fitted on rows ("is this the one?"), but chosen and judged by the options it picks.


@dataclass(frozen=True)
class ViewScores:
    """The choices of one view's probes among the R options of n items, over S splits."""

    view: View
    shares: NDArray[np.float32]
    """(S, R) the share of its item's choice that each option gets (`chosen`); 0 for items left out."""
    probabilities: Floats
    """(R,) out-of-fold probability of being the right one, averaged over the splits."""
    validation: float
    """Kappa of the chosen regularisation on the validation parts, averaged; NaN if nothing was chosen."""
    regularisation: list[str]
    features: int
    """Median over folds."""
    validations: tuple[float, ...] = ()
    """Kappa on the validation part of every fold of every split."""


@dataclass(frozen=True)
class OptionsDesign:
    """What does not change from fit to fit."""

    pool: OptionPool
    tables: dict[str, FeatureTable]
    fitting: Fitting

    def quiet(self) -> OptionsDesign:
        """The same without progress."""
        return replace(self, fitting=self.fitting.quiet())

    def of(self, items: Ints) -> OptionsDesign:
        """The same for some items of the pool, ascending."""
        rows = self.pool.rows_of(items)
        return OptionsDesign(
            self.pool.taken(items), {name: table.of(rows) for name, table in self.tables.items()}, self.fitting
        )


def crossfit(
    bed: OptionsDesign, views: Sequence[View], gold: Ints, groups: Ints, *, scheme: str, folds: int, splits: int
) -> list[ViewScores]:
    """Out-of-fold choices of all items for each view; `gold` (n,) are rows, `groups` (n,) numbers from 0."""
    drawn = draw_folds(bed.pool.strata, groups, bed.fitting.seed, scheme, folds, splits)
    return crossfit_folds(bed, views, gold, drawn)


def crossfit_folds(bed: OptionsDesign, views: Sequence[View], gold: Ints, folds: Sequence[Ints]) -> list[ViewScores]:
    """The same for given splits, each the fold (n,) of every item; items of fold -1 take no part."""
    jobs = [(fold, view) for view in views for fold in folds]

    def task(job: tuple[Ints, View]) -> _Split:
        split = _cross(bed, job[1], gold, job[0])
        bed.fitting.progress(1)
        return split

    done = in_threads(task, jobs, bed.fitting.workers)
    count = len(folds)
    return [_scores(view, done[v * count : (v + 1) * count]) for v, view in enumerate(views)]


@dataclass(frozen=True)
class _Split:
    shares: NDArray[np.float32]
    probabilities: NDArray[np.float32]
    names: list[str]
    validation: list[float]
    features: list[int]


def _cross(bed: OptionsDesign, view: View, gold: Ints, fold: Ints) -> _Split:
    pool, y = bed.pool, bed.pool.answers(gold)
    used = [int(number) for number in np.unique(fold[fold >= 0])]
    probabilities, shares = np.zeros(len(y)), np.zeros(len(y), dtype=np.float32)
    choices = chosen_in_pairs(
        used, bed.fitting.candidates, lambda outer, other: _rivals(bed, view, gold, y, fold, outer, other)
    )
    sizes = []
    for outer in used:
        choice, test = choices[outer], np.flatnonzero(fold == outer)
        train, held = pool.rows_of(np.flatnonzero((fold >= 0) & (fold != outer))), pool.rows_of(test)
        parts = bed.tables[view.table].parts(view.vector, train, held, y[train])
        sizes.append(len(parts.columns))
        model = fit(Training(parts.train, y[train]), choice.how, choice.start(parts.columns))
        probabilities[held] = model.probabilities(parts.held, 2)[:, 1]
        shares[held] = chosen(probabilities[held], _starts(pool, test))
    names = [choices[outer].how.name for outer in used]
    return _Split(shares, probabilities.astype(np.float32), names, [choices[outer].kappa for outer in used], sizes)


def _rivals(bed: OptionsDesign, view: View, gold: Ints, y: Ints, fold: Ints, outer: int, other: int) -> Rivals:
    """The candidates, fitted without the items of two folds and asked about both."""
    pool = bed.pool
    seen = pool.rows_of(np.flatnonzero((fold >= 0) & (fold != outer) & (fold != other)))
    tested = np.flatnonzero((fold == outer) | (fold == other))
    parts = bed.tables[view.table].parts(view.vector, seen, pool.rows_of(tested), y[seen])
    training = Training(parts.train, y[seen])
    models = [fit(training, how) for how in bed.fitting.candidates]
    hits = [_hits(pool, tested, gold, model.probabilities(parts.held, 2)[:, 1]) for model in models]

    def kappas(validation: int) -> list[float]:
        of = fold[tested] == validation
        return [choice_kappa(values[of], pool.size[tested[of]]) for values in hits]

    return Rivals(models, parts.columns, kappas)


def _hits(pool: OptionPool, items: Ints, gold: Ints, scores: Floats) -> Floats:
    """(items,) the share of the right option in the choice of each item; `scores` are of their rows, item by item."""
    start = _starts(pool, items)
    return np.asarray(chosen(scores, start)[start[:-1] + gold[items] - pool.start[items]])


def _starts(pool: OptionPool, items: Ints) -> Ints:
    """(items + 1,) where the rows of each item begin if only those of `items` are kept."""
    return np.concatenate(([0], np.cumsum(pool.size[items])))


def _scores(view: View, parts: Sequence[_Split]) -> ViewScores:
    validation = [value for part in parts for value in part.validation]
    return ViewScores(
        view=view,
        shares=np.stack([part.shares for part in parts]),
        probabilities=np.mean([part.probabilities for part in parts], axis=0, dtype=np.float64),
        validation=float(np.mean(validation)),
        regularisation=[name for part in parts for name in part.names],
        features=int(np.median([size for part in parts for size in part.features])),
        validations=tuple(validation),
    )


WRONG, RIGHT = "a wrong option", "the right option"
"""What an n-gram points to."""

_SHOWN = 10


def letter(place: int) -> str:
    """`A` for the first option."""
    return chr(ord("A") + place)


def best_ngram_view(scheme: MeasuredScheme[ViewScores], named: str) -> ViewScores:
    """The scores of the view `named` if it has n-grams to show, otherwise of the strongest that has."""
    if _has_ngrams(scheme.of(named).view):
        return scheme.of(named)
    kappas = {entry.vector: or_least(entry.matched) for entry in scheme.result.vectors}
    return max((of for of in scheme.scores if _has_ngrams(of.view)), key=lambda of: kappas[of.view.name])


def _has_ngrams(view: View) -> bool:
    return view.vector.kind == "ngram" and view.table != "whole"


class OptionEvidence:
    """The probe of one view, refitted on all options, and only to be looked at."""

    def __init__(self, bed: OptionsDesign, scores: ViewScores) -> None:
        self._pool, self._scores = bed.pool, scores
        self.how = shown_model(scores.regularisation, bed.fitting.candidates)
        """The regression behind the weights."""
        y, table = bed.pool.answers(bed.pool.gold), bed.tables[scores.view.table]
        self._evidence = Evidence(table, y, (WRONG, RIGHT), scores.view.vector, self.how)

    def cues(self) -> list[Cue]:
        """The n-grams with the largest standardised weight for right and for wrong options."""
        return [msgspec.structs.replace(cue, ngram=shown_ngram(cue.ngram)) for cue in self._evidence.cues()]

    def giveaways(self, ids: list[str]) -> list[Giveaway]:
        """The items whose right option stands out most from the others, out of fold, and why; `ids` are (n,).

        The lead over the next option chooses them, because 1/2 means less where there are two options than where there
        are ten; they are listed by the probability of the right option, which reports show.
        """
        pool, scores = self._pool, self._scores
        share = shares_of(pool, scores)
        gold = share[pool.gold]
        others = share.copy()
        others[pool.gold] = 0.0
        lead = gold - largest_within(others, pool.start)
        best = np.lexsort((np.arange(pool.n), -np.round(lead, 10)))[:_SHOWN]
        shown = sorted(best[lead[best] > 0].tolist(), key=lambda item: -round(float(gold[item]), 10))
        return [self._giveaway(item, ids, share) for item in shown]

    def _giveaway(self, item: int, ids: list[str], share: Floats) -> Giveaway:
        pool, first, gold = self._pool, int(self._pool.start[item]), int(self._pool.gold[item])
        prompt, offset = _shown(pool, item)
        marks: list[Occurrence] = []
        if self._scores.view.table == "option":  # in marked texts, places are those of the marked text
            marks = [
                msgspec.structs.replace(mark, start=mark.start + offset, end=mark.end + offset)
                for mark in self._evidence.occurrences(gold, 1)
            ]
        picked = first + int(share[first : int(pool.start[item + 1])].argmax())
        return Giveaway(
            id=ids[item],
            prompt=prompt,
            answer=f"{letter(gold - first)}. {pool.texts[gold]}",
            predicted=f"{letter(picked - first)}. {pool.texts[picked]}",
            probability=float(share[gold]),
            cues=marks,
        )


def shares_of(pool: OptionPool, scores: ViewScores) -> Floats:
    """(R,) the probability of each option among those of its item: they add up to 1."""
    total = np.add.reduceat(scores.probabilities, pool.start[:-1])
    equal = 1 / pool.size[pool.item]
    safe = np.where(total > 0, total, 1.0)[pool.item]
    return np.asarray(np.where(total[pool.item] > 0, scores.probabilities / safe, equal))


def _shown(pool: OptionPool, item: int) -> tuple[str, int]:
    """Question and options as one text, and where the text of the right option begins in it."""
    text, offset = pool.questions[item].rstrip(), 0
    for place, row in enumerate(range(int(pool.start[item]), int(pool.start[item + 1]))):
        text += f"\n{letter(place)}. "
        offset = len(text) if row == pool.gold[item] else offset
        text += pool.texts[row]
    return text, offset
