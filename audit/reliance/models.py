"""The verdict on each model. LEANS is a claim with an error rate; the other words say what kept it from being made.

LEANS              a corrected p of the model is at most alpha (5 %): its advantage where the probe is right is larger
                   than difficulty and gold answers explain, and than that of other models of its accuracy; or its wrong
                   answers are the probe's more often than those of other models
NOT SHOWN          it is not, a reliance of ten points would have been called LEANS at least 80 % of the time, the
                   interval ends below ten points, and every benchmark with a shortcut is measured
INCONCLUSIVE       it is not, and such a reliance could well have been missed, or was not measured somewhere, or other
                   models show as much for their accuracy
NO SHORTCUT SHOWN  the audit shows no shortcut in any benchmark, and cannot rule one out in all of them
NO SHORTCUT        the audit rules out a shortcut in each benchmark: there was nothing to lean on

There are up to two tests of each model, one for each sign; all p of a study are corrected together after Holm (1979).
With models that do not lean, some model is called LEANS in 84 of the 3,500 studies, at most 7 of 100 of a kind, that
`benchmarks/reliance` simulates in which items are difficult for all models alike, or topics are declared (with three
models from 5 to 95 % of right answers, in 9 of 100).
Otherwise an advantage beyond difficulty is only consistent with reliance: a model that is better at the topic that the
probe gets right looks the same. Its wrong answers can tell them apart, as they do not follow the probe: LEANS is not
said where an interval of what follows it ends below the advantage.

Wrong golds, and items that tell good models from weak ones better in one part, give models an advantage that goes with
their accuracy (`difficulty.trend`). So by its advantage a model is only called LEANS if it stands out from the line of
the others, too: where these show a trend, with a p corrected for all tests. With fewer than four others nobody can see
one, and the reason says so.

What a study says it would find at least 80 % of the time, simulated studies find 86 to 100 % of the time in a model
that leans alone; where another leans as much, 63 to 72 % of the time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from audit.notation import first_of, p_is, per_cent, signed, things
from audit.reliance.difficulty.trend import FEWEST_OTHERS, Line, Measured, line_of_others
from audit.reliance.estimate import GroupedEstimate, combined, contrast, difference
from audit.reliance.pairs import EstimatedPair
from audit.reliance.records import ModelVerdict, PairResult, RobustDifference, Trend, Word
from audit.statistics.resampling import holm

__all__ = ["WORTH_FINDING", "Key", "model_verdicts"]

WORTH_FINDING = 0.1
"""A reliance, as a share of the items, that a study should not miss."""
_A_TREND = 0.1
"""The two-sided p up to which what models show goes with their accuracy. With 10 % wrong golds, 12 % of 60 studies
accuse somebody if no p is corrected for all tests; if all are, 58 %, not 68 %, of those that lean in 300 items are
found."""

_QUALITY = "wrong or ambiguous golds, or items of one part that tell good models from weak ones better"
"""What makes an advantage go with accuracy."""

Key = tuple[str, str, str]
"""Model, style and run."""


def model_verdicts(
    pairs: Sequence[EstimatedPair],
    alpha: float,
    left_out: Collection[str] = (),
    stood_out: Mapping[Key, ModelVerdict] | None = None,
) -> list[ModelVerdict]:
    """A verdict for each series of `pairs`, in the order in which they occur.

    Models `left_out` say nothing of a trend where enough others do; those found before, as `stood_out` has them, keep
    the one that they had.
    """
    of: dict[Key, list[EstimatedPair]] = {}
    for pair in pairs:
        of.setdefault(pair.model, []).append(pair)
    every = list(of.values())
    signs = [_signs([pair for pair in own if pair.record.shortcut]) for own in every]
    tests = sum(estimate is not None for both in signs for estimate, _ in both)
    level = alpha / max(tests, 1)
    measured = [[difference(*sign, level) for sign in both] for both in signs]
    ps = np.array([np.nan if each.p is None else each.p for both in measured for each in both])
    corrected = iter([None if np.isnan(p) else float(p) for p in holm(ps)])
    verdicts = []
    for key, (beyond, errors) in zip(of, measured, strict=True):
        beyond_p, errors_p = next(corrected), next(corrected)
        trend = None
        if beyond_p is not None and beyond_p <= alpha:
            before = stood_out.get(key) if stood_out else None
            trend = before.trend if before and before.trend else _trend(of[key], pairs, left_out, alpha, tests)
        verdicts.append(_verdict(of[key], beyond, beyond_p, trend, errors, errors_p, alpha))
    return verdicts


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
    own: Sequence[EstimatedPair], pairs: Sequence[EstimatedPair], left_out: Collection[str], alpha: float, tests: int
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
        return Trend(others=min(fewest), slope=none, slope_p=None, deviation=none, p=None, stands_out=None)
    by, away = difference(slope), difference(deviation)
    both = None if by.p is None else 2 * min(by.p, 1 - by.p)
    p = away.p if away.p is None or not _clear(both) else min(1.0, away.p * tests)
    stands_out = p is not None and p <= alpha
    return Trend(others=min(counts), slope=by, slope_p=both, deviation=away, p=p, stands_out=stands_out)


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


def _verdict(
    pairs: Sequence[EstimatedPair],
    beyond: RobustDifference,
    beyond_p: float | None,
    trend: Trend | None,
    errors: RobustDifference,
    errors_p: float | None,
    alpha: float,
) -> ModelVerdict:
    leaky = [pair for pair in pairs if pair.record.shortcut]
    measured = sum(bool(_measured(pair)) for pair in leaky)
    if not leaky:
        word, reason = _nothing_to_lean_on([pair.record for pair in pairs])
    else:
        within = all(pair.record.within_topics for pair in leaky)
        most = difference(_precise([pair.most_errors for pair in leaky if pair.most_errors])).high
        said = _leans(beyond, beyond_p, trend, errors, errors_p, most, alpha, within)
        word, reason = said or _else(beyond, [pair.record for pair in leaky if not _measured(pair)])
        if beyond.estimate is not None:
            where = things(len(leaky), "benchmark")
            reason = f"{'on' if measured == len(leaky) else f'measured on {measured:,} of'} {where}, {reason}"
    record = pairs[0].record
    return ModelVerdict(
        model=record.model, style=record.style, run=record.run, family=record.family, verdict=word, reason=reason,
        benchmarks=len(leaky), measured=measured, beyond=beyond, beyond_holm=beyond_p, trend=trend, errors=errors,
        errors_holm=errors_p,
    )  # fmt: skip


def _nothing_to_lean_on(records: Sequence[PairResult]) -> tuple[Word, str]:
    where = things(len(records), "benchmark")
    open_ = sum(not record.ruled_out for record in records)
    if not open_:
        return "NO SHORTCUT", f"the audit rules out a shortcut on {where}"
    rest = "nor can it rule one out" if open_ == len(records) else f"and cannot rule one out on {open_:,} of them"
    return "NO SHORTCUT SHOWN", f"the audit shows no shortcut on {where}, {rest}"


def _leans(
    beyond: RobustDifference,
    beyond_p: float | None,
    trend: Trend | None,
    errors: RobustDifference,
    errors_p: float | None,
    most: float | None,
    alpha: float,
    within: bool,
) -> tuple[Word, str] | None:
    """LEANS with the signs that say so, each with its own p, or why they do not; None if there is none."""
    signs = []
    if beyond_p is not None and beyond_p <= alpha:
        signs.append(
            f"{_points(beyond.estimate)} points beyond difficulty{' within topics' * within} "
            f"(corrected {p_is(beyond_p)})"
        )
    if errors_p is not None and errors_p <= alpha:
        share = per_cent(errors.estimate, 0)
        signs.append(
            f"{share} of the wrong answers follow the probe, not what tempts others (corrected {p_is(errors_p)})"
        )
        return "LEANS", " and ".join(signs)
    if not signs:
        return None
    if trend is not None and trend.stands_out is False:
        return "INCONCLUSIVE", f"{signs[0]}, but {_hidden(trend)}"
    if most is not None and most < (beyond.estimate or 0.0):
        # Who gives the probe's answer on a share r of the items does so on a larger share of those that it gets wrong.
        follow = f"at most {per_cent(max(most, 0.0), 0)} of the wrong answers follow the probe, too few for reliance"
        return "INCONCLUSIVE", f"{signs[0]}, but {follow}: a topic that this model is better at looks like this"
    topics = "" if within else "being better at the topics that the probe gets right looks the same"
    if trend is None or trend.stands_out is None:
        models = 1 if trend is None else trend.others + 1
        quality = f"or with {_QUALITY}, which {things(models, 'model')} cannot tell apart"
        return "LEANS", f"{signs[0]}: consistent with reliance, {quality}{topics and f'; {topics}'}"
    stands = f"{_points(trend.deviation.estimate)} more than the trend of {trend.others:,} other models ({_p(trend)})"
    caveat = f"{topics and f'{topics}, and '}{_QUALITY} may look like it"
    return "LEANS", f"{signs[0]}, {stands}: consistent with reliance; {caveat}"


def _hidden(trend: Trend) -> str:
    """What an advantage looks like that does not stand out from that of others."""
    away = f"{_points(trend.deviation.estimate)} points ({_p(trend)})"
    if not _clear(trend.slope_p):
        return f"more than the trend of {trend.others:,} other models by only {away}: {_QUALITY} may look like this"
    way = "more" if (trend.slope.estimate or 0.0) > 0 else "less"
    return (
        f"models show more of this the {way} they get right ({p_is(trend.slope_p)}), as with {_QUALITY}: "
        f"what stands out from that is {away}"
    )


def _clear(slope_p: float | None) -> bool:
    return slope_p is not None and slope_p <= _A_TREND


def _p(trend: Trend) -> str:
    return f"{'corrected ' * _clear(trend.slope_p)}{p_is(trend.p)}"


def _else(beyond: RobustDifference, unmeasured: Sequence[PairResult]) -> tuple[Word, str]:
    """Why LEANS is not said; `unmeasured` are on benchmarks with a shortcut and without a difference."""
    if beyond.estimate is None or beyond.se is None:
        return "INCONCLUSIVE", beyond.reason
    if beyond.detectable is None or beyond.detectable > 1:
        return "INCONCLUSIVE", "no reliance, however strong, is found 80 % of the time"
    smallest = f"{100 * beyond.detectable:.0f} points"
    if beyond.detectable > WORTH_FINDING:
        return "INCONCLUSIVE", f"only a reliance of {smallest} or more is found 80 % of the time"
    if beyond.high is not None and beyond.high >= WORTH_FINDING:
        return "INCONCLUSIVE", f"its interval reaches {_points(beyond.high)} points beyond difficulty"
    if unmeasured:
        where = first_of([record.benchmark for record in unmeasured])
        return "INCONCLUSIVE", f"none is shown, but reliance was not measured on {where}: {unmeasured[0].beyond.reason}"
    return "NOT SHOWN", f"a reliance of {smallest} of this model alone would have been found at least 80 % of the time"


def _points(value: float | None) -> str:
    return signed(None if value is None else 100 * value, 0)
