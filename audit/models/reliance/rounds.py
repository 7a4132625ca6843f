"""Each model over all benchmarks, in rounds that leave out those that rely on the shortcut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from hansproof.audit.models.reliance.estimate import GroupedEstimate, combined, contrast, difference
from hansproof.audit.models.reliance.pairs import EstimatedPair, pairs_of
from hansproof.audit.models.reliance.parts import PartedAnswers
from hansproof.audit.models.reliance.reliance_records import ModelResult, Trend
from hansproof.audit.statistics.permutation import holm

__all__ = ["last_round", "rounds"]

# Parts that differ in the quality of their items give models an advantage nearly in proportion to their ability. What
# stands out from the line of `beyond` on accuracy through the other models is the model's own.

FEWEST_OTHERS: Final = 4
"""Through fewer models a line says hardly anything: through two it always goes."""


class ModelPoint(NamedTuple):
    """A model on one benchmark."""

    accuracy: float
    beyond: GroupedEstimate


class Line(NamedTuple):
    """A line by weighted least squares through the other models of a benchmark."""

    slope: GroupedEstimate
    """By how much more models show beyond difficulty for each unit of accuracy."""
    deviation: GroupedEstimate
    """What the model shows more than the line at its own accuracy."""


def line_of_others(own: ModelPoint, others: Sequence[ModelPoint]) -> Line | None:
    """The line through J `others`, weighted by the precision of each, and how far `own` stands out from it.

    None with fewer than `FEWEST_OTHERS`, or if all of these are right equally often. Errors are above 0.
    """
    if len(others) < FEWEST_OTHERS:
        return None
    accuracy = np.array([each.accuracy for each in others])
    precision = np.array([each.beyond.se**-2.0 for each in others])
    weight = precision / precision.sum()
    centred = accuracy - weight @ accuracy
    squares = float(weight @ centred**2)
    if squares < 1e-12:
        return None
    by = weight * centred / squares
    at = weight + (own.accuracy - weight @ accuracy) * by
    estimates = [each.beyond for each in others]
    return Line(contrast(estimates, list(by)), contrast([own.beyond, *estimates], [1.0, *-at]))


# Right and wrong answers alone do not say why a model is right more often where the probe is: wrong golds, items that
# tell good models from weak ones better in one part, and undeclared topics look alike. All p of a study are corrected
# together after Holm (1979); a model with a corrected p of at most alpha has a `Trend` beside it.

_A_TREND = 0.1
"""The two-sided p up to which what models show goes with their accuracy."""

Key = tuple[str, str, str]
"""Model, style and run."""


def model_results(
    pairs: Sequence[EstimatedPair],
    alpha: float,
    left_out: Collection[str] = (),
    stood_out: Mapping[Key, ModelResult] | None = None,
) -> list[ModelResult]:
    """The numbers of each series of `pairs`, in the order in which they occur.

    Models `left_out` say nothing of a trend where enough others do; those of rounds before, as `stood_out` has them,
    keep the one that they had.
    """
    of: dict[Key, list[EstimatedPair]] = {}
    for pair in pairs:
        of.setdefault(pair.model, []).append(pair)
    leaky = [[pair for pair in own if pair.record.shortcut] for own in of.values()]
    measured = [[difference(*sign) for sign in _signs(own)] for own in leaky]
    tests = sum(each.se is not None for both in measured for each in both)
    ps = np.array([np.nan if each.p is None else each.p for both in measured for each in both])
    corrected = iter([None if np.isnan(p) else float(p) for p in holm(ps)])
    results = []
    for (key, own), shown, (beyond, errors) in zip(of.items(), leaky, measured, strict=True):
        beyond_p, errors_p = next(corrected), next(corrected)
        trend = None
        if beyond_p is not None and beyond_p <= alpha:
            before = stood_out.get(key) if stood_out else None
            trend = before.trend if before and before.trend else _trend(own, pairs, left_out, tests)
        record = own[0].record
        results.append(ModelResult(
            model=record.model, style=record.style, run=record.run, family=record.family, benchmarks=len(shown),
            measured=sum(bool(_measured(pair)) for pair in shown), beyond=beyond, beyond_holm=beyond_p, trend=trend,
            errors=errors, errors_holm=errors_p,
        ))  # fmt: skip
    return results


def _signs(pairs: Sequence[EstimatedPair]) -> list[tuple[GroupedEstimate | None, str]]:
    """Beyond difficulty, and agreement in error, over the benchmarks; with the reason where there is none."""
    if not pairs:
        return [(None, "no benchmark has a shortcut")] * 2
    beyond = _precise([pair.beyond for pair in pairs if pair.beyond is not None])
    errors = _precise([pair.errors for pair in pairs if pair.errors is not None])
    reasons = {pair.record.beyond.reason: None for pair in pairs if pair.record.beyond.reason}
    unknown = {pair.record.errors.excess.reason: None for pair in pairs if pair.record.errors is not None}
    why = "; ".join(filter(None, unknown)) or "with two answers, whoever is wrong agrees"
    return [(beyond, "; ".join(reasons)), (errors, why)]


def _precise(estimates: Sequence[GroupedEstimate]) -> GroupedEstimate | None:
    """The mean over benchmarks, weighted by precision."""
    usable = [estimate for estimate in estimates if estimate.se > 0]
    return combined(usable, [1 / estimate.se**2 for estimate in usable]) if usable else None


def _trend(
    own: Sequence[EstimatedPair], pairs: Sequence[EstimatedPair], left_out: Collection[str], tests: int
) -> Trend:
    """Over the benchmarks with a shortcut and a line of the others; without an estimate where there are none."""
    lines: list[Line] = []
    counts = []
    fewest = []
    for pair in own:
        for this in _measured(pair):
            others: dict[str, list[ModelPoint]] = {}
            for other in pairs:
                if other.record.benchmark == pair.record.benchmark and other.record.model != pair.record.model:
                    others.setdefault(other.record.model, []).extend(_measured(other))
            every = {model: _of_model(series) for model, series in others.items() if series}
            rest = [each for model, each in every.items() if model not in left_out]
            usable = rest if len(rest) >= FEWEST_OTHERS else list(every.values())
            fewest.append(len(usable))
            line = line_of_others(this, usable)
            if line is not None:
                lines.append(line)
                counts.append(len(usable))
    slope, deviation = (_precise([line[which] for line in lines]) for which in (0, 1))
    if slope is None or deviation is None:
        none = difference(None, f"fewer than {FEWEST_OTHERS} other models that differ in accuracy")
        return Trend(others=min(fewest), slope=none, slope_p=None, deviation=none, p=None)
    by, away = difference(slope), difference(deviation)
    both = None if by.p is None else 2 * min(by.p, 1 - by.p)
    goes_with_accuracy = both is not None and both <= _A_TREND
    p = min(1.0, away.p * tests) if goes_with_accuracy and away.p is not None else away.p
    return Trend(others=min(counts), slope=by, slope_p=both, deviation=away, p=p)


def _measured(pair: EstimatedPair) -> list[ModelPoint]:
    """The pair, if it has a shortcut and numbers; else nothing."""
    record = pair.record
    if not record.shortcut or pair.beyond is None or not pair.beyond.se > 0 or record.accuracy is None:
        return []
    return [ModelPoint(record.accuracy, pair.beyond)]


def _of_model(series: Sequence[ModelPoint]) -> ModelPoint:
    """The mean of a model over its styles and runs."""
    mean = contrast([each.beyond for each in series], [1 / len(series)] * len(series))
    return ModelPoint(float(np.mean([each.accuracy for each in series])), mean)


# A model with an advantage that is not difficulty would stand in for difficulty, and all other models would look worse
# where the probe is right. A proxy must have nothing to do with the parts but through difficulty (Miao, Geng and
# Tchetgen Tchetgen 2018). So such models are left out of the difficulty of others, until there are no more.


@dataclass(frozen=True)
class Round:
    """Pairs and models of one round."""

    pairs: list[EstimatedPair]
    """By benchmark, in their order."""
    models: list[ModelResult]
    left_out: list[str]
    """Models that the difficulty for all others is measured without, in the order in which they occur."""


def last_round(parted: Sequence[PartedAnswers], alpha: float) -> Round:
    """The last of the `rounds`: every pair of `parted`, and the numbers of each model, style and run."""
    *_, last = rounds(parted, alpha)
    return last


def rounds(parted: Sequence[PartedAnswers], alpha: float) -> Iterator[Round]:
    """Each round, the first with all models, until no more are left out; at most one more than models.

    A model is left out if any of its styles and runs has more right answers where the probe is right than difficulty
    explains, or more agreement in error than expected, at a corrected `alpha`; in benchmarks with a shortcut. Right
    answers that go with accuracy in other models as well do not count (`ModelResult.trend`). Whoever was left out stays
    so: a model that would no longer be, beside those that are left, keeps the numbers of the round before.
    """
    pairs = [pair for each in parted for pair in pairs_of(each)]
    results = model_results(pairs, alpha)
    left_out: list[str] = []
    yield Round(pairs, results, left_out)
    while more := {model for model, _, _ in _standing(results, alpha)}.difference(left_out):
        left_out = list(dict.fromkeys(each.model for each in results if each.model in more.union(left_out)))
        pairs, results = _measured_again(parted, pairs, results, left_out, alpha)
        yield Round(pairs, results, left_out)


def _measured_again(
    parted: Sequence[PartedAnswers],
    before: list[EstimatedPair],
    results: list[ModelResult],
    left_out: Sequence[str],
    alpha: float,
) -> tuple[list[EstimatedPair], list[ModelResult]]:
    """Pairs and results without the models `left_out`, but for those of the round `before` that would be lost."""
    again = iter([pair for each in parted if each.about.shortcut for pair in pairs_of(each, left_out)])
    without = [next(again) if pair.record.shortcut else pair for pair in before]
    standing = _standing(results, alpha)
    kept: set[Key] = set()
    while True:
        mixed = [old if old.model in kept else new for old, new in zip(before, without, strict=True)]
        results = model_results(mixed, alpha, left_out, standing)
        lost = standing.keys() - kept - _standing(results, alpha).keys()
        if not lost:
            return mixed, results
        kept |= lost


def _standing(results: Sequence[ModelResult], alpha: float) -> dict[Key, ModelResult]:
    """Those whose corrected p is at most `alpha`, by wrong answers or by what no trend explains."""
    return {
        (result.model, result.style, result.run): result
        for result in results
        if (result.errors_holm is not None and result.errors_holm <= alpha)
        or (
            result.beyond_holm is not None and result.beyond_holm <= alpha
            and (result.trend is None or (result.trend.p or 0.0) <= alpha)
        )
    }  # fmt: skip
