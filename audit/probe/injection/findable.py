"""The weakest injected cue of each kind that the audit would find four times in five."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.probe.crossfit import Fitting
from audit.probe.folds import fold_numbers
from audit.probe.injection.agreement import matched_kappa, mean_of_reader
from audit.probe.injection.crossing import crossing
from audit.probe.injection.forms import OF_LENGTH, Forms
from audit.probe.injection.markers import Draws
from audit.probe.injection.numbers import NumberBed, lengthened, reformatted
from audit.probe.injection.words import MODELS, VECTOR, WordBed
from audit.probe.logistic import Regularisation
from audit.probe.numbers.limits import Limit, limit_of
from audit.probe.spreading import in_threads
from audit.records.numbers import Findable
from audit.statistics.resampling import relabelled, seeded

if TYPE_CHECKING:
    from audit.features.table import FeatureTable

__all__ = ["FEWEST", "ITEMS", "MOST", "POWER", "smallest_found"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

POWER = 0.8
"""How often a cue must be found."""

ITEMS, FEWEST, MOST = 6000, 3, 8
"""Each cue is injected into as many relabellings as make so many items of two answers, within these limits. The fewer
items the more noise and the cheaper the fits; the more answers, the less noise and the dearer."""

WORDS = ((1, "1 word per answer"), (10, "10 words per answer"), (50, "50 words per answer"))
"""Synonyms per answer."""


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

    `y` and `groups` are (N,) numbers from 0. `limits` has the audit's test of each vector: of `word-1-presence`, and of
    the dense ones that are in the table.

    The answers are relabelled (`repeats` times; if None, the fewer items and answers the more often), so
    that cues of the author's own do not count. A cue of strength s is a marker that agrees with the answer with
    probability s and is drawn from the answers' shares otherwise; a perfect reader of it has kappa s. A probe is
    cross-fitted on the texts with the marker, and the mean kappa of its matched predictions is taken as a monotone
    function of the reader's kappa. The cue is found if that kappa plus normal noise exceeds what is critical
    (`Limit.wanted`). Words are injected into `word-1-presence`, length into `readability` and format into `format`; a
    kind whose dense vector is not in the table is left out. A dense probe of two forms varies more under the null than
    one of the texts as they are, so that an audit of texts with the cue is stricter: it is fitted on NULLS relabellings
    in which the forms say nothing.

    kappa is None for all kinds if the limit of words is NaN.
    """
    wanted = limit_of(limits, VECTOR.name).wanted(power)
    shares = np.bincount(y) / len(y)
    times = repeats or min(max(2 * ITEMS // (len(y) * len(shares)), FEWEST), MOST)
    answers = relabelled(y, groups, times, seeded(fitting.seed, "injection", "answers"))
    rounds = [_Round.prepare(table, z.copy(), groups, folds, fitting.seed, number) for number, z in enumerate(answers)]
    start, results = wanted, []
    for synonyms, kind in WORDS:
        strength = crossing(partial(_by_words, rounds, synonyms, fitting.workers), wanted, start)
        results.append(Findable(kind=kind, kappa=strength, ceiling=1.0))
        start = strength or 1.0  # more synonyms are never found from less
    forms = Forms(y, groups, folds, fitting, power)
    if "readability" in table.numbers:
        longer = lengthened(table.texts, seeded(fitting.seed, "injection", "sentences"))
        bed = NumberBed(table, "readability", longer)
        results.append(forms.smallest("length", bed, limits, OF_LENGTH * times))
    if "format" in table.numbers:
        bed = NumberBed(table, "format", reformatted(table.texts))
        results.append(forms.smallest("format", bed, limits, times))
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
        values.append(matched_kappa(entry.draws.y, _chosen(by_model, entry.draws.y, entry.fold)))
    return mean_of_reader([entry.draws for entry in rounds], strength), float(np.mean(values))


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
