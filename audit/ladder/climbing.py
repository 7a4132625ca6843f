"""The ladder measured: the kappa of each rung, what it adds to the rung before, and the simplest that is enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np

from audit.ladder.rungs import LABELS, ORDER, FittedRung
from audit.ladder.sentence import in_words
from audit.probes.crossfit import Ints, Scores
from audit.probes.kappas import RefitWidening, measure
from audit.result.audit_result import Settings, VectorResult
from audit.result.shortcuts import Ladder, Rung, SingleNgram
from audit.statistics.intervals import paired_errors
from audit.texts.vectors import Vector

__all__ = ["KEEPS", "NEGLIGIBLE", "Climb", "ladder_of", "rung_of"]

KEEPS = 0.8
"""Least share of the best rung's kappa that a simpler rung must keep to be enough: with few items, noise alone would
let any rung pass for as good as the best."""

NEGLIGIBLE = 0.01
"""A smaller difference of kappas is none, however sure it is."""


@dataclass(frozen=True)
class Climb:
    """What all rungs of one ladder share."""

    y: Ints
    """(N,) label numbers."""
    groups: Ints
    """(N,) group numbers."""
    labels: int
    settings: Settings
    stretch: RefitWidening
    """Of the scheme whose folds the rungs share."""

    def ladder(self, steps: Sequence[FittedRung], *, uniform: float | None, ngram: SingleNgram | None = None) -> Ladder:
        """The rungs of `steps` (one or more, for all N items each) above that of the most common answer.

        `uniform` is the uniform-chance kappa of that answer. Steps with different numbers of splits are tested apart
        and their p corrected for that (Bonferroni); differences are paired over the splits that both have.
        """
        ordered = sorted(steps, key=lambda step: ORDER.index(step.name))
        measured = self._measured(ordered)
        constant = FittedRung("constant", "nothing", self._constant(max(len(step.scores.matched) for step in ordered)))
        known = {step.name: step for step in (constant, *ordered)}
        rungs = [
            rung_of("constant", LABELS["constant"], constant.sees, None, None, uniform, len(constant.scores.matched))
        ]
        for step in ordered:
            vector, p = measured[step.name]
            rungs.append(
                rung_of(step.name, LABELS[step.name], step.sees, vector, p, vector.uniform, len(step.scores.matched))
            )

        def half_width(first: str, second: str) -> float | None:
            return self._half_width(known[first], known[second])

        grouped = int(self.groups.max()) + 1 < len(self.y)
        return ladder_of(rungs, half_width, self.settings, ngram, grouped=grouped)

    def _measured(self, steps: Sequence[FittedRung]) -> dict[str, tuple[VectorResult, float | None]]:
        """Each rung's numbers, and its p corrected for all rungs."""
        numbers = list(dict.fromkeys(len(step.scores.matched) for step in steps))
        results: dict[str, tuple[VectorResult, float | None]] = {}
        for splits in numbers:
            scores = [step.scores for step in steps if len(step.scores.matched) == splits]
            names = {entry.vector.name for entry in scores}
            family = measure(
                "grouped", self.y, self.groups, self.labels, scores, self.settings, names,
                lambda strongest, null_sd: self.stretch,
            )  # fmt: skip
            for vector in family.result.vectors:
                p = None if vector.p_corrected is None else min(1.0, len(numbers) * vector.p_corrected)
                results[vector.vector] = vector, p
        return results

    def _constant(self, splits: int) -> Scores:
        common = int(np.bincount(self.y).argmax())
        given = np.full((splits, len(self.y)), common, dtype=np.int16)
        shares = np.zeros((len(self.y), self.labels))
        shares[:, common] = 1.0
        vector = Vector("constant", LABELS["constant"], "dense", "", 0, "")
        return Scores(vector, np.arange(len(self.y)), given, given, shares, float("nan"), [], 0)

    def _half_width(self, first: FittedRung, second: FittedRung) -> float | None:
        """Half the width of the 95 % interval of the difference of two kappas; None where it is undefined."""
        splits = min(len(first.scores.matched), len(second.scores.matched))
        spread = paired_errors(
            self.y, first.scores.matched[:splits], second.scores.matched[:splits], self.groups, self.labels,
            stretch=self.stretch.sampling, stretched_by=self.stretch.degrees,
        )  # fmt: skip
        half = float(spread.half_width()[0])
        return half if np.isfinite(half) else None


def ladder_of(
    rungs: Sequence[Rung],
    half_width: Callable[[str, str], float | None],
    settings: Settings,
    ngram: SingleNgram | None,
    *,
    grouped: bool,
    said: Mapping[str, str] | None = None,
    unit: str = "item",
) -> Ladder:
    """The ladder of `rungs`, simplest first; `half_width` is that of the 95 % interval of the difference of two.

    `said`, `unit` and `grouped` are those of `in_words`.
    """
    climbed = list(rungs[:1])
    for before, rung in pairwise(rungs):
        if rung.kappa is not None and before.kappa is not None:
            gain, half = rung.kappa - before.kappa, half_width(rung.name, before.name)
            low, high = (None, None) if half is None else (max(gain - half, -2.0), min(gain + half, 2.0))
            rung = msgspec.structs.replace(rung, gain=gain, gain_low=low, gain_high=high)
        climbed.append(rung)
    best, enough = _simplest(climbed, half_width, settings.alpha)
    sentence = in_words(climbed, best, enough, ngram, settings.margin, grouped=grouped, said=said, unit=unit)
    return Ladder(sentence=sentence, enough=enough, best=best, rungs=climbed, ngram=ngram)


def _simplest(
    rungs: Sequence[Rung], half_width: Callable[[str, str], float | None], alpha: float
) -> tuple[str, str | None]:
    """The best rung, and the simplest within noise of it; None if no rung is significant.

    Within noise: the 95 % interval of the paired difference from the best includes 0 (or the difference is below
    `NEGLIGIBLE`), at least `KEEPS` of its kappa is kept, and the rung is significant itself.
    """
    clear = [rung for rung in rungs if rung.p is not None and rung.p < alpha]
    best = max(clear or rungs, key=lambda rung: -1.0 if rung.kappa is None else rung.kappa)
    if not clear or best.kappa is None:
        return best.name, None
    for rung in clear:
        if rung.name == best.name:
            break
        half = half_width(best.name, rung.name)
        near = half is not None and rung.kappa is not None and best.kappa - rung.kappa <= max(half, NEGLIGIBLE)
        if near and (rung.kappa or 0.0) >= KEEPS * best.kappa:
            return best.name, rung.name
    return best.name, best.name


def rung_of(
    name: str, label: str, sees: str, vector: VectorResult | None, p: float | None, uniform: float | None, splits: int
) -> Rung:
    """A rung before it is compared with the one below; without a `vector`, that of a constant."""
    return Rung(
        name=name,
        label=label,
        sees=sees,
        kappa=0.0 if vector is None else vector.matched,
        low=None if vector is None else vector.matched_low,
        high=None if vector is None else vector.matched_high,
        uniform=uniform,
        gain=None,
        gain_low=None,
        gain_high=None,
        p=p,
        splits=splits,
    )
