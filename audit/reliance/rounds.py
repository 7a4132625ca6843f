"""Verdicts in rounds: a model that follows the probe beyond difficulty is left out of the difficulty of the others.

A model that leans is more often right where the probe is, for a reason that is not difficulty. Where it stands for
difficulty, the items that the probe predicts look easier than they are, and all other models seem to be worse there: a
proxy must have nothing to do with the parts but through difficulty (Miao, Geng and Tchetgen Tchetgen 2018). So models
are judged; those found are left out of the difficulty of all others, and all are judged again, until no more are found.

A second round is only made where the first finds a model. So where none leans, rounds accuse somebody in as many
studies as one round does, but for a few in which the first finds what wrong answers contradict. Where some lean, each
that still stands for difficulty pushes the others down: what a round says falsely, a round without any that leans would
mostly say as well. Rounds of which this holds are together wrong no more often than that one (Goeman and Solari 2010,
sequential rejection).

What is found is an advantage over the models that are left. That these do not lean, rather than work against the
shortcut, is a supposition, and the study says so where half of the models or more are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audit.notation import NAMELESS, series_title
from audit.reliance.models import Key, model_verdicts
from audit.reliance.pairs import EstimatedPair, pairs_of
from audit.reliance.parts import Parted
from audit.reliance.records import ModelVerdict
from audit.statistics.resampling import holm

__all__ = ["Round", "below_0", "judged", "rounds"]


@dataclass(frozen=True)
class Round:
    """Pairs and verdicts of one round."""

    pairs: list[EstimatedPair]
    """By benchmark, in their order."""
    models: list[ModelVerdict]
    left_out: list[str]
    """Models that the difficulty for all others is measured without, in the order in which they occur."""


def judged(parted: Sequence[Parted], alpha: float) -> Round:
    """The last of the `rounds`: every pair of `parted`, and a verdict for each model, style and run."""
    *_, last = rounds(parted, alpha)
    return last


def rounds(parted: Sequence[Parted], alpha: float) -> Iterator[Round]:
    """Each round, the first with all models, until one finds no more than are left out; at most one more than models.

    A model is left out if any of its styles and runs is found to have more right answers where the probe is right than
    difficulty explains, or wrong answers that follow the probe, at a corrected `alpha`; in benchmarks with a shortcut.
    Right answers that go with accuracy in other models as well do not count (`ModelVerdict.trend`). Whoever was found
    stays found: a model that would no longer be, beside those that are left, keeps the numbers of the round before.
    """
    pairs = [pairs_of(each) for each in parted]
    verdicts = model_verdicts(_flat(pairs), alpha)
    left_out: list[str] = []
    yield Round(_flat(pairs), verdicts, left_out)
    while more := {model for model, _, _ in _standing(verdicts, alpha)}.difference(left_out):
        left_out = list(dict.fromkeys(each.model for each in verdicts if each.model in more.union(left_out)))
        pairs, verdicts = _judged_again(parted, pairs, verdicts, left_out, alpha)
        yield Round(_flat(pairs), verdicts, left_out)


def below_0(verdicts: Sequence[ModelVerdict], alpha: float) -> list[str]:
    """The models that are below 0 beyond difficulty, at a level `alpha` after Holm (1979) over all of them, as titles.

    A model that leans and was not found does this to the others, and so does being worse at the topics of the probe. So
    do wrong golds, and items of one part that tell good models from weak ones better, to weak models or to good ones.
    """
    known = [(verdict, verdict.beyond.p) for verdict in verdicts if verdict.beyond.p is not None]
    corrected = holm(np.array([1 - p for _, p in known]))
    below = (verdict for (verdict, _), p in zip(known, corrected, strict=True) if p <= alpha)
    return [series_title(verdict.model, verdict.style, verdict.run) or NAMELESS for verdict in below]


def _judged_again(
    parted: Sequence[Parted],
    before: list[list[EstimatedPair]],
    verdicts: list[ModelVerdict],
    left_out: Sequence[str],
    alpha: float,
) -> tuple[list[list[EstimatedPair]], list[ModelVerdict]]:
    """Pairs and verdicts without the models `left_out`, but for those found `before` that would be lost."""
    without = [
        pairs_of(each, left_out) if each.about.shortcut else pairs for each, pairs in zip(parted, before, strict=True)
    ]
    standing = _standing(verdicts, alpha)
    kept: set[Key] = set()
    while True:
        mixed = [
            [old if old.model in kept else new for old, new in zip(*both, strict=True)]
            for both in zip(before, without, strict=True)
        ]
        verdicts = model_verdicts(_flat(mixed), alpha, left_out, standing)
        lost = standing.keys() - kept - _standing(verdicts, alpha).keys()
        if not lost:
            return mixed, verdicts
        kept |= lost


def _standing(verdicts: Sequence[ModelVerdict], alpha: float) -> dict[Key, ModelVerdict]:
    """Those whose corrected p of either sign is at most `alpha`, by wrong answers or by what no trend explains."""
    return {
        (verdict.model, verdict.style, verdict.run): verdict
        for verdict in verdicts
        if _at_most(verdict.errors_holm, alpha)
        or (_at_most(verdict.beyond_holm, alpha) and (verdict.trend is None or verdict.trend.stands_out is not False))
    }


def _at_most(p: float | None, alpha: float) -> bool:
    return p is not None and p <= alpha


def _flat(by_benchmark: Sequence[Sequence[EstimatedPair]]) -> list[EstimatedPair]:
    return [pair for pairs in by_benchmark for pair in pairs]
