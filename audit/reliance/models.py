"""The verdict on each model. LEANS is a claim with an error rate; the other words say what kept it from being made.

LEANS              a corrected p of the model is at most alpha (5 %): its advantage where the probe is right is larger
                   than difficulty and gold answers explain, or its wrong answers are the probe's more often than those
                   of other models
NOT SHOWN          it is not, a reliance of ten points would have been called LEANS at least 80 % of the time, and the
                   interval ends below ten points
INCONCLUSIVE       it is not, and such a reliance could well have been missed, or was not measured at all
NO SHORTCUT SHOWN  the audit shows no shortcut in any benchmark, and cannot rule one out in all of them
NO SHORTCUT        the audit rules out a shortcut in each benchmark: there was nothing to lean on

There are up to two tests of each model, one for each sign; all p of a study are corrected together after Holm (1979).
With models that do not lean, some model is called LEANS in 84 of the 3,500 studies, at most 7 of 100 of a kind, that
`benchmarks/reliance` simulates in which items are difficult for all models alike, or topics are declared. Otherwise an
advantage beyond difficulty is only consistent with reliance: a model that is better at the topic that the probe gets
right looks the same. Its wrong answers can tell them apart, as they do not follow the probe: LEANS is not said where
an interval of what follows it ends below the advantage.

What a study says it would find at least 80 % of the time, simulated studies find 86 to 100 % of the time in a model
that leans alone; where another leans as much, 63 to 72 % of the time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.notation import p_is, per_cent, signed, things
from audit.reliance.estimate import GroupedEstimate, combined, difference
from audit.reliance.pairs import EstimatedPair
from audit.reliance.records import ModelVerdict, PairResult, RobustDifference, Word
from audit.statistics.resampling import holm

__all__ = ["WORTH_FINDING", "model_verdicts"]

WORTH_FINDING = 0.1
"""A reliance, as a share of the items, that a study should not miss."""


def model_verdicts(pairs: Sequence[EstimatedPair], alpha: float) -> list[ModelVerdict]:
    """A verdict for each series of `pairs`, in the order in which they occur."""
    of: dict[tuple[str, str, str], list[EstimatedPair]] = {}
    for pair in pairs:
        of.setdefault(pair.model, []).append(pair)
    every = list(of.values())
    signs = [_signs([pair for pair in own if pair.record.shortcut]) for own in every]
    tests = sum(estimate is not None for both in signs for estimate, _ in both)
    level = alpha / max(tests, 1)
    measured = [[difference(*sign, level) for sign in both] for both in signs]
    ps = np.array([np.nan if each.p is None else each.p for both in measured for each in both])
    corrected = iter([None if np.isnan(p) else float(p) for p in holm(ps)])
    return [
        _verdict(own, beyond, next(corrected), errors, next(corrected), alpha)
        for own, (beyond, errors) in zip(every, measured, strict=True)
    ]


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


def _verdict(
    pairs: Sequence[EstimatedPair],
    beyond: RobustDifference,
    beyond_p: float | None,
    errors: RobustDifference,
    errors_p: float | None,
    alpha: float,
) -> ModelVerdict:
    leaky = [pair.record for pair in pairs if pair.record.shortcut]
    if not leaky:
        word, reason = _nothing_to_lean_on([pair.record for pair in pairs])
    else:
        within = all(record.within_topics for record in leaky)
        most = difference(
            _precise([pair.most_errors for pair in pairs if pair.record.shortcut and pair.most_errors])
        ).high
        word, reason = _leans(beyond, beyond_p, errors, errors_p, most, alpha, within) or _else(beyond)
        reason = f"on {things(len(leaky), 'benchmark')}, {reason}" if beyond.estimate is not None else reason
    record = pairs[0].record
    return ModelVerdict(
        model=record.model, style=record.style, run=record.run, family=record.family, verdict=word, reason=reason,
        benchmarks=len(leaky), beyond=beyond, beyond_holm=beyond_p, errors=errors, errors_holm=errors_p,
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
    errors: RobustDifference,
    errors_p: float | None,
    most: float | None,
    alpha: float,
    within: bool,
) -> tuple[Word, str] | None:
    """LEANS with the signs that say so, each with its own p; None if none does."""
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
    if most is not None and most < (beyond.estimate or 0.0):
        # Who gives the probe's answer on a share r of the items does so on a larger share of those that it gets wrong.
        follow = f"at most {per_cent(max(most, 0.0), 0)} of the wrong answers follow the probe, too few for reliance"
        return "INCONCLUSIVE", f"{signs[0]}, but {follow}: a topic that this model is better at looks like this"
    if within:
        return "LEANS", signs[0]
    return (
        "LEANS",
        f"{signs[0]}: consistent with reliance; being better at the topics that the probe gets right looks the same",
    )


def _else(beyond: RobustDifference) -> tuple[Word, str]:
    """Why LEANS is not said."""
    if beyond.estimate is None or beyond.se is None:
        return "INCONCLUSIVE", beyond.reason
    if beyond.detectable is None or beyond.detectable > 1:
        return "INCONCLUSIVE", "no reliance, however strong, is found 80 % of the time"
    smallest = f"{100 * beyond.detectable:.0f} points"
    if beyond.detectable > WORTH_FINDING:
        return "INCONCLUSIVE", f"only a reliance of {smallest} or more is found 80 % of the time"
    if beyond.high is not None and beyond.high >= WORTH_FINDING:
        return "INCONCLUSIVE", f"its interval reaches {_points(beyond.high)} points beyond difficulty"
    return "NOT SHOWN", f"a reliance of {smallest} of this model alone would have been found at least 80 % of the time"


def _points(value: float | None) -> str:
    return signed(None if value is None else 100 * value, 0)
