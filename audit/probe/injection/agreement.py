"""Cohen's kappa of a cue's reader and of a probe's matched predictions, with 0 where it is undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.probe.injection.markers import Draws
from audit.probe.matching import matched
from audit.statistics import kappa

__all__ = ["matched_kappa", "mean_of_reader"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def mean_of_reader(rounds: Sequence[Draws], strength: float) -> float:
    """Mean kappa between marker and answer: near `strength`, and closer to what a probe can reach in these draws."""
    return float(np.mean([_kappa(draws.y, draws.markers(strength)) for draws in rounds]))


def matched_kappa(y: Ints, probabilities: Floats) -> float:
    """Kappa of the predictions that match the shares of the answers `y` (n,), from probabilities (n, labels)."""
    return _kappa(y, matched(probabilities, np.bincount(y, minlength=probabilities.shape[1]) / len(y)))


def _kappa(y: Ints, predicted: Ints) -> float:
    value = float(kappa.cohen(kappa.confusion(y, predicted, int(y.max()) + 1)))
    return 0.0 if math.isnan(value) else value
