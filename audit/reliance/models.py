"""Each model over all benchmarks with a shortcut: what it shows beyond difficulty, and agreement in error.

These are numbers, not findings. Right and wrong answers alone do not say why a model is right more often where the
probe is: wrong golds, items that tell good models from weak ones better in one part, and undeclared topics look alike.

All p of a study, up to two of each model, are corrected together after Holm (1979). Wrong golds and sharper items give
models an advantage that goes with their accuracy; so one with a corrected p of at most alpha has a `Trend` beside it:
the line of the other models by accuracy, and what stands out from it (`difficulty.trend`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from audit.reliance.difficulty.trend import FEWEST_OTHERS, Line, Measured, line_of_others
from audit.reliance.estimate import GroupedEstimate, combined, contrast, difference
from audit.reliance.pairs import EstimatedPair
from audit.reliance.records import ModelResult, Trend
from audit.statistics.permutation import holm

__all__ = ["Key", "model_results"]

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
            others: dict[str, list[Measured]] = {}
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


def _measured(pair: EstimatedPair) -> list[Measured]:
    """The pair, if it has a shortcut and numbers; else nothing."""
    record = pair.record
    if not record.shortcut or pair.beyond is None or not pair.beyond.se > 0 or record.accuracy is None:
        return []
    return [Measured(record.accuracy, pair.beyond)]


def _of_model(series: Sequence[Measured]) -> Measured:
    """The mean of a model over its styles and runs."""
    mean = contrast([each.beyond for each in series], [1 / len(series)] * len(series))
    return Measured(float(np.mean([each.accuracy for each in series])), mean)
