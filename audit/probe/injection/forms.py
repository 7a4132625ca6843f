"""Cues of two forms: how often the audit would find texts that are longer, or formatted otherwise, where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from audit.probe.crossfit import Fitting
from audit.probe.folds import fold_numbers
from audit.probe.injection.agreement import matched_kappa, mean_of_reader
from audit.probe.injection.crossing import crossing
from audit.probe.injection.markers import Draws, halves, reader_of_halves
from audit.probe.injection.numbers import NumberBed
from audit.probe.injection.words import MODELS
from audit.probe.numbers.limits import Limit, limit_of
from audit.probe.spreading import in_threads
from audit.records.numbers import Findable
from audit.statistics.resampling import relabelled, seeded

__all__ = ["NULLS", "OF_LENGTH", "Forms"]

Ints = NDArray[np.int64]

NULLS = 32
"""Relabellings on which a probe of the cue's own numbers is fitted without a cue."""

OF_LENGTH = 4
"""Length takes so many times as many relabellings: what its probe reaches varies more, and its fits are cheap."""


@dataclass(frozen=True)
class _Round:
    """One relabelling of the texts, cut into folds."""

    draws: Draws
    fold: Ints


@dataclass(frozen=True)
class Forms:
    """What cues of two forms have in common: the answers of N items, and how probes are fitted."""

    y: Ints
    """(N,) label numbers from 0."""
    groups: Ints
    folds: int
    fitting: Fitting
    power: float

    def smallest(self, kind: str, bed: NumberBed, limits: Mapping[str, Limit], times: int) -> Findable:
        """The smallest kappa of a cue of this kind that is found; answers are relabelled `times` times.

        More answers than two share two forms, so that the cue's reader cannot exceed a ceiling; it is 0 where the cue
        leaves the numbers as they are, as length does in a language whose readability is not measured.
        """
        if np.array_equal(bed.plain, bed.altered):
            return Findable(kind=kind, kappa=None, ceiling=0.0)
        limit = limit_of(limits, bed.vector.name)
        shares = np.bincount(self.y) / len(self.y)
        marked = halves(shares)
        top = reader_of_halves(shares, marked)
        null = self._kappas(bed, marked, self._rounds(NULLS, kind, "null"), 0.0)
        wanted = limit.wanted(self.power, float(np.std(null, ddof=1)))
        rounds = self._rounds(times, kind, "cue")

        def reached(strength: float) -> tuple[float, float]:
            kappas = self._kappas(bed, marked, rounds, strength)
            return mean_of_reader([entry.draws for entry in rounds], strength), float(np.mean(kappas))

        strength = crossing(reached, wanted, wanted / top)
        return Findable(kind=kind, kappa=None if strength is None else strength * top, ceiling=top)

    def _rounds(self, times: int, *name: str) -> list[_Round]:
        draw = partial(seeded, self.fitting.seed, "injection", *name)
        answers = [z.copy() for z in relabelled(self.y, self.groups, times, draw("answers"))]
        return [
            _Round(
                Draws.draw(z, draw("markers", number)),
                fold_numbers(z, self.groups, self.folds, draw("folds", number)),
            )
            for number, z in enumerate(answers)
        ]

    def _kappas(self, bed: NumberBed, marked: NDArray[np.bool_], rounds: list[_Round], strength: float) -> list[float]:
        """Of matched predictions, for each round."""

        def of(entry: _Round) -> float:
            altered = marked[entry.draws.markers(strength)]
            return matched_kappa(entry.draws.y, bed.probabilities(entry.draws.y, entry.fold, altered, MODELS[0]))

        return in_threads(of, rounds, self.fitting.workers)
