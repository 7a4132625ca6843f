"""Which feature vectors look like a leak, before anything is done to doubt them."""

from __future__ import annotations

from audit.records.record import or_least
from audit.result import SchemeResult, Settings, VectorResult

__all__ = ["reaching", "strongest", "strongest_suspect", "suspects"]


def suspects(scheme: SchemeResult, settings: Settings) -> list[VectorResult]:
    """Counted vectors that leak as far as this scheme can tell, largest kappa first.

    Their matched kappa reaches the threshold, its simultaneous lower bound lies above the margin, and its corrected p
    is below alpha.
    """
    leaks = [
        vector
        for vector in reaching(scheme, settings.threshold)
        if (vector.bound or 0.0) > settings.margin and vector.significant(settings.alpha)
    ]
    return sorted(leaks, key=lambda vector: -(vector.matched or 0.0))


def reaching(scheme: SchemeResult, threshold: float) -> list[VectorResult]:
    """Counted vectors with a matched kappa >= `threshold`, significant or not."""
    return [vector for vector in scheme.counted if vector.matched is not None and vector.matched >= threshold]


def strongest(scheme: SchemeResult) -> VectorResult:
    """The counted vector with the largest matched kappa, the first in a tie; undefined ones come last."""
    return max(scheme.counted, key=lambda vector: or_least(vector.matched))


def strongest_suspect(scheme: SchemeResult, settings: Settings) -> str:
    """The first suspect, which the verdict would be about; without any, the counted vector with the largest kappa."""
    return (suspects(scheme, settings) or [strongest(scheme)])[0].vector
