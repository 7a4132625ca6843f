"""The weakest injected cue of each kind that the audit would find four times in five."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.injected_cues import MODELS, VECTOR, Draws, WordBed
from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.probes.refitting import Limit, limit_of
from hansproof.audit.probes.spreading import in_threads
from hansproof.audit.result.numbers import Findable
from hansproof.audit.statistics.kappa import cohen_of, matched_kappa, shares_of
from hansproof.audit.statistics.permutation import relabelled, seeded

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["FEWEST", "ITEMS", "MOST", "POWER", "crossing", "smallest_found"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def mean_of_reader(draws: Sequence[Draws], strength: float) -> float:
    """Mean kappa between marker and answer: near `strength`, and closer to what a probe can reach in these draws."""
    return float(np.mean([cohen_of(of.y, of.markers(strength), int(of.y.max()) + 1) for of in draws]))


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
    wanted = limit_of(limits, VECTOR.name).wanted(power)
    shares = np.bincount(y) / len(y)
    times = repeats or min(max(2 * ITEMS // (len(y) * len(shares)), FEWEST), MOST)
    answers = relabelled(y, groups, times, seeded(fitting.seed, "injection", "answers"))
    draw = partial(seeded, fitting.seed, "injection")
    rounds: list[_WordRound] = []
    for number, z in enumerate(answers):
        fold = fold_numbers(z, groups, folds, draw("folds", number))
        rounds.append((Draws.draw(z.copy(), draw("markers", number)), WordBed(table, z.copy(), fold)))
    start, results = wanted, []
    for synonyms, kind in WORDS:
        strength = crossing(partial(_by_words, rounds, synonyms, fitting.workers), wanted, start)
        results.append(Findable(kind=kind, kappa=strength))
        start = strength or 1.0  # more synonyms are never found from less
        fitting.progress(1)
    return results


_WordRound = tuple[Draws, WordBed]
"""One relabelling of the texts, cut into folds, with the chances of its markers."""


def _by_words(rounds: list[_WordRound], synonyms: int, workers: int, strength: float) -> tuple[float, float]:
    """Mean kappa of the marker and of a probe's predictions, if each marker is one of `synonyms` words."""

    def probabilities(job: tuple[Regularisation, _WordRound]) -> Floats:
        how, (draws, words) = job
        return words.probabilities(draws.columns(strength, synonyms), synonyms * words.labels, how)

    jobs = [(how, entry) for entry in rounds for how in MODELS]
    fitted = in_threads(probabilities, jobs, workers)
    values = []
    for r, (draws, words) in enumerate(rounds):
        by_model = np.stack(fitted[r * len(MODELS) : (r + 1) * len(MODELS)])
        chosen = _chosen(by_model, draws.y, words.fold)
        values.append(matched_kappa(draws.y, chosen, shares_of(draws.y, chosen.shape[1])))
    return mean_of_reader([draws for draws, _ in rounds], strength), float(np.mean(values))


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
