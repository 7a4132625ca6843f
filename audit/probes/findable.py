"""The weakest injected cue of each kind that the audit would find four times in five."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import VECTOR, Draws, WordBed
from hansproof.audit.probes.logistic import REGULARISATIONS, Regularisation
from hansproof.audit.probes.refitting import Limit, limit_of
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.result.numbers import Findable
from hansproof.audit.statistics.kappa import cohen_of, matched_kappa, shares_of
from hansproof.audit.statistics.permutation import relabelled, seeded

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["POWER", "WORDS", "Injected", "best_elsewhere", "crossings", "rounds_of", "smallest_found"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


STEP = 1.4
"""Factor from one strength to the next; between two, the kappa reached is interpolated."""


def crossing(reached: Callable[[float], tuple[float, float]], wanted: float, start: float) -> float | None:
    """The reader's kappa at which the kappa that a probe reaches is `wanted`; None if even strength 1 is too weak.

    `reached` gives both for a strength from 0 to 1. Strengths move from `start` by a factor until one suffices and the
    next lower one does not, or is below `wanted` itself, which nothing can exceed but by luck. A monotone fit through
    all of them and (0, 0) is interpolated linearly.
    """
    from scipy.optimize import isotonic_regression

    if not wanted < 1 or start > 1:
        return None
    strengths = [min(max(start, 0.01) * STEP**step, 1.0) for step in range(-20, 40)]
    points = {0.0: (0.0, 0.0)}
    at = 20
    while strengths[at] not in points:
        points[strengths[at]] = reached(strengths[at])
        if points[strengths[at]][1] < wanted:
            at += 1
        elif strengths[at] > wanted and at:
            at -= 1
    reader, values = np.array([points[strength] for strength in sorted(points)]).T
    rising = isotonic_regression(values).x
    if rising[-1] < wanted:
        return None
    at = int(np.argmax(rising >= wanted))
    share = (wanted - rising[at - 1]) / (rising[at] - rising[at - 1])
    return float(reader[at - 1] + share * (reader[at] - reader[at - 1]))


POWER = 0.8
"""How often a cue must be found."""

ITEMS, FEWEST, MOST = 6000, 3, 8
"""Each cue is injected into as many relabellings as make so many items of two answers, within these limits. The fewer
items the more noise and the cheaper the fits; the more answers, the less noise and the dearer."""

WORDS = ((1, "1 word per answer"), (50, "50 words per answer"))
"""Synonyms per answer: the cue that is found first, and one that takes more than any cue of length or format."""


@dataclass(frozen=True)
class Injected:
    """One relabelling of N texts, into which a cue of any strength can be put.

    A task whose items are not texts with labels says in a subclass what is marked and how kappa is reached.
    """

    draws: Draws
    bed: WordBed
    tested: Ints | None = None
    """The items that count; None for all."""

    def probabilities(self, how: Regularisation, synonyms: int, strength: float) -> Floats:
        """Out-of-fold probabilities (N, labels) with the cue in the texts."""
        return self.bed.probabilities(self.draws.columns(strength, synonyms), synonyms * self.bed.labels, how)

    def kappas(self, by_model: Floats, strength: float) -> tuple[float, float]:
        """(kappa of a perfect reader of the cue, of what the models (models, N, labels) predict)."""
        y, labels = self.draws.y, self.bed.labels
        here = slice(None) if self.tested is None else self.tested
        chosen = best_elsewhere(by_model, by_model.argmax(axis=2) == y, self.bed.fold)[here]
        gold, markers = y[here], self.draws.markers(strength)[here]
        return cohen_of(gold, markers, labels), matched_kappa(gold, chosen, shares_of(gold, labels))


def rounds_of(cells: int) -> int:
    """How many relabellings items times answers (`cells`) take."""
    return min(max(2 * ITEMS // cells, FEWEST), MOST)


def crossings(
    rounds: Sequence[Injected], kinds: Sequence[tuple[int, str]], wanted: float, fitting: Fitting
) -> list[Findable]:
    """The smallest kappa of each of the `kinds` (synonyms, name) from which probes reach a mean kappa of `wanted`.

    `fitting.progress` hears of each kind. kappa is None for kinds that never reach it, and for all if `wanted` is NaN.
    """

    def reached(synonyms: int, strength: float) -> tuple[float, float]:
        jobs = [(how, entry) for entry in rounds for how in REGULARISATIONS]
        fitted = in_threads(lambda job: job[1].probabilities(job[0], synonyms, strength), jobs, fitting.workers)
        models = len(REGULARISATIONS)
        by_round = [np.stack(fitted[at : at + models]) for at in range(0, len(jobs), models)]
        pairs = [entry.kappas(of, strength) for entry, of in zip(rounds, by_round, strict=True)]
        reader, probe = (float(np.mean(values)) for values in zip(*pairs, strict=True))
        return reader, probe

    results, start = [], wanted
    for synonyms, kind in kinds:
        smallest = crossing(partial(reached, synonyms), wanted, start)
        results.append(Findable(kind=kind, kappa=smallest))
        start = smallest or 1.0  # more synonyms are never found from less
        fitting.progress(1)
    return results


def best_elsewhere(by_model: Floats, right: NDArray[Any], fold: Ints) -> Floats:
    """(N, ...) for each fold what (models, N, ...) the model says that is most often `right` (models, N) on the next.

    As in the audit, one fifth of the items chooses the model for others. Ties go to the first.
    """
    out = np.empty(by_model.shape[1:])
    used = np.unique(fold)
    for here, following in zip(used, np.roll(used, -1), strict=True):
        best = int(right[:, fold == following].sum(axis=1).argmax())
        out[fold == here] = by_model[best, fold == here]
    return out


def smallest_found(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    fitting: Fitting,
    *,
    limits: Mapping[str, Limit],
    folds: int = 5,
    power: float = POWER,
    repeats: int | None = None,
) -> list[Findable]:
    """The smallest kappa of each kind of cue that is found with probability `power`, in the order of the kinds.

    `y` and `groups` are (N,) numbers from 0. `limits` has the audit's test of each vector.

    The answers are relabelled (`repeats` times; if None, the fewer items and answers the more often), so
    that cues of the author's own do not count. A cue of strength s is a marker that agrees with the answer with
    probability s and is drawn from the answers' shares otherwise; a perfect reader of it has kappa s. A probe is
    cross-fitted on the texts with the marker, and the mean kappa of its matched predictions is taken as a monotone
    function of the reader's kappa. The cue is found if that kappa plus normal noise exceeds what is critical
    (`Limit.wanted`). Words are injected into `word-1-presence`.

    kappa is None for all kinds if the limit of words is NaN. `fitting.progress` hears of each kind.
    """
    times = repeats or rounds_of(len(y) * (int(y.max()) + 1))
    draw = partial(seeded, fitting.seed, "injection")
    rounds = []
    for number, relabelling in enumerate(relabelled(y, groups, times, draw("answers"))):
        z = relabelling.copy()
        bed = WordBed(table, z, fold_numbers(z, groups, folds, draw("folds", number)))
        rounds.append(Injected(Draws.draw(z, draw("markers", number)), bed))
    return crossings(rounds, WORDS, limit_of(limits, VECTOR.name).wanted(power), fitting)
