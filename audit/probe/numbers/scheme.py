"""From the scores of labels under one scheme to its numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.probe.crossfit import Ints, Scores
from audit.probe.numbers.kappas import Kappas, interval_ends, median_over_splits
from audit.probe.numbers.measured import Measured, Stretch
from audit.records.numbers import SchemeName
from audit.result import Settings
from audit.statistics import kappa
from audit.statistics.intervals import errors, expected_error
from audit.statistics.resampling import seeded
from audit.statistics.significance import Null

__all__ = ["STRAY", "common_answers", "measure"]


STRAY = 0.01
"""An answer with a smaller share of the items is a slip, not one more way of being wrong by chance."""

_MEASURES = (kappa.uniform, kappa.accuracy, kappa.balanced_accuracy)


def measure(
    name: SchemeName,
    y: Ints,
    groups: Ints,
    labels: int,
    scores: list[Scores],
    settings: Settings,
    counted: Collection[str],
    refitted: Callable[[Sequence[Scores], float], Stretch] = lambda strongest, null_sd: Stretch(),
) -> Measured[Scores]:
    """Statistics of `scores` against gold labels `y` (N,); items of one of the `groups` (N,) belong together.

    `counted` names the vectors that decide the verdict and that the correction covers. `refitted` is given the scores
    of the three counted vectors with the largest kappas and the standard deviation of the first one's null
    distribution, and says by how much refitting widens errors and null.
    """
    rows = scores[0].rows
    gold = y[rows]
    held = np.unique(groups[rows], return_inverse=True)[1]
    deciding = np.array([vector.vector.name in counted for vector in scores])
    matched = np.stack([vector.matched for vector in scores])
    kappas = _kappas(gold, matched, labels)
    null = Null(gold, matched, held, labels, settings.permutations, seeded(settings.seed, "permutation"))
    judged = Kappas.judged(
        kappas,
        deciding,
        null,
        partial(errors, gold, matched, held, labels, kappas),
        expected_error(settings.threshold, np.bincount(gold, minlength=labels) / len(gold), len(gold)),
        settings,
        lambda strongest, null_sd: refitted([scores[v] for v in strongest], null_sd),
    )
    plain = np.stack([vector.predicted for vector in scores])
    plain_kappas = _kappas(gold, plain, labels)
    stretch = judged.stretch
    plain_errors = errors(
        gold, plain, held, labels, plain_kappas, stretch=stretch.sampling, stretched_by=stretch.degrees
    )
    measures = [[_measures(gold, row, labels) for row in of] for of in plain]
    cohen = median_over_splits(plain_kappas)
    cohen_low, cohen_high = interval_ends(cohen, plain_errors)
    uniform, accuracy, balanced = (
        median_over_splits(np.array([[of[place] for of in row] for row in measures])) for place in range(len(_MEASURES))
    )
    vectors = [
        judged.entry(
            v,
            known.vector,
            known,
            uniform=uniform[v],
            accuracy=accuracy[v],
            cohen=(cohen[v], cohen_low[v], cohen_high[v]),
            balanced_accuracy=balanced[v],
        )
        for v, known in enumerate(scores)
    ]
    counts = np.bincount(y, minlength=labels)
    share = float(counts.max() / len(y))
    common = common_answers(counts)
    return judged.measured(
        name,
        scores,
        vectors,
        scored=len(rows),
        majority_accuracy=share,
        majority_uniform=(share - 1 / common) / (1 - 1 / common),
    )


def common_answers(counts: Ints) -> int:
    """How many answers, given how often each occurs, are ways of being wrong by chance; at least 2."""
    return max(int((counts >= STRAY * counts.sum()).sum()), 2)


def _measures(gold: Ints, predicted: NDArray[np.int16], labels: int) -> list[float]:
    """What `_MEASURES` say of predictions (n,); no table of answers by answers outlives it."""
    table = kappa.confusion(gold, predicted.astype(np.int64), labels)
    return [float(measure_of(table)) for measure_of in _MEASURES]


def _kappas(gold: Ints, predicted: NDArray[np.int16], labels: int) -> NDArray[np.float64]:
    """(V, S) Cohen's kappas of predictions (V, S, n); NaN where undefined."""
    return np.array(
        [[float(kappa.cohen(kappa.confusion(gold, row.astype(np.int64), labels))) for row in of] for of in predicted]
    )
