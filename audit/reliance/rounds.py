"""Rounds: a model whose corrected p is at most alpha is left out of the difficulty of the others.

A model that is more often right where the probe is, for a reason that is not difficulty, would stand in for difficulty,
too: the items that the probe predicts would look easier than they are, and all other models worse there. A proxy must
have nothing to do with the parts but through difficulty (Miao, Geng and Tchetgen Tchetgen 2018). So all are measured;
those with such an advantage are left out of the difficulty of all others, and all are measured again, until no more
are. Which reason it is, no round says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.reliance.models import Key, model_results
from audit.reliance.pairs import EstimatedPair, pairs_of
from audit.reliance.parts import Parted
from audit.reliance.records import ModelResult

__all__ = ["Round", "last_round", "rounds"]


@dataclass(frozen=True)
class Round:
    """Pairs and models of one round."""

    pairs: list[EstimatedPair]
    """By benchmark, in their order."""
    models: list[ModelResult]
    left_out: list[str]
    """Models that the difficulty for all others is measured without, in the order in which they occur."""


def last_round(parted: Sequence[Parted], alpha: float) -> Round:
    """The last of the `rounds`: every pair of `parted`, and the numbers of each model, style and run."""
    *_, last = rounds(parted, alpha)
    return last


def rounds(parted: Sequence[Parted], alpha: float) -> Iterator[Round]:
    """Each round, the first with all models, until no more are left out; at most one more than models.

    A model is left out if any of its styles and runs has more right answers where the probe is right than difficulty
    explains, or more agreement in error than expected, at a corrected `alpha`; in benchmarks with a shortcut. Right
    answers that go with accuracy in other models as well do not count (`ModelResult.trend`). Whoever was left out stays
    so: a model that would no longer be, beside those that are left, keeps the numbers of the round before.
    """
    pairs = [pairs_of(each) for each in parted]
    results = model_results(_flat(pairs), alpha)
    left_out: list[str] = []
    yield Round(_flat(pairs), results, left_out)
    while more := {model for model, _, _ in _standing(results, alpha)}.difference(left_out):
        left_out = list(dict.fromkeys(each.model for each in results if each.model in more.union(left_out)))
        pairs, results = _measured_again(parted, pairs, results, left_out, alpha)
        yield Round(_flat(pairs), results, left_out)


def _measured_again(
    parted: Sequence[Parted],
    before: list[list[EstimatedPair]],
    results: list[ModelResult],
    left_out: Sequence[str],
    alpha: float,
) -> tuple[list[list[EstimatedPair]], list[ModelResult]]:
    """Pairs and results without the models `left_out`, but for those of the round `before` that would be lost."""
    without = [
        pairs_of(each, left_out) if each.about.shortcut else pairs for each, pairs in zip(parted, before, strict=True)
    ]
    standing = _standing(results, alpha)
    kept: set[Key] = set()
    while True:
        mixed = [
            [old if old.model in kept else new for old, new in zip(*both, strict=True)]
            for both in zip(before, without, strict=True)
        ]
        results = model_results(_flat(mixed), alpha, left_out, standing)
        lost = standing.keys() - kept - _standing(results, alpha).keys()
        if not lost:
            return mixed, results
        kept |= lost


def _standing(results: Sequence[ModelResult], alpha: float) -> dict[Key, ModelResult]:
    """Those whose corrected p is at most `alpha`, by wrong answers or by what no trend explains."""
    return {
        (result.model, result.style, result.run): result
        for result in results
        if _at_most(result.errors_holm, alpha)
        or (_at_most(result.beyond_holm, alpha) and (result.trend is None or (result.trend.p or 0.0) <= alpha))
    }


def _at_most(p: float | None, alpha: float) -> bool:
    return p is not None and p <= alpha


def _flat(by_benchmark: Sequence[Sequence[EstimatedPair]]) -> list[EstimatedPair]:
    return [pair for pairs in by_benchmark for pair in pairs]
