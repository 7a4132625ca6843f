"""Every option is scored by a probe that never saw its item or any other item of its group; items choose one option.

The same design as `audit.probes.crossfit`: several splits, and within each, for every outer fold another fold chooses
the regularisation. A probe is fitted on rows ("is this the one?"), but chosen and judged by the options it picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.options.choosing import chosen, kappa
from audit.options.items.pool import Pool
from audit.options.views import View
from audit.probes.crossfit import Fitting, Rivals, chosen_in_pairs, draw_folds
from audit.probes.logistic import Training, fit
from audit.probes.spreading import in_threads

if TYPE_CHECKING:
    from audit.texts.feature_table import FeatureTable

__all__ = ["Bed", "Ints", "ViewScores", "crossfit", "crossfit_folds"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ViewScores:
    """The choices of one view's probes among the R options of n items, over S splits."""

    view: View
    shares: NDArray[np.float32]
    """(S, R) the share of its item's choice that each option gets (`choosing.chosen`); 0 for items left out."""
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
class Bed:
    """What does not change from fit to fit."""

    pool: Pool
    tables: dict[str, FeatureTable]
    fitting: Fitting

    def of(self, items: Ints) -> Bed:
        """The same for some items of the pool, ascending."""
        rows = self.pool.rows_of(items)
        return Bed(self.pool.taken(items), {name: table.of(rows) for name, table in self.tables.items()}, self.fitting)


def crossfit(
    bed: Bed, views: Sequence[View], gold: Ints, groups: Ints, *, scheme: str, folds: int, splits: int
) -> list[ViewScores]:
    """Out-of-fold choices of all items for each view; `gold` (n,) are rows, `groups` (n,) numbers from 0."""
    drawn = draw_folds(bed.pool.strata, groups, bed.fitting.seed, scheme, folds, splits)
    return crossfit_folds(bed, views, gold, drawn)


def crossfit_folds(bed: Bed, views: Sequence[View], gold: Ints, folds: Sequence[Ints]) -> list[ViewScores]:
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


def _cross(bed: Bed, view: View, gold: Ints, fold: Ints) -> _Split:
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


def _rivals(bed: Bed, view: View, gold: Ints, y: Ints, fold: Ints, outer: int, other: int) -> Rivals:
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
        return [kappa(values[of], pool.size[tested[of]]) for values in hits]

    return Rivals(models, parts.columns, kappas)


def _hits(pool: Pool, items: Ints, gold: Ints, scores: Floats) -> Floats:
    """(items,) the share of the right option in the choice of each item; `scores` are of their rows, item by item."""
    start = _starts(pool, items)
    return np.asarray(chosen(scores, start)[start[:-1] + gold[items] - pool.start[items]])


def _starts(pool: Pool, items: Ints) -> Ints:
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
