"""The weakest injected cue of each kind that the audit would find four times in five."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.probe.crossfit import Fitting
from audit.probe.folds import fold_numbers
from audit.probe.injection.markers import Draws, halves, reader_of_halves
from audit.probe.injection.numbers import NumberBed, lengthened, reformatted
from audit.probe.injection.words import WordBed
from audit.probe.logistic import REGULARISATIONS, Regularisation
from audit.probe.matching import matched
from audit.probe.spreading import in_threads
from audit.records.numbers import Findable
from audit.statistics import kappa
from audit.statistics.resampling import relabelled, seeded

if TYPE_CHECKING:
    from audit.features.table import FeatureTable

__all__ = ["FEWEST", "ITEMS", "MODELS", "MOST", "POWER", "crossing", "limit_of", "smallest_found"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

POWER = 0.8
"""How often a cue must be found."""

ITEMS, FEWEST, MOST = 6000, 3, 8
"""Each cue is injected into as many relabellings as make so many items of two answers, within these limits. The fewer
items the more noise and the cheaper the fits; the more answers, the less noise and the dearer."""

STEP = 1.4
"""Factor from one strength to the next; between two, the kappa reached is interpolated."""

MODELS = tuple(replace(how, tolerance=1e-2) for how in REGULARISATIONS)
"""The audit's own, solved loosely: the mean kappa of many injections moves by less than .005, and fits take a fifth of
the time."""

WORDS = ((1, "1 word per answer"), (10, "10 words per answer"), (50, "50 words per answer"))
"""Synonyms per answer."""


def limit_of(limits: Mapping[str, tuple[float, float]], vector: str) -> tuple[float, float]:
    """The kappa above which `vector` would be significant with a cue in the texts, and the sd of a kappa.

    `limits` has both for every vector as the texts are. Where the kappa of `vector` cannot vary, its limit is infinite:
    twins of the same words and opposite answers are predicted alike. A cue would part them, so the strictest limit of
    the vectors that do vary takes its place; an infinite one stays if there are none.
    """
    if math.isfinite(limits[vector][0]):
        return limits[vector]
    return max((limit for limit in limits.values() if math.isfinite(limit[0])), default=limits[vector])


def smallest_found(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    fitting: Fitting,
    *,
    critical: float,
    spread: float,
    own: Mapping[str, tuple[float, float]] | None = None,
    folds: int = 5,
    power: float = POWER,
    repeats: int | None = None,
) -> list[Findable]:
    """The smallest kappa of each kind of cue that is found with probability `power`, in the order of the kinds.

    `y` and `groups` are (N,) numbers from 0. `critical` is the kappa above which the audit's test is significant after
    its correction, and `spread` the standard deviation of a probe's kappa, both of `word-1-presence`; `own` gives them
    for the dense vectors, if they differ.

    The answers are relabelled (`repeats` times; if None, the fewer items and answers the more often), so
    that cues of the author's own do not count. A cue of strength s is a marker that agrees with the answer with
    probability s and is drawn from the answers' shares otherwise; a perfect reader of it has kappa s. A probe is
    cross-fitted on the texts with the marker, and the mean kappa of its matched predictions is taken as a monotone
    function of the reader's kappa. The cue is found if that kappa plus normal noise of sd `spread` exceeds `critical`:
    with probability `power` where the mean is critical + z(power) spread. Words are injected into `word-1-presence`,
    length into `readability` and format into `format`; a kind whose dense vector is not in the table is left out.

    kappa is None for all kinds if `critical` or `spread` is NaN.
    """
    wanted = critical + NormalDist().inv_cdf(power) * spread
    shares = np.bincount(y) / len(y)
    times = repeats or min(max(2 * ITEMS // (len(y) * len(shares)), FEWEST), MOST)
    answers = relabelled(y, groups, times, seeded(fitting.seed, "injection", "answers"))
    rounds = [_Round.prepare(table, z.copy(), groups, folds, fitting.seed, number) for number, z in enumerate(answers)]
    start, results = wanted, []
    for synonyms, kind in WORDS:
        strength = crossing(partial(_by_words, rounds, synonyms, fitting.workers), wanted, start)
        results.append(Findable(kind=kind, kappa=strength, ceiling=1.0))
        start = strength or 1.0  # more synonyms are never found from less

    def wanted_of(vector: str) -> float:
        least, noise = (own or {}).get(vector, (critical, spread))
        if math.isinf(least):  # the author's numbers never vary, so there was nothing to test
            least, noise = critical, spread
        return least + NormalDist().inv_cdf(power) * noise

    marked = halves(shares)
    top = reader_of_halves(shares, marked)
    if "readability" in table.numbers:
        longer = lengthened(table.texts, seeded(fitting.seed, "injection", "sentences"))
        bed = NumberBed(table, "readability", longer)
        results.append(_by_two_forms("length", bed, rounds, marked, wanted_of("readability"), top))
    if "format" in table.numbers:
        bed = NumberBed(table, "format", reformatted(table.texts))
        results.append(_by_two_forms("format", bed, rounds, marked, wanted_of("format"), top))
    return results


@dataclass(frozen=True)
class _Round:
    """One relabelling of the texts, cut into folds, with the chances of its markers."""

    draws: Draws
    fold: Ints
    words: WordBed

    @classmethod
    def prepare(cls, table: FeatureTable, y: Ints, groups: Ints, folds: int, seed: int, number: int) -> _Round:
        fold = fold_numbers(y, groups, folds, seeded(seed, "injection", "folds", number))
        return cls(Draws.draw(y, seeded(seed, "injection", "markers", number)), fold, WordBed(table, y, fold))


def _by_words(rounds: list[_Round], synonyms: int, workers: int, strength: float) -> tuple[float, float]:
    """Mean kappa of the marker and of a probe's predictions, if each marker is one of `synonyms` words."""

    def probabilities(job: tuple[Regularisation, _Round]) -> Floats:
        how, entry = job
        return entry.words.probabilities(entry.draws.columns(strength, synonyms), synonyms * entry.words.labels, how)

    jobs = [(how, entry) for entry in rounds for how in MODELS]
    fitted = in_threads(probabilities, jobs, workers)
    values = []
    for r, entry in enumerate(rounds):
        by_model = np.stack(fitted[r * len(MODELS) : (r + 1) * len(MODELS)])
        values.append(_matched_kappa(entry.draws.y, _chosen(by_model, entry.draws.y, entry.fold)))
    return _reader(rounds, strength), float(np.mean(values))


def _chosen(by_model: Floats, y: Ints, fold: Ints) -> Floats:
    """(N, labels) for each fold the probabilities (models, N, labels) of the model that is best on the next fold.

    As in the audit, one fifth of the items chooses the model for others. Ties go to the first.
    """
    out = np.empty(by_model.shape[1:])
    right = by_model.argmax(axis=2) == y
    used = np.unique(fold)
    for here, following in zip(used, np.roll(used, -1), strict=True):
        best = int(right[:, fold == following].sum(axis=1).argmax())
        out[fold == here] = by_model[best, fold == here]
    return out


def _by_two_forms(
    kind: str, bed: NumberBed, rounds: list[_Round], marked: NDArray[np.bool_], wanted: float, top: float
) -> Findable:
    def reached(strength: float) -> tuple[float, float]:
        values = []
        for entry in rounds:
            y, altered = entry.draws.y, marked[entry.draws.markers(strength)]
            values.append(_matched_kappa(y, bed.probabilities(y, entry.fold, altered, MODELS[0])))
        return _reader(rounds, strength), float(np.mean(values))

    strength = crossing(reached, wanted, wanted / top)
    return Findable(kind=kind, kappa=None if strength is None else strength * top, ceiling=top)


def _reader(rounds: list[_Round], strength: float) -> float:
    """Mean kappa between marker and answer: near `strength`, and closer to what a probe can reach in these draws."""
    return float(np.mean([_kappa(entry.draws.y, entry.draws.markers(strength)) for entry in rounds]))


def _matched_kappa(y: Ints, probabilities: Floats) -> float:
    return _kappa(y, matched(probabilities, np.bincount(y, minlength=probabilities.shape[1]) / len(y)))


def _kappa(y: Ints, predicted: Ints) -> float:
    value = float(kappa.cohen(kappa.confusion(y, predicted, int(y.max()) + 1)))
    return 0.0 if math.isnan(value) else value


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
